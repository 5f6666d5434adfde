#include "geometry/drawn/piece_fields.h"

#include <algorithm>
#include <cmath>

namespace sunder::geometry {
namespace {

// Cells: a ball of this radius that does not fit between pieces from outside finds a gap; wider ones are space on purpose.
constexpr Real kGapRadius = Real(2.5);
// Cells: a narrower gap is closed. Samples would see it here and there only.
constexpr Real kNarrow = 1;

struct Offset {
    int x, y, z;
    Real length;  // in cells
};

// The 13 neighbours before a node in memory.
std::vector<Offset> neighboursBefore() {
    std::vector<Offset> offsets;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (z < 0 || (z == 0 && (y < 0 || (y == 0 && x < 0))))
                    offsets.push_back({x, y, z, Real(std::sqrt(double(x * x + y * y + z * z)))});
    return offsets;
}

bool isOutside(const Int3& nodes, int x, int y, int z) {
    return x < 0 || y < 0 || z < 0 || x >= nodes.x || y >= nodes.y || z >= nodes.z;
}

void sweep(PieceFields& fields, const std::vector<Offset>& before, int sign) {
    const Grid& grid = fields.grid;
    const auto [nx, ny, nz] = grid.nodes;
    const auto along = [&](int i, int count) { return sign > 0 ? i : count - 1 - i; };
    for (int k = 0; k < nz; ++k)
        for (int j = 0; j < ny; ++j)
            for (int i = 0; i < nx; ++i) {
                const int x = along(i, nx), y = along(j, ny), z = along(k, nz);
                TwoNearest& node = fields.nodes[grid.index(x, y, z)];
                for (const Offset& o : before) {
                    if (isOutside(grid.nodes, x + sign * o.x, y + sign * o.y, z + sign * o.z))
                        continue;
                    const TwoNearest other = fields.nodes[grid.index(x + sign * o.x, y + sign * o.y, z + sign * o.z)];
                    if (other.first != kNoPiece)
                        node.add(other.first, other.toFirst + o.length * grid.cell);
                    if (other.second != kNoPiece)
                        node.add(other.second, other.toSecond + o.length * grid.cell);
                }
            }
}

// Whether a ball of the gap's radius can touch the node without touching a piece; it may stick out of the grid.
bool isOpen(const PieceFields& fields, int x, int y, int z) {
    const Grid& grid = fields.grid;
    const int reach = int(kGapRadius + 1);
    constexpr Real kRounding = Real(0.5);  // cells: the ball's centre is a node
    for (int k = -reach; k <= reach; ++k)
        for (int j = -reach; j <= reach; ++j)
            for (int i = -reach; i <= reach; ++i) {
                if (Real(i * i + j * j + k * k) > square(kGapRadius + kRounding))
                    continue;
                if (isOutside(grid.nodes, x + i, y + j, z + k) ||
                    fields.nodes[grid.index(x + i, y + j, z + k)].toFirst >= kGapRadius * grid.cell)
                    return true;
            }
    return false;
}

}  // namespace

void TwoNearest::add(std::uint32_t piece, Real distance) {
    if (piece == first) {
        toFirst = min(toFirst, distance);
    } else if (distance < toFirst) {
        second = first;
        toSecond = toFirst;
        first = piece;
        toFirst = distance;
    } else if (piece == second) {
        toSecond = min(toSecond, distance);
    } else if (distance < toSecond) {
        second = piece;
        toSecond = distance;
    }
}

void PieceFields::add(std::uint32_t piece, const DistanceField& field, const Int3& first) {
    const auto [nx, ny, nz] = field.grid.nodes;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x)
                nodes[grid.index(first.x + x, first.y + y, first.z + z)].add(piece, field.values[field.grid.index(x, y, z)]);
}

void PieceFields::spread() {
    const std::vector<Offset> before = neighboursBefore();
    for (const int sign : {1, -1, 1, -1})
        sweep(*this, before, sign);
}

PieceGaps findGaps(const PieceFields& fields) {
    const Grid& grid = fields.grid;
    const auto [nx, ny, nz] = grid.nodes;
    PieceGaps gaps;
    gaps.isNarrow.resize(fields.nodes.size());
    Real widest = 0;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const std::size_t at = grid.index(x, y, z);
                const TwoNearest& node = fields.nodes[at];
                const Real across = node.toFirst + node.toSecond;
                if (!(node.toFirst > 0) || !(across < 2 * kGapRadius * grid.cell) || isOpen(fields, x, y, z))
                    continue;
                if (across < kNarrow * grid.cell) {
                    gaps.isNarrow[at] = 1;
                    continue;
                }
                ++gaps.nodes;
                if (node.toFirst > widest) {
                    widest = node.toFirst;
                    gaps.widest = at;
                }
            }
    return gaps;
}

}  // namespace sunder::geometry
