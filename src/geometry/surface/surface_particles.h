// Points on the surface of a level set, edges and corners included: what collides with the other body's field.
//   [GBF03] 2, [Su09] 4.1
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "geometry/surface/surface_vertices.h"

namespace sunder::geometry {

// In Morton order of their cells, so that any run of particles is compact. All arrays are parallel.
struct SurfaceParticles {
    static constexpr int kClusterSize = 16;
    struct Cluster {
        Vec3 center;  // of a sphere about its particles
        Real radius = 0;
        std::uint32_t first = 0, count = 0;  // particles
    };
    std::vector<Vec3> positions;  // body frame, m
    std::vector<Vec3> normals;    // unit, outward; on an edge or corner the mean of the faces
    std::vector<SurfaceFeature> features;
    std::vector<std::uint32_t> cells;  // Morton code of the cell, 10 bits per axis
    std::vector<Cluster> clusters;     // in order, covering all particles

    std::size_t size() const { return positions.size(); }
    std::size_t memory() const;
};

// The cell of such a Morton code.
Int3 cellOfCode(std::uint32_t code);

// One particle per vertex. Grids up to 1024 nodes per axis.
SurfaceParticles makeParticles(const Grid& grid, std::span<const SurfaceVertex> vertices);

// Level of detail: at most one particle per block of (2^level)^3 cells. A corner is preferred to an edge and an edge to a face,
// then the particle farthest from `center` (the centre of mass), so that the extremes of the body stay.
SurfaceParticles thinned(const SurfaceParticles& particles, int level, const Vec3& center);

// With a smaller level for edges, edges and corners keep one particle per block of that level, and replace the faces' particles
// in the larger block.
struct ThinningLevel {
    int faces = 0, edges = 0;
};
// The indices of those that stay, ascending. isKept, where given, marks particles that stay in any case.
std::vector<std::uint32_t> chooseFew(const SurfaceParticles& particles, const ThinningLevel& level, const Vec3& center,
                                     std::span<const std::uint8_t> isKept = {});
// chooseFew from the particles that stayed at lower levels with the same marks: the best of a block is the best of one of its
// sub-blocks.
std::vector<std::uint32_t> chooseFewer(const SurfaceParticles& particles, std::span<const std::uint32_t> few,
                                       const ThinningLevel& level, const Vec3& center,
                                       std::span<const std::uint8_t> isKept = {});
SurfaceParticles onlyThese(const SurfaceParticles& particles, std::span<const std::uint32_t> few);

// Marks particles so that the convex hull of the marked ones holds all of them up to `tolerance` (m), which is what contact
// with a flat partner needs. None where they lie in a plane.
std::vector<std::uint8_t> markExtremes(const SurfaceParticles& particles, Real tolerance);

// Particles at these positions alone (a mesh's vertices, samples), Morton ordered.
SurfaceParticles particlesAt(const Grid& grid, std::span<const Vec3> positions, std::span<const Vec3> normals);

}  // namespace sunder::geometry
