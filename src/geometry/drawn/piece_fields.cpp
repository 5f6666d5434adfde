#include "geometry/drawn/piece_fields.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sunder::geometry {
namespace {

// Cells: a ball of this radius that does not fit between pieces from outside finds a gap; wider ones are space on purpose.
constexpr Real kGapRadius = Real(2.5);
// Cells: a narrower gap is closed. Samples would see it here and there only.
constexpr Real kNarrow = 1;
// Cells: how deep notches are, in which edges of pieces that are not quite sharp meet. A gap goes deeper.
constexpr std::uint8_t kNotchDepth = 5;

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

// Nodes between pieces that stand close together: how many steps they are from space that the ball reaches, at most one more
// than a notch is deep; 0 elsewhere.
std::vector<std::uint8_t> gapDepths(const PieceFields& fields) {
    const Grid& grid = fields.grid;
    const auto [nx, ny, nz] = grid.nodes;
    std::vector<std::uint8_t> depths(fields.nodes.size());
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const TwoNearest& node = fields.nodes[grid.index(x, y, z)];
                const bool isBetween = node.toFirst > 0 && node.toFirst + node.toSecond < 2 * kGapRadius * grid.cell;
                depths[grid.index(x, y, z)] = isBetween && !isOpen(fields, x, y, z) ? kNotchDepth + 1 : 0;
            }
    const auto isShallower = [&](int x, int y, int z, std::uint8_t depth) {
        if (isOutside(grid.nodes, x, y, z))
            return depth == 1;
        const std::size_t at = grid.index(x, y, z);
        return fields.nodes[at].toFirst > 0 && depths[at] < depth;
    };
    for (std::uint8_t depth = 1; depth <= kNotchDepth; ++depth)
        for (int z = 0; z < nz; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x) {
                    std::uint8_t& own = depths[grid.index(x, y, z)];
                    if (own > depth && (isShallower(x - 1, y, z, depth) || isShallower(x + 1, y, z, depth) ||
                                        isShallower(x, y - 1, z, depth) || isShallower(x, y + 1, z, depth) ||
                                        isShallower(x, y, z - 1, depth) || isShallower(x, y, z + 1, depth)))
                        own = depth;
                }
    return depths;
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
    const std::vector<std::uint8_t> depths = gapDepths(fields);
    PieceGaps gaps;
    gaps.isNarrow.resize(fields.nodes.size());
    struct Between {
        std::size_t nodes = 0, deepNodes = 0, widest = 0;
        Real width = 0;
    };
    std::map<std::pair<std::uint32_t, std::uint32_t>, Between> betweens;  // by the two pieces
    for (std::size_t at = 0; at < depths.size(); ++at) {
        const TwoNearest& node = fields.nodes[at];
        if (depths[at] == 0)
            continue;
        if (node.toFirst + node.toSecond < kNarrow * grid.cell) {
            gaps.isNarrow[at] = 1;
            continue;
        }
        const bool isDeep = depths[at] > kNotchDepth;
        ++gaps.nodes;
        gaps.deepNodes += isDeep;
        Between& between = betweens[std::minmax(node.first, node.second)];
        ++(isDeep ? between.deepNodes : between.nodes);
        const Real width = node.toFirst + (isDeep ? kGapRadius * grid.cell : Real(0));  // deep ones first
        if (width > between.width) {
            between.width = width;
            between.widest = at;
        }
    }
    std::pair<std::size_t, std::size_t> most;
    for (const auto& [pieces, between] : betweens)
        if (const auto size = std::pair(between.deepNodes, between.nodes); size > most) {
            most = size;
            gaps.widest = between.widest;
        }
    return gaps;
}

}  // namespace sunder::geometry
