#include "world/query/queries.h"

#include <algorithm>

#include "collision/continuous/children.h"
#include "collision/query/point_distance.h"
#include "collision/query/ray.h"
#include "collision/query/shape_cast.h"
#include "collision/query/surface_query.h"
#include "sunder/describe.h"
#include "world/state/proxies.h"

namespace sunder::world {

namespace {

using collision::ShapeAt;

constexpr Motion kMotions[] = {Motion::Static, Motion::Kinematic, Motion::Dynamic};
// Allowed ranges of a query's numbers.
constexpr FieldInfo kPlace{.name = {}, .unit = "m", .low = -kMaxPosition, .high = kMaxPosition};
constexpr FieldInfo kReach{.name = {}, .unit = "m", .low = 0};

// Collects the faults of a query and reports them in the form of validate().
class Checker {
public:
    explicit Checker(const char* query) : query_(query) {}
    void finish() const {
        if (!problems_.empty())
            throw Error(query_ + ":" + problems_);
    }

    void number(const std::string& field, const FieldInfo& info, double value) {
        if (!isAllowed(info, value))
            refuse(field, numberText(value), allowedRange(info));
    }
    void place(const std::string& field, const WorldPoint& p) {
        number(field + "[0]", kPlace, p.x);
        number(field + "[1]", kPlace, p.y);
        number(field + "[2]", kPlace, p.z);
    }
    void displacement(const Vec3& d) {
        place("displacement", d);
        if (d == Vec3{})
            refuse("displacement", "[0, 0, 0]", "any direction, longer than 0");
    }
    void shape(const PlacedShape& placed) {
        place("position", placed.position);
        const Quat& q = placed.orientation;
        if (!isFinite(q) || !(dot(q, q) > Real(1e-12)))
            refuse("orientation", "this quaternion", "finite, not zero");
        for (const std::string& message : validate(placed.shape))
            problems_ += "\n  shape." + message;
        const SharedShape* shared = std::get_if<SharedShape>(&placed.shape);
        if (std::holds_alternative<Mesh>(placed.shape) || std::holds_alternative<HeightField>(placed.shape) ||
            (shared && *shared && (*shared)->type == ShapeType::Mesh))
            refuse("shape", "a mesh", "a convex shape or a compound");
    }

private:
    void refuse(const std::string& field, const std::string& value, const std::string& allowed) {
        problems_ += "\n  " + field + ": " + value + " is not allowed (" + allowed + ")";
    }

    std::string query_, problems_;
};

WorldPoint offset(const WorldPoint& origin, const Vec3d& d) { return {origin.x + d.x, origin.y + d.y, origin.z + d.z}; }

// The body's shape, seen from the point.
ShapeAt shapeFrom(const Body& body, const WorldPoint& origin) {
    const Pose pose = shapePose(body, body.orientation);
    return {*body.shape, toDouble(body.center) - toDouble(origin) + toDouble(pose.position), pose.orientation};
}

// The surface of a deforming body, seen from the point.
collision::MovingSurface surfaceFrom(const Body& body, const WorldPoint& origin) {
    const Pose pose = shapePose(body, body.orientation);
    const Vec3 at = body.center - origin + pose.position;
    collision::MovingSurface surface{{}, body.vertices->triangles};
    surface.points.reserve(body.vertices->positions.size());
    for (const Vec3& p : body.vertices->positions)
        surface.points.push_back(at + rotate(pose.orientation, p));
    return surface;
}

std::optional<collision::DistanceHit> distanceTo(const Body& body, const WorldPoint& point, double maxDistance) {
    return body.vertices ? collision::findDistance(surfaceFrom(body, point), maxDistance)
                         : collision::findDistance(shapeFrom(body, point), maxDistance);
}

BodyId idOf(const PagedVector<Body>& bodies, std::uint32_t slot) { return {slot, bodies[slot].generation}; }

bool isSeen(const PagedVector<Body>& bodies, std::uint32_t slot, const QueryFilter& filter) {
    const Body& body = bodies[slot];
    return !body.quarantined && (filter.sensors || !body.sensor) && (body.layer & filter.mask) && (filter.layer & body.mask) &&
           (!filter.accept || filter.accept(idOf(bodies, slot)));
}

// Bounds in the trees are floats: each side may be off by a few roundings.
Vec3d slackOf(const Bounds& bounds) {
    constexpr double kRoundings = 4 * double(kEpsilon);  // share of a coordinate
    const Vec3 farthest = max(abs(bounds.low), abs(bounds.high));
    return toDouble(farthest) * kRoundings;
}

double keyAlong(const Bounds& bounds, const WorldPoint& origin, const Vec3d& displacement, const Vec3d& grow) {
    return collision::entryFraction(bounds, toDouble(origin), displacement, grow + slackOf(bounds));
}

double keyAround(const Bounds& bounds, const WorldPoint& point) {
    const Vec3d slack = slackOf(bounds);
    const auto outside = [](double low, double high, double x) { return std::max({low - x, x - high, 0.0}); };
    return length(Vec3d{outside(bounds.low.x - slack.x, bounds.high.x + slack.x, point.x),
                        outside(bounds.low.y - slack.y, bounds.high.y + slack.y, point.y),
                        outside(bounds.low.z - slack.z, bounds.high.z + slack.z, point.z)});
}

// A hit with the numbers that decide its place, in double.
template <class Hit>
struct Ranked {
    double rank = 0;
    std::uint64_t serial = 0;
    Hit hit;
    bool operator<(const Ranked& other) const { return rank != other.rank ? rank < other.rank : serial < other.serial; }
};

// The first hit by rank, then by the order of bodies. find(slot, limit) answers with a rank and a hit.
template <class Hit, class Key, class Find>
std::optional<Hit> findFirst(const PagedVector<Body>& bodies, const collision::BroadPhase& broadPhase,
                             const QueryFilter& filter, double limit, Key&& key, Find&& find) {
    std::optional<Ranked<Hit>> best;
    for (const Motion motion : kMotions)
        broadPhase.nearest(motion, limit, key, [&](std::uint32_t collider) {
            const std::uint32_t slot = slotOf(collider);
            if (!isSeen(bodies, slot, filter))
                return limit;
            const std::optional<Ranked<Hit>> found = find(slot, limit);
            if (found && (!best || *found < *best)) {
                best = found;
                // Not below 0: where several bodies contain the origin, all must be tested, and the deepest wins.
                limit = std::max(found->rank, 0.0);
            }
            return limit;
        });
    return best ? std::optional<Hit>(best->hit) : std::nullopt;
}

template <class Hit, class Key, class Find>
void findAll(const PagedVector<Body>& bodies, const collision::BroadPhase& broadPhase, const QueryFilter& filter, double limit,
             Key&& key, Find&& find, std::vector<Hit>& hits) {
    std::vector<Ranked<Hit>> ranked;
    for (const Motion motion : kMotions)
        broadPhase.nearest(motion, limit, key, [&](std::uint32_t collider) {
            const std::uint32_t slot = slotOf(collider);
            if (isSeen(bodies, slot, filter))
                if (const std::optional<Ranked<Hit>> found = find(slot, limit))
                    ranked.push_back(*found);
            return limit;
        });
    std::sort(ranked.begin(), ranked.end());
    hits.clear();
    for (const Ranked<Hit>& entry : ranked)
        hits.push_back(entry.hit);
}

// One struct per kind of query: the key of a box in the tree, and what is found on a body.
struct RayQuestion {
    const PagedVector<Body>& bodies;
    const Ray& ray;
    bool backFaces;
    Vec3d way = toDouble(ray.displacement);

    double operator()(const Bounds& bounds) const { return keyAlong(bounds, ray.origin, way, {}); }
    std::optional<Ranked<RayHit>> operator()(std::uint32_t slot, double limit) const {
        const Body& body = bodies[slot];
        const auto found = body.vertices ? collision::castRay(surfaceFrom(body, ray.origin), way, limit)
                                         : collision::castRay(shapeFrom(body, ray.origin), way, limit, backFaces);
        if (!found)
            return std::nullopt;
        RayHit hit;
        hit.body = idOf(bodies, slot);
        hit.fraction = Real(found->fraction);
        hit.distance = Real(found->fraction * length(way));
        hit.point = offset(ray.origin, found->point);
        hit.normal = toReal(found->normal);
        hit.child = found->child;
        hit.triangle = found->triangle;
        hit.startsInside = found->startsInside;
        return Ranked<RayHit>{found->fraction, body.serial, hit};
    }
};

// The moving shape's box about its position, in world axes.
struct Extent {
    Vec3d middle, half;

    Extent(const BuiltShape& shape, const Quat& orientation) {
        const Bounds bounds = collision::worldBounds(shape, {{}, orientation});
        middle = (toDouble(bounds.low) + toDouble(bounds.high)) * 0.5;
        half = (toDouble(bounds.high) - toDouble(bounds.low)) * (0.5 * (1 + 8 * double(kEpsilon)));
    }
};

struct CastQuestion {
    const PagedVector<Body>& bodies;
    const ShapeCast& cast;
    bool backFaces;
    SharedShape shape = buildShape(cast.start.shape);
    Quat orientation = normalize(cast.start.orientation);
    Vec3d way = toDouble(cast.displacement);
    Extent extent{*shape, orientation};

    double operator()(const Bounds& bounds) const {
        return keyAlong(bounds, offset(cast.start.position, extent.middle), way, extent.half);
    }
    std::optional<Ranked<ShapeHit>> operator()(std::uint32_t slot, double limit) const {
        const Body& body = bodies[slot];
        const WorldPoint& origin = cast.start.position;
        const ShapeAt moving{*shape, {}, orientation};
        const auto found = body.vertices ? collision::castShape(moving, way, surfaceFrom(body, origin), limit)
                                         : collision::castShape(moving, way, shapeFrom(body, origin), limit, backFaces);
        if (!found)
            return std::nullopt;
        ShapeHit hit;
        hit.body = idOf(bodies, slot);
        hit.fraction = Real(found->fraction);
        hit.distance = Real(found->fraction * length(way));
        hit.point = offset(origin, found->point);
        hit.normal = toReal(found->normal);
        hit.depth = Real(found->depth);
        hit.child = found->child;
        hit.triangle = found->triangle;
        hit.castChild = found->castChild;
        hit.startsInside = found->startsInside;
        return Ranked<ShapeHit>{found->fraction, body.serial, hit};
    }
};

PointHit pointHit(BodyId body, const WorldPoint& origin, const collision::DistanceHit& found) {
    return {body, Real(found.distance), offset(origin, found.point), toReal(found.normal), found.child, found.triangle};
}

struct PointQuestion {
    const PagedVector<Body>& bodies;
    const WorldPoint& point;

    double operator()(const Bounds& bounds) const { return keyAround(bounds, point); }
    std::optional<Ranked<PointHit>> operator()(std::uint32_t slot, double limit) const {
        const auto found = distanceTo(bodies[slot], point, limit);
        if (!found)
            return std::nullopt;
        return Ranked<PointHit>{found->distance, bodies[slot].serial, pointHit(idOf(bodies, slot), point, *found)};
    }
};

void checkRay(const char* query, const Ray& ray) {
    Checker check(query);
    check.place("origin", ray.origin);
    check.displacement(ray.displacement);
    check.finish();
}

void checkCast(const char* query, const ShapeCast& cast) {
    Checker check(query);
    check.shape(cast.start);
    check.displacement(cast.displacement);
    check.finish();
}

void checkPoint(const char* query, const WorldPoint& point, double maxDistance) {
    Checker check(query);
    check.place("point", point);
    check.number("maxDistance", kReach, maxDistance);
    check.finish();
}

}  // namespace

std::optional<RayHit> castRay(const WorldState& world, const Ray& ray, const QueryFilter& filter) {
    checkRay("castRay", ray);
    const RayQuestion question{world.bodies, ray, filter.backFaces};
    return findFirst<RayHit>(world.bodies, world.broadPhase, filter, 1, question, question);
}

void castRayAll(const WorldState& world, const Ray& ray, const QueryFilter& filter, std::vector<RayHit>& hits) {
    checkRay("castRayAll", ray);
    const RayQuestion question{world.bodies, ray, filter.backFaces};
    findAll(world.bodies, world.broadPhase, filter, 1, question, question, hits);
}

std::optional<ShapeHit> castShape(const WorldState& world, const ShapeCast& cast, const QueryFilter& filter) {
    checkCast("castShape", cast);
    const CastQuestion question{world.bodies, cast, filter.backFaces};
    return findFirst<ShapeHit>(world.bodies, world.broadPhase, filter, 1, question, question);
}

void castShapeAll(const WorldState& world, const ShapeCast& cast, const QueryFilter& filter, std::vector<ShapeHit>& hits) {
    checkCast("castShapeAll", cast);
    const CastQuestion question{world.bodies, cast, filter.backFaces};
    findAll(world.bodies, world.broadPhase, filter, 1, question, question, hits);
}

void findOverlaps(const WorldState& world, const PlacedShape& placed, const QueryFilter& filter, std::vector<BodyId>& bodies) {
    Checker check("overlap");
    check.shape(placed);
    check.finish();
    const SharedShape shape = buildShape(placed.shape);
    const Quat orientation = normalize(placed.orientation);
    const Extent extent(*shape, orientation);
    bodies.clear();
    for (const Motion motion : kMotions)
        world.broadPhase.nearest(
            motion, 0,
            [&](const Bounds& bounds) { return keyAlong(bounds, offset(placed.position, extent.middle), {}, extent.half); },
            [&](std::uint32_t collider) {
                const std::uint32_t slot = slotOf(collider);
                const Body& body = world.bodies[slot];
                const ShapeAt tested{*shape, {}, orientation};
                if (isSeen(world.bodies, slot, filter) &&
                    (body.vertices ? collision::findOverlap(tested, surfaceFrom(body, placed.position))
                                   : collision::findOverlap(tested, shapeFrom(body, placed.position))))
                    bodies.push_back(idOf(world.bodies, slot));
                return 0.0;
            });
    std::sort(bodies.begin(), bodies.end(),
              [&](BodyId a, BodyId b) { return world.bodies[a.index].serial < world.bodies[b.index].serial; });
}

std::optional<PointHit> closestPoint(const WorldState& world, const WorldPoint& point, Real maxDistance,
                                     const QueryFilter& filter) {
    checkPoint("closestPoint", point, maxDistance);
    const PointQuestion question{world.bodies, point};
    return findFirst<PointHit>(world.bodies, world.broadPhase, filter, maxDistance, question, question);
}

void closestPointAll(const WorldState& world, const WorldPoint& point, Real maxDistance, const QueryFilter& filter,
                     std::vector<PointHit>& hits) {
    checkPoint("closestPointAll", point, maxDistance);
    const PointQuestion question{world.bodies, point};
    findAll(world.bodies, world.broadPhase, filter, maxDistance, question, question, hits);
}

PointHit closestPointOn(const WorldState& world, std::uint32_t slot, const WorldPoint& point) {
    checkPoint("closestPointOn", point, 0);
    const auto found = distanceTo(world.bodies[slot], point, collision::kNever);
    return found ? pointHit(idOf(world.bodies, slot), point, *found) : PointHit{};
}

void settleProxies(WorldState& world) {
    constexpr std::size_t kBodiesPerRange = 256;  // grain of the tasks
    std::vector<std::uint8_t>& leaves = world.search.marks;
    leaves.assign(world.roster.moving.size(), 0);
    runRanges(*world.tasks, world.roster.moving.size(), kBodiesPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (const Body& body = world.bodies[world.roster.moving[i]]; !body.quarantined)
                leaves[i] = body.vertices || !contains(world.broadPhase.fatBounds(body.proxy), tightBounds(body));
    });
    for (std::size_t i = 0; i < world.roster.moving.size(); ++i)
        if (leaves[i])
            refreshProxies(world.broadPhase, world.bodies[world.roster.moving[i]]);
}

}  // namespace sunder::world
