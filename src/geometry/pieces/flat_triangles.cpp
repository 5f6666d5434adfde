// Holes are joined to their surroundings by slits, the polygon is cut by its ears, and diagonals are then turned until no turn
// makes the thinner of two triangles fatter.
#include "geometry/pieces/flat_triangles.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/polygon.h"

namespace sunder::geometry {
namespace {

struct FlatLoop {
    std::vector<std::uint32_t> nodes;
    std::vector<PlanePoint> points;
};

bool blocks(const FlatLoop& loop, std::uint32_t from, std::uint32_t to, const PlanePoint& a, const PlanePoint& b) {
    const std::size_t count = loop.nodes.size();
    for (std::size_t i = 0; i < count; ++i) {
        const std::uint32_t r = loop.nodes[i], s = loop.nodes[(i + 1) % count];
        if (r == from || r == to || s == from || s == to)
            continue;
        const PlanePoint &c = loop.points[i], &d = loop.points[(i + 1) % count];
        if (doCross(a, b, c, d))
            return true;
    }
    return false;
}

// Joins a hole to the outline along the shortest slit that crosses neither them nor other holes.
void joinHole(FlatLoop& outline, const std::vector<FlatLoop>& holes, std::size_t number) {
    const FlatLoop& hole = holes[number];
    struct Slit {
        double squared;
        std::size_t from, to;
    };
    std::vector<Slit> slits;
    for (std::size_t i = 0; i < outline.nodes.size(); ++i)
        for (std::size_t j = 0; j < hole.nodes.size(); ++j) {
            const double x = outline.points[i].x - hole.points[j].x, y = outline.points[i].y - hole.points[j].y;
            slits.push_back({x * x + y * y, i, j});
        }
    std::sort(slits.begin(), slits.end(), [](const Slit& a, const Slit& b) {
        return std::tie(a.squared, a.from, a.to) < std::tie(b.squared, b.from, b.to);
    });
    Slit best = slits.front();
    for (const Slit& slit : slits) {
        const std::uint32_t from = outline.nodes[slit.from], to = hole.nodes[slit.to];
        const PlanePoint &a = outline.points[slit.from], &b = hole.points[slit.to];
        bool isFree = !blocks(outline, from, to, a, b);
        for (std::size_t k = number; isFree && k < holes.size(); ++k)
            isFree = !blocks(holes[k], from, to, a, b);
        if (isFree) {
            best = slit;
            break;
        }
    }
    FlatLoop joined;
    const auto add = [&](const FlatLoop& loop, std::size_t i) {
        joined.nodes.push_back(loop.nodes[i]);
        joined.points.push_back(loop.points[i]);
    };
    for (std::size_t i = 0; i <= best.from; ++i)
        add(outline, i);
    for (std::size_t j = 0; j <= hole.nodes.size(); ++j)
        add(hole, (best.to + j) % hole.nodes.size());
    for (std::size_t i = best.from; i < outline.nodes.size(); ++i)
        add(outline, i);
    outline = std::move(joined);
}

class DiagonalTurner {
public:
    DiagonalTurner(const std::vector<Vec3d>& nodes, const FlatView& view, std::span<std::array<std::uint32_t, 3>> triangles)
        : nodes_(nodes), view_(view), triangles_(triangles) {}

    void run() {
        constexpr int kMostRounds = 16;
        for (int round = 0; round < kMostRounds && turnSome(); ++round) {
        }
    }

private:
    struct Side {
        std::uint32_t low, high, triangle, side;
    };

    PlanePoint at(std::uint32_t node) const { return {view_.x(nodes_[node]), view_.y(nodes_[node])}; }

    // Area over squared sides: the larger, the fatter; negative for one that is turned over.
    double quality(std::uint32_t i, std::uint32_t j, std::uint32_t k) const {
        const PlanePoint a = at(i), b = at(j), c = at(k);
        const auto squared = [](const PlanePoint& p, const PlanePoint& q) {
            return (p.x - q.x) * (p.x - q.x) + (p.y - q.y) * (p.y - q.y);
        };
        const double sum = squared(a, b) + squared(b, c) + squared(c, a);
        return sum > 0 ? twiceArea(a, b, c) / sum : 0;
    }

    bool turnSome() {
        std::vector<Side> sides;
        for (std::uint32_t t = 0; t < triangles_.size(); ++t)
            for (std::uint32_t i = 0; i < 3; ++i) {
                const std::uint32_t a = triangles_[t][i], b = triangles_[t][(i + 1) % 3];
                sides.push_back({std::min(a, b), std::max(a, b), t, i});
            }
        std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
            return std::tie(a.low, a.high, a.triangle, a.side) < std::tie(b.low, b.high, b.triangle, b.side);
        });
        std::vector<std::uint8_t> isTurned(triangles_.size());
        bool any = false;
        const auto isSame = [&](std::size_t i, std::size_t j) {
            return j < sides.size() && sides[i].low == sides[j].low && sides[i].high == sides[j].high;
        };
        const auto hasSide = [&](std::uint32_t a, std::uint32_t b) {
            const std::uint32_t low = std::min(a, b), high = std::max(a, b);
            const auto found = std::lower_bound(
                sides.begin(), sides.end(), Side{low, high, 0, 0},
                [](const Side& x, const Side& y) { return std::tie(x.low, x.high) < std::tie(y.low, y.high); });
            return found != sides.end() && found->low == low && found->high == high;
        };
        for (std::size_t i = 0; i + 1 < sides.size(); ++i) {
            if (!isSame(i, i + 1) || isSame(i, i + 2) || (i > 0 && isSame(i - 1, i)))
                continue;
            const Side &one = sides[i], &two = sides[i + 1];
            if (isTurned[one.triangle] || isTurned[two.triangle])
                continue;
            auto &s = triangles_[one.triangle], &t = triangles_[two.triangle];
            const std::uint32_t a = s[one.side], b = s[(one.side + 1) % 3], c = s[(one.side + 2) % 3],
                                d = t[(two.side + 2) % 3];
            if (t[two.side] != b || c == d || hasSide(c, d))
                continue;
            const double now = std::min(quality(a, b, c), quality(b, a, d));
            const double then = std::min(quality(c, a, d), quality(d, b, c));
            if (!(then > now + 1e-9))
                continue;
            s = {c, a, d};
            t = {d, b, c};
            isTurned[one.triangle] = isTurned[two.triangle] = 1;
            any = true;
        }
        return any;
    }

    const std::vector<Vec3d>& nodes_;
    const FlatView& view_;
    std::span<std::array<std::uint32_t, 3>> triangles_;
};

}  // namespace

void triangulateFace(const std::vector<Vec3d>& nodes, const MergedFace& face,
                     std::vector<std::array<std::uint32_t, 3>>& triangles) {
    if (face.loops.size() == 1 && face.loops[0].size() == 3) {
        triangles.push_back({face.loops[0][0], face.loops[0][1], face.loops[0][2]});
        return;
    }
    const FlatView view(face.normal);
    std::vector<FlatLoop> outlines, holes;
    for (const std::vector<std::uint32_t>& loop : face.loops) {
        FlatLoop flat{loop, {}};
        for (const std::uint32_t node : loop)
            flat.points.push_back({view.x(nodes[node]), view.y(nodes[node])});
        (twiceArea(flat.points) < 0 ? holes : outlines).push_back(std::move(flat));
    }
    std::vector<std::vector<FlatLoop>> holesOf(outlines.size());
    for (FlatLoop& hole : holes) {
        std::size_t best = outlines.size();
        double smallest = INFINITY;
        for (std::size_t i = 0; i < outlines.size(); ++i)
            if (const double area = twiceArea(outlines[i].points);
                area < smallest && contains(outlines[i].points, hole.points[0])) {
                smallest = area;
                best = i;
            }
        if (best < outlines.size())
            holesOf[best].push_back(std::move(hole));
        else
            outlines.push_back(std::move(hole)), holesOf.emplace_back();  // so thin that rounding turned it over
    }
    for (std::size_t i = 0; i < outlines.size(); ++i) {
        for (std::size_t k = 0; k < holesOf[i].size(); ++k)
            joinHole(outlines[i], holesOf[i], k);
        std::vector<std::array<std::uint32_t, 3>> cut;
        triangulatePolygon(outlines[i].points, cut);
        const std::size_t first = triangles.size();
        for (const auto& corners : cut) {
            const std::uint32_t a = outlines[i].nodes[corners[0]], b = outlines[i].nodes[corners[1]],
                                c = outlines[i].nodes[corners[2]];
            if (a != b && b != c && c != a)  // an ear along a slit and back has no area
                triangles.push_back({a, b, c});
        }
        DiagonalTurner(nodes, view, std::span(triangles).subspan(first)).run();
    }
}

}  // namespace sunder::geometry
