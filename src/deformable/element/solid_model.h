// A solid of tetrahedra ready to be stepped: what does not change while it deforms.
//   [Parker09] 3   linear tetrahedra, clamped rest shapes
//   [Parker09] 4   rows of 3 x 3 blocks
// Nodes are sorted by aggregate: compact groups of nodes, which are the unit of tasks, of sums and of the coarse system. Sums
// that run aggregate by aggregate have the same bits on any number of threads.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "deformable/element/flesh_material.h"
#include "geometry/tets/tet_mesh.h"
#include "math/lanes.h"
#include "math/mat3.h"

namespace sunder::deformable {

inline constexpr std::size_t kTetsPerTask = 512, kNodesPerTask = 256;  // grain of the tasks

// kLanes tetrahedra side by side. Matrices by rows. The last block is filled up with copies of its first tetrahedron, whose
// results nobody reads.
struct TetBlock {
    std::uint32_t node[4][wide::kLanes];
    wide::Lanes beta[9];     // 1/m: inverse of the rest shape, whose columns are the edges from node 0
    wide::Lanes clamped[9];  // 1/m: with the singular values of badly shaped tetrahedra clamped
    wide::Lanes edges[9];    // m: the rest shape
    wide::Lanes rootVolume;  // sqrt(m^3)
};

// One tetrahedron's share in a block of the matrix: its nodes i and j.
struct EdgeShare {
    std::uint32_t tet;
    std::uint8_t i, j;
};

// Which nodes share a tetrahedron, by rows; a row's own node is not listed.
struct NodeGraph {
    std::vector<std::uint32_t> firstOf;     // per node, and the end: into `neighbor`
    std::vector<std::uint32_t> neighbor;    // ascending within a row
    std::vector<std::uint32_t> mirror;      // per entry the entry across the diagonal
    std::vector<std::uint32_t> firstShare;  // per entry above the diagonal, and the end: into `shares`; empty below
    std::vector<EdgeShare> shares;
    std::vector<std::uint32_t> firstCorner;                // per node, and the end: into `corners`
    std::vector<std::array<std::uint32_t, 2>> cornerList;  // tetrahedron and which of its nodes
};

struct SolidModel {
    FleshMaterial material;
    geometry::TetMesh mesh;                // m: the rest shape, in the body's frame; nodes sorted by aggregate
    std::vector<std::uint32_t> givenNode;  // per node the one of the mesh that was given
    std::vector<std::uint32_t> givenTet;   // per tetrahedron the one of the mesh that was given
    std::vector<Real> nodeMass;            // kg
    Real mass = 0;                         // kg
    Vec3 center;                           // m: centre of mass at rest
    std::vector<TetBlock> blocks;
    NodeGraph graph;
    std::vector<std::uint32_t> firstOfAggregate;          // per aggregate, and the end: nodes
    std::vector<std::array<std::uint32_t, 3>> triangles;  // of the surface, counter-clockwise from outside
    std::vector<std::uint32_t> triangleTet;               // the tetrahedron behind each
    geometry::TetNeighbors neighbors;
    std::vector<std::uint32_t> surfaceNodes;  // ascending
    Real cell = 0;                            // m: mean edge of the surface
    std::size_t clampedTets = 0;

    std::size_t nodeCount() const { return mesh.vertices.size(); }
    std::size_t tetCount() const { return mesh.tets.size(); }
    std::size_t aggregateCount() const { return firstOfAggregate.size() - 1; }
};

struct SolidResult {
    std::shared_ptr<const SolidModel> model;
    std::string error;  // empty where the model is good; names tetrahedron or node, value and what is allowed
};

SolidResult buildSolid(const geometry::TetMesh& mesh, const FleshMaterial& material);

// A box of tetrahedra: cells of five, mirrored from cell to cell so that faces meet. Its centre is the origin.
geometry::TetMesh boxOfTets(const Vec3& halfExtents, std::array<int, 3> cells);

}  // namespace sunder::deformable
