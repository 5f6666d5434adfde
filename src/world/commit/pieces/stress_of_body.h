// The stress of a body under the loads of one blow, however it is cracked.
#pragma once

#include <optional>
#include <vector>

#include "world/commit/pieces/stress_mesh.h"

namespace sunder::world {

elastic::ElasticMaterial elasticMaterialOf(const Body& body);
// Null where the shape is no thin shell.
const Shell* shellOf(const BuiltShape& shape);

// The loads of a blow, in the body's frame; of one that a call asks for, its own.
std::vector<StressLoad> loadsOf(const BreakRequest& request);
// Whether a point of a body's frame lies in one of its anchors.
bool isAnchored(const Vec3d& point, const std::vector<FractureAnchor>& anchors);

// All that is given must outlive it. The mesh must be one that stressMesh() has just returned.
class StressOfBody {
public:
    StressOfBody(WorldState& world, const Body& body, const BreakRequest& request, const StressMesh& mesh);

    // Smoothed, per element of the cracked mesh; nothing where it could not be found.
    std::optional<std::vector<elastic::Stress>> operator()(const elastic::CrackedMesh& cut, const elastic::CrackState& state);
    // Pa: the largest equivalent stress (von Mises) that was found first.
    double firstEquivalent() const { return firstEquivalent_; }

    // m, per node of the mesh without cracks: what plastic strains of its elements leave, without rigid motion. Anchors of a
    // static body stay where they are. Nothing where that could not be found.
    std::optional<std::vector<Vec3d>> leftBy(const std::vector<elastic::Stress>& strains);

private:
    elastic::NodalLoads loadsOn(const elastic::ElasticSolid& solid, const elastic::CrackedMesh& cut,
                                const elastic::CrackState& state) const;
    bool isAnchored(const Vec3d& point) const { return world::isAnchored(point, body_.fracture->def.anchors); }
    elastic::ElasticSolid holderOf(const elastic::ElasticSolid& solid) const;
    elastic::NodalLoads held(const elastic::ElasticSolid& solid, elastic::NodalLoads loads) const;

    WorldState& world_;
    const Body& body_;
    const StressMesh& mesh_;
    std::vector<StressLoad> loads_;
    Vec3d spin_, gravity_;
    elastic::ElasticMaterial material_;
    double firstEquivalent_ = -1;
    // Of the round before: the solver where there were cracks, the mesh and its displacements.
    std::optional<elastic::StressSolver> before_;
    elastic::CrackedMesh cutBefore_;
    std::vector<Vec3d> displacements_;
};

}  // namespace sunder::world
