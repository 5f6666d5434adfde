#include "elastic/solid/element_finder.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "math/roots.h"

namespace sunder::elastic {

namespace {

// Cells are about this many mean element sizes (cube root of the volume) wide: a cell then holds some tens of elements.
constexpr double kElementSizesPerCell = 2.5;
// No more cells than this per element, for thin bodies that lie across their boxes.
constexpr double kCellsPerElement = 4;
// A weight that is no further below 0 than this lies on the face.
constexpr double kRounding = 1e-9;

Vec3d lesser(const Vec3d& a, const Vec3d& b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
Vec3d greater(const Vec3d& a, const Vec3d& b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }

std::array<double, 4> weightsIn(const ElasticSolid& solid, std::uint32_t element, const Vec3d& point) {
    std::array<double, 4> weights{};
    const Vec3d offset = point - solid.nodes[solid.tets[element][0]];
    const auto& gradients = solid.elements[element].gradients;
    for (int c = 0; c < 4; ++c)
        weights[c] = dot(gradients[c], offset) + (c == 0 ? 1 : 0);
    return weights;
}

// Negative weights set to nothing, the rest scaled to the sum 1.
std::array<double, 4> clamped(std::array<double, 4> weights) {
    double sum = 0;
    for (double& w : weights)
        sum += w = std::max(w, 0.0);
    for (double& w : weights)
        w /= sum;
    return weights;
}

Vec3d pointAt(const ElasticSolid& solid, std::uint32_t element, const std::array<double, 4>& weights) {
    Vec3d out;
    for (int c = 0; c < 4; ++c)
        out += solid.nodes[solid.tets[element][c]] * weights[c];
    return out;
}

}  // namespace

ElementFinder::ElementFinder(const ElasticSolid& solid) {
    if (solid.tets.empty())
        return;
    Vec3d low = solid.nodes[solid.tets[0][0]], high = low;
    double volume = 0;
    for (std::size_t e = 0; e < solid.tets.size(); ++e) {
        volume += solid.elements[e].volume;
        for (const std::uint32_t node : solid.tets[e]) {
            low = lesser(low, solid.nodes[node]);
            high = greater(high, solid.nodes[node]);
        }
    }
    const Vec3d size = high - low;
    const double count = double(solid.tets.size());
    origin_ = low;
    cellSize_ = std::max(kElementSizesPerCell * cubeRoot(volume / count),
                         cubeRoot(size.x * size.y * size.z / (kCellsPerElement * count)));
    cells_ = {int(size.x / cellSize_) + 1, int(size.y / cellSize_) + 1, int(size.z / cellSize_) + 1};

    first_.assign(std::size_t(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
    const auto eachCell = [&](std::size_t e, auto&& visit) {
        Vec3d from = solid.nodes[solid.tets[e][0]], to = from;
        for (const std::uint32_t node : solid.tets[e]) {
            from = lesser(from, solid.nodes[node]);
            to = greater(to, solid.nodes[node]);
        }
        const std::array<int, 3> a = cellOf(from), b = cellOf(to);
        for (int z = a[2]; z <= b[2]; ++z)
            for (int y = a[1]; y <= b[1]; ++y)
                for (int x = a[0]; x <= b[0]; ++x)
                    visit((std::size_t(z) * cells_[1] + y) * cells_[0] + x);
    };
    for (std::size_t e = 0; e < solid.tets.size(); ++e)
        eachCell(e, [&](std::size_t cell) { ++first_[cell + 1]; });
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    elements_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for (std::size_t e = 0; e < solid.tets.size(); ++e)
        eachCell(e, [&](std::size_t cell) { elements_[next[cell]++] = static_cast<std::uint32_t>(e); });
}

std::array<int, 3> ElementFinder::cellOf(const Vec3d& point) const {
    const Vec3d p = (point - origin_) * (1 / cellSize_);
    const auto within = [](double x, int cells) { return int(std::clamp(std::floor(x), 0.0, double(cells - 1))); };
    return {within(p.x, cells_[0]), within(p.y, cells_[1]), within(p.z, cells_[2])};
}

// Rings of cells about the point's own, until one beyond the first that holds something: nearer elements may begin there.
ElementFinder::Place ElementFinder::find(const ElasticSolid& solid, const Vec3d& point) const {
    Place best;
    double nearest = std::numeric_limits<double>::infinity();
    if (first_.empty())
        return best;
    const std::array<int, 3> own = cellOf(point);
    const int furthest = std::max({cells_[0], cells_[1], cells_[2]});
    const auto search = [&](int x, int y, int z) {
        const std::size_t cell = (std::size_t(z) * cells_[1] + y) * cells_[0] + x;
        for (std::uint32_t k = first_[cell]; k < first_[cell + 1]; ++k) {
            const std::array<double, 4> exact = weightsIn(solid, elements_[k], point), weights = clamped(exact);
            const Vec3d apart = pointAt(solid, elements_[k], weights) - point;
            const bool isInside = std::min({exact[0], exact[1], exact[2], exact[3]}) >= -kRounding;
            const double distance = isInside ? 0 : dot(apart, apart);
            if (distance < nearest || (distance == nearest && elements_[k] < best.element)) {
                nearest = distance;
                best = {elements_[k], weights};
            }
        }
    };
    int last = furthest;
    for (int ring = 0; ring <= last; ++ring) {
        for (int z = std::max(0, own[2] - ring); z <= std::min(cells_[2] - 1, own[2] + ring); ++z)
            for (int y = std::max(0, own[1] - ring); y <= std::min(cells_[1] - 1, own[1] + ring); ++y)
                for (int x = std::max(0, own[0] - ring); x <= std::min(cells_[0] - 1, own[0] + ring); ++x)
                    if (std::max({std::abs(x - own[0]), std::abs(y - own[1]), std::abs(z - own[2])}) == ring)
                        search(x, y, z);
        if (last == furthest && nearest < std::numeric_limits<double>::infinity())
            last = nearest == 0 ? ring : ring + 1;
    }
    return best;
}

}  // namespace sunder::elastic
