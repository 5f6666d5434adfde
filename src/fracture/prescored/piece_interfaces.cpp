#include "fracture/prescored/piece_interfaces.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "core/none.h"

namespace sunder::fracture {

using geometry::Grid;
using geometry::LevelSet;
using geometry::PieceInterface;

namespace {

// Maps nodes of a piece's grid to nodes of its parent's.
class NodeOfParent {
public:
    NodeOfParent(const Grid& parent, const Grid& piece) : parent_(parent), piece_(piece) {
        const Vec3 cells = (piece.origin - parent.origin) / parent.cell;
        const auto rounded = [](Real x) { return int(std::floor(x + Real(0.5))); };
        offset_ = {rounded(cells.x), rounded(cells.y), rounded(cells.z)};
    }
    // Returns the number of the parent's nodes for one beyond its grid.
    std::size_t operator()(std::size_t node) const {
        const std::size_t row = std::size_t(piece_.nodes.x), slice = row * std::size_t(piece_.nodes.y);
        const int x = int(node % row) + offset_.x, y = int(node % slice / row) + offset_.y, z = int(node / slice) + offset_.z;
        const bool isBeyond = x < 0 || y < 0 || z < 0 || x >= parent_.nodes.x || y >= parent_.nodes.y || z >= parent_.nodes.z;
        return isBeyond ? parent_.nodeCount() : parent_.index(x, y, z);
    }

private:
    const Grid &parent_, &piece_;
    geometry::Int3 offset_;
};

// Per node one more than the piece that it is inside of, 0 for none; one 0 more for everything beyond the grid.
template <class Stored>
std::vector<std::uint16_t> ownersOf(const Grid& parent, std::span<const Piece<Stored>> pieces) {
    std::vector<std::uint16_t> owners(parent.nodeCount() + 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const NodeOfParent toParent(parent, pieces[i].field.grid);
        for (std::size_t node = 0; node < pieces[i].field.values.size(); ++node)
            if (pieces[i].field.isInside(node))
                owners[toParent(node)] = std::uint16_t(i + 1);
    }
    owners.back() = 0;
    return owners;
}

constexpr int kCorners = 8;  // of a cell: bit 0 of a corner's number is x, bit 1 y, bit 2 z

// Each cell is sampled in this many steps along each axis, so that the place where three pieces meet is known to one of these
// steps.
constexpr int kSteps = 4, kPoints = kSteps + 1;

// Cells: a point on a border is moved this far to its owner's side; otherwise all pieces would be equally near and none would
// get it.
constexpr double kOnBorder = 1e-4;

// The six tetrahedra of a cube about its diagonal from corner 0 to corner 7.
constexpr int kTets[6][4] = {{0, 1, 3, 7}, {0, 1, 5, 7}, {0, 2, 3, 7}, {0, 2, 6, 7}, {0, 4, 5, 7}, {0, 4, 6, 7}};

// Values at the corners of a tetrahedron, interpolated by barycentric weights.
using Values = std::array<double, 4>;
double at(const Values& values, const Values& weights) {
    return values[0] * weights[0] + values[1] * weights[1] + values[2] * weights[2] + values[3] * weights[3];
}

// A convex polygon in a tetrahedron: at most four corners at first, one more for each plane that cuts it.
class CellPolygon {
public:
    // The surface where the values are 0.
    explicit CellPolygon(const Values& values) {
        int below[4], above[4], belowCount = 0, aboveCount = 0;
        for (int i = 0; i < 4; ++i)
            (values[std::size_t(i)] < 0 ? below[belowCount++] : above[aboveCount++]) = i;
        if (belowCount == 2) {
            addCrossing(values, below[0], above[0]);
            addCrossing(values, below[0], above[1]);
            addCrossing(values, below[1], above[1]);
            addCrossing(values, below[1], above[0]);
        } else {
            for (int i = 0; i < belowCount; ++i)
                for (int j = 0; j < aboveCount; ++j)
                    addCrossing(values, below[i], above[j]);
        }
    }
    // Keeps the region where the values are below 0.
    void keepBelow(const Values& values) {
        std::array<Values, kMost> kept;
        std::size_t count = 0;
        for (std::size_t i = 0; i < count_; ++i) {
            const Values &here = corners_[i], &next = corners_[(i + 1) % count_];
            const double h = at(values, here), n = at(values, next);
            if (h < 0)
                kept[count++] = here;
            if ((h < 0) == (n < 0))
                continue;
            for (std::size_t k = 0; k < 4; ++k)
                kept[count][k] = here[k] + (next[k] - here[k]) * (h / (h - n));
            ++count;
        }
        corners_ = kept;
        count_ = count;
    }
    std::size_t size() const { return count_; }
    const Values& operator[](std::size_t i) const { return corners_[i]; }

private:
    static constexpr std::size_t kMost = 4 + kCorners + 1;

    void addCrossing(const Values& values, int from, int to) {
        const double f = values[std::size_t(from)], t = values[std::size_t(to)];
        Values& weights = corners_[count_++];
        weights = {};
        weights[std::size_t(to)] = f / (f - t);
        weights[std::size_t(from)] = 1 - weights[std::size_t(to)];
    }

    std::array<Values, kMost> corners_{};
    std::size_t count_ = 0;
};

// Gives outside nodes next to the parent's surface to the nearest piece in the same region: the inside of a cell may border on
// a piece that has no node there.
template <class Stored>
void widen(const LevelSet<Stored>& parent, const PlacedPattern& pattern, std::vector<std::uint16_t>& owners) {
    const auto [nx, ny, nz] = parent.grid.nodes;
    const auto labelAt = [&](int x, int y, int z) {
        return pattern.labels[std::size_t(x) + std::size_t(y) * pattern.rowStride + std::size_t(z) * pattern.sliceStride];
    };
    std::vector<std::pair<std::size_t, std::uint16_t>> found;
    for (int z = 0; z < nz; ++z)
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x) {
                const std::size_t node = parent.grid.index(x, y, z);
                if (owners[node] > 0 || double(parent.distance(node)) > 2 * double(parent.grid.cell))
                    continue;
                int nearest = 4;
                std::uint16_t owner = 0;
                for (int c = std::max(z - 1, 0); c <= std::min(z + 1, nz - 1); ++c)
                    for (int b = std::max(y - 1, 0); b <= std::min(y + 1, ny - 1); ++b)
                        for (int a = std::max(x - 1, 0); a <= std::min(x + 1, nx - 1); ++a) {
                            const int steps = (a != x) + (b != y) + (c != z);
                            const std::uint16_t other = owners[parent.grid.index(a, b, c)];
                            if (other > 0 && steps < nearest && labelAt(a, b, c) == labelAt(x, y, z)) {
                                nearest = steps;
                                owner = other;
                            }
                        }
                if (owner > 0)
                    found.push_back({node, owner});
            }
    for (const auto& [node, owner] : found)
        owners[node] = owner;
}

struct Shared {
    geometry::SurfaceSums sums;
    std::vector<Vec3d> points;
    std::vector<double> pointAreas;
};
using SharedByPair = std::map<std::pair<std::uint32_t, std::uint32_t>, Shared>;

// The borders of pieces within one cell of the grid.
template <class Stored>
class Cells {
public:
    Cells(const LevelSet<Stored>& parent, const PlacedPattern& pattern, geometry::RegionSource& regions,
          std::span<const Piece<Stored>> pieces)
        : parent_(parent), regions_(regions), owners_(ownersOf(parent.grid, pieces)) {
        widen(parent, pattern, owners_);
    }

    void add(int x, int y, int z, SharedByPair& shared) {
        who_.clear();
        bool isInside = false;
        for (int i = 0; i < kCorners; ++i) {
            const std::size_t node = parent_.grid.index(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2));
            solidCorners_[std::size_t(i)] = double(parent_.values[node]);
            cornerOwners_[std::size_t(i)] = owners_[node] > 0 ? owners_[node] - 1u : kNone;
            isInside = isInside || parent_.isInside(node);
            if (owners_[node] > 0)
                who_.push_back(owners_[node] - 1u);
        }
        std::sort(who_.begin(), who_.end());
        who_.erase(std::unique(who_.begin(), who_.end()), who_.end());
        if (who_.size() < 2 || !isInside)
            return;
        read(x, y, z);
        for (std::size_t a = 0; a < who_.size(); ++a)
            for (std::size_t b = a + 1; b < who_.size(); ++b)
                addPair(a, b, shared);
    }

private:
    static constexpr std::size_t pointAt(int x, int y, int z) {
        return std::size_t(x) + kPoints * (std::size_t(y) + kPoints * std::size_t(z));
    }

    void read(int fromX, int fromY, int fromZ) {
        const double cell = double(parent_.grid.cell);
        // Counted in steps from the grid's first node, so that every cell that has the point gets the same bits, and nodes get
        // those with which the pattern was placed on the grid. Borders may pass through nodes.
        const auto placeAt = [&](int x, int y, int z) {
            return parent_.grid.exactPosition(double(x) / kSteps, double(y) / kSteps, double(z) / kSteps);
        };
        const int firstX = fromX * kSteps, firstY = fromY * kSteps, firstZ = fromZ * kSteps;
        regions_.focus(placeAt(firstX + kSteps / 2, firstY + kSteps / 2, firstZ + kSteps / 2), cell, 2 * cell);
        for (int i = 0; i < kCorners; ++i)
            cornerRegions_[std::size_t(i)] =
                regions_.at(placeAt(firstX + (i & 1) * kSteps, firstY + (i >> 1 & 1) * kSteps, firstZ + (i >> 2) * kSteps))
                    .region;
        for (int z = 0; z < kPoints; ++z)
            for (int y = 0; y < kPoints; ++y)
                for (int x = 0; x < kPoints; ++x) {
                    const std::size_t point = pointAt(x, y, z);
                    const Vec3d part = Vec3d{double(x), double(y), double(z)} * (1.0 / kSteps);
                    places_[point] = placeAt(firstX + x, firstY + y, firstZ + z);
                    const geometry::RegionAt found = regions_.at(places_[point]);
                    solid_[point] = 0;
                    // The owner is the nearest corner in the same region; without one (the region was a crumb) the nearest
                    // corner.
                    std::uint32_t owner = kNone;
                    double nearest = 0;
                    for (int i = 0; i < kCorners; ++i) {
                        const double weight =
                            (i & 1 ? part.x : 1 - part.x) * (i >> 1 & 1 ? part.y : 1 - part.y) * (i >> 2 ? part.z : 1 - part.z);
                        const std::size_t corner = std::size_t(i);
                        solid_[point] += weight * solidCorners_[corner];
                        const double closeness = weight + (cornerRegions_[corner] == found.region ? 2 : 1);
                        if (cornerOwners_[corner] != kNone && closeness > nearest) {
                            nearest = closeness;
                            owner = cornerOwners_[corner];
                        }
                    }
                    const double distance = std::max(found.distance, kOnBorder * cell);
                    for (std::size_t k = 0; k < who_.size(); ++k)
                        distances_[k][point] = who_[k] == owner ? -distance : distance;
                }
    }

    void addPair(std::size_t a, std::size_t b, SharedByPair& shared) {
        area_ = 0;
        center_ = {};
        for (int z = 0; z < kSteps; ++z)
            for (int y = 0; y < kSteps; ++y)
                for (int x = 0; x < kSteps; ++x)
                    for (const auto& corners : kTets) {
                        std::array<std::size_t, 4> tet;
                        for (std::size_t k = 0; k < 4; ++k)
                            tet[k] = pointAt(x + (corners[k] & 1), y + (corners[k] >> 1 & 1), z + (corners[k] >> 2));
                        addTet(a, b, tet, shared);
                    }
        if (area_ > 0) {
            Shared& with = shared[{who_[a], who_[b]}];
            with.points.push_back(center_ * (1 / area_));
            with.pointAreas.push_back(area_);
        }
    }

    void addTet(std::size_t a, std::size_t b, const std::array<std::size_t, 4>& tet, SharedByPair& shared) {
        // Distance from one piece less distance from the other.
        const auto between = [&](std::size_t from, std::size_t to) {
            Values values;
            for (std::size_t k = 0; k < 4; ++k)
                values[k] = distances_[from][tet[k]] - distances_[to][tet[k]];
            return values;
        };
        const Values border = between(a, b);
        CellPolygon polygon(border);
        polygon.keepBelow({solid_[tet[0]], solid_[tet[1]], solid_[tet[2]], solid_[tet[3]]});
        for (std::size_t other = 0; other < who_.size(); ++other)
            if (other != a && other != b)
                polygon.keepBelow(between(a, other));
        if (polygon.size() < 3)
            return;
        const auto placeOf = [&](const Values& weights) {
            return places_[tet[0]] * weights[0] + places_[tet[1]] * weights[1] + places_[tet[2]] * weights[2] +
                   places_[tet[3]] * weights[3];
        };
        const Vec3d p0 = placeOf(polygon[0]);
        // The direction from a to b is where this difference grows.
        Vec3d towardsB;
        for (std::size_t k = 0; k < 4; ++k)
            towardsB += (places_[tet[k]] - p0) * border[k];
        Shared& with = shared[{who_[a], who_[b]}];
        for (std::size_t k = 1; k + 1 < polygon.size(); ++k) {
            const Vec3d p1 = placeOf(polygon[k]), p2 = placeOf(polygon[k + 1]);
            const bool isForward = dot(cross(p1 - p0, p2 - p0), towardsB) >= 0;
            const double part = with.sums.add(p0, isForward ? p1 : p2, isForward ? p2 : p1);
            area_ += part;
            center_ += (p0 + p1 + p2) * (part / 3);
        }
    }

    const LevelSet<Stored>& parent_;
    geometry::RegionSource& regions_;
    std::vector<std::uint16_t> owners_;
    // Of the current cell.
    std::vector<std::uint32_t> who_;  // pieces with a corner of it, ascending
    std::array<double, kCorners> solidCorners_{};
    std::array<std::uint32_t, kCorners> cornerOwners_{};
    std::array<std::uint64_t, kCorners> cornerRegions_{};
    static constexpr std::size_t kAllPoints = kPoints * kPoints * kPoints;
    std::array<Vec3d, kAllPoints> places_;
    std::array<double, kAllPoints> solid_{};
    std::array<std::array<double, kAllPoints>, kCorners> distances_{};  // to the border of each of them, negative inside
    // Of the current pair.
    double area_ = 0;
    Vec3d center_;
};

}  // namespace

template <class Stored>
std::vector<PieceInterface> findInterfaces(const LevelSet<Stored>& parent, const PlacedPattern& pattern,
                                           geometry::RegionSource& regions, std::span<const Piece<Stored>> pieces) {
    SharedByPair shared;
    Cells<Stored> cells(parent, pattern, regions, pieces);
    for (int z = 0; z + 1 < parent.grid.nodes.z; ++z)
        for (int y = 0; y + 1 < parent.grid.nodes.y; ++y)
            for (int x = 0; x + 1 < parent.grid.nodes.x; ++x)
                cells.add(x, y, z, shared);
    std::vector<PieceInterface> interfaces;
    for (auto& [pair, with] : shared) {
        PieceInterface& interface = interfaces.emplace_back();
        interface.a = pair.first;
        interface.b = pair.second;
        with.sums.writeTo(interface);
        interface.points = std::move(with.points);
        interface.pointAreas = std::move(with.pointAreas);
    }
    return interfaces;
}

template std::vector<PieceInterface> findInterfaces<std::int8_t>(const LevelSet<std::int8_t>&, const PlacedPattern&,
                                                                 geometry::RegionSource&, std::span<const Piece<std::int8_t>>);
template std::vector<PieceInterface> findInterfaces<std::int16_t>(const LevelSet<std::int16_t>&, const PlacedPattern&,
                                                                  geometry::RegionSource&,
                                                                  std::span<const Piece<std::int16_t>>);

}  // namespace sunder::fracture
