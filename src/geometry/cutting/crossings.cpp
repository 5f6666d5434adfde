#include "geometry/cutting/crossings.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "geometry/cutting/box_tree.h"
#include "geometry/cutting/edge_uses.h"

namespace sunder::geometry {
namespace {

// A crossing before it is numbered: kind, edge and triangle, which sort in the order of the later numbers.
struct Key {
    std::uint64_t value;
    Key(bool onSurfaceEdge, std::uint32_t edge, std::uint32_t triangle)
        : value(std::uint64_t(onSurfaceEdge) << 63 | std::uint64_t(edge) << 31 | triangle) {}
    bool onSurfaceEdge() const { return (value >> 63) != 0; }
    std::uint32_t edge() const { return std::uint32_t(value >> 31); }
    std::uint32_t triangle() const { return std::uint32_t(value & 0x7fffffffu); }
};

constexpr std::uint64_t kNoKey = ~std::uint64_t(0);

struct Pair {
    std::uint32_t triangle, face;
    std::uint64_t start, end;
};

class PairTester {
public:
    PairTester(const ClosedSurface& surface, const CellComplex& complex) : surface_(surface), complex_(complex) {
        Vec3d low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
        const auto include = [&](const Vec3d& p) {
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
        };
        std::for_each(surface.points.begin(), surface.points.end(), include);
        std::for_each(complex.points.begin(), complex.points.end(), include);
        const GridOfPoints round(low, high);
        for (const Vec3d& p : surface.points)
            surfacePoints_.push_back(round(p));
        for (const Vec3d& p : complex.points)
            complexPoints_.push_back(round(p));
    }

    // All pairs that cross, by ascending triangles. The tree is of the fewer: of a large mesh, of the faces.
    std::vector<Pair> pairs() const {
        std::vector<Pair> found;
        ExactPoint corners[3];
        const bool isOfFaces = complex_.faces.size() < surface_.triangles.size();
        const std::size_t inTree = isOfFaces ? complex_.faces.size() : surface_.triangles.size();
        std::vector<GridBox> boxes;
        boxes.reserve(inTree);
        for (std::uint32_t i = 0; i < inTree; ++i) {
            isOfFaces ? face(i, corners) : triangle(i, corners);
            boxes.push_back(GridBox(corners));
        }
        const BoxTree tree(std::move(boxes));
        const std::size_t others = isOfFaces ? surface_.triangles.size() : complex_.faces.size();
        for (std::uint32_t i = 0; i < others; ++i) {
            isOfFaces ? triangle(i, corners) : face(i, corners);
            tree.query(GridBox(corners), [&](std::uint32_t k) { isOfFaces ? test(i, k, found) : test(k, i, found); });
        }
        std::sort(found.begin(), found.end(),
                  [](const Pair& a, const Pair& b) { return std::tie(a.triangle, a.face) < std::tie(b.triangle, b.face); });
        return found;
    }

    void triangle(std::uint32_t number, ExactPoint (&out)[3]) const {
        for (int i = 0; i < 3; ++i)
            out[i] = surfacePoints_[surface_.triangles[number][std::size_t(i)]];
    }
    void face(std::uint32_t number, ExactPoint (&out)[3]) const {
        for (int i = 0; i < 3; ++i)
            out[i] = complexPoints_[complex_.faces[number].points[std::size_t(i)]];
    }

    // Two triangles in general position cross in one segment or not at all.
    void test(std::uint32_t t, std::uint32_t u, std::vector<Pair>& pairs) const {
        ExactPoint T[3], U[3];
        triangle(t, T);
        face(u, U);
        int sideT[3], sideU[3];  // sides of T's corners relative to U, and of U's relative to T
        for (int i = 0; i < 3; ++i)
            sideT[i] = sideOfCutter(U, T[i]);
        if (sideT[0] == sideT[1] && sideT[1] == sideT[2] && hasArea(U))
            return;
        for (int i = 0; i < 3; ++i)
            sideU[i] = sideOfSurface(T, U[i]);
        if (sideU[0] == sideU[1] && sideU[1] == sideU[2] && hasArea(T))
            return;
        int passes[3][3];  // the side on which edge j of T passes edge i of U
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                passes[i][j] = sideOfEdge(U[i], U[(i + 1) % 3], T[j], T[(j + 1) % 3]);
        Pair pair{t, u, kNoKey, kNoKey};
        for (std::uint32_t j = 0; j < 3; ++j)
            if (sideT[j] != sideT[(j + 1) % 3] && passes[0][j] == passes[1][j] && passes[1][j] == passes[2][j])
                (sideT[j] < 0 ? pair.start : pair.end) = Key(true, surface_.triangleEdges[t][j], u).value;
        for (std::uint32_t i = 0; i < 3; ++i)
            if (sideU[i] != sideU[(i + 1) % 3] && passes[i][0] == passes[i][1] && passes[i][1] == passes[i][2])
                (sideU[i] < 0 ? pair.end : pair.start) = Key(false, complex_.faceEdges[u][i], t).value;
        if (pair.start != kNoKey && pair.end != kNoKey)
            pairs.push_back(pair);
    }

    Crossing crossing(std::uint64_t value) const {
        Key key(false, 0, 0);
        key.value = value;
        Crossing result;
        result.onSurfaceEdge = key.onSurfaceEdge();
        result.edge = key.edge();
        result.triangle = key.triangle();
        ExactPoint plane[3];
        if (result.onSurfaceEdge) {
            face(result.triangle, plane);
            const auto& [from, to] = surface_.edges[result.edge];
            result.rises = sideOfCutter(plane, surfacePoints_[from]) < 0;
            result.at = fractionOnSurfaceEdge(surfacePoints_[from], surfacePoints_[to], plane);
        } else {
            triangle(result.triangle, plane);
            const CellComplex::Edge& edge = complex_.edges[result.edge];
            result.rises = sideOfSurface(plane, complexPoints_[edge.from]) < 0;
            result.at = fractionOnCutterEdge(complexPoints_[edge.from], complexPoints_[edge.to], plane);
        }
        return result;
    }

private:
    const ClosedSurface& surface_;
    const CellComplex& complex_;
    std::vector<ExactPoint> surfacePoints_, complexPoints_;
};

// Groups items by the key that `keyOf` gives them, in the order of the items.
template <class KeyOf>
Lists listBy(std::size_t keys, std::size_t items, const KeyOf& keyOf) {
    Lists lists;
    lists.first.assign(keys + 1, 0);
    constexpr std::uint32_t kSkip = 0xffffffffu;
    for (std::uint32_t i = 0; i < items; ++i)
        if (const std::uint32_t key = keyOf(i); key != kSkip)
            ++lists.first[key + 1];
    for (std::size_t i = 1; i < lists.first.size(); ++i)
        lists.first[i] += lists.first[i - 1];
    lists.items.resize(lists.first.back());
    std::vector<std::uint32_t> next(lists.first.begin(), lists.first.end() - 1);
    for (std::uint32_t i = 0; i < items; ++i)
        if (const std::uint32_t key = keyOf(i); key != kSkip)
            lists.items[next[key]++] = i;
    return lists;
}

void sortAlongEdges(Lists& lists, const std::vector<Crossing>& crossings) {
    for (std::size_t edge = 0; edge + 1 < lists.first.size(); ++edge)
        std::stable_sort(lists.items.begin() + lists.first[edge], lists.items.begin() + lists.first[edge + 1],
                         [&](std::uint32_t a, std::uint32_t b) { return isBefore(crossings[a].at, crossings[b].at); });
}

// An edge of the complex enters and leaves the surface alternately. Where rounding made the surface cross itself slightly, the
// order is wrong: it is restored, and the tiny crossing is ignored.
void takeTurns(Lists& lists, const std::vector<Crossing>& crossings) {
    std::vector<std::uint32_t> into, outOf;
    for (std::size_t edge = 0; edge + 1 < lists.first.size(); ++edge) {
        std::uint32_t *first = lists.items.data() + lists.first[edge], *last = lists.items.data() + lists.first[edge + 1];
        const auto isOut = [&](std::uint32_t crossing) { return crossings[crossing].rises; };
        if (std::adjacent_find(first, last, [&](auto a, auto b) { return isOut(a) == isOut(b); }) == last)
            continue;
        into.clear(), outOf.clear();
        std::copy_if(first, last, std::back_inserter(outOf), isOut);
        std::remove_copy_if(first, last, std::back_inserter(into), isOut);
        if (into.size() > outOf.size() + 1 || outOf.size() > into.size() + 1)
            continue;
        bool out = outOf.size() > into.size() || (outOf.size() == into.size() && isOut(*first));
        for (std::size_t i = 0, o = 0; first != last; ++first, out = !out)
            *first = out ? outOf[o++] : into[i++];
    }
}

}  // namespace

ClosedSurface closedSurface(const SurfaceMesh& mesh) {
    ClosedSurface result;
    result.points.resize(mesh.pointCount);
    for (std::size_t i = 0; i < mesh.positions.size(); ++i)
        result.points[mesh.points[i]] = toDouble(mesh.positions[i]);
    result.triangles.reserve(mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles)
        result.triangles.push_back({mesh.points[a], mesh.points[b], mesh.points[c]});
    result.triangleEdges.resize(mesh.triangles.size());
    std::size_t bad = 0;
    forEachEdge(result.points.size(), result.triangles, [&](std::span<const EdgeUse> uses) {
        std::size_t forward = 0;
        for (const EdgeUse& use : uses) {
            forward += use.isForward;
            result.triangleEdges[use.triangle][use.side] = std::uint32_t(result.edges.size());
        }
        bad += uses.size() != 2 || forward != 1;
        result.edges.push_back({uses[0].low, uses[0].high});
    });
    if (bad > 0)
        result.error = std::to_string(bad) + " of its " + std::to_string(result.edges.size()) +
                       " edges do not lie between two triangles that face the same way";
    return result;
}

Crossings findCrossings(const ClosedSurface& surface, const CellComplex& complex) {
    const PairTester tester(surface, complex);
    const std::vector<Pair> pairs = tester.pairs();
    std::vector<std::uint64_t> keys;
    for (const Pair& pair : pairs) {
        keys.push_back(pair.start);
        keys.push_back(pair.end);
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
    Crossings result;
    for (const std::uint64_t key : keys)
        result.crossings.push_back(tester.crossing(key));
    const auto numberOf = [&](std::uint64_t key) {
        return std::uint32_t(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
    };
    for (const Pair& pair : pairs)
        result.segments.push_back({pair.triangle, pair.face, numberOf(pair.start), numberOf(pair.end)});
    const auto edgeOf = [&](bool onSurface) {
        return [&, onSurface](std::uint32_t i) {
            return result.crossings[i].onSurfaceEdge == onSurface ? result.crossings[i].edge : 0xffffffffu;
        };
    };
    result.onSurfaceEdge = listBy(surface.edges.size(), result.crossings.size(), edgeOf(true));
    result.onComplexEdge = listBy(complex.edges.size(), result.crossings.size(), edgeOf(false));
    sortAlongEdges(result.onSurfaceEdge, result.crossings);
    sortAlongEdges(result.onComplexEdge, result.crossings);
    takeTurns(result.onComplexEdge, result.crossings);
    result.ofTriangle =
        listBy(surface.triangles.size(), result.segments.size(), [&](std::uint32_t i) { return result.segments[i].triangle; });
    result.ofFace =
        listBy(complex.faces.size(), result.segments.size(), [&](std::uint32_t i) { return result.segments[i].face; });
    return result;
}

}  // namespace sunder::geometry
