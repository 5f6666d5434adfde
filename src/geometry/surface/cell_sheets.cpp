#include "geometry/surface/cell_sheets.h"

namespace sunder::geometry {
namespace {

using Labels = std::array<std::uint8_t, 12>;

constexpr bool isInside(int corners, int corner) { return (corners >> corner & 1) != 0; }

constexpr void join(Labels& labels, int edge0, int edge1) {
    const std::uint8_t from = labels[edge1], to = labels[edge0];
    for (std::uint8_t& label : labels)
        if (label == from)
            label = to;
}

// How the surface crosses one side: it joins the two crossed edges, or, of four, those that meet in an inside corner.
constexpr bool joinAcrossSide(Labels& labels, int corners, int side) {
    const std::array<int, 4> around = sideCorners(side);
    int crossed[4] = {}, count = 0;
    for (int i = 0; i < 4; ++i)
        if (isInside(corners, around[i]) != isInside(corners, around[(i + 1) % 4]))
            crossed[count++] = edgeBetween(around[i], around[(i + 1) % 4]);
    if (count == 2)
        join(labels, crossed[0], crossed[1]);
    if (count != 4)
        return false;
    for (int i = 0; i < 4; ++i)
        if (isInside(corners, around[i]))
            join(labels, edgeBetween(around[(i + 3) % 4], around[i]), edgeBetween(around[i], around[(i + 1) % 4]));
    return true;
}

constexpr CellSheets sheetsOf(int corners) {
    Labels labels{};
    for (int edge = 0; edge < 12; ++edge)
        labels[edge] = std::uint8_t(edge);
    int fourfold = 0;
    for (int side = 0; side < 6; ++side)
        if (joinAcrossSide(labels, corners, side))
            fourfold |= 1 << side;

    CellSheets result;
    std::array<std::uint8_t, 12> numberOf{};
    numberOf.fill(CellSheets::kNotCrossed);
    for (int edge = 0; edge < 12; ++edge) {
        result.ofEdge[edge] = CellSheets::kNotCrossed;
        if (isInside(corners, edgeCorner(edge, 0)) == isInside(corners, edgeCorner(edge, 1)))
            continue;
        if (numberOf[labels[edge]] == CellSheets::kNotCrossed)
            numberOf[labels[edge]] = result.count++;
        result.ofEdge[edge] = numberOf[labels[edge]];
    }
    int place = 0;
    for (int sheet = 0; sheet < result.count; ++sheet) {
        for (int edge = 0; edge < 12; ++edge)
            if (result.ofEdge[edge] == sheet)
                result.edges[place++] = std::uint8_t(edge);
        result.start[sheet + 1] = std::uint8_t(place);
    }
    for (int side = 0; side < 6; ++side) {
        const std::array<int, 4> around = sideCorners(side);
        const int first = edgeBetween(around[0], around[1]), opposite = edgeBetween(around[2], around[3]);
        if ((fourfold >> side & 1) != 0 && result.ofEdge[first] == result.ofEdge[opposite])
            result.pinchedSides = std::uint8_t(result.pinchedSides | 1 << side);
    }
    return result;
}

constexpr std::array<CellSheets, 256> makeTable() {
    std::array<CellSheets, 256> table{};
    for (int corners = 0; corners < 256; ++corners)
        table[corners] = sheetsOf(corners);
    return table;
}

// Ends of the cell's edges.
struct Ends {
    Vec3 low, along;
    int corner0, corner1;
};

constexpr Vec3 cornerPosition(int corner) { return {Real(corner & 1), Real(corner >> 1 & 1), Real(corner >> 2)}; }

constexpr std::array<Ends, 12> kEnds = [] {
    std::array<Ends, 12> ends{};
    for (int edge = 0; edge < 12; ++edge) {
        const int corner0 = edgeCorner(edge, 0), corner1 = edgeCorner(edge, 1);
        ends[std::size_t(edge)] = {cornerPosition(corner0), cornerPosition(corner1) - cornerPosition(corner0), corner0,
                                   corner1};
    }
    return ends;
}();

}  // namespace

constinit const std::array<CellSheets, 256> kCellSheets = makeTable();

Vec3 meanCrossing(const Real (&v)[8], const CellSheets& sheets, int sheet) {
    const int first = sheets.start[std::size_t(sheet)], last = sheets.start[std::size_t(sheet) + 1];
    Vec3 sum;
    for (int i = first; i < last; ++i) {
        const Ends& ends = kEnds[sheets.edges[std::size_t(i)]];
        sum += ends.low + ends.along * (v[ends.corner0] / (v[ends.corner0] - v[ends.corner1]));
    }
    return sum * (1 / Real(last - first));
}

}  // namespace sunder::geometry
