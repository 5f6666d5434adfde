// Vertex normals that break where faces meet at a sharp edge.
#pragma once

#include <cstdint>
#include <span>

#include "geometry/surface/surface_mesh.h"

namespace sunder::geometry {

// Cosine of the angle between two faces below which their edge is drawn sharp (30 degrees).
inline constexpr Real kSharpCosine = Real(0.866);

// For a mesh with one vertex per point: at sharp points the triangles are grouped by their normals; each group gets the mean of
// its normals, and all but the first get vertices of their own at the end of the arrays. Other normals stay. sharpTriangles:
// those with a sharp point, ascending.
void splitNormals(SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp, std::span<const std::uint32_t> sharpTriangles);

}  // namespace sunder::geometry
