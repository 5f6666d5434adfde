// 1. Triangles of two pieces that lie upon each other, facing each other, are cut by each other: what they share is a face
//    between the two pieces.
// 2. What is left of each triangle is a face between its piece and undrawn space.
// 3. The polygons are joined where they meet                                     (geometry/cells/join_polygons.h)
// 4. Pieces stick out into undrawn space by a hair; or, where all space belongs to some piece, borders that end on the outside
//    of the drawing are drawn out from it.
// 5. The result is checked: every piece is closed and has its volume, and no faces cross.
#include "geometry/drawn/piece_complex.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "geometry/cells/convex_cell.h"
#include "geometry/cells/join_polygons.h"
#include "geometry/cells/rough_complex.h"

namespace sunder::geometry {
namespace {

// Share of the drawing's size: places closer than this are one place. Above the rounding of a modelling program's numbers.
constexpr double kSamePlace = 1e-5;
// Share of that: what is narrower is nothing. Ends of a sliver that is left out must be joined with the edges beside it.
constexpr double kThin = 0.25;
// More triangles than this are left to the samples, which see no less of them.
constexpr std::size_t kMostPieceTriangles = 40000;
// Cells of the samples: where another piece is nearer than this in front of a face that borders on nothing, there is a gap.
constexpr Real kGap = 1;
// Sizes of the drawing by which borders are drawn out from it, and by which bodies may stick out of it.
constexpr double kDrawnOut = 2, kBeyond = Real(0.2);
// Share of the drawing's size by which pieces stick out into undrawn space; above the rounding of placed coordinates.
constexpr double kGrowth = 2e-5;
// Share of its volume that a piece may lose to joined corners.
constexpr double kVolume = 1e-3;

struct Triangle {
    std::array<Vec3d, 3> points;
    Vec3d normal, low, high;
    std::uint32_t piece = 0;
    std::vector<std::vector<Vec3d>> shared;
};

double sixVolumes(const Vec3d& a, const Vec3d& b, const Vec3d& c) { return dot(a, cross(b, c)); }

class PieceComplexBuilder {
public:
    PieceComplexBuilder(std::span<const DrawnSolid> pieces, std::uint32_t rest, const PieceFields& fields)
        : pieces_(pieces), rest_(rest), fields_(fields) {
        for (std::uint32_t piece = 0; piece < pieces.size(); ++piece)
            addTriangles(piece);
        tolerance_ = kSamePlace * length(high_ - low_);
    }

    std::shared_ptr<const DrawnComplex> run() {
        if (triangles_.size() > kMostPieceTriangles)
            return {};
        findShared();
        for (Triangle& triangle : triangles_)
            if (!addOuter(triangle))
                return {};
        auto made = std::make_shared<DrawnComplex>();
        made->complex = joinPolygons(polygons_, tolerance_);
        if (!isSound(made->complex))
            return {};
        const double reach = rest_ != 0 ? INFINITY : kBeyond * length(high_ - low_);
        made->low = low_ - Vec3d{reach, reach, reach};
        made->high = high_ + Vec3d{reach, reach, reach};
        if (rest_ != 0)
            grow(made->complex);
        else if (!drawOut(made->complex))
            return {};
        return made;
    }

private:
    static Triangle triangleOf(std::span<const Vec3d> points, const TriangleIndices& t, std::uint32_t piece) {
        Triangle triangle;
        triangle.piece = piece;
        for (std::size_t i = 0; i < 3; ++i)
            triangle.points[i] = points[t[i]];
        const auto& [a, b, c] = triangle.points;
        triangle.normal = normalizeOr(cross(b - a, c - a), {});
        triangle.low = {std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})};
        triangle.high = {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})};
        return triangle;
    }

    void addTriangles(std::uint32_t piece) {
        for (const TriangleIndices& t : pieces_[piece].triangles) {
            const Triangle& triangle = triangles_.emplace_back(triangleOf(pieces_[piece].vertices, t, piece));
            low_ = {std::min(low_.x, triangle.low.x), std::min(low_.y, triangle.low.y), std::min(low_.z, triangle.low.z)};
            high_ = {std::max(high_.x, triangle.high.x), std::max(high_.y, triangle.high.y),
                     std::max(high_.z, triangle.high.z)};
        }
    }

    bool isNear(const Triangle& a, const Triangle& b) const {
        return a.low.x <= b.high.x + tolerance_ && b.low.x <= a.high.x + tolerance_ && a.low.y <= b.high.y + tolerance_ &&
               b.low.y <= a.high.y + tolerance_ && a.low.z <= b.high.z + tolerance_ && b.low.z <= a.high.z + tolerance_;
    }
    bool isIn(const Triangle& plane, const Triangle& t) const {
        return std::all_of(t.points.begin(), t.points.end(),
                           [&](const Vec3d& p) { return std::fabs(dot(plane.normal, p - plane.points[0])) <= 2 * tolerance_; });
    }

    // Calls visit(first, second) for the triangles whose bounds touch, the first number below the second.
    template <class Visit>
    void forEachPair(const std::vector<Triangle>& all, Visit&& visit) const {
        std::vector<std::uint32_t> order(all.size());
        for (std::uint32_t i = 0; i < order.size(); ++i)
            order[i] = i;
        std::stable_sort(order.begin(), order.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return all[a].low.x < all[b].low.x; });
        for (std::size_t i = 0; i < order.size(); ++i)
            for (std::size_t k = i + 1; k < order.size(); ++k) {
                if (all[order[k]].low.x > all[order[i]].high.x + tolerance_)
                    break;
                if (isNear(all[order[i]], all[order[k]]))
                    visit(std::min(order[i], order[k]), std::max(order[i], order[k]));
            }
    }

    void findShared() {
        forEachPair(triangles_, [&](std::uint32_t a, std::uint32_t b) { share(triangles_[a], triangles_[b]); });
    }

    void share(Triangle& a, Triangle& b) {
        if (a.piece == b.piece || !(dot(a.normal, b.normal) < 0) || !isIn(a, b) || !isIn(b, a))
            return;
        std::vector<Vec3d> common(a.points.begin(), a.points.end());
        for (std::size_t i = 0; i < 3 && common.size() >= 3; ++i) {
            const Vec3d& p = b.points[i];
            const Vec3d out = normalizeOr(cross(b.points[(i + 1) % 3] - p, b.normal), {});
            clipPolygon(common, out, dot(out, p), tolerance_);
        }
        if (common.size() < 3 || isSliver(common, kThin * tolerance_))
            return;
        add(common, a.normal, pieces_[b.piece].label, pieces_[a.piece].label);
        a.shared.push_back(common);
        std::reverse(common.begin(), common.end());
        b.shared.push_back(std::move(common));
    }

    // The parts of a convex polygon that are not in another one.
    void subtract(const std::vector<Vec3d>& from, const std::vector<Vec3d>& what, const Vec3d& normal,
                  std::vector<std::vector<Vec3d>>& out) const {
        std::vector<Vec3d> inside = from;
        for (std::size_t i = 0; i < what.size() && inside.size() >= 3; ++i) {
            const Vec3d &p = what[i], &q = what[(i + 1) % what.size()];
            const Vec3d away = normalizeOr(cross(q - p, normal), {});
            std::vector<Vec3d> beyond = inside;
            clipPolygon(beyond, away * -1, -dot(away, p), tolerance_);
            if (beyond.size() >= 3 && !isSliver(beyond, kThin * tolerance_))
                out.push_back(std::move(beyond));
            clipPolygon(inside, away, dot(away, p), tolerance_);
        }
    }

    // False where there is a gap in front of it.
    bool addOuter(const Triangle& triangle) {
        std::vector<std::vector<Vec3d>> left{{triangle.points.begin(), triangle.points.end()}}, next;
        for (const std::vector<Vec3d>& taken : triangle.shared) {
            for (const std::vector<Vec3d>& part : left)
                subtract(part, taken, triangle.normal, next);
            left.swap(next);
            next.clear();
        }
        for (const std::vector<Vec3d>& part : left) {
            if (isSliver(part, kThin * tolerance_))
                continue;
            if (hasGapBefore(part, triangle))
                return false;
            add(part, triangle.normal, rest_, pieces_[triangle.piece].label);
        }
        return true;
    }

    bool hasGapBefore(const std::vector<Vec3d>& part, const Triangle& triangle) const {
        Vec3d middle;
        for (const Vec3d& p : part)
            middle += p * (1.0 / double(part.size()));
        const Grid& grid = fields_.grid;
        const Vec3d at =
            (middle + triangle.normal * double(kGap * grid.cell) - toDouble(grid.origin)) * (1 / double(grid.cell));
        const int x = int(std::floor(at.x + 0.5)), y = int(std::floor(at.y + 0.5)), z = int(std::floor(at.z + 0.5));
        if (x < 0 || y < 0 || z < 0 || x >= grid.nodes.x || y >= grid.nodes.y || z >= grid.nodes.z)
            return false;
        const TwoNearest& node = fields_.nodes[grid.index(x, y, z)];
        return node.first != triangle.piece && node.toFirst < -Real(0.1) * grid.cell;
    }

    // Polygons in one plane get one group and face one way.
    void add(std::vector<Vec3d> points, const Vec3d& normal, std::uint32_t front, std::uint32_t back) {
        for (std::uint32_t group = 0; group < planes_.size(); ++group) {
            const Vec3d& n = planes_[group].normal;
            const bool isSame =
                std::fabs(dot(n, normal)) > 0.99 && std::all_of(points.begin(), points.end(), [&](const Vec3d& p) {
                    return std::fabs(dot(n, p) - planes_[group].offset) <= 2 * tolerance_;
                });
            if (!isSame)
                continue;
            if (dot(n, normal) < 0) {
                std::reverse(points.begin(), points.end());
                std::swap(front, back);
            }
            polygons_.push_back({std::move(points), n, front, back, group});
            return;
        }
        planes_.push_back({normal, dot(normal, points[0])});
        polygons_.push_back({std::move(points), normal, front, back, std::uint32_t(planes_.size() - 1)});
    }

    // Whether an edge of one goes through the other, from well before it to well behind it.
    bool crosses(const Triangle& edges, const Triangle& face) const {
        for (std::size_t i = 0; i < 3; ++i) {
            const Vec3d &p = edges.points[i], &q = edges.points[(i + 1) % 3];
            const double before = dot(face.normal, p - face.points[0]), behind = dot(face.normal, q - face.points[0]);
            if (before * behind >= 0 || std::min(std::fabs(before), std::fabs(behind)) <= 4 * tolerance_)
                continue;
            const Vec3d at = p + (q - p) * (before / (before - behind));
            bool isWithin = true;
            for (std::size_t k = 0; k < 3 && isWithin; ++k) {
                const Vec3d along = face.points[(k + 1) % 3] - face.points[k];
                isWithin = dot(cross(face.normal, along), at - face.points[k]) > 4 * tolerance_ * length(along);
            }
            if (isWithin)
                return true;
        }
        return false;
    }

    bool hasCrossings(const CellComplex& complex) const {
        std::vector<Triangle> all;
        for (const CellComplex::Face& face : complex.faces)
            all.push_back(triangleOf(complex.points, face.points, 0));
        bool any = false;
        forEachPair(all,
                    [&](std::uint32_t a, std::uint32_t b) { any = any || crosses(all[a], all[b]) || crosses(all[b], all[a]); });
        return any;
    }

    // Every piece is closed and as large as it was drawn, and no faces cross.
    bool isSound(const CellComplex& complex) const {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::map<std::uint32_t, int>> uses;  // by edge and label
        std::map<std::uint32_t, double> volumes;
        for (const CellComplex::Face& face : complex.faces) {
            const auto& [a, b, c] = face.points;
            const double six = sixVolumes(complex.points[a], complex.points[b], complex.points[c]);
            volumes[face.back] += six;
            volumes[face.front] -= six;
            for (std::size_t i = 0; i < 3; ++i) {
                const std::uint32_t from = face.points[i], to = face.points[(i + 1) % 3];
                std::map<std::uint32_t, int>& use = uses[std::minmax(from, to)];
                use[face.back] += from < to ? 1 : -1;
                use[face.front] -= from < to ? 1 : -1;
            }
        }
        for (const auto& [edge, labels] : uses)
            for (const auto& [label, count] : labels)
                if (count != 0)
                    return false;
        for (std::uint32_t piece = 0; piece < pieces_.size(); ++piece) {
            double drawn = 0;
            for (const TriangleIndices& t : pieces_[piece].triangles)
                drawn +=
                    sixVolumes(pieces_[piece].vertices[t[0]], pieces_[piece].vertices[t[1]], pieces_[piece].vertices[t[2]]);
            if (!(std::fabs(volumes[pieces_[piece].label] - drawn) <= kVolume * drawn))
                return false;
        }
        return !hasCrossings(complex);
    }

    // Faces between pieces and what is outside, fronts outside.
    std::vector<CellComplex::Face> outerFaces(const CellComplex& complex) const {
        std::vector<CellComplex::Face> outer;
        for (CellComplex::Face face : complex.faces) {
            if (face.front != rest_ && face.back != rest_)
                continue;
            if (face.back == rest_) {
                std::swap(face.points[1], face.points[2]);
                std::swap(face.front, face.back);
                face.normal = face.normal * -1;
            }
            outer.push_back(face);
        }
        return outer;
    }

    // By point: the sum of the normals of the sides that meet there.
    static std::map<std::uint32_t, Vec3d> outwardAt(std::span<const CellComplex::Face> outer) {
        std::map<std::uint32_t, std::vector<Vec3d>> normals;
        for (const CellComplex::Face& face : outer)
            for (const std::uint32_t point : face.points) {
                std::vector<Vec3d>& known = normals[point];
                if (std::none_of(known.begin(), known.end(), [&](const Vec3d& n) { return dot(n, face.normal) > 0.9999; }))
                    known.push_back(face.normal);
            }
        std::map<std::uint32_t, Vec3d> sums;
        for (const auto& [point, all] : normals)
            for (const Vec3d& n : all)
                sums[point] += n;
        return sums;
    }

    // Lets the pieces stick out by what cannot be seen, so that one that ends in the surface of a body has that surface, and no
    // film of undrawn space is left on it.
    void grow(CellComplex& complex) const {
        for (const auto& [point, outward] : outwardAt(outerFaces(complex)))
            complex.points[point] += outward * (kGrowth * length(high_ - low_));
    }

    // Replaces the outside by borders that go on from the edges where two pieces meet there. Needs a convex drawing, or they
    // would cross.
    bool drawOut(CellComplex& complex) const {
        std::vector<CellComplex::Face> inner;
        for (const CellComplex::Face& face : complex.faces)
            if (face.front != rest_ && face.back != rest_)
                inner.push_back(face);
        const std::vector<CellComplex::Face> outer = outerFaces(complex);
        std::map<std::uint32_t, bool> sides;  // by group
        for (const CellComplex::Face& face : outer)
            if (sides.emplace(face.group, true).second)
                for (const CellComplex::Face& other : outer)
                    for (const std::uint32_t point : other.points)
                        if (dot(face.normal, complex.points[point] - complex.points[face.points[0]]) > 4 * tolerance_)
                            return false;
        std::map<std::uint32_t, std::uint32_t> moved;
        const double distance = kDrawnOut * length(high_ - low_);
        for (const auto& [point, outward] : outwardAt(outer)) {
            moved[point] = std::uint32_t(complex.points.size());
            complex.points.push_back(complex.points[point] + outward * distance);
        }
        addWalls(complex, outer, moved, inner);
        complex.faces = std::move(inner);
        sortByPlanes(complex);
        return true;
    }

    static void addWalls(const CellComplex& complex, const std::vector<CellComplex::Face>& outer,
                         std::map<std::uint32_t, std::uint32_t>& moved, std::vector<CellComplex::Face>& faces) {
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> behind;  // by directed edge
        std::uint32_t group = 0;
        for (const CellComplex::Face& face : complex.faces)
            group = std::max(group, face.group);
        for (const CellComplex::Face& face : outer)
            for (std::size_t i = 0; i < 3; ++i)
                behind[{face.points[i], face.points[(i + 1) % 3]}] = face.back;
        for (const auto& [edge, label] : behind) {
            const auto& [p, q] = edge;
            const auto across = behind.find({q, p});
            if (p > q || across == behind.end() || across->second == label)
                continue;
            for (const auto& corners : {std::array{p, q, moved[q]}, std::array{p, moved[q], moved[p]}}) {
                const Vec3d &a = complex.points[corners[0]], &b = complex.points[corners[1]], &c = complex.points[corners[2]];
                faces.push_back({corners, across->second, label, ++group, normalizeOr(cross(b - a, c - a), {1, 0, 0})});
            }
        }
    }

    struct Plane {
        Vec3d normal;
        double offset;
    };

    std::span<const DrawnSolid> pieces_;
    std::uint32_t rest_;
    const PieceFields& fields_;
    std::vector<Triangle> triangles_;
    Vec3d low_{1e300, 1e300, 1e300}, high_{-1e300, -1e300, -1e300};
    double tolerance_ = 0;
    std::vector<Plane> planes_;
    std::vector<LabelledPolygon> polygons_;
};

}  // namespace

std::shared_ptr<const DrawnComplex> complexOfPieces(std::span<const DrawnSolid> pieces, std::uint32_t rest,
                                                    const PieceFields& fields) {
    return PieceComplexBuilder(pieces, rest, fields).run();
}

}  // namespace sunder::geometry
