// The drawn surface of a level set, with its sharp edges kept.
//   [JLSW02] dual contouring, [Nie04] one vertex per sheet, so every edge has exactly two triangles
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "geometry/level_set/cut_nodes.h"
#include "geometry/surface/surface_mesh.h"
#include "geometry/surface/surface_vertices.h"

namespace sunder::geometry {

// An edge of the grid that the surface crosses.
struct SurfaceCrossing {
    std::uint32_t insideNode = 0, outsideNode = 0;
    Vec3 point;  // m
};
// Material slot of the surface at the crossing, for example 0 for the old surface and 1 + region across it for a fracture
// surface.
using SlotOf = std::function<std::uint16_t(const SurfaceCrossing&)>;

// `vertices` as surfaceVertices() gave them for this field. Without slotOf all slots are 0.
template <class Stored>
SurfaceMesh extractSurface(const LevelSet<Stored>& field, std::span<const SurfaceVertex> vertices, const SlotOf& slotOf = {});
template <class Stored>
SurfaceMesh extractSurface(const LevelSet<Stored>& field, const SlotOf& slotOf = {}) {
    return extractSurface<Stored>(field, surfaceVertices(field), slotOf);
}

// For a piece: slot kFractureSlot where the node across the crossing was cut off, kOldSlot elsewhere.
inline constexpr std::uint16_t kOldSlot = 0, kFractureSlot = 1;
template <class Stored>
SurfaceMesh extractCutSurface(const LevelSet<Stored>& field, std::span<const SurfaceVertex> vertices, const CutNodes& cutNodes);

}  // namespace sunder::geometry
