#include "geometry/quickhull.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include "core/none.h"
#include "math/eight_integers.h"
#include "math/quads.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sunder::geometry {

namespace {

struct Facet {
    HullTriangle triangle;
    GridPoint normal;                    // not unit; exact
    double inverseLength = 0;            // of the normal
    std::uint32_t firstOutside = kNone;  // head of a list that continues in OutsidePoint::next
    std::uint32_t farthest = kNone;
    double farthestDistance = 0;
    bool alive = true;
    bool visible = false;
};

typedef float FourFloats __attribute__((vector_size(16)));
typedef std::int32_t FourIntegers __attribute__((vector_size(16)));

// One per point: four numbers, so that four points can be transposed into three vectors.
struct alignas(16) OutsidePoint {
    float x = 0, y = 0, z = 0;
    std::uint32_t next = kNone;  // next point outside the same facet
};

FourFloats greaterOf(const FourFloats& a, const FourFloats& b) {
#if defined(__SSE2__)
    return (FourFloats)_mm_max_ps((__m128)a, (__m128)b);
#else
    const FourIntegers isA = a > b;
    return (FourFloats)((isA & (FourIntegers)a) | (~isA & (FourIntegers)b));
#endif
}

// The plane of a facet, for four points at a time, and its number among the planes, from 1 on.
struct QuickPlane {
    FourFloats x, y, z, offset, number;

    // `at`: a point of the facet.
    QuickPlane(const Facet& of, const GridPoint& at, std::size_t place) {
        const auto four = [](float a) { return FourFloats{a, a, a, a}; };
        const Vec3d normal = toDouble(of.normal) * of.inverseLength;
        x = four(float(normal.x));
        y = four(float(normal.y));
        z = four(float(normal.z));
        offset = four(float(dot(normal, toDouble(at))));
        number = four(float(place));
    }
};

// The points given to one facet, by the number of its plane; entry 0: points that are above no plane.
struct alignas(16) FacetShare {
    std::uint32_t firstOutside = kNone, farthest = kNone;
    float farthestDistance = 0;
};

// Four points, and for each the plane that it is farthest above.
struct QuickPoints {
    static constexpr std::size_t kLanes = 4;
    FourFloats x, y, z, distance, plane{};

    QuickPoints(const std::vector<OutsidePoint>& all, const std::uint32_t* four, float tolerance)
        : distance{tolerance, tolerance, tolerance, tolerance} {
        FourFloats rows[kLanes];
        for (std::size_t i = 0; i < kLanes; ++i)
            std::memcpy(&rows[i], &all[four[i]], sizeof rows[i]);
        transpose(rows);
        x = rows[0];
        y = rows[1];
        z = rows[2];
    }
    // Planes come in ascending order, so the last one that was better has the highest number.
    [[gnu::always_inline]] void measure(const QuickPlane& of) {
        const FourFloats above = of.x * x + of.y * y + of.z * z - of.offset;
        const FourIntegers isBetter = above > distance;
        plane = greaterOf(plane, (FourFloats)(isBetter & (FourIntegers)of.number));
        distance = greaterOf(above, distance);
    }
};

class HullBuilder {
public:
    HullBuilder(std::span<const GridPoint> points, double tolerance, std::size_t maxVertices)
        : points_(points),
          tolerance_(tolerance),
          maxVertices_(maxVertices),
          vertexUsed_(points.size()),
          outside_(points.size()),
          left_(points.size() + kSpare) {}

    GridHull build(const std::array<std::uint32_t, 4>& simplex) {
        addSimplex(simplex);
        GridHull hull;
        // A point may have been dropped as near to all new facets while an old facet still sees it: look again at the end.
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
        for (std::uint32_t point = 0; point < points_.size(); ++point) {
            left_[point] = point;
            outside_[point] = {float(points_[point].x), float(points_[point].y), float(points_[point].z), kNone};
        }
        assignQuickly(points_.size(), 0);
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
    static constexpr std::size_t kSpare = 2 * QuickPoints::kLanes;  // entries behind left_, which is read this many at a time

    // Positive above the facet's plane. Exact.
    std::int64_t side(const Facet& facet, std::uint32_t point) const {
        return dot(facet.normal, points_[point] - points_[facet.triangle.vertices[0]]);
    }

    std::uint32_t addFacet(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
        Facet facet;
        facet.triangle.vertices = {a, b, c};
        facet.triangle.neighbors = {kNone, kNone, kNone};
        facet.normal = cross(points_[b] - points_[a], points_[c] - points_[a]);
        facet.inverseLength = 1 / length(toDouble(facet.normal));
        facets_.push_back(facet);
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

    void give(std::uint32_t point, double distance, Facet& facet) {
        outside_[point].next = std::exchange(facet.firstOutside, point);
        if (distance > facet.farthestDistance || (distance == facet.farthestDistance && point < facet.farthest)) {
            facet.farthest = point;
            facet.farthestDistance = distance;
        }
    }

    // assign for the first `count` entries of left_, many at a time and in single precision. Its error is a millionth of the
    // grid's size, so only for tolerances far above that.
    void assignQuickly(std::size_t count, std::uint32_t first) {
        planes_.clear();
        for (std::uint32_t f = first; f < facets_.size(); ++f)
            planes_.emplace_back(facets_[f], points_[facets_[f].triangle.vertices[0]], planes_.size() + 1);
        std::fill_n(left_.begin() + std::ptrdiff_t(count), kSpare, 0u);
        shares_.assign(planes_.size() + 1, {});
        shares_[0].farthestDistance = std::numeric_limits<float>::infinity();  // no point is the farthest of entry 0
        for (std::size_t i = 0; i < count; i += 2 * QuickPoints::kLanes) {
            // Eight points per plane that is read.
            QuickPoints low(outside_, &left_[i], float(tolerance_));
            QuickPoints high(outside_, &left_[i + QuickPoints::kLanes], float(tolerance_));
            for (const QuickPlane& plane : planes_) {
                low.measure(plane);
                high.measure(plane);
            }
            share(i, count, low);
            share(i + QuickPoints::kLanes, count, high);
        }
        for (std::uint32_t f = first; f < facets_.size(); ++f) {
            const FacetShare& share = shares_[f - first + 1];
            facets_[f].firstOutside = share.firstOutside;
            facets_[f].farthest = share.farthest;
            facets_[f].farthestDistance = double(share.farthestDistance);
        }
    }

    // Points above no plane go to entry 0 without a branch: which ones they are is as good as random.
    void share(std::size_t from, std::size_t count, const QuickPoints& four) {
        const FourIntegers numbers = __builtin_convertvector(four.plane, FourIntegers);
        for (std::size_t lane = 0; lane < QuickPoints::kLanes && from + lane < count; ++lane) {
            const std::uint32_t point = left_[from + lane];
            const float distance = four.distance[lane];
            FacetShare& to = shares_[std::size_t(numbers[lane])];
            outside_[point].next = std::exchange(to.firstOutside, point);
            if (distance > to.farthestDistance || (distance == to.farthestDistance && point < to.farthest)) {
                to.farthest = point;
                to.farthestDistance = distance;
            }
        }
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

    // Finds the facets that see the point, starting from one that does. Exactness makes them one connected patch.
    void findPatch(std::uint32_t start, std::uint32_t point) {
        patch_.assign(1, start);
        facets_[start].visible = true;
        for (std::size_t i = 0; i < patch_.size(); ++i) {
            const std::array<std::uint32_t, 3> neighbors = facets_[patch_[i]].triangle.neighbors;
            for (const std::uint32_t neighbor : neighbors) {
                if (!facets_[neighbor].visible && side(facets_[neighbor], point) > 0) {
                    facets_[neighbor].visible = true;
                    patch_.push_back(neighbor);
                }
            }
        }
    }

    void addPoint(std::uint32_t seenBy) {
        const std::uint32_t firstNew = std::uint32_t(facets_.size());
        const std::size_t count = addCone(seenBy);
        for (std::size_t i = 0; i < count; ++i)
            assign(left_[i], firstNew);
    }

    // Replaces the patch that sees the facet's farthest point by a cone from the patch's rim to it. Returns how many entries at
    // the front of left_ hold the other points that were outside the patch.
    std::size_t addCone(std::uint32_t seenBy) {
        const std::uint32_t apex = facets_[seenBy].farthest;
        findPatch(seenBy, apex);
        coneByStart_.clear();
        coneByEnd_.clear();
        for (const std::uint32_t f : patch_) {
            const HullTriangle triangle = facets_[f].triangle;
            for (int i = 0; i < 3; ++i) {
                const std::uint32_t beyond = triangle.neighbors[i];
                if (facets_[beyond].visible)
                    continue;
                const std::uint32_t from = triangle.vertices[i], to = triangle.vertices[(i + 1) % 3];
                const std::uint32_t cone = addFacet(from, to, apex);
                facets_[cone].triangle.neighbors[0] = beyond;
                for (int k = 0; k < 3; ++k)
                    if (facets_[beyond].triangle.vertices[k] == to)
                        facets_[beyond].triangle.neighbors[k] = cone;
                coneByStart_.push_back({from, cone});
                coneByEnd_.push_back({to, cone});
            }
        }
        // Around the rim the facet that ends at a vertex touches the one that starts there.
        std::sort(coneByStart_.begin(), coneByStart_.end());
        std::sort(coneByEnd_.begin(), coneByEnd_.end());
        for (std::size_t i = 0; i < coneByStart_.size(); ++i) {
            facets_[coneByStart_[i].second].triangle.neighbors[2] = coneByEnd_[i].second;
            facets_[coneByEnd_[i].second].triangle.neighbors[1] = coneByStart_[i].second;
        }
        return takeOutside(apex);
    }

    // Collects the outside points of the removed patch.
    std::size_t takeOutside(std::uint32_t apex) {
        std::size_t count = 0;
        for (const std::uint32_t f : patch_) {
            facets_[f].alive = false;
            for (std::uint32_t point = facets_[f].firstOutside; point != kNone; point = outside_[point].next) {
                left_[count] = point;
                count += std::size_t(point != apex);
            }
        }
        return count;
    }

    // The remaining facets, renumbered.
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
    std::vector<OutsidePoint> outside_;
    // Points without a facet; lists for one cone; planes for one call.
    std::vector<std::uint32_t> left_, patch_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> coneByStart_, coneByEnd_;  // (vertex of the rim, new facet)
    std::vector<QuickPlane> planes_;
    std::vector<FacetShare> shares_;
};

// Coordinates in single precision, in which they are exact, for tests of four points at a time.
class RoughPoints {
public:
    explicit RoughPoints(std::span<const GridPoint> points) : count_(points.size()) {
        const std::size_t padded = (count_ + 3) / 4 * 4;
        numbers_.resize(3 * padded);
        x_ = numbers_.data();
        y_ = x_ + padded;
        z_ = y_ + padded;
        for (std::size_t i = 0; i < padded; ++i) {
            const GridPoint& point = points[std::min(i, count_ - 1)];
            x_[i] = float(point.x);
            y_[i] = float(point.y);
            z_[i] = float(point.z);
        }
    }

    // Index of the largest measure, the lowest among equals. rough(x, y, z) approximates the measure for four points; where the
    // measure is largest, rough is at least lowest(largest rough value), so the exact measure is evaluated only there.
    template <class Rough, class Lowest, class Measure>
    std::uint32_t indexOfLargest(const Rough& rough, const Lowest& lowest, const Measure& measure) const {
        FourFloats largest = at(0, rough);
        for (std::size_t i = 4; i < count_; i += 4)
            largest = greaterOf(largest, at(i, rough));
        const float low = lowest(std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3])));
        std::uint32_t best = kNone;
        double bestValue = 0;
        for (std::uint32_t first = 0; first < count_; first += 4) {
            const FourIntegers mayBe = at(first, rough) >= low;
            for (std::uint32_t i = first; isAny((Eight)mayBe) && i < first + 4 && i < count_; ++i)
                if (const double value = measure(i); best == kNone || value > bestValue) {
                    best = i;
                    bestValue = value;
                }
        }
        return best;
    }

private:
    template <class Rough>
    FourFloats at(std::size_t first, const Rough& rough) const {
        FourFloats x, y, z;
        std::memcpy(&x, x_ + first, sizeof x);
        std::memcpy(&y, y_ + first, sizeof y);
        std::memcpy(&z, z_ + first, sizeof z);
        return rough(x, y, z);
    }

    std::size_t count_;
    std::vector<float> numbers_;
    float *x_, *y_, *z_;
};

// A point of the grid, repeated for four lanes.
struct FourOf {
    float x, y, z;
    explicit FourOf(const GridPoint& p) : x(float(p.x)), y(float(p.y)), z(float(p.z)) {}
};

}  // namespace

std::optional<std::array<std::uint32_t, 4>> findSimplex(std::span<const GridPoint> points, double thickness) {
    if (points.size() < 4)
        return std::nullopt;
    constexpr float kError = 1e-5f;  // of the largest value: far more than rounding
    const RoughPoints rough(points);
    const auto farthestFrom = [&](std::uint32_t from) {
        return rough.indexOfLargest(
            [at = FourOf(points[from])](const FourFloats& x, const FourFloats& y, const FourFloats& z) {
                const FourFloats dx = x - at.x, dy = y - at.y, dz = z - at.z;
                return dx * dx + dy * dy + dz * dz;
            },
            [](float squared) { return squared * (1 - kError); },
            [&](std::uint32_t i) { return length(toDouble(points[i] - points[from])); });
    };
    // Two ends of the cloud: the point farthest from any one, and the point farthest from that.
    const std::uint32_t a = farthestFrom(0);
    const std::uint32_t b = farthestFrom(a);
    // No point is farther from a than b is, so rounding is a share of this squared length in areas, and of its 3/2 power in
    // volumes.
    const Vec3d line = toDouble(points[b] - points[a]);
    const float lineSquared = float(dot(line, line));
    const FourOf start(points[a]), along(points[b] - points[a]);
    const std::uint32_t c = rough.indexOfLargest(
        [&](const FourFloats& x, const FourFloats& y, const FourFloats& z) {
            const FourFloats dx = x - start.x, dy = y - start.y, dz = z - start.z;
            const FourFloats ax = along.y * dz - along.z * dy, ay = along.z * dx - along.x * dz,
                             az = along.x * dy - along.y * dx;
            return ax * ax + ay * ay + az * az;
        },
        [&](float squared) {
            const float area = std::max(std::sqrt(squared) - kError * lineSquared, 0.0f);
            return area * area * (1 - kError);
        },
        [&](std::uint32_t i) { return length(cross(line, toDouble(points[i] - points[a]))); });
    const GridPoint normal = cross(points[b] - points[a], points[c] - points[a]);
    const auto above = [&](std::uint32_t i) { return std::fabs(double(dot(normal, points[i] - points[a]))); };
    const float error = kError * float(length(toDouble(normal))) * std::sqrt(lineSquared);
    const std::uint32_t d = rough.indexOfLargest(
        [&, n = FourOf(normal)](const FourFloats& x, const FourFloats& y, const FourFloats& z) {
            const FourFloats height = n.x * (x - start.x) + n.y * (y - start.y) + n.z * (z - start.z);
            return greaterOf(height, -height);
        },
        [&](float height) { return height - error; }, above);
    if (above(d) <= thickness * length(toDouble(normal)))
        return std::nullopt;
    return std::array<std::uint32_t, 4>{a, b, c, d};
}

GridHull quickhull(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex, double tolerance,
                   std::size_t maxVertices) {
    return HullBuilder(points, tolerance, maxVertices).build(simplex);
}

std::vector<std::uint32_t> quickExtremes(std::span<const GridPoint> points, const std::array<std::uint32_t, 4>& simplex,
                                         double tolerance) {
    return HullBuilder(points, tolerance, points.size()).buildOnce(simplex);
}

}  // namespace sunder::geometry
