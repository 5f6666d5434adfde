#include "geometry/quickhull.h"

#include <algorithm>
#include <utility>

namespace sunder::geometry {

namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

struct Facet {
    HullTriangle triangle;
    GridPoint normal;          // not unit; exact
    double inverseLength = 0;  // of the normal
    std::vector<std::uint32_t> outside;
    std::uint32_t farthest = kNone;
    double farthestDistance = 0;
    bool alive = true;
    bool visible = false;
};

// Points by coordinate, and for each the facet it is farthest outside of so far.
struct QuickPoints {
    std::vector<float> x, y, z, distance;
    std::vector<std::uint32_t> facet;

    // `at` is a point of the facet.
    void measure(const Facet& of, const GridPoint& at, std::uint32_t number) {
        const Vec3d normal = toDouble(of.normal) * of.inverseLength;
        const auto nx = float(normal.x), ny = float(normal.y), nz = float(normal.z), offset = float(dot(normal, toDouble(at)));
        float* __restrict best = distance.data();
        std::uint32_t* __restrict which = facet.data();
        for (std::size_t i = 0; i < distance.size(); ++i) {
            const float above = nx * x[i] + ny * y[i] + nz * z[i] - offset;
            const std::uint32_t isBetter = 0u - std::uint32_t(above > best[i]);  // a mask, for vector code
            which[i] ^= (which[i] ^ number) & isBetter;
            best[i] = above > best[i] ? above : best[i];
        }
    }
};

class Builder {
public:
    Builder(std::span<const GridPoint> points, double tolerance, std::size_t maxVertices)
        : points_(points), tolerance_(tolerance), maxVertices_(maxVertices), vertexUsed_(points.size()) {}

    GridHull build(const std::array<std::uint32_t, 4>& simplex) {
        addSimplex(simplex);
        GridHull hull;
        // A point that only an old facet still sees may have been dropped as near to all new ones: look again at the end.
        while (assignAll()) {
            for (std::uint32_t next = farthestFacet(); next != kNone; next = farthestFacet()) {
                if (countVertices() >= maxVertices_) {
                    hull.truncated = true;
                    hull.triangles = collect();
                    return hull;
                }
                addPoint(next);
            }
        }
        hull.triangles = collect();
        return hull;
    }

    std::vector<std::uint32_t> buildOnce(const std::array<std::uint32_t, 4>& simplex) {
        addSimplex(simplex);
        std::vector<std::uint32_t> all(points_.size());
        places_.resize(points_.size());
        for (std::uint32_t point = 0; point < all.size(); ++point) {
            all[point] = point;
            places_[point] = {float(points_[point].x), float(points_[point].y), float(points_[point].z)};
        }
        assignQuickly(all, 0);
        for (std::uint32_t facet = 0; facet < facets_.size(); ++facet)  // grows on the way
            if (facets_[facet].alive && facets_[facet].farthest != kNone) {
                const std::uint32_t firstNew = std::uint32_t(facets_.size());
                assignQuickly(addCone(facet), firstNew);
            }
        countVertices();
        std::vector<std::uint32_t> vertices;
        for (std::uint32_t point = 0; point < vertexUsed_.size(); ++point)
            if (vertexUsed_[point])
                vertices.push_back(point);
        return vertices;
    }

private:
    // Above the facet's plane: positive. Exact.
    std::int64_t side(const Facet& facet, std::uint32_t point) const {
        return dot(facet.normal, points_[point] - points_[facet.triangle.vertices[0]]);
    }

    std::uint32_t addFacet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Facet facet;
        facet.triangle.vertices = {a, b, c};
        facet.triangle.neighbors = {kNone, kNone, kNone};
        facet.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
        facet.inverseLength = 1 / length(toDouble(facet.normal));
        facets_.push_back(std::move(facet));
        return std::uint32_t(facets_.size() - 1);
    }

    void addSimplex(std::array<std::uint32_t, 4> s) {
        const GridPoint normal = cross(points_[s[1]] - points_[s[0]], points_[s[2]] - points_[s[0]]);
        if (dot(normal, points_[s[3]] - points_[s[0]]) > 0)
            std::swap(s[1], s[2]);  // the fourth point must lie below the first facet
        addFacet(s[0], s[1], s[2]);
        addFacet(s[0], s[3], s[1]);
        addFacet(s[1], s[3], s[2]);
        addFacet(s[2], s[3], s[0]);
        facets_[0].triangle.neighbors = {1, 2, 3};
        facets_[1].triangle.neighbors = {3, 2, 0};
        facets_[2].triangle.neighbors = {1, 3, 0};
        facets_[3].triangle.neighbors = {2, 1, 0};
    }

    // Gives the point to the facet it is farthest outside of, among those from `first` on.
    bool assign(std::uint32_t point, std::uint32_t first) {
        std::uint32_t best = kNone;
        double bestDistance = tolerance_;
        for (std::uint32_t f = first; f < facets_.size(); ++f) {
            if (!facets_[f].alive)
                continue;
            const double distance = double(side(facets_[f], point)) * facets_[f].inverseLength;
            if (distance > bestDistance) {
                best = f;
                bestDistance = distance;
            }
        }
        if (best == kNone)
            return false;
        give(point, bestDistance, facets_[best]);
        return true;
    }

    static void give(std::uint32_t point, double distance, Facet& facet) {
        facet.outside.push_back(point);
        if (distance > facet.farthestDistance || (distance == facet.farthestDistance && point < facet.farthest)) {
            facet.farthest = point;
            facet.farthestDistance = distance;
        }
    }

    // The same for many points at a time and in single precision, which is a millionth of the grid's size: for tolerances far
    // above that.
    void assignQuickly(const std::vector<std::uint32_t>& points, std::uint32_t first) {
        const std::size_t count = points.size();
        for (auto* numbers : {&quick_.x, &quick_.y, &quick_.z, &quick_.distance})
            numbers->resize(count);
        quick_.facet.assign(count, kNone);
        for (std::size_t i = 0; i < count; ++i) {
            const std::array<float, 3>& p = places_[points[i]];
            quick_.x[i] = p[0];
            quick_.y[i] = p[1];
            quick_.z[i] = p[2];
            quick_.distance[i] = float(tolerance_);
        }
        for (std::uint32_t f = first; f < facets_.size(); ++f)
            quick_.measure(facets_[f], points_[facets_[f].triangle.vertices[0]], f);
        for (std::size_t i = 0; i < count; ++i)
            if (quick_.facet[i] != kNone)
                give(points[i], double(quick_.distance[i]), facets_[quick_.facet[i]]);
    }

    bool assignAll() {
        bool any = false;
        for (std::uint32_t point = 0; point < points_.size(); ++point)
            any = assign(point, 0) || any;
        return any;
    }

    std::uint32_t farthestFacet() const {
        std::uint32_t best = kNone;
        for (std::uint32_t f = 0; f < facets_.size(); ++f) {
            if (!facets_[f].alive || facets_[f].farthest == kNone)
                continue;
            if (best == kNone || facets_[f].farthestDistance > facets_[best].farthestDistance)
                best = f;
        }
        return best;
    }

    std::size_t countVertices() {
        std::fill(vertexUsed_.begin(), vertexUsed_.end(), char(0));
        std::size_t count = 0;
        for (const Facet& facet : facets_) {
            if (!facet.alive)
                continue;
            for (const std::uint32_t vertex : facet.triangle.vertices)
                count += std::exchange(vertexUsed_[vertex], char(1)) == 0 ? 1 : 0;
        }
        return count;
    }

    // Facets that see the point, from one that does. Exactness makes them one connected patch.
    std::vector<std::uint32_t> visibleFrom(std::uint32_t start, std::uint32_t point) {
        std::vector<std::uint32_t> patch{start};
        facets_[start].visible = true;
        for (std::size_t i = 0; i < patch.size(); ++i) {
            for (const std::uint32_t neighbor : facets_[patch[i]].triangle.neighbors) {
                if (!facets_[neighbor].visible && side(facets_[neighbor], point) > 0) {
                    facets_[neighbor].visible = true;
                    patch.push_back(neighbor);
                }
            }
        }
        return patch;
    }

    void addPoint(std::uint32_t seenBy) {
        const std::uint32_t firstNew = std::uint32_t(facets_.size());
        for (const std::uint32_t point : addCone(seenBy))
            assign(point, firstNew);
    }

    // Replaces the patch that sees the facet's farthest point by a cone from the patch's rim to it. The result: the other
    // points that were outside of the patch.
    std::vector<std::uint32_t> addCone(std::uint32_t seenBy) {
        const std::uint32_t apex = facets_[seenBy].farthest;
        const std::vector<std::uint32_t> patch = visibleFrom(seenBy, apex);
        std::vector<std::pair<std::uint32_t, std::uint32_t>> coneByStart, coneByEnd;  // (vertex of the rim, new facet)
        for (const std::uint32_t f : patch) {
            for (int i = 0; i < 3; ++i) {
                const HullTriangle triangle = facets_[f].triangle;
                const std::uint32_t beyond = triangle.neighbors[i];
                if (facets_[beyond].visible)
                    continue;
                const std::uint32_t from = triangle.vertices[i], to = triangle.vertices[(i + 1) % 3];
                const std::uint32_t cone = addFacet(from, to, apex);
                facets_[cone].triangle.neighbors[0] = beyond;
                for (int k = 0; k < 3; ++k)
                    if (facets_[beyond].triangle.vertices[k] == to)
                        facets_[beyond].triangle.neighbors[k] = cone;
                coneByStart.push_back({from, cone});
                coneByEnd.push_back({to, cone});
            }
        }
        // Around the rim the facet that ends at a vertex touches the one that starts there.
        std::sort(coneByStart.begin(), coneByStart.end());
        std::sort(coneByEnd.begin(), coneByEnd.end());
        for (std::size_t i = 0; i < coneByStart.size(); ++i) {
            facets_[coneByStart[i].second].triangle.neighbors[2] = coneByEnd[i].second;
            facets_[coneByEnd[i].second].triangle.neighbors[1] = coneByStart[i].second;
        }
        std::vector<std::uint32_t> left;
        for (const std::uint32_t f : patch) {
            facets_[f].alive = false;
            for (const std::uint32_t point : std::exchange(facets_[f].outside, {}))
                if (point != apex)
                    left.push_back(point);
        }
        return left;
    }

    // The living facets, renumbered.
    std::vector<HullTriangle> collect() const {
        std::vector<std::uint32_t> newIndex(facets_.size(), kNone);
        std::uint32_t count = 0;
        for (std::size_t f = 0; f < facets_.size(); ++f)
            if (facets_[f].alive)
                newIndex[f] = count++;
        std::vector<HullTriangle> triangles;
        for (const Facet& facet : facets_) {
            if (!facet.alive)
                continue;
            HullTriangle triangle = facet.triangle;
            for (std::uint32_t& neighbor : triangle.neighbors)
                neighbor = newIndex[neighbor];
            triangles.push_back(triangle);
        }
        return triangles;
    }

    std::span<const GridPoint> points_;
    double tolerance_;
    std::size_t maxVertices_;
    std::vector<Facet> facets_;
    std::vector<char> vertexUsed_;
    std::vector<std::array<float, 3>> places_;  // of the points
    QuickPoints quick_;                         // scratch
};

// Index of the point for which the measure is largest, the lowest where several are.
template <typename Measure>
std::uint32_t indexOfLargest(std::size_t count, const Measure& measure) {
    std::uint32_t best = 0;
    double bestValue = measure(0);
    for (std::uint32_t i = 1; i < count; ++i) {
        const double value = measure(i);
        if (value > bestValue) {
            best = i;
            bestValue = value;
        }
    }
    return best;
}

}  // namespace

std::optional<std::array<std::uint32_t, 4>> findSimplex(std::span<const GridPoint> points, double thickness) {
    if (points.size() < 4)
        return std::nullopt;
    const auto distanceTo = [&](std::uint32_t from) {
        return [&points, from](std::uint32_t i) { return length(toDouble(points[i] - points[from])); };
    };
    // Two ends of the cloud: the point farthest from any one, and the point farthest from that.
    const std::uint32_t a = indexOfLargest(points.size(), distanceTo(0));
    const std::uint32_t b = indexOfLargest(points.size(), distanceTo(a));
    const Vec3d line = toDouble(points[b] - points[a]);
    const std::uint32_t c =
        indexOfLargest(points.size(), [&](std::uint32_t i) { return length(cross(line, toDouble(points[i] - points[a]))); });
    const GridPoint normal = cross(points[b] - points[a], points[c] - points[a]);
    const auto above = [&](std::uint32_t i) { return std::fabs(double(dot(normal, points[i] - points[a]))); };
    const std::uint32_t d = indexOfLargest(points.size(), above);
    if (above(d) <= thickness * length(toDouble(normal)))
        return std::nullopt;
    return std::array<std::uint32_t, 4>{a, b, c, d};
}

GridHull quickhull(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex, double tolerance,
                   std::size_t maxVertices) {
    return Builder(points, tolerance, maxVertices).build(simplex);
}

std::vector<std::uint32_t> quickExtremes(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex,
                                         double tolerance) {
    return Builder(points, tolerance, points.size()).buildOnce(simplex);
}

}  // namespace sunder::geometry
