#include "geometry/pieces/short_edges.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "geometry/look/look_source.h"

namespace sunder::geometry {
namespace {

constexpr int kMostRounds = 6;
// Of the shortest edge of the surface's triangle: fine meshes have fine cracks.
constexpr double kShareOfMesh = 0.25;
// Times the least length: how far a node may move to a corner of its triangle that a crack cuts off.
constexpr double kFarthest = 4;
// Area over squared outline below which a polygon is thin: joining may not make it thinner.
constexpr double kThin = 0.005;
// Angle (rad) below which two triangles are in one plane: rounding of coordinates in single precision.
constexpr double kFlat = 1e-5;
constexpr std::uint32_t kNone = 0xffffffffu;

using Loop = std::vector<std::uint32_t>;
using Loops = std::vector<Loop>;

struct FlatPoint {
    double x, y;
};
double turn(const FlatPoint& a, const FlatPoint& b, const FlatPoint& c) {
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

class EdgeJoiner {
public:
    EdgeJoiner(const SurfaceMesh& surface, const Fragments& fragments, std::vector<MergedFace>& faces, double shortest,
               const std::vector<std::uint8_t>& isHeld)
        : surface_(surface),
          isHeld_(isHeld),
          fragments_(fragments),
          faces_(faces),
          shortest_(shortest),
          facesOf_(fragments.nodes.size()) {
        for (std::uint32_t i = 0; i < faces.size(); ++i) {
            views_.emplace_back(faces[i].normal);
            limits_.push_back(faces[i].isCrack() ? shortest
                                                 : std::min(shortest, kShareOfMesh * shortestSide(faces[i].triangle)));
            for (const Loop& loop : faces[i].loops)
                for (const std::uint32_t node : loop)
                    if (facesOf_[node].empty() || facesOf_[node].back() != i)
                        facesOf_[node].push_back(i);
        }
    }

    void run() {
        findFlatSides();
        for (int round = 0; round < kMostRounds; ++round) {
            std::size_t joined = 0;
            for (const Candidate& edge : findCandidates())
                joined += hasEdge(edge.a, edge.b) && shorten(edge);
            if (joined == 0)
                break;
        }
    }

private:
    struct Candidate {
        double length, limit;
        std::uint32_t a, b;
    };

    double shortestSide(std::uint32_t triangle) const {
        const auto& [a, b, c] = fragments_.surface.triangles[triangle];
        const std::vector<Vec3d>& p = fragments_.surface.points;
        return std::min({length(p[b] - p[a]), length(p[c] - p[b]), length(p[a] - p[c])});
    }
    const Vec3d& at(std::uint32_t node) const { return fragments_.nodes[node]; }
    const NodePlace& placeOf(std::uint32_t node) const { return fragments_.places[node]; }

    std::vector<Candidate> findCandidates() const {
        std::vector<Candidate> found;
        for (std::size_t i = 0; i < faces_.size(); ++i)
            for (const Loop& loop : faces_[i].loops)
                for (std::size_t k = 0; k < loop.size(); ++k) {
                    const std::uint32_t a = loop[k], b = loop[(k + 1) % loop.size()];
                    const double size = length(at(a) - at(b));
                    if (size < shortest_)
                        found.push_back({size, limits_[i], std::min(a, b), std::max(a, b)});
                }
        const auto key = [](const Candidate& c) { return std::tie(c.length, c.a, c.b, c.limit); };
        std::sort(found.begin(), found.end(), [&](const Candidate& x, const Candidate& y) { return key(x) < key(y); });
        // The least limit of all faces at an edge comes first.
        found.erase(std::unique(found.begin(), found.end(),
                                [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; }),
                    found.end());
        std::erase_if(found, [](const Candidate& c) { return c.length >= c.limit; });
        return found;
    }

    bool hasEdge(std::uint32_t a, std::uint32_t b) const {
        for (const std::uint32_t face : facesOf_[a])
            for (const Loop& loop : faces_[face].loops)
                for (std::size_t k = 0; k < loop.size(); ++k) {
                    const std::uint32_t p = loop[k], q = loop[(k + 1) % loop.size()];
                    if ((p == a && q == b) || (p == b && q == a))
                        return true;
                }
        return false;
    }

    bool shorten(const Candidate& edge) {
        if (join(edge.a, edge.b) || join(edge.b, edge.a))
            return true;
        // Two sides of a triangle: the crack cuts off the corner between them, and may go through it instead.
        const NodePlace &a = placeOf(edge.a), &b = placeOf(edge.b);
        if (a.kind != NodePlace::Kind::Edge || b.kind != NodePlace::Kind::Edge || a.number == b.number)
            return false;
        const ClosedSurface::Edge &e = fragments_.surface.edges[a.number], &f = fragments_.surface.edges[b.number];
        const std::uint32_t corner = e.from == f.from || e.from == f.to ? e.from : e.to;
        if (corner != f.from && corner != f.to)
            return false;
        const double limit = kFarthest * shortest_;
        const bool moved = length(at(edge.a) - at(corner)) <= limit && join(edge.a, corner);
        return (length(at(edge.b) - at(corner)) <= limit && join(edge.b, corner)) || moved;
    }

    // Whether the surface stays as it is when the first node moves to the second.
    bool mayMove(std::uint32_t from, std::uint32_t to) const {
        const NodePlace &a = placeOf(from), &b = placeOf(to);
        const ClosedSurface& surface = fragments_.surface;
        switch (a.kind) {
            case NodePlace::Kind::Inner: return true;
            case NodePlace::Kind::Edge: {
                const ClosedSurface::Edge& edge = surface.edges[a.number];
                const auto& [one, two] = flatSides_[a.number];
                if (one != kNone && (isIn(b, one) || isIn(b, two)))
                    return true;
                return (b.kind == NodePlace::Kind::Edge && b.number == a.number) ||
                       (b.kind == NodePlace::Kind::Point && (b.number == edge.from || b.number == edge.to));
            }
            case NodePlace::Kind::Triangle: return isIn(b, a.number);
            default: return false;
        }
    }

    bool isIn(const NodePlace& place, std::uint32_t triangle) const {
        const auto& corners = fragments_.surface.triangles[triangle];
        const auto& sides = fragments_.surface.triangleEdges[triangle];
        const auto has = [&](const auto& list) { return std::find(list.begin(), list.end(), place.number) != list.end(); };
        return (place.kind == NodePlace::Kind::Triangle && place.number == triangle) ||
               (place.kind == NodePlace::Kind::Edge && has(sides)) || (place.kind == NodePlace::Kind::Point && has(corners));
    }

    // Edges between triangles in one plane, as diagonals of a quad are, hold nodes to nothing but that plane, unless the look
    // changes there.
    void findFlatSides() {
        const ClosedSurface& surface = fragments_.surface;
        flatSides_.assign(surface.edges.size(), {kNone, kNone});
        for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
            for (const std::uint32_t edge : surface.triangleEdges[t])
                (flatSides_[edge].first == kNone ? flatSides_[edge].first : flatSides_[edge].second) = t;
        const auto normalOf = [&](std::uint32_t t) {
            const auto& [a, b, c] = surface.triangles[t];
            return normalizeOr(cross(surface.points[b] - surface.points[a], surface.points[c] - surface.points[a]), {});
        };
        for (auto& sides : flatSides_)
            if (sides.second == kNone || length(normalOf(sides.first) - normalOf(sides.second)) > kFlat ||
                !continuesLook(surface_, sides.first, sides.second))
                sides = {kNone, kNone};
    }

    bool join(std::uint32_t from, std::uint32_t to) {
        if (isHeld_[from] || isHeld_[to] || !mayMove(from, to))
            return false;
        std::map<std::uint32_t, Loops> changed;
        for (const std::uint32_t face : facesOf_[from]) {
            Loops loops = faces_[face].loops;
            if (!rename(loops, from, to) || !isSound(face, loops, to))
                return false;
            changed[face] = std::move(loops);
        }
        if (!staysClosed(changed, to))
            return false;
        for (auto& [face, loops] : changed) {
            faces_[face].loops = std::move(loops);
            if (std::find(facesOf_[to].begin(), facesOf_[to].end(), face) == facesOf_[to].end())
                facesOf_[to].push_back(face);
        }
        facesOf_[from].clear();
        return true;
    }

    // False where the node would be in the loops twice.
    static bool rename(Loops& loops, std::uint32_t from, std::uint32_t to) {
        std::size_t uses = 0;
        for (Loop& loop : loops) {
            std::replace(loop.begin(), loop.end(), from, to);
            loop.erase(std::unique(loop.begin(), loop.end()), loop.end());
            while (loop.size() > 1 && loop.front() == loop.back())
                loop.pop_back();
            if (loop.size() >= 3)
                uses += std::size_t(std::count(loop.begin(), loop.end(), to));
        }
        return uses <= 1;
    }

    FlatPoint flat(std::uint32_t face, std::uint32_t node) const {
        return {views_[face].x(at(node)), views_[face].y(at(node))};
    }

    struct Extent {
        double area = 0, outline = 0;
    };
    Extent extentOf(std::uint32_t face, const Loop& loop) const {
        Extent result;
        if (loop.size() < 3)
            return result;
        const FlatPoint origin = flat(face, loop[0]);
        for (std::size_t i = 0; i < loop.size(); ++i) {
            const FlatPoint a = flat(face, loop[i]), b = flat(face, loop[(i + 1) % loop.size()]);
            result.area += 0.5 * turn(origin, a, b);
            result.outline += std::sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y));
        }
        return result;
    }

    // No loop turns over, becomes thin or crosses another; the outline does not vanish about a hole.
    bool isSound(std::uint32_t face, Loops& loops, std::uint32_t moved) const {
        const Loops& old = faces_[face].loops;
        bool losesOutline = false;
        for (std::size_t i = 0; i < loops.size(); ++i) {
            const Extent before = extentOf(face, old[i]), after = extentOf(face, loops[i]);
            if (loops[i].size() < 3) {
                losesOutline |= before.area > 0;
                continue;
            }
            if ((before.area > 0) != (after.area > 0))
                return false;
            const double thin = kThin * after.outline * after.outline;
            if (std::fabs(after.area) < thin && std::fabs(after.area) * before.outline * before.outline <
                                                    std::fabs(before.area) * after.outline * after.outline)
                return false;
        }
        std::erase_if(loops, [](const Loop& loop) { return loop.size() < 3; });
        return loops.empty() || (!losesOutline && !crosses(face, loops, moved));
    }

    // Whether an edge at the node crosses or touches another.
    bool crosses(std::uint32_t face, const Loops& loops, std::uint32_t moved) const {
        for (const Loop& loop : loops)
            for (std::size_t i = 0; i < loop.size(); ++i) {
                if (loop[i] != moved)
                    continue;
                const std::uint32_t before = loop[(i + loop.size() - 1) % loop.size()], after = loop[(i + 1) % loop.size()];
                if (crossesAny(face, loops, moved, before) || crossesAny(face, loops, moved, after))
                    return true;
                // A spike: out and back on one line.
                const FlatPoint p = flat(face, moved), a = flat(face, before), b = flat(face, after);
                if (turn(p, a, b) == 0 && (a.x - p.x) * (b.x - p.x) + (a.y - p.y) * (b.y - p.y) >= 0)
                    return true;
            }
        return false;
    }

    bool crossesAny(std::uint32_t face, const Loops& loops, std::uint32_t p, std::uint32_t q) const {
        const FlatPoint a = flat(face, p), b = flat(face, q);
        for (const Loop& loop : loops)
            for (std::size_t i = 0; i < loop.size(); ++i) {
                const std::uint32_t r = loop[i], s = loop[(i + 1) % loop.size()];
                if (r == p || r == q || s == p || s == q)
                    continue;
                const FlatPoint c = flat(face, r), d = flat(face, s);
                const double abc = turn(a, b, c), abd = turn(a, b, d), cda = turn(c, d, a), cdb = turn(c, d, b);
                if (((abc >= 0) != (abd > 0) || abc == 0 || abd == 0) && ((cda >= 0) != (cdb > 0) || cda == 0 || cdb == 0) &&
                    !((abc > 0 && abd > 0) || (abc < 0 && abd < 0)) && !((cda > 0 && cdb > 0) || (cda < 0 && cdb < 0)))
                    return true;
            }
        return false;
    }

    // Every edge at the node has one face on either side, in each piece.
    bool staysClosed(const std::map<std::uint32_t, Loops>& changed, std::uint32_t node) const {
        struct Use {
            std::uint32_t piece, other;
            bool isOut;
        };
        std::vector<Use> uses;
        const auto add = [&](const MergedFace& face, const Loops& loops) {
            for (const Loop& loop : loops)
                for (std::size_t i = 0; i < loop.size(); ++i) {
                    if (loop[i] != node)
                        continue;
                    const std::uint32_t before = loop[(i + loop.size() - 1) % loop.size()], after = loop[(i + 1) % loop.size()];
                    uses.push_back({face.back, after, true});
                    uses.push_back({face.back, before, false});
                    if (face.isCrack()) {
                        uses.push_back({face.front, after, false});
                        uses.push_back({face.front, before, true});
                    }
                }
        };
        for (const auto& [face, loops] : changed)
            add(faces_[face], loops);
        for (const std::uint32_t face : facesOf_[node])
            if (!changed.contains(face))
                add(faces_[face], faces_[face].loops);
        const auto key = [](const Use& use) { return std::tie(use.piece, use.other, use.isOut); };
        std::sort(uses.begin(), uses.end(), [&](const Use& x, const Use& y) { return key(x) < key(y); });
        for (std::size_t i = 0; i < uses.size(); i += 2)
            if (i + 1 >= uses.size() || uses[i].piece != uses[i + 1].piece || uses[i].other != uses[i + 1].other ||
                uses[i].isOut == uses[i + 1].isOut ||
                (i > 0 && uses[i - 1].piece == uses[i].piece && uses[i - 1].other == uses[i].other))
                return false;
        return true;
    }

    const SurfaceMesh& surface_;
    const std::vector<std::uint8_t>& isHeld_;
    const Fragments& fragments_;
    std::vector<MergedFace>& faces_;
    double shortest_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> flatSides_;  // by edge of the surface: its triangles, or kNone
    std::vector<FlatView> views_;                                     // by face
    std::vector<double> limits_;                                      // by face: least length of an edge
    std::vector<std::vector<std::uint32_t>> facesOf_;                 // by node
};

}  // namespace

void joinShortEdges(const SurfaceMesh& surface, const Fragments& fragments, std::vector<MergedFace>& faces, double shortest,
                    const std::vector<std::uint8_t>& isHeld) {
    if (shortest > 0)
        EdgeJoiner(surface, fragments, faces, shortest, isHeld).run();
}

}  // namespace sunder::geometry
