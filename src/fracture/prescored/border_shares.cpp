#include "fracture/prescored/border_shares.h"

#include <algorithm>
#include <bit>

#include "math/eight_integers.h"

namespace sunder::fracture {

using geometry::Int3;
using geometry::LevelSet;

namespace {

constexpr int kSlices = 8;  // of a task
constexpr int kHalfPlaced = kPlacedSteps / 2;

template <class Stored>
class Sharer {
public:
    Sharer(const LevelSet<Stored>& body, const PlacedPattern& pattern, const SharedNodes& shared)
        : body_(body), pattern_(pattern), shared_(shared) {}

    void shareSlice(int z, std::vector<NodeSums>& sums) const {
        const Int3 nodes = body_.grid.nodes;
        for (int y = 0; y < nodes.y; ++y) {
            const std::uint8_t* distances = pattern_.distances + placedAt(0, y, z);
            const std::uint16_t* owners = &shared_.owners[body_.grid.index(0, y, z)];
            int x = 0;
            for (; x + 8 <= nodes.x; x += 8) {
                // Most blocks of eight have none.
                const Eight isNear = loadEight(distances + x) < std::int16_t(kHalfPlaced);
                for (std::uint64_t left = bitsOf(isNear & (loadEight(owners + x) != std::int16_t(0))); left != 0;
                     left &= left - 1)
                    shareNode({x + std::countr_zero(left), y, z}, sums);
            }
            for (; x < nodes.x; ++x)
                if (distances[x] < kHalfPlaced && owners[x] != SharedNodes::kNobody)
                    shareNode({x, y, z}, sums);
        }
    }

private:
    std::size_t placedAt(int x, int y, int z) const {
        return std::size_t(x) + std::size_t(y) * pattern_.rowStride + std::size_t(z) * pattern_.sliceStride;
    }

    void shareNode(const Int3& at, std::vector<NodeSums>& sums) const {
        constexpr int full = LevelSet<Stored>::kStepsPerCell, half = full / 2;
        const std::size_t node = body_.grid.index(at.x, at.y, at.z);
        const int weight = half - std::clamp(int(body_.values[node]), -half, half);
        const int distance = pattern_.distances[placedAt(at.x, at.y, at.z)];
        const int share = (weight * (kHalfPlaced - distance) + kHalfPlaced) / kPlacedSteps;
        const std::uint16_t owner = shared_.owners[node], other = pieceBeyond(at, owner);
        if (share <= 0 || other == SharedNodes::kNobody)
            return;
        add(at, owner, -share, sums);
        add(at, other, share, sums);
    }

    // The piece of the face neighbour that lies deepest on the other side: the one straight across the crack.
    std::uint16_t pieceBeyond(const Int3& at, std::uint16_t owner) const {
        const Int3 nodes = body_.grid.nodes;
        std::uint16_t found = SharedNodes::kNobody;
        int deepest = -1;
        const auto look = [&](int x, int y, int z) {
            if (x < 0 || y < 0 || z < 0 || x >= nodes.x || y >= nodes.y || z >= nodes.z)
                return;
            const std::uint16_t other = shared_.owners[body_.grid.index(x, y, z)];
            const int depth = pattern_.distances[placedAt(x, y, z)];
            if (other == owner || other == SharedNodes::kNobody || depth <= deepest)
                return;
            deepest = depth;
            found = other;
        };
        for (const int side : {-1, 1}) {
            look(at.x + side, at.y, at.z);
            look(at.x, at.y + side, at.z);
            look(at.x, at.y, at.z + side);
        }
        return found;
    }

    void add(const Int3& at, std::uint16_t owner, std::int64_t weight, std::vector<NodeSums>& sums) const {
        const Int3 low = shared_.pieces[owner - 1u].range.low;  // the piece's own grid begins one node before
        const std::int64_t x = at.x - low.x + 1, y = at.y - low.y + 1, z = at.z - low.z + 1;
        const std::int64_t factors[10] = {1, x, y, z, x * x, y * y, z * z, x * y, x * z, y * z};
        for (std::size_t i = 0; i < 10; ++i)
            sums[owner - 1u][i] += weight * factors[i];
    }

    const LevelSet<Stored>& body_;
    const PlacedPattern& pattern_;
    const SharedNodes& shared_;
};

}  // namespace

template <class Stored>
std::vector<NodeSums> borderShares(const LevelSet<Stored>& body, const PlacedPattern& pattern, const SharedNodes& shared,
                                   TaskRunner& runner) {
    const int slices = body.grid.nodes.z, tasks = (slices + kSlices - 1) / kSlices;
    std::vector<std::vector<NodeSums>> byTask(std::size_t(tasks), std::vector<NodeSums>(shared.pieces.size()));
    const Sharer<Stored> sharer(body, pattern, shared);
    runTasks(runner, tasks, [&](int task) {
        for (int z = task * kSlices; z < std::min((task + 1) * kSlices, slices); ++z)
            sharer.shareSlice(z, byTask[std::size_t(task)]);
    });
    std::vector<NodeSums> sums(shared.pieces.size());
    for (const std::vector<NodeSums>& one : byTask)
        for (std::size_t piece = 0; piece < sums.size(); ++piece)
            for (std::size_t i = 0; i < 10; ++i)
                sums[piece][i] += one[piece][i];
    return sums;
}

template std::vector<NodeSums> borderShares<std::int8_t>(const LevelSet<std::int8_t>&, const PlacedPattern&, const SharedNodes&,
                                                         TaskRunner&);
template std::vector<NodeSums> borderShares<std::int16_t>(const LevelSet<std::int16_t>&, const PlacedPattern&,
                                                          const SharedNodes&, TaskRunner&);

}  // namespace sunder::fracture
