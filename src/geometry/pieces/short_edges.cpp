#include "geometry/pieces/short_edges.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/pieces/node_moves.h"
#include "geometry/pieces/triangle_check.h"

namespace sunder::geometry {
namespace {

constexpr int kMostClusterRounds = 8;
// The least length of an edge, at most, as a share of the shortest edge of the surface's triangle: fine meshes have fine
// cracks.
constexpr double kShareOfMesh = 0.25;
// Times the least length: how far a node may move to a corner of its triangle that a crack cuts off.
constexpr double kFarthestMove = 6;
// Times the distance of the ends of a short edge from the place they go to: what else goes there; and how many nodes.
constexpr double kCluster = 1.5;
constexpr std::size_t kMostInCluster = 24;
// Share of the least length: how far from a straight line a node on it may be.
constexpr double kStraightSide = 0.25;
// How many edges are turned out of the way of one that is to go.
constexpr int kMostTurns = 8;

class EdgeJoiner {
public:
    EdgeJoiner(const SurfaceMesh& surface, Fragments& fragments, SharedTriangles& triangles, double shortest)
        : fragments_(fragments),
          nodes_(fragments.nodes),
          moves_(surface, fragments),
          check_(fragments.nodes),
          triangles_(triangles),
          shortest_(shortest) {
        const auto isNew = [&](std::uint32_t node) { return fragments.places[node].kind != NodePlace::Kind::Point; };
        for (std::uint32_t t = 0; t < triangles.size(); ++t)
            if (std::any_of(triangles[t].nodes.begin(), triangles[t].nodes.end(), isNew))
                cut_.push_back(t);
        firstAdded_ = std::uint32_t(triangles.size());
    }

    void run() {
        for (const TriangleCheck::Cracks cracks : {TriangleCheck::Cracks::Bend, TriangleCheck::Cracks::Tilt}) {
            check_.let(cracks);
            for (int round = 0; round < kMostClusterRounds; ++round) {
                std::size_t joined = 0;
                for (const Candidate& edge : findCandidates())
                    joined += triangles_.hasEdge(edge.a, edge.b) && shorten(edge);
                if (joined == 0)
                    break;
            }
        }
    }

private:
    using Change = SharedTriangles::Change;
    using Nodes = std::vector<std::uint32_t>;
    struct Candidate {
        double length;
        std::uint32_t a, b;
    };

    std::vector<Candidate> findCandidates() const {
        std::vector<Candidate> found;
        const auto look = [&](std::uint32_t t) {
            for (std::size_t i = 0; i < 3 && triangles_.isThere(t); ++i) {
                const std::uint32_t a = triangles_[t].nodes[i], b = triangles_[t].nodes[(i + 1) % 3];
                if (const double size = length(nodes_[a] - nodes_[b]); size < shortest_ && size < limitOf(a, b))
                    found.push_back({size, std::min(a, b), std::max(a, b)});
            }
        };
        std::for_each(cut_.begin(), cut_.end(), look);
        for (std::uint32_t t = firstAdded_; t < triangles_.size(); ++t)
            look(t);
        const auto key = [](const Candidate& c) { return std::tie(c.length, c.a, c.b); };
        std::sort(found.begin(), found.end(), [&](const Candidate& x, const Candidate& y) { return key(x) < key(y); });
        found.erase(std::unique(found.begin(), found.end(),
                                [](const Candidate& x, const Candidate& y) { return x.a == y.a && x.b == y.b; }),
                    found.end());
        return found;
    }

    // Least length of an edge: on the surface that of the triangles there, between nodes of it that of those at its ends.
    double limitOf(std::uint32_t a, std::uint32_t b) const {
        double limit = shortest_;
        bool isOld = false;
        for (const std::uint32_t t : triangles_.atEdge(a, b))
            if (!triangles_[t].isCrack()) {
                isOld = true;
                limit = std::min(limit, kShareOfMesh * moves_.shortestSide(triangles_[t].source));
            }
        const double one = moves_.shortestSideAt(a), two = moves_.shortestSideAt(b);
        return isOld || std::isinf(one) || std::isinf(two) ? limit : std::min(limit, kShareOfMesh * std::min(one, two));
    }

    bool shorten(const Candidate& edge) {
        if (join({edge.a}, edge.b) || join({edge.b}, edge.a))
            return true;
        // Two sides of a triangle: the crack cuts off the corner between them, and may go through it instead.
        if (const std::uint32_t corner = moves_.cornerBetween(edge.a, edge.b); corner != NodeMoves::kNone) {
            const auto isNear = [&](std::uint32_t node) {
                return length(nodes_[node] - nodes_[corner]) <= kFarthestMove * shortest_;
            };
            const bool nearA = isNear(edge.a), nearB = isNear(edge.b);
            if ((nearA && nearB && join({edge.a, edge.b}, corner)) || (nearA && join({edge.a}, corner)) ||
                (nearB && join({edge.b}, corner)))
                return true;
        }
        return turn(edge.a, edge.b) || leave(edge.a, edge.b) || leave(edge.b, edge.a) || closeCluster(edge.a, edge.b) ||
               joinPastEdges(edge.a, edge.b);
    }

    // Joins that would lay an edge of a crack upon one of the surface, so that a piece would touch itself there: the crack's
    // edge first gets a node in its middle.
    bool joinPastEdges(std::uint32_t a, std::uint32_t b) {
        const auto attempt = [&](const Nodes& from, std::uint32_t to) {
            std::uint32_t blocked = NodeMoves::kNone;
            const auto may = [&](std::uint32_t node) { return moves_.mayMove(node, to); };
            return std::all_of(from.begin(), from.end(), may) && !tryJoin(from, to, blocked) && blocked == NodeMoves::kNone &&
                   halveBetween(from, to) && join(from, to);
        };
        if (attempt({a}, b) || attempt({b}, a))
            return true;
        const std::uint32_t corner = moves_.cornerBetween(a, b);
        return corner != NodeMoves::kNone && length(nodes_[a] - nodes_[corner]) <= kFarthestMove * shortest_ &&
               length(nodes_[b] - nodes_[corner]) <= kFarthestMove * shortest_ && attempt({a, b}, corner);
    }

    // Edges of cracks from the nodes that move to neighbours of the place they go to.
    bool halveBetween(const Nodes& from, std::uint32_t to) {
        bool any = false;
        const Nodes about = neighboursOf(to);
        for (const std::uint32_t node : from)
            for (const std::uint32_t other : neighboursOf(node))
                if (std::find(from.begin(), from.end(), other) == from.end() &&
                    std::binary_search(about.begin(), about.end(), other))
                    any = halve(node, other) || any;
        return any;
    }

    // An edge within one face of a crack, where neither half is short.
    bool halve(std::uint32_t a, std::uint32_t b) {
        const Nodes sides = triangles_.atEdge(a, b);
        const Vec3d middle = (nodes_[a] + nodes_[b]) * 0.5;
        if (sides.size() != 2 || length(middle - nodes_[a]) < shortest_ || !triangles_[sides[0]].isCrack() ||
            !triangles_[sides[1]].isCrack() || triangles_[sides[0]].source != triangles_[sides[1]].source)
            return false;
        const std::uint32_t node = triangles_.addNode();
        fragments_.nodes.push_back(middle);
        fragments_.places.push_back({});
        check_.addNode(middle);
        Change change{sides, {}};
        for (const std::uint32_t t : sides)
            for (const std::uint32_t end : {a, b}) {
                change.added.push_back(triangles_[t]);
                auto& nodes = change.added.back().nodes;
                std::replace(nodes.begin(), nodes.end(), end, node);
            }
        triangles_.apply(change);
        return true;
    }

    // All nodes about the edge become one, where two of them alone would leave others upon each other or turn them over.
    bool closeCluster(std::uint32_t a, std::uint32_t b) {
        Nodes targets{a, b};
        if (const std::uint32_t corner = moves_.cornerBetween(a, b); corner != NodeMoves::kNone)
            targets.push_back(corner);
        const Nodes aboutB = neighboursOf(b);
        for (const std::uint32_t node : neighboursOf(a))
            if (std::binary_search(aboutB.begin(), aboutB.end(), node))
                targets.push_back(node);
        return std::any_of(targets.begin(), targets.end(), [&](std::uint32_t to) { return closeOn(to, a, b); });
    }

    bool closeOn(std::uint32_t to, std::uint32_t a, std::uint32_t b) {
        const auto away = [&](std::uint32_t node) { return length(nodes_[node] - nodes_[to]); };
        const double reach = kCluster * std::max(away(a), away(b));
        if (reach > kFarthestMove * shortest_)
            return false;
        Nodes cluster;
        for (const std::uint32_t start : {a, b})
            if (start != to && std::find(cluster.begin(), cluster.end(), start) == cluster.end())
                cluster.push_back(start);
        for (std::size_t i = 0; i < cluster.size() && cluster.size() < kMostInCluster; ++i)
            for (const std::uint32_t node : neighboursOf(cluster[i]))
                if (node != to && away(node) <= reach && moves_.mayMove(node, to) &&
                    std::find(cluster.begin(), cluster.end(), node) == cluster.end())
                    cluster.push_back(node);
        return join(cluster, to);
    }

    Nodes neighboursOf(std::uint32_t node) const {
        Nodes found;
        for (const std::uint32_t t : triangles_.at(node))
            for (const std::uint32_t n : triangles_[t].nodes)
                if (n != node)
                    found.push_back(n);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return found;
    }

    // The end of a short edge goes elsewhere: to the nearest of its other neighbours that takes it.
    bool leave(std::uint32_t node, std::uint32_t other) {
        std::vector<std::pair<double, std::uint32_t>> neighbours;
        for (const std::uint32_t n : neighboursOf(node))
            if (const double away = length(nodes_[n] - nodes_[node]); n != other && away <= kFarthestMove * shortest_)
                neighbours.push_back({away, n});
        std::sort(neighbours.begin(), neighbours.end());
        return std::any_of(neighbours.begin(), neighbours.end(), [&](const auto& n) { return join({node}, n.second); });
    }

    // Moves all of them at once.
    bool join(const Nodes& from, std::uint32_t to) {
        if (!std::all_of(from.begin(), from.end(), [&](std::uint32_t node) { return moves_.mayMove(node, to); }))
            return false;
        for (int i = 0; i <= kMostTurns; ++i) {
            std::uint32_t blocked = NodeMoves::kNone;
            if (tryJoin(from, to, blocked))
                return true;
            if (blocked == NodeMoves::kNone ? !turnBetween(from, to) : !turnAway(blocked, from, to) && !straighten(blocked, to))
                return false;
        }
        return false;
    }

    // Diagonals that would come to lie upon others.
    bool turnBetween(const Nodes& from, std::uint32_t to) {
        const Nodes about = neighboursOf(to);
        for (const std::uint32_t node : from)
            for (const std::uint32_t other : neighboursOf(node)) {
                if (!std::binary_search(about.begin(), about.end(), other))
                    continue;
                const Nodes sides = triangles_.atEdge(node, other);
                const bool isFace =
                    std::any_of(sides.begin(), sides.end(), [&](std::uint32_t t) { return triangles_[t].has(to); });
                if (!isFace && (turn(node, other, false) || turn(to, other, false)))
                    return true;
            }
        return false;
    }

    // A node in the way that lies between the place to go to and another one, on a straight line, joins that other one.
    bool straighten(std::uint32_t triangle, std::uint32_t to) {
        const std::array<std::uint32_t, 3> nodes = triangles_[triangle].nodes;
        for (const std::uint32_t node : nodes)
            for (const std::uint32_t end : nodes) {
                if (node == end || node == to || end == to || !moves_.mayMove(node, end))
                    continue;
                const Vec3d along = nodes_[end] - nodes_[to], p = nodes_[node] - nodes_[to];
                const double t = dot(p, along) / std::max(dot(along, along), 1e-300);
                std::uint32_t blocked = NodeMoves::kNone;
                if (t > 0 && t < 1 && length(p - along * t) < kStraightSide * shortest_ && tryJoin({node}, end, blocked))
                    return true;
            }
        return false;
    }

    // blocked: a triangle that would turn over.
    bool tryJoin(const Nodes& from, std::uint32_t to, std::uint32_t& blocked) {
        Change change;
        for (const std::uint32_t node : from)
            for (const std::uint32_t t : triangles_.at(node))
                if (std::find(change.removed.begin(), change.removed.end(), t) == change.removed.end())
                    change.removed.push_back(t);
        for (const std::uint32_t t : change.removed) {
            SharedTriangle moved = triangles_[t];
            for (const std::uint32_t node : from)
                std::replace(moved.nodes.begin(), moved.nodes.end(), node, to);
            if (std::count(moved.nodes.begin(), moved.nodes.end(), to) > 1)
                continue;
            if (!check_.isFine(moved) && !check_.isNoWorse(triangles_[t], moved)) {
                blocked = t;
                return false;
            }
            change.added.push_back(moved);
        }
        return settle(std::move(change));
    }

    bool settle(Change change) {
        const std::optional<Change> settled = triangles_.settle(std::move(change));
        if (!settled || check_.folds(triangles_, *settled))
            return false;
        triangles_.apply(*settled);
        return true;
    }

    // Turns one of the edges from the node to the far side of the triangle, so that it no longer is a triangle of the node.
    bool turnAway(std::uint32_t triangle, const Nodes& from, std::uint32_t to) {
        const auto moves = [&](std::uint32_t node) { return std::find(from.begin(), from.end(), node) != from.end(); };
        const std::array<std::uint32_t, 3> nodes = triangles_[triangle].nodes;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = nodes[i], b = nodes[(i + 1) % 3];
            if (!(moves(a) && (moves(b) || b == to)) && !(moves(b) && a == to) && turn(a, b, false))
                return true;
        }
        return false;
    }

    // Gives two triangles of one face their other diagonal, where that leaves both as they should be.
    bool turn(std::uint32_t a, std::uint32_t b, bool mustBeLong = true) {
        const std::vector<std::uint32_t> sides = triangles_.atEdge(a, b);
        if (sides.size() != 2)
            return false;
        const SharedTriangle &s = triangles_[sides[0]], &t = triangles_[sides[1]];
        if (s.back != t.back || s.front != t.front || patchOf(s) != patchOf(t))
            return false;
        const std::size_t i = sideFrom(s, a, b), k = sideFrom(t, a, b);
        const std::uint32_t p = s.nodes[i], q = s.nodes[(i + 1) % 3], c = s.nodes[(i + 2) % 3], d = t.nodes[(k + 2) % 3];
        if (t.nodes[k] != q || c == d || triangles_.hasEdge(c, d))
            return false;
        SharedTriangle one = s, two = t;
        one.nodes = {c, p, d};
        two.nodes = {d, q, c};
        if (!check_.isFine(one) || !check_.isFine(two) || (mustBeLong && length(nodes_[c] - nodes_[d]) < limitOf(c, d)))
            return false;
        return settle({sides, {one, two}});
    }

    std::uint32_t patchOf(const SharedTriangle& t) const { return t.isCrack() ? t.source : moves_.fieldOf(t.source); }

    static std::size_t sideFrom(const SharedTriangle& t, std::uint32_t a, std::uint32_t b) {
        for (std::size_t i = 0; i < 2; ++i)
            if ((t.nodes[i] == a && t.nodes[i + 1] == b) || (t.nodes[i] == b && t.nodes[i + 1] == a))
                return i;
        return 2;
    }

    Fragments& fragments_;
    const std::vector<Vec3d>& nodes_;
    NodeMoves moves_;
    TriangleCheck check_;
    SharedTriangles& triangles_;
    double shortest_;
    std::vector<std::uint32_t> cut_;  // triangles with nodes that the mesh did not have, among those there were at first
    std::uint32_t firstAdded_ = 0;
};

}  // namespace

void joinShortEdges(const SurfaceMesh& surface, Fragments& fragments, SharedTriangles& triangles, double shortest) {
    if (shortest > 0)
        EdgeJoiner(surface, fragments, triangles, shortest).run();
}

}  // namespace sunder::geometry
