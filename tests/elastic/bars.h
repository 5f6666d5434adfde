// Bars of tetrahedra for tests: cells of six tetrahedra around a diagonal, from the origin along x.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <vector>

#include "elastic/solid/element_mesh.h"
#include "elastic/stress/stress_solver.h"

namespace sunder::elastic::testing {

struct Bar {
    std::array<int, 3> cells;
    Vec3d size;  // m
    ElementMesh mesh;

    std::uint32_t node(int x, int y, int z) const {
        return static_cast<std::uint32_t>((z * (cells[1] + 1) + y) * (cells[0] + 1) + x);
    }
};

inline Bar makeBar(std::array<int, 3> cells, const Vec3d& size) {
    Bar bar{cells, size, {}};
    for (int z = 0; z <= cells[2]; ++z)
        for (int y = 0; y <= cells[1]; ++y)
            for (int x = 0; x <= cells[0]; ++x)
                bar.mesh.mesh.vertices.push_back(
                    {Real(size.x * x / cells[0]), Real(size.y * y / cells[1]), Real(size.z * z / cells[2])});
    constexpr int kPaths[6][2] = {{0, 1}, {1, 2}, {2, 0}, {1, 0}, {2, 1}, {0, 2}};  // the axes of the first two steps
    for (int z = 0; z < cells[2]; ++z)
        for (int y = 0; y < cells[1]; ++y)
            for (int x = 0; x < cells[0]; ++x)
                for (int p = 0; p < 6; ++p) {
                    std::array<int, 3> at{x, y, z};
                    geometry::TetCorners tet{bar.node(x, y, z), 0, 0, bar.node(x + 1, y + 1, z + 1)};
                    for (int step = 0; step < 2; ++step) {
                        ++at[kPaths[p][step]];
                        tet[std::size_t(step) + 1] = bar.node(at[0], at[1], at[2]);
                    }
                    if (p >= 3)  // odd permutations
                        std::swap(tet[1], tet[2]);
                    bar.mesh.mesh.tets.push_back(tet);
                }
    bar.mesh.fill.assign(bar.mesh.mesh.tets.size(), 1);
    return bar;
}

// A force spread over the nodes of the section at x as a uniform traction is.
inline void addOnSection(NodalLoads& loads, const Bar& bar, int x, const Vec3d& force) {
    const double share = 1.0 / (bar.cells[1] * bar.cells[2]);
    for (int z = 0; z <= bar.cells[2]; ++z)
        for (int y = 0; y <= bar.cells[1]; ++y) {
            const double weight = (y == 0 || y == bar.cells[1] ? 0.5 : 1) * (z == 0 || z == bar.cells[2] ? 0.5 : 1);
            loads.forces[bar.node(x, y, z)] += force * (weight * share);
        }
}

// The mean over a slab of cells along x of a value per element, weighted by volume.
inline double slabMean(const Bar& bar, const ElasticSolid& solid, int slab, const std::function<double(std::size_t)>& value) {
    double sum = 0, volume = 0;
    for (std::size_t e = 0; e < solid.tets.size(); ++e) {
        double x = 0;
        for (const std::uint32_t node : solid.tets[e])
            x += solid.nodes[node].x / 4;
        if (int(std::floor(x / bar.size.x * bar.cells[0])) == slab) {
            sum += solid.elements[e].volume * value(e);
            volume += solid.elements[e].volume;
        }
    }
    return sum / volume;
}

// The bending moment about z of a slab, from the axial stress.
inline double slabMoment(const Bar& bar, const StressSolution& solution, const ElasticSolid& solid, int slab) {
    return bar.size.y * bar.size.z * slabMean(bar, solid, slab, [&](std::size_t e) {
               double y = 0;
               for (const std::uint32_t node : solid.tets[e])
                   y += solid.nodes[node].y / 4;
               return solution.stresses[e][0] * (y - bar.size.y / 2);
           });
}

inline double largest(const std::vector<Stress>& stresses) {
    double out = 0;
    for (const Stress& stress : stresses)
        for (const double entry : stress)
            out = std::max(out, std::fabs(entry));
    return out;
}

inline double largestDifference(const std::vector<Stress>& a, const std::vector<Stress>& b) {
    double out = 0;
    for (std::size_t e = 0; e < a.size(); ++e)
        for (std::size_t k = 0; k < 6; ++k)
            out = std::max(out, std::fabs(a[e][k] - b[e][k]));
    return out;
}

}  // namespace sunder::elastic::testing
