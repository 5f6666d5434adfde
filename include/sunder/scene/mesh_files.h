// Triangle meshes from files: OBJ, STL, PLY, glTF and GLB.
#pragma once

#include <cstddef>
#include <filesystem>

#include "sunder/definitions.h"
#include "sunder/shapes.h"

namespace sunder {

// The format goes by the extension: .obj, .stl (text or binary), .ply (text or binary), .gltf, .glb. Polygons are cut
// into triangles, nodes of a glTF scene are placed, vertices in exactly the same place are merged, and vertices and triangles
// that have no extent are left out. Coordinates are taken as metres.
// Throws Error with the file, the line or byte where that is known, what is wrong and what is allowed.
// A glTF file reads buffers from its own folder only.
Mesh loadMesh(const std::filesystem::path& file);

// Edges of a surface that does not bound a solid.
struct MeshReport {
    std::size_t openEdges = 0;         // with one triangle
    std::size_t invertedEdges = 0;     // with two triangles that run along it in the same direction
    std::size_t nonManifoldEdges = 0;  // with three or more triangles
    bool insideOut = false;            // closed, but its triangles face inwards
    bool isClosed() const { return openEdges == 0 && invertedEdges == 0 && nonManifoldEdges == 0; }
};
MeshReport checkClosed(const Mesh& mesh);

}  // namespace sunder
