// A pattern from labelled voxels.
#include <algorithm>
#include <map>

#include "geometry/drawn/drawing.h"
#include "geometry/patterns/generators.h"
#include "sunder/definitions.h"

namespace sunder::geometry {
namespace {

constexpr int kFewestVoxels = 2, kMostVoxelsAlong = 1024;
constexpr std::size_t kMostVoxels = std::size_t(1) << 27;
constexpr std::size_t kMostLabels = 65000;

void check(const DrawnLabels& drawn) {
    std::size_t count = 1;
    for (const int along : drawn.size) {
        if (along < kFewestVoxels || along > kMostVoxelsAlong)
            throw Error("labels: " + std::to_string(drawn.size[0]) + " x " + std::to_string(drawn.size[1]) + " x " +
                        std::to_string(drawn.size[2]) + " voxels are not allowed (2 to 1024 along each axis)");
        count *= std::size_t(along);
    }
    if (count > kMostVoxels || drawn.labels.size() != count)
        throw Error("labels: " + std::to_string(drawn.labels.size()) + " are not allowed (one for each of " +
                    std::to_string(count) + " voxels, at most " + std::to_string(kMostVoxels) + ")");
}

// Labels as small numbers in the order of first appearance; 0 stays 0.
std::vector<std::uint16_t> numbered(const DrawnLabels& drawn) {
    std::map<std::uint32_t, std::uint16_t> numbers{{0u, std::uint16_t(0)}};
    std::vector<std::uint16_t> small;
    small.reserve(drawn.labels.size());
    for (const std::uint32_t label : drawn.labels) {
        small.push_back(numbers.try_emplace(label, std::uint16_t(numbers.size())).first->second);
        if (numbers.size() > kMostLabels)
            throw Error("labels: more than " + std::to_string(kMostLabels) + " different ones");
    }
    if (numbers.size() < 2)
        throw Error("labels: all " + std::to_string(small.size()) +
                    " are 0, which is space that no piece claims (1 and up are pieces)");
    return small;
}

// Gives undrawn voxels the label of the nearest drawn one, layer by layer.
void spread(const Int3& nodes, std::vector<std::uint16_t>& labels) {
    std::vector<std::size_t> front, next;
    for (std::size_t at = 0; at < labels.size(); ++at)
        if (labels[at] != 0)
            front.push_back(at);
    const std::size_t row = std::size_t(nodes.x), slice = row * std::size_t(nodes.y);
    const auto claim = [&](std::size_t from, std::size_t to, bool isThere) {
        if (isThere && labels[to] == 0) {
            labels[to] = labels[from];
            next.push_back(to);
        }
    };
    for (; !front.empty(); front.swap(next), next.clear())
        for (const std::size_t at : front) {
            claim(at, at - 1, at % row > 0);
            claim(at, at + 1, at % row + 1 < row);
            claim(at, at - row, at % slice >= row);
            claim(at, at + row, at % slice + row < slice);
            claim(at, at - slice, at >= slice);
            claim(at, at + slice, at + slice < labels.size());
        }
}

// Voxels in the pattern's frame, whose axes are those of the drawing in another order.
struct TurnedVoxels {
    Grid grid;
    std::vector<std::uint16_t> labels;
};

TurnedVoxels turned(const DrawnLabels& drawn, const std::vector<std::uint16_t>& labels, const DrawingTurn& turn, int rim) {
    const auto whole = [](Real x) { return int(x > 0 ? x + Real(0.5) : x - Real(0.5)); };
    const Vec3 size{Real(drawn.size[0]), Real(drawn.size[1]), Real(drawn.size[2])};
    const Vec3 along = abs(rotate(turn.patternFromDrawing, size));
    TurnedVoxels result;
    Grid& grid = result.grid;
    grid.nodes = {whole(along.x) + 2 * rim, whole(along.y) + 2 * rim, whole(along.z) + 2 * rim};
    const Vec3 middle = turn.toPattern(size * Real(0.5));
    grid.origin = middle - Vec3{Real(grid.nodes.x - 1), Real(grid.nodes.y - 1), Real(grid.nodes.z - 1)} * Real(0.5);
    result.labels.resize(grid.nodeCount());
    for (int z = 0; z < grid.nodes.z; ++z)
        for (int y = 0; y < grid.nodes.y; ++y)
            for (int x = 0; x < grid.nodes.x; ++x) {
                const Vec3 from = inverseRotate(turn.patternFromDrawing, grid.position(x, y, z) - middle) + size * Real(0.5);
                const int i = whole(from.x - Real(0.5)), j = whole(from.y - Real(0.5)), k = whole(from.z - Real(0.5));
                const bool isDrawn = i >= 0 && j >= 0 && k >= 0 && i < drawn.size[0] && j < drawn.size[1] && k < drawn.size[2];
                if (isDrawn)
                    result.labels[grid.index(x, y, z)] =
                        labels[std::size_t(i) +
                               std::size_t(drawn.size[0]) * (std::size_t(j) + std::size_t(drawn.size[1]) * std::size_t(k))];
            }
    return result;
}

}  // namespace
}  // namespace sunder::geometry

namespace sunder {

SharedPattern patternFromLabels(const DrawnLabels& drawn, const DrawnFrame& frame) {
    using namespace geometry;
    check(drawn);
    const std::vector<std::uint16_t> labels = numbered(drawn);
    const Vec3 size{Real(drawn.size[0]), Real(drawn.size[1]), Real(drawn.size[2])};
    const DrawingTurn turn = turnOf(frame, {{}, size});
    const Vec3 axis = abs(turn.normal);
    if (max(axis.x, max(axis.y, axis.z)) < 1 - Real(1e-5))
        throw Error("normal: " + placeText(frame.normal) + " is not allowed (of labels: along x, y or z)");
    TurnedVoxels voxels = turned(drawn, labels, turn, hasRim(frame) ? kRim : 0);
    if (frame.rest == PatternRest::Nearest)
        spread(voxels.grid.nodes, voxels.labels);
    const std::vector<std::uint64_t> regions(voxels.labels.begin(), voxels.labels.end());
    return finishDrawing(patternFromVoxels(voxels.grid, voxels.labels, {}), regions, frame, turn, false);
}

}  // namespace sunder
