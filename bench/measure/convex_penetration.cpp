#include "measure/convex_penetration.h"

#include <algorithm>

namespace sunder::measure {

namespace {

constexpr int kSphereSamples = 200;
constexpr int kStarts = 4;          // local searches, from the best directions so far
constexpr int kSearchSteps = 150;   // each
constexpr double kFirstTurn = 0.1;  // radians
constexpr double kLastTurn = 1e-7;
constexpr int kCircleSamples = 16;
constexpr int kCircleSteps = 25;

Vector unit(const Vector& v) { return v * (1 / length(v)); }

std::vector<Vector> makeSphereSamples() {
    std::vector<Vector> samples;
    const double golden = scenes::kPi * (3 - std::sqrt(5.0));
    for (int i = 0; i < kSphereSamples; ++i) {
        const double y = 1 - 2 * (i + 0.5) / kSphereSamples, r = std::sqrt(1 - y * y);
        samples.push_back({r * std::cos(golden * i), y, r * std::sin(golden * i)});
    }
    return samples;
}

// Parallel edges count once.
void addEdge(ConvexPart& part, const Vector& edge) {
    for (const Vector& known : part.edges)
        if (std::abs(dot(known, edge)) > 1 - 1e-12)
            return;
    part.edges.push_back(edge);
}

// Face normals and edges of the hull of a few points, by trying every plane through three of them.
void findFaces(ConvexPart& part) {
    const std::vector<Vector>& p = part.points;
    for (std::size_t i = 0; i < p.size(); ++i)
        for (std::size_t j = i + 1; j < p.size(); ++j)
            for (std::size_t k = j + 1; k < p.size(); ++k) {
                Vector normal = cross(p[j] - p[i], p[k] - p[i]);
                if (length(normal) < 1e-12)
                    continue;
                normal = unit(normal);
                const double level = dot(normal, p[i]);
                double above = 0, below = 0;
                for (const Vector& q : p) {
                    above = std::max(above, dot(normal, q) - level);
                    below = std::max(below, level - dot(normal, q));
                }
                if (std::min(above, below) > 1e-7)
                    continue;
                part.normals.push_back(above > below ? normal * -1 : normal);
                for (const Vector& edge : {p[j] - p[i], p[k] - p[j], p[i] - p[k]})
                    addEdge(part, unit(edge));
            }
}

ConvexPart partOf(const Shape& shape, const Vector& center, const Axes& axes) {
    ConvexPart part;
    part.center = center;
    const auto place = [&](double x, double y, double z) { part.points.push_back(center + axes.toWorld({x, y, z})); };
    if (const Sphere* sphere = std::get_if<Sphere>(&shape)) {
        place(0, 0, 0);
        part.ballRadius = sphere->radius;
    } else if (const Capsule* capsule = std::get_if<Capsule>(&shape)) {
        place(0, capsule->halfHeight, 0);
        place(0, -capsule->halfHeight, 0);
        part.ballRadius = capsule->radius;
        part.edges = {axes.y};
    } else if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape)) {
        place(0, cylinder->halfHeight, 0);
        place(0, -cylinder->halfHeight, 0);
        part.discRadius = cylinder->radius;
        part.discAxis = axes.y;
        part.normals = {axes.y, axes.y * -1};
        part.edges = {axes.y};
    } else if (const Box* box = std::get_if<Box>(&shape)) {
        const Vector h = scenes::toVector(box->halfExtents);
        for (int corner = 0; corner < 8; ++corner)
            place(corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z);
        part.edges = {axes.x, axes.y, axes.z};
        part.normals = {axes.x, axes.y, axes.z, axes.x * -1, axes.y * -1, axes.z * -1};
    } else if (const Hull* hull = std::get_if<Hull>(&shape)) {
        for (const Vec3& point : hull->points)
            place(point.x, point.y, point.z);
        findFaces(part);
    }
    for (const Vector& point : part.points)
        part.reach = std::max(part.reach, length(point - center));
    part.reach = std::hypot(part.reach, part.discRadius) + part.ballRadius;
    return part;
}

// The least overlap seen so far, and the directions that are worth a closer look.
class Search {
public:
    Search(const ConvexPart& a, const ConvexPart& b) : a_(a), b_(b) {}

    // False once the direction separates the parts.
    bool offer(const Vector& direction) {
        const double overlap = overlapAlong(direction);
        best_.push_back({overlap, direction});
        std::push_heap(best_.begin(), best_.end());
        if (best_.size() > kStarts) {
            std::pop_heap(best_.begin(), best_.end());
            best_.pop_back();
        }
        return overlap > 0;
    }

    // The least overlap across an edge is at a kink, where a search in all directions would get stuck: follow the circle.
    bool offerCircle(const Vector& edge) {
        const Vector u = unit(std::abs(edge.x) < 0.6 ? cross(edge, {1, 0, 0}) : cross(edge, {0, 1, 0})), v = cross(edge, u);
        const auto at = [&](double angle) { return u * std::cos(angle) + v * std::sin(angle); };
        constexpr double kStep = 2 * scenes::kPi / kCircleSamples;
        double best = 0, least = 1e300;
        for (int i = 0; i < kCircleSamples; ++i)
            if (const double overlap = overlapAlong(at(i * kStep)); overlap < least) {
                least = overlap;
                best = i * kStep;
            }
        double low = best - kStep, high = best + kStep;
        for (int i = 0; i < kCircleSteps; ++i) {
            const double third = (high - low) / 3;
            if (overlapAlong(at(low + third)) < overlapAlong(at(high - third)))
                high -= third;
            else
                low += third;
        }
        return offer(at((low + high) / 2));
    }

    double refine() const {
        double least = 1e300;
        for (const Candidate& start : best_) {
            least = std::min(least, descend(start.direction, start.overlap));
            if (least <= 0)
                return 0;
        }
        return least;
    }

private:
    struct Candidate {
        double overlap;
        Vector direction;
        bool operator<(const Candidate& other) const { return overlap < other.overlap; }
    };

    double overlapAlong(const Vector& n) const { return a_.highest(n) + b_.highest(n * -1); }

    // Random turns, larger after a success and smaller after failures: it does not get caught on the kinks that
    // corners make.
    double descend(Vector direction, double overlap) const {
        scenes::Random random(7);
        double turn = kFirstTurn;
        for (int i = 0; i < kSearchSteps && turn > kLastTurn; ++i) {
            const Vector step = scenes::toVector(random.inBox(1)) * turn;
            const Vector tried = unit(direction + step);
            const double next = overlapAlong(tried);
            if (next < overlap) {
                overlap = next;
                direction = tried;
                turn *= 1.6;
            } else {
                turn *= 0.85;
            }
        }
        return overlap;
    }

    const ConvexPart &a_, &b_;
    std::vector<Candidate> best_;
};

}  // namespace

double ConvexPart::highest(const Vector& direction) const {
    double most = -1e300;
    for (const Vector& point : points)
        most = std::max(most, dot(point, direction));
    const double along = dot(direction, discAxis);
    return most + ballRadius + discRadius * std::sqrt(std::max(0.0, 1 - along * along));
}

std::vector<ConvexPart> convexParts(const Shape& shape, const Vec3& position, const Quat& orientation) {
    const Axes axes = scenes::axesOf(orientation);
    const Vector origin = scenes::toVector(position);
    const Compound* compound = std::get_if<Compound>(&shape);
    if (compound == nullptr)
        return {partOf(shape, origin, axes)};
    std::vector<ConvexPart> parts;
    for (const CompoundChild& child : compound->children) {
        const Axes inner = scenes::axesOf(child.orientation);
        parts.push_back(partOf(child.shape, origin + axes.toWorld(scenes::toVector(child.position)),
                               {axes.toWorld(inner.x), axes.toWorld(inner.y), axes.toWorld(inner.z)}));
    }
    return parts;
}

double penetration(const ConvexPart& a, const ConvexPart& b) {
    static const std::vector<Vector> kSphere = makeSphereSamples();
    const Vector between = b.center - a.center;
    const double distance = length(between);
    if (distance >= a.reach + b.reach)
        return 0;
    Search search(a, b);
    if (distance > 0 && !search.offer(between * (1 / distance)))
        return 0;
    for (const Vector& normal : a.normals)
        if (!search.offer(normal))
            return 0;
    for (const Vector& normal : b.normals)
        if (!search.offer(normal * -1))
            return 0;
    for (const Vector& direction : kSphere)
        if (!search.offer(direction))
            return 0;
    for (const Vector& edgeA : a.edges)
        for (const Vector& edgeB : b.edges) {
            const Vector axis = cross(edgeA, edgeB);
            if (length(axis) > 1e-6 && (!search.offer(unit(axis)) || !search.offer(unit(axis) * -1)))
                return 0;
        }
    if (a.isRound() || b.isRound())
        for (const std::vector<Vector>* edges : {&a.edges, &b.edges})
            for (const Vector& edge : *edges)
                if (!search.offerCircle(edge))
                    return 0;
    return search.refine();
}

double polytopePenetration(const ConvexPart& a, const ConvexPart& b) {
    const Vector between = b.center - a.center;
    if (length(between) >= a.reach + b.reach)
        return 0;
    double least = 1e300;
    const auto overlaps = [&](const Vector& n) {
        least = std::min(least, a.highest(n) + b.highest(n * -1));
        return least > 0;
    };
    for (const Vector& normal : a.normals)
        if (!overlaps(normal))
            return 0;
    for (const Vector& normal : b.normals)
        if (!overlaps(normal * -1))
            return 0;
    for (const Vector& edgeA : a.edges)
        for (const Vector& edgeB : b.edges) {
            const Vector axis = cross(edgeA, edgeB);
            if (const double size = length(axis);
                size > 1e-6 && (!overlaps(axis * (1 / size)) || !overlaps(axis * (-1 / size))))
                return 0;
        }
    return least;
}

std::vector<Placed<ConvexPart>> placeShape(const Shape& shape, const Vec3& position, const Quat& orientation,
                                           std::size_t owner) {
    std::vector<Placed<ConvexPart>> placed;
    for (ConvexPart& part : convexParts(shape, position, orientation)) {
        const double low = -part.highest({-1, 0, 0}), high = part.highest({1, 0, 0});
        placed.push_back({std::move(part), low, high, owner});
    }
    return placed;
}

}  // namespace sunder::measure
