// Answers the queries of sunder/queries.h from the broad phase and the bodies' shapes. Reads the world only.
#pragma once

#include "sunder/queries.h"
#include "world/state/state.h"

namespace sunder::world {

std::optional<RayHit> castRay(const WorldState& world, const Ray& ray, const QueryFilter& filter);
void castRayAll(const WorldState& world, const Ray& ray, const QueryFilter& filter, std::vector<RayHit>& hits);
std::optional<ShapeHit> castShape(const WorldState& world, const ShapeCast& cast, const QueryFilter& filter);
void castShapeAll(const WorldState& world, const ShapeCast& cast, const QueryFilter& filter, std::vector<ShapeHit>& hits);
void findOverlaps(const WorldState& world, const PlacedShape& shape, const QueryFilter& filter, std::vector<BodyId>& bodies);
std::optional<PointHit> closestPoint(const WorldState& world, const WorldPoint& point, Real maxDistance,
                                     const QueryFilter& filter);
void closestPointAll(const WorldState& world, const WorldPoint& point, Real maxDistance, const QueryFilter& filter,
                     std::vector<PointHit>& hits);
PointHit closestPointOn(const WorldState& world, std::uint32_t slot, const WorldPoint& point);

// Fits the bounds to where bodies are at the end of a step; during it they contain the expected ways. Called by every step,
// because queries must not change the world.
void settleProxies(WorldState& world);

}  // namespace sunder::world
