#include "fracture/prescored/piece_interfaces.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/surface/extract_surface.h"

namespace sunder::fracture {

using geometry::Grid;
using geometry::PieceInterface;

namespace {

// Which node of the parent's grid a node of a piece's is.
class NodeMap {
public:
    NodeMap(const Grid& parent, const Grid& piece) : parent_(parent), piece_(piece) {
        const Vec3 cells = (piece.origin - parent.origin) / parent.cell;
        const auto rounded = [](Real x) { return int(std::floor(x + Real(0.5))); };
        offset_ = {rounded(cells.x), rounded(cells.y), rounded(cells.z)};
    }
    // The number of nodes where it lies beyond the parent's grid.
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

// Per node one more than the piece it is inside of, and one 0 for all beyond the grid.
template <class Stored>
std::vector<std::uint16_t> ownersOf(const Grid& parent, std::span<const Piece<Stored>> pieces) {
    std::vector<std::uint16_t> owners(parent.nodeCount() + 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const NodeMap toParent(parent, pieces[i].field.grid);
        for (std::size_t node = 0; node < pieces[i].field.values.size(); ++node)
            if (pieces[i].field.isInside(node))
                owners[toParent(node)] = std::uint16_t(i + 1);
    }
    owners.back() = 0;
    return owners;
}

struct Shared {
    geometry::SurfaceSums sums;
    std::vector<Vec3d> points;
    std::vector<double> pointAreas;
};
using SharedByPair = std::map<std::pair<std::uint32_t, std::uint32_t>, Shared>;

// Adds what one piece sees of its interfaces: half of each, because its neighbour sees it too.
template <class Stored>
void addInterfaces(const Grid& parent, std::span<const std::uint16_t> owners, const Piece<Stored>& piece, std::uint32_t self,
                   SharedByPair& shared) {
    const NodeMap toParent(parent, piece.field.grid);
    const geometry::SurfaceMesh surface = geometry::extractSurface(
        piece.field, [&](const geometry::SurfaceCrossing& crossing) { return owners[toParent(crossing.outsideNode)]; });
    std::map<std::uint16_t, std::map<std::uint32_t, std::pair<Vec3d, double>>> points;  // by slot and point: place and area
    for (std::size_t i = 0; i < surface.triangles.size(); ++i) {
        const std::uint16_t slot = surface.slots[i];
        if (slot == 0)
            continue;
        const std::uint32_t other = slot - 1u;
        const auto [v0, v1, v2] = surface.triangles[i];
        const Vec3d p0 = toDouble(surface.positions[v0]), p1 = toDouble(surface.positions[v1]),
                    p2 = toDouble(surface.positions[v2]);
        const bool isForward = self < other;  // outward is from the lower to the higher
        const double area = shared[std::minmax(self, other)].sums.add(p0, isForward ? p1 : p2, isForward ? p2 : p1, 0.5);
        for (const std::uint32_t vertex : {v0, v1, v2}) {
            auto& [place, pointArea] = points[slot][surface.points[vertex]];
            place = toDouble(surface.positions[vertex]);
            pointArea += area / 3;
        }
    }
    for (const auto& [slot, ofSlot] : points)
        for (const auto& [point, placeAndArea] : ofSlot) {
            Shared& with = shared[std::minmax(self, slot - 1u)];
            with.points.push_back(placeAndArea.first);
            with.pointAreas.push_back(placeAndArea.second);
        }
}

}  // namespace

template <class Stored>
std::vector<PieceInterface> findInterfaces(const Grid& parent, std::span<const Piece<Stored>> pieces) {
    const std::vector<std::uint16_t> owners = ownersOf(parent, pieces);
    SharedByPair shared;
    for (std::size_t i = 0; i < pieces.size(); ++i)
        addInterfaces<Stored>(parent, owners, pieces[i], std::uint32_t(i), shared);
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

template std::vector<PieceInterface> findInterfaces<std::int8_t>(const Grid&, std::span<const Piece<std::int8_t>>);
template std::vector<PieceInterface> findInterfaces<std::int16_t>(const Grid&, std::span<const Piece<std::int16_t>>);

}  // namespace sunder::fracture
