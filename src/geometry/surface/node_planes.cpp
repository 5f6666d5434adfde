#include "geometry/surface/node_planes.h"

#include <cmath>
#include <cstddef>

namespace sunder::geometry {
namespace {

// A gradient whose length is off by this much says nothing.
constexpr Real kWorstLength = Real(0.08);
// Central differences are trusted to this, plus the rounding of stored values.
constexpr Real kCentralTolerance = Real(0.02);

// By squared length, which near 1 is off by twice as much.
Real lengthError(Real squared) { return Real(0.5) * std::fabs(squared - 1); }

// Of the eight choices of a backward or forward difference per axis, the one whose length is nearest to 1.
Vec3 nearestToUnit(const Vec3& backward, const Vec3& forward) {
    const Vec3 b = multiply(backward, backward), f = multiply(forward, forward);
    const Real sums[8] = {b.x + b.y + b.z, f.x + b.y + b.z, b.x + f.y + b.z, f.x + f.y + b.z,
                          b.x + b.y + f.z, f.x + b.y + f.z, b.x + f.y + f.z, f.x + f.y + f.z};
    int best = 0;
    Real bestError = std::fabs(sums[0] - 1);
    for (int choice = 1; choice < 8; ++choice) {
        const Real error = std::fabs(sums[choice] - 1);
        best = error < bestError ? choice : best;
        bestError = min(error, bestError);
    }
    return {best & 1 ? forward.x : backward.x, best & 2 ? forward.y : backward.y, best & 4 ? forward.z : backward.z};
}

}  // namespace

template <class Stored>
NodePlanes<Stored>::NodePlanes(const LevelSet<Stored>& field)
    : field_(field), scale_(field.step / field.grid.cell), numberOf_(field.grid.nodeCount()) {}

template <class Stored>
void NodePlanes<Stored>::atCorners(const Int3& cell, const NodePlane** planes) {
    std::uint32_t numbers[8];
    const std::size_t row = std::size_t(field_.grid.nodes.x), slice = row * std::size_t(field_.grid.nodes.y);
    const std::size_t first = field_.grid.index(cell.x, cell.y, cell.z);
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        std::uint32_t& number = numberOf_[first + std::size_t(x) + row * std::size_t(y) + slice * std::size_t(z)];
        if (number == 0) {
            planes_.push_back(compute({cell.x + x, cell.y + y, cell.z + z}));
            number = std::uint32_t(planes_.size());
        }
        numbers[corner] = number - 1;
    }
    for (int corner = 0; corner < 8; ++corner)  // the array may have moved until here
        planes[corner] = &planes_[numbers[corner]];
}

template <class Stored>
NodePlane NodePlanes<Stored>::compute(const Int3& node) const {
    const auto [nx, ny, nz] = field_.grid.nodes;
    const std::ptrdiff_t row = nx, slice = row * ny;
    const Stored* at = &field_.values[field_.grid.index(node.x, node.y, node.z)];
    const int here = *at;
    // At the border of the grid both differences are the same one.
    const std::ptrdiff_t lowX = node.x > 0 ? 1 : 0, lowY = node.y > 0 ? row : 0, lowZ = node.z > 0 ? slice : 0;
    const std::ptrdiff_t highX = node.x + 1 < nx ? 1 : 0, highY = node.y + 1 < ny ? row : 0,
                         highZ = node.z + 1 < nz ? slice : 0;
    Vec3 backward = Vec3{Real(here - at[-lowX]), Real(here - at[-lowY]), Real(here - at[-lowZ])} * scale_;
    Vec3 forward = Vec3{Real(at[highX] - here), Real(at[highY] - here), Real(at[highZ] - here)} * scale_;
    backward = {lowX ? backward.x : forward.x, lowY ? backward.y : forward.y, lowZ ? backward.z : forward.z};
    forward = {highX ? forward.x : backward.x, highY ? forward.y : backward.y, highZ ? forward.z : backward.z};

    Vec3 gradient = (backward + forward) * Real(0.5);
    if (lengthError(lengthSquared(gradient)) > kCentralTolerance + scale_)
        gradient = nearestToUnit(backward, forward);
    const Real squared = lengthSquared(gradient);
    if (!(squared > 0))
        return {};
    return {gradient / std::sqrt(squared), -Real(here) * scale_, max(0, 1 - lengthError(squared) / kWorstLength)};
}

template class NodePlanes<std::int8_t>;
template class NodePlanes<std::int16_t>;

}  // namespace sunder::geometry
