#include "geometry/level_set/level_set_mass.h"

#include <algorithm>
#include <array>

namespace sunder::geometry {
namespace {

// Share of the normal's length below which a component counts as zero; the formulas divide by it.
constexpr double kFlatComponent = 1e-3;
// A gradient shorter than this (two surfaces within a cell) has no direction.
constexpr double kNoDirection = 0.05;

// Fraction of the unit cube about the origin where g . x + distance < 0, by [SZ00]. g need not be a unit vector.
double fractionBelowPlane(double distance, double gx, double gy, double gz) {
    double m1 = std::fabs(gx), m2 = std::fabs(gy), m3 = std::fabs(gz);
    if (m1 > m2)
        std::swap(m1, m2);
    if (m2 > m3)
        std::swap(m2, m3);
    if (m1 > m2)
        std::swap(m1, m2);
    const double sum = m1 + m2 + m3;
    const double norm = std::sqrt(gx * gx + gy * gy + gz * gz);
    if (norm < kNoDirection)
        return distance < 0 ? 1 : 0;
    // The distance is exact; the gradient gives only the direction.
    const double alpha = 0.5 - distance * norm / sum;
    if (alpha <= 0 || alpha >= 1)
        return alpha <= 0 ? 0 : 1;
    m1 = m1 < kFlatComponent * sum ? 0 : m1 / sum;
    m2 = m2 < kFlatComponent * sum ? 0 : m2 / sum;
    m3 = 1 - m1 - m2;
    const double a = std::min(alpha, 1 - alpha), m12 = m1 + m2;
    double volume;
    if (a < m1)
        volume = a * a * a / (6 * m1 * m2 * m3);
    else if (a < m2)
        volume = a * (a - m1) / (2 * m2 * m3) + m1 * m1 / (6 * m2 * m3);
    else if (a >= m12 && m12 <= m3)
        volume = (2 * a - m12) / (2 * m3);
    else {
        const double top = m12 <= m3 || a < m3 ? a * a * (3 * m12 - a) : a * a * (3 - 2 * a) + m3 * m3 * (m3 - 3 * a);
        volume = (top + m1 * m1 * (m1 - 3 * a) + m2 * m2 * (m2 - 3 * a)) / (6 * m1 * m2 * m3);
    }
    return alpha <= 0.5 ? volume : 1 - volume;
}

// The surface passes through a node's cube only if it is nearer than half the cube's diagonal.
constexpr double kReach = 0.8660254037844387;

// The mean of a quadratic over the cube is its value in the middle plus this share of its second derivative per axis. The plane
// is placed at the mean: then the fractions of a curved surface have no bias of second order.
constexpr double kMeanOverCube = 1.0 / 24;

// Central differences along one axis; one-sided, with no curvature, at the border of the grid.
struct SlopeAndSecond {
    double slope, second;
    template <class ValueOf>
    SlopeAndSecond(const ValueOf& valueOf, std::size_t at, std::size_t stride, bool hasBefore, bool hasAfter) {
        const double here = valueOf(at);
        const double before = hasBefore ? here - valueOf(at - stride) : valueOf(at + stride) - here;
        const double after = hasAfter ? valueOf(at + stride) - here : before;
        slope = 0.5 * (before + after);
        second = after - before;
    }
};

// valueOf(node): distance in cells.
template <class ValueOf>
std::vector<float> fractionsOf(const Grid& grid, const ValueOf& valueOf) {
    const auto [nx, ny, nz] = grid.nodes;
    std::vector<float> result(grid.nodeCount());
    const std::size_t row = std::size_t(nx), slice = row * std::size_t(ny);
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y) {
            const std::size_t first = grid.index(0, y, z);
            for (int x = 0; x < nx; ++x) {
                const std::size_t at = first + std::size_t(x);
                const double d = valueOf(at);
                if (std::fabs(d) >= kReach) {
                    result[at] = d < 0 ? 1.0f : 0.0f;
                    continue;
                }
                const SlopeAndSecond dx(valueOf, at, 1, x > 0, x + 1 < nx), dy(valueOf, at, row, y > 0, y + 1 < ny),
                    dz(valueOf, at, slice, z > 0, z + 1 < nz);
                const double mean = d + (dx.second + dy.second + dz.second) * kMeanOverCube;
                result[at] = float(fractionBelowPlane(mean, dx.slope, dy.slope, dz.slope));
            }
        }
    return result;
}

// Sums over nodes in units of cells: 1, x, y, z, xx, yy, zz, xy, xz, yz.
using Moments = std::array<double, 10>;

// The full cubes of a row: their number and the sums of x and x x.
struct RowSums {
    double one = 0, x = 0, xx = 0;
    void add(double at) {
        one += 1;
        x += at;
        xx += at * at;
    }
};

void addRow(Moments& m, const RowSums& sums, double y, double z) {
    const auto [one, x, xx] = sums;
    const double terms[10] = {one, x, y * one, z * one, xx, y * y * one, z * z * one, y * x, z * x, y * z * one};
    for (int i = 0; i < 10; ++i)
        m[i] += terms[i];
}

// The mass of a partly solid cube lies on its solid side, where its neighbours have more: in a slab that fills the fraction f
// along that direction, (1 - f) / 2 from the middle and with f^2 of the whole cube's variance. Without this the inertia of a
// ball of 30 cells is half a percent too large.
void addPartialCube(Moments& m, const Grid& grid, std::span<const float> fractions, std::size_t at, int x, int y, int z) {
    const std::size_t row = std::size_t(grid.nodes.x), slice = row * std::size_t(grid.nodes.y);
    const auto slope = [&](std::size_t stride, bool hasBefore, bool hasAfter) {
        return double(hasAfter ? fractions[at + stride] : 0) - double(hasBefore ? fractions[at - stride] : 0);
    };
    const double gx = slope(1, x > 0, x + 1 < grid.nodes.x), gy = slope(row, y > 0, y + 1 < grid.nodes.y),
                 gz = slope(slice, z > 0, z + 1 < grid.nodes.z);
    const double f = double(fractions[at]), size = std::sqrt(gx * gx + gy * gy + gz * gz);
    const double inverse = size > 0 ? 1 / size : 0, nx = gx * inverse, ny = gy * inverse, nz = gz * inverse;
    const double shift = 0.5 * (1 - f), thinner = (1 - f * f) / 12;
    const double px = x + shift * nx, py = y + shift * ny, pz = z + shift * nz;
    const double terms[10] = {1,
                              px,
                              py,
                              pz,
                              px * px - thinner * nx * nx,
                              py * py - thinner * ny * ny,
                              pz * pz - thinner * nz * nz,
                              px * py - thinner * nx * ny,
                              px * pz - thinner * nx * nz,
                              py * pz - thinner * ny * nz};
    for (int i = 0; i < 10; ++i)
        m[i] += f * terms[i];
}

MassProperties massOf(const Grid& grid, const Moments& m) {
    if (!(m[0] > 0))
        return {};
    const double h = grid.cell, volume = m[0] * h * h * h;
    const double cx = m[1] / m[0], cy = m[2] / m[0], cz = m[3] / m[0];
    // Each cube's own moment m h^2 / 6 is that of a variance of 1/12 per axis.
    const double own = 1.0 / 12;
    const double xx = m[4] / m[0] - cx * cx + own, yy = m[5] / m[0] - cy * cy + own, zz = m[6] / m[0] - cz * cz + own;
    const double scale = volume * h * h;
    return {volume,
            {double(grid.origin.x) + cx * h, double(grid.origin.y) + cy * h, double(grid.origin.z) + cz * h},
            {scale * (yy + zz), scale * (xx + zz), scale * (xx + yy), -scale * (m[7] / m[0] - cx * cy),
             -scale * (m[8] / m[0] - cx * cz), -scale * (m[9] / m[0] - cy * cz)}};
}

}  // namespace

template <class Stored>
std::vector<float> solidFractions(const LevelSet<Stored>& field) {
    const double scale = double(field.step) / double(field.grid.cell);
    return fractionsOf(field.grid, [&](std::size_t node) { return double(field.values[node]) * scale; });
}

std::vector<float> solidFractions(const DistanceField& field) {
    const double scale = 1 / double(field.grid.cell);
    return fractionsOf(field.grid, [&](std::size_t node) { return double(field.values[node]) * scale; });
}

MassProperties massOfFractions(const Grid& grid, std::span<const float> fractions) {
    Moments moments{};
    std::size_t node = 0;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y) {
            RowSums sums;
            for (int x = 0; x < grid.nodes.x; ++x, ++node) {
                const float f = fractions[node];
                if (f == 1)
                    sums.add(x);
                else if (f > 0)
                    addPartialCube(moments, grid, fractions, node, x, y, z);
            }
            addRow(moments, sums, y, z);
        }
    return massOf(grid, moments);
}

std::vector<MassProperties> massOfLabels(const Grid& grid, std::span<const float> fractions,
                                         std::span<const std::uint16_t> labels, std::size_t labelCount) {
    std::vector<Moments> moments(labelCount + 1, Moments{});
    std::size_t node = 0;
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x;) {
                const std::uint16_t label = labels[node];
                Moments& own = moments[label <= labelCount ? label : 0];
                RowSums sums;
                for (; x < grid.nodes.x && labels[node] == label; ++x, ++node) {
                    const float f = fractions[node];
                    if (f == 1)
                        sums.add(x);
                    else if (f > 0)
                        addPartialCube(own, grid, fractions, node, x, y, z);
                }
                addRow(own, sums, y, z);
            }
    std::vector<MassProperties> result;
    for (std::size_t label = 1; label <= labelCount; ++label)
        result.push_back(massOf(grid, moments[label]));
    return result;
}

std::size_t labelBorder(const Grid& grid, std::span<const float> fractions, std::span<std::uint16_t> labels) {
    const auto [nx, ny, nz] = grid.nodes;
    std::vector<std::pair<std::size_t, std::uint16_t>> found;
    std::size_t missing = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const std::size_t at = grid.index(x, y, z);
                if (labels[at] != 0 || !(fractions[at] > 0))
                    continue;
                float most = -1;
                std::uint16_t label = 0;
                for (int k = std::max(z - 1, 0); k <= std::min(z + 1, nz - 1); ++k)
                    for (int j = std::max(y - 1, 0); j <= std::min(y + 1, ny - 1); ++j)
                        for (int i = std::max(x - 1, 0); i <= std::min(x + 1, nx - 1); ++i) {
                            const std::size_t other = grid.index(i, j, k);
                            if (labels[other] != 0 && fractions[other] > most) {
                                most = fractions[other];
                                label = labels[other];
                            }
                        }
                if (label != 0)
                    found.push_back({at, label});
                else
                    ++missing;
            }
    for (const auto& [node, label] : found)  // after the search, so that labels spread by one node only
        labels[node] = label;
    return missing;
}

template std::vector<float> solidFractions<std::int8_t>(const LevelSet8&);
template std::vector<float> solidFractions<std::int16_t>(const LevelSet16&);

}  // namespace sunder::geometry
