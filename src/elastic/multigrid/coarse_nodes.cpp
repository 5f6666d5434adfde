#include "elastic/multigrid/coarse_nodes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "core/none.h"

namespace sunder::elastic {

namespace {

// Smaller weights are rounding: the node lies on a face, an edge or a corner of its cube.
constexpr double kLeastWeight = 1e-9;
constexpr std::size_t kCornersPerBlock = 128;

using Cell = std::array<std::int32_t, 3>;

struct Cubes {
    std::vector<std::uint32_t> cubeOf;                    // by row
    std::vector<std::array<double, 8>> weights;           // by row, of the corners of its cube
    std::vector<std::uint32_t> first, rows;               // rows by cube
    std::vector<Cell> corners;                            // ascending
    std::vector<std::array<std::uint32_t, 8>> cornersOf;  // by cube
};

Cell cornerCell(const Cell& cube, int k) { return {cube[0] + (k & 1), cube[1] + (k >> 1 & 1), cube[2] + (k >> 2)}; }

std::array<double, 8> trilinear(const Vec3d& t) {
    std::array<double, 8> out{};
    for (int k = 0; k < 8; ++k) {
        const double w = (k & 1 ? t.x : 1 - t.x) * (k & 2 ? t.y : 1 - t.y) * (k & 4 ? t.z : 1 - t.z);
        out[k] = w < kLeastWeight ? 0 : w;
    }
    return out;
}

Cubes sortIntoCubes(std::span<const Vec3d> positions, const Vec3d& origin, double size) {
    Cubes out;
    const std::size_t rows = positions.size();
    std::vector<std::pair<Cell, std::uint32_t>> keys(rows);
    out.weights.resize(rows);
    for (std::uint32_t i = 0; i < rows; ++i) {
        const Vec3d p = (positions[i] - origin) * (1 / size);
        const Vec3d low{std::floor(p.x), std::floor(p.y), std::floor(p.z)};
        keys[i] = {{std::int32_t(low.x), std::int32_t(low.y), std::int32_t(low.z)}, i};
        out.weights[i] = trilinear(p - low);
    }
    std::sort(keys.begin(), keys.end());
    out.cubeOf.resize(rows);
    out.rows.resize(rows);
    std::vector<Cell> cubes;
    for (std::size_t i = 0; i < rows; ++i) {
        if (cubes.empty() || cubes.back() != keys[i].first) {
            cubes.push_back(keys[i].first);
            out.first.push_back(static_cast<std::uint32_t>(i));
        }
        out.rows[i] = keys[i].second;
        out.cubeOf[keys[i].second] = static_cast<std::uint32_t>(cubes.size() - 1);
    }
    out.first.push_back(static_cast<std::uint32_t>(rows));
    for (const Cell& cube : cubes)
        for (int k = 0; k < 8; ++k)
            out.corners.push_back(cornerCell(cube, k));
    std::sort(out.corners.begin(), out.corners.end());
    out.corners.erase(std::unique(out.corners.begin(), out.corners.end()), out.corners.end());
    for (const Cell& cube : cubes) {
        std::array<std::uint32_t, 8>& list = out.cornersOf.emplace_back();
        for (int k = 0; k < 8; ++k)
            list[k] = static_cast<std::uint32_t>(std::lower_bound(out.corners.begin(), out.corners.end(), cornerCell(cube, k)) -
                                                 out.corners.begin());
    }
    return out;
}

// The cubes around each corner, 8 at most: kNone where there is none. Entry k: the cube whose corner k it is.
std::vector<std::array<std::uint32_t, 8>> cubesOfCorners(const Cubes& cubes) {
    std::vector<std::array<std::uint32_t, 8>> out(cubes.corners.size());
    for (auto& list : out)
        list.fill(kNone);
    for (std::uint32_t cube = 0; cube < cubes.cornersOf.size(); ++cube)
        for (int k = 0; k < 8; ++k)
            out[cubes.cornersOf[cube][k]][k] = cube;
    return out;
}

// Divides the support of a corner into connected parts.
class SupportSearch {
public:
    SupportSearch(const Cubes& cubes, const BlockPattern& pattern) : cubes_(cubes), pattern_(pattern) {
        partOf_.assign(pattern.rows(), kNone);
    }

    // partAt[8 * row + k]: of the row's corner k, the number of the part that the row is in. Returns how many there are.
    std::uint32_t divide(const std::array<std::uint32_t, 8>& around, std::vector<std::uint32_t>& partAt) {
        support_.clear();
        for (int k = 0; k < 8; ++k)
            for (std::uint32_t i = around[k] == kNone ? 0 : cubes_.first[around[k]],
                               end = around[k] == kNone ? 0 : cubes_.first[around[k] + 1];
                 i < end; ++i)
                if (cubes_.weights[cubes_.rows[i]][k] > 0) {
                    support_.push_back({cubes_.rows[i], k});
                    partOf_[cubes_.rows[i]] = kUnseen;
                }
        std::uint32_t parts = 0;
        for (const Entry& entry : support_)
            if (partOf_[entry.row] == kUnseen)
                flood(entry.row, parts++);
        for (const Entry& entry : support_) {
            partAt[8 * std::size_t(entry.row) + entry.corner] = partOf_[entry.row];
            partOf_[entry.row] = kNone;
        }
        return parts;
    }

private:
    struct Entry {
        std::uint32_t row;
        int corner;
    };
    static constexpr std::uint32_t kUnseen = kNone - 1;

    void flood(std::uint32_t from, std::uint32_t part) {
        partOf_[from] = part;
        waiting_.push_back(from);
        while (!waiting_.empty()) {
            const std::uint32_t row = waiting_.back();
            waiting_.pop_back();
            for (std::uint32_t k = pattern_.first[row]; k < pattern_.first[row + 1]; ++k)
                if (partOf_[pattern_.columns[k]] == kUnseen) {
                    partOf_[pattern_.columns[k]] = part;
                    waiting_.push_back(pattern_.columns[k]);
                }
        }
    }

    const Cubes& cubes_;
    const BlockPattern& pattern_;
    std::vector<std::uint32_t> partOf_, waiting_;
    std::vector<Entry> support_;
};

}  // namespace

CoarseNodes splitCoarseNodes(std::span<const Vec3d> positions, const BlockPattern& pattern, const Vec3d& origin, double size,
                             TaskRunner& runner) {
    const Cubes cubes = sortIntoCubes(positions, origin, size);
    const auto around = cubesOfCorners(cubes);
    const std::size_t corners = cubes.corners.size(), rows = positions.size();
    std::vector<std::uint32_t> partAt(8 * rows), firstCopy(corners + 1, 0);
    runTasks(runner, static_cast<int>((corners + kCornersPerBlock - 1) / kCornersPerBlock), [&](int block) {
        SupportSearch search(cubes, pattern);
        const std::size_t end = std::min(corners, (std::size_t(block) + 1) * kCornersPerBlock);
        for (std::size_t c = block * kCornersPerBlock; c < end; ++c)
            firstCopy[c + 1] = search.divide(around[c], partAt);
    });
    std::partial_sum(firstCopy.begin(), firstCopy.end(), firstCopy.begin());

    CoarseNodes out;
    out.positions.resize(firstCopy.back());
    for (std::size_t c = 0; c < corners; ++c) {
        const Cell& cell = cubes.corners[c];
        for (std::uint32_t copy = firstCopy[c]; copy < firstCopy[c + 1]; ++copy)
            out.positions[copy] = origin + Vec3d{size * cell[0], size * cell[1], size * cell[2]};
    }
    out.first.reserve(rows + 1);
    out.first.push_back(0);
    for (std::size_t row = 0; row < rows; ++row) {
        for (int k = 0; k < 8; ++k)
            if (cubes.weights[row][k] > 0) {
                out.node.push_back(firstCopy[cubes.cornersOf[cubes.cubeOf[row]][k]] + partAt[8 * row + k]);
                out.weight.push_back(cubes.weights[row][k]);
            }
        out.first.push_back(static_cast<std::uint32_t>(out.node.size()));
    }
    return out;
}

}  // namespace sunder::elastic
