// The way of a body through a step is taken for a polygon: straight on as it came, up to the moment s that makes both ends
// meet best, and then straight to where it is:
//     start --- u0 s ---> K1 -> K2 --- u1 (dt - s) ---> end        u0, u1: velocities before and after
// One blow makes K1 = K2; several in one place make them neighbours; and whatever the polygon is taken for, it is unbroken from
// a place where the body was, so that nothing closed is left unseen.
#include "world/contact/continuous.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "collision/continuous/children.h"
#include "collision/query/shape_cast.h"
#include "dynamics/contact/scalar/contact_frame.h"
#include "world/pair/mixing.h"
#include "world/record/contact_point.h"

namespace sunder::world {

namespace {

using collision::ShapeAt;
using dynamics::SolverBody;

// A way longer than this share of the inner radius may lead through something.
constexpr Real kFarShare = Real(0.5);
// The core's radius, as a share of the inner radius: solid contacts never let anything as deep.
constexpr Real kCoreShare = Real(0.5);
// An overlap deeper than this share of the inner radius is no blow of this step.
constexpr Real kTangled = Real(0.25);
// In one step; then the body waits where it is for the next.
constexpr int kMostBlows = 8;
// Bodies that are struck strike others: so often are they followed in turn.
constexpr int kMostRounds = 4;
constexpr std::size_t kBodiesPerBlock = 256, kCandidatesPerBlock = 8;

Vec3 innerCenter(const BuiltShape& part) { return part.levelSet ? part.levelSet->innerCenter : part.polyhedron.center; }

// A ball inside the thickest part of the body.
struct Core {
    BuiltShape ball;
    Vec3 arm;  // of its middle from the centre of mass, world axes

    Core(const Body& body, const Quat& worldFromPrincipal) {
        const Pose pose = shapePose(body, worldFromPrincipal);
        const BuiltShape* part = body.shape.get();
        Vec3 middle;
        if (part->type == ShapeType::Compound) {
            const BuiltShape::Child* thickest = &part->children[0];
            for (const BuiltShape::Child& child : part->children)
                if (child.shape->innerRadius > thickest->shape->innerRadius)
                    thickest = &child;
            part = thickest->shape.get();
            middle = transformPoint(thickest->parentFromChild, innerCenter(*part));
        } else {
            middle = innerCenter(*part);
        }
        arm = transformPoint(pose, middle);
        ball.type = ShapeType::Sphere;
        ball.radius = ball.boundingRadius = ball.innerRadius = kCoreShare * part->innerRadius;
    }
};

struct Blow {
    std::uint32_t obstacle = kNone;
    collision::CastHit hit;
};

// A body that was struck at `time` must go this much farther by the end of the step.
struct Push {
    std::uint32_t slot = 0;
    Vec3 way;
    Real time = 0;
};

// One straight part of a body's way, from `from` (relative to its centre at the start of the step) at `time`.
struct Leg {
    Vec3 from, way;
    Real time = 0, duration = 0;
};

// A body's way through the step, from its centre at the start to its displacement at the end: K1, K2 and the moment s.
struct Polygon {
    Vec3 turn, afterTurn;
    Real time = 0;
};

class FastBody {
public:
    // struck: to be filled with the bodies that it strikes.
    FastBody(WorldState& world, std::uint32_t slot, Real dt, std::vector<Push>& struck)
        : world_(world),
          struck_(struck),
          slot_(slot),
          body_(world.bodies[slot]),
          solver_(world.solve.bodies[body_.solverIndex]),
          dt_(dt),
          core_(body_, solver_.orientation) {}

    // When the first blow on the polygon falls; infinity where there is none.
    Real firstBlow(const Polygon& polygon) const {
        const auto [leg, blow] = findFirst(polygon);
        return blow.obstacle != kNone ? leg.time + leg.duration * Real(blow.hit.fraction) : kInfinity;
    }

    // Follows the polygon to its first blow, if there is one, and from there on goes its own way.
    void follow(const Polygon& polygon) {
        const auto [leg, blow] = findFirst(polygon);
        if (blow.obstacle != kNone)
            goOn(leg, blow);
    }

    // From where the step has left it, among the others where it has left them; a blow ends it.
    void follow(const Push& push) {
        const Leg leg{solver_.displacement, push.way, dt_, 0};
        const Blow blow = findBlow(leg);
        if (blow.obstacle != kNone)
            goOn(leg, blow);
        else
            solver_.displacement += push.way;
    }

private:
    std::pair<Leg, Blow> findFirst(const Polygon& polygon) const {
        const auto& [turn, afterTurn, time] = polygon;
        const Leg legs[] = {{{}, turn, 0, time},
                            {turn, afterTurn - turn, time, 0},
                            {afterTurn, solver_.displacement - afterTurn, time, dt_ - time}};
        for (const Leg& leg : legs)
            if (const Blow blow = findDeepBlow(leg); blow.obstacle != kNone)
                return {leg, blow};
        return {};
    }

    void goOn(Leg leg, Blow blow) {
        for (int blows = 1; blow.obstacle != kNone; ++blows) {
            world_.solve.strikes.push_back({body_.solverIndex, solverIndexOf(blow.obstacle)});
            strike(leg, blow);
            const Real share = Real(blow.hit.fraction);
            const Real now = leg.time + leg.duration * share;
            leg = {leg.from + leg.way * share, solver_.velocity * (dt_ - now), now, dt_ - now};
            const Blow next = findBlow(leg);
            // What it has struck is still in its way: it waits there for the next step.
            if (blows == kMostBlows || (next.obstacle == blow.obstacle && !(next.hit.fraction > 0)))
                leg.way = {};
            solver_.displacement = leg.from + leg.way;
            blow = leg.way == Vec3{} ? Blow{} : next;
        }
    }

    bool isObstacle(std::uint32_t slot) const {
        const Body& other = world_.bodies[slot];
        // Pieces are small and many: what they pass among themselves is left to the next step's contacts.
        if (body_.birth > 0 && other.birth > 0 && other.motion == Motion::Dynamic)
            return false;
        return slot != slot_ && !other.sensor && !other.quarantined && (body_.layer & other.mask) && (other.layer & body_.mask);
    }
    std::uint32_t solverIndexOf(std::uint32_t slot) const {
        const Body& body = world_.bodies[slot];
        return body.motion == Motion::Static || isAsleep(body) ? dynamics::kFixedBody : body.solverIndex;
    }
    SolverBody& solverBodyOf(std::uint32_t slot) const { return world_.solve.bodies[solverIndexOf(slot)]; }
    // Relative to this body's centre at the start of the step.
    Vec3d centerOf(std::uint32_t slot, Real time) const {
        return toDouble(world_.bodies[slot].center) - toDouble(body_.center) +
               toDouble(solverBodyOf(slot).displacement * (time / dt_));
    }
    ShapeAt obstacleAt(std::uint32_t slot, Real time) const {
        const Body& other = world_.bodies[slot];
        const bool stays = other.motion == Motion::Static || isAsleep(other);
        const Pose pose = shapePose(other, stays ? other.orientation : solverBodyOf(slot).orientation);
        return {*other.shape, centerOf(slot, time) + toDouble(pose.position), pose.orientation};
    }
    // The leg as the obstacle sees it.
    Vec3d relativeWay(const Leg& leg, std::uint32_t slot) const {
        return toDouble(leg.way - solverBodyOf(slot).displacement * (leg.duration / dt_));
    }

    // What the ball or the whole body meets first. An overlap counts where the way leads deeper and countOverlaps is set.
    Blow findFirstHit(const Leg& leg, const ShapeAt& moving, bool countOverlaps) const {
        Blow first;
        double limit = 1;
        const Vec3d way = toDouble(leg.way), start = toDouble(body_.center) + moving.position;
        const double radius = moving.shape.boundingRadius;
        const auto key = [&](const Bounds& bounds) {
            return collision::entryFraction(bounds, start, way, {radius, radius, radius});
        };
        for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
            world_.broadPhase.nearest(motion, limit, key, [&](std::uint32_t slot) {
                if (!isObstacle(slot))
                    return limit;
                const Vec3d relative = relativeWay(leg, slot);
                const auto hit = collision::castShape(moving, relative, obstacleAt(slot, leg.time), limit, false);
                if (!hit || (hit->startsInside && !(countOverlaps && dot(relative, hit->normal) < 0)))
                    return limit;
                const bool isFirst =
                    first.obstacle == kNone || hit->fraction < first.hit.fraction ||
                    (hit->fraction == first.hit.fraction && world_.bodies[slot].serial < world_.bodies[first.obstacle].serial);
                if (isFirst)
                    first = {slot, *hit};
                return limit = first.hit.fraction;
            });
        return first;
    }

    ShapeAt wholeAt(const Vec3& center) const {
        const Pose pose = shapePose(body_, solver_.orientation);
        return {*body_.shape, toDouble(center + pose.position), pose.orientation};
    }

    // Whether two free bodies were in each other before the step: contacts part them, and there is no blow to be missed.
    bool wereTangled(std::uint32_t slot) const {
        const Body& other = world_.bodies[slot];
        if (other.motion != Motion::Dynamic)
            return false;
        const Pose own = shapePose(body_, body_.orientation), pose = shapePose(other, other.orientation);
        const ShapeAt there{*other.shape, toDouble(other.center) - toDouble(body_.center) + toDouble(pose.position),
                            pose.orientation};
        const auto hit = collision::castShape({*body_.shape, toDouble(own.position), own.orientation}, {}, there, 1, false);
        return hit && hit->startsInside && hit->depth > kTangled * body_.shape->innerRadius;
    }

    // Where the core meets something: contacts that the solver holds must not count. The blow is that of the surface.
    Blow findDeepBlow(const Leg& leg) const {
        if (leg.way == Vec3{})
            return {};
        Blow blow = findFirstHit(leg, {core_.ball, toDouble(leg.from + core_.arm), {}}, false);
        if (blow.obstacle == kNone)
            return blow;
        const auto surface = collision::castShape(wholeAt(leg.from), relativeWay(leg, blow.obstacle),
                                                  obstacleAt(blow.obstacle, leg.time), blow.hit.fraction, false);
        if (surface && !surface->startsInside)
            blow.hit = *surface;
        else if (surface && wereTangled(blow.obstacle))
            return {};
        else if (surface)
            blow.hit.fraction = 0;  // they overlap already, and must not go deeper
        return blow;
    }
    // Where the surface does. For ways that the solver knows nothing of.
    Blow findBlow(const Leg& leg) const { return leg.way == Vec3{} ? Blow{} : findFirstHit(leg, wholeAt(leg.from), true); }

    static Real response(const SolverBody& body, const Vec3& arm, const Vec3& direction) {
        const Vec3 lever = cross(arm, direction);
        return dot(multiply(body.inverseMass, direction), direction) + dot(body.inverseInertia * lever, lever);
    }

    // Newton's restitution along the normal, Coulomb's friction across it.
    void strike(const Leg& leg, const Blow& blow) {
        const Body& otherBody = world_.bodies[blow.obstacle];
        SolverBody& other = solverBodyOf(blow.obstacle);
        const Real share = Real(blow.hit.fraction);
        const Vec3 moved = solverBodyOf(blow.obstacle).displacement * (leg.duration / dt_ * share);
        const Vec3 point = toReal(blow.hit.point) + moved;
        const Vec3 armA = point - (leg.from + leg.way * share);
        const Vec3 armB = point - toReal(centerOf(blow.obstacle, leg.time + leg.duration * share));
        const Vec3 normal = toReal(blow.hit.normal);
        const Vec3 velocity = velocityAt(solver_, armA) - velocityAt(other, armB);
        const Real approach = -dot(velocity, normal);
        if (!(approach > 0))
            return;
        const Real answer = response(solver_, armA, normal) + response(other, armB, normal);
        if (!(answer > dynamics::leastResponse(solver_, other, armA, armB)))
            return;
        const Real restitution = approach > world_.def.restitutionThreshold
                                     ? mixedRestitution(body_.material.restitution, otherBody.material.restitution)
                                     : Real(0);
        const Real push = (1 + restitution) * approach / answer;
        const Vec3 slip = velocity + normal * approach;
        const Vec3 against = normalizeOr(-slip, {});
        const Real friction = mixedFriction(body_.material.friction, otherBody.material.friction);
        const Real stop = length(slip) / max(response(solver_, armA, against) + response(other, armB, against), kEpsilon);
        const Vec3 impulse = normal * push + against * min(friction * push, stop);
        applyImpulse(solver_, impulse, armA);
        world_.solve.strikes.back().work = dot(impulse, velocityAt(other, armB));
        const Real now = leg.time + leg.duration * share;
        note(blow, armA, armB, normal, impulse, push, now);
        if (otherBody.motion != Motion::Dynamic || isAsleep(otherBody))
            return;
        const Vec3 before = other.velocity;
        applyImpulse(other, -impulse, armB);
        struck_.push_back({blow.obstacle, (other.velocity - before) * (dt_ - now), now});
    }

    void note(const Blow& blow, const Vec3& armA, const Vec3& armB, const Vec3& normal, const Vec3& impulse, Real push,
              Real time) {
        const Body& other = world_.bodies[blow.obstacle];
        const bool stays = other.motion == Motion::Static || isAsleep(other);
        SweptBlow& noted = world_.solve.sweptBlows.emplace_back();
        noted.striker = slot_;
        noted.struck = blow.obstacle;
        noted.onStriker = pointInBody(body_, solver_.orientation, armA);
        noted.onStruck = pointInBody(other, stays ? other.orientation : solverBodyOf(blow.obstacle).orientation, armB);
        noted.childOfStriker = blow.hit.castChild;
        noted.childOfStruck = blow.hit.child;
        noted.normal = normal;
        noted.impulse = impulse;
        noted.normalImpulse = push;
        noted.time = time;
    }

    WorldState& world_;
    std::vector<Push>& struck_;
    std::uint32_t slot_;
    const Body& body_;
    SolverBody& solver_;
    Real dt_;
    Core core_;
};

// Bodies with an impact that the contacts leave out, by slot.
std::vector<std::uint32_t> findUnseen(WorldState& world) {
    std::vector<std::uint32_t> slots;
    for (const NarrowPhaseBlock& block : world.search.usedBlocks())
        for (const FarImpact& impact : block.impacts)
            if (impact.isLate)
                slots.insert(slots.end(), {world.pairs[impact.pair].bodyA, world.pairs[impact.pair].bodyB});
    std::sort(slots.begin(), slots.end());
    return slots;
}

// The body's way where it went far and not as expected.
std::optional<Polygon> farWay(const WorldState& world, std::uint32_t slot, Real dt, bool hasUnseen) {
    const Body& body = world.bodies[slot];
    if (body.motion != Motion::Dynamic || body.quarantined || body.sensor)
        return std::nullopt;
    const SolverBody& solver = world.solve.bodies[body.solverIndex];
    const Vec3 before = body.velocity + world.solve.constants[body.solverIndex].acceleration * (dt / 2);
    const Real far = kFarShare * body.shape->innerRadius;
    if (!hasUnseen && !(length(solver.displacement - before * dt) > far))
        return std::nullopt;
    const Vec3 change = before - solver.velocity, gap = solver.velocity * dt - solver.displacement;
    const Real squared = max(lengthSquared(change), std::numeric_limits<Real>::min());
    const Real time = clamp(-dot(gap, change) / squared, 0, dt);
    const Vec3 turn = before * time, afterTurn = solver.displacement - solver.velocity * (dt - time);
    const Real way = length(turn) + length(afterTurn - turn) + length(solver.displacement - afterTurn);
    return way > far && isFinite(solver.displacement) ? std::optional(Polygon{turn, afterTurn, time}) : std::nullopt;
}

// A body to be followed, with the time of its first blow.
struct Candidate {
    Real blow = 0;
    std::uint32_t slot = 0;
    Polygon polygon;
};

}  // namespace

void wakeStruck(WorldState& world) {
    for (const SweptBlow& blow : world.solve.sweptBlows)
        if (const Body& body = world.bodies[blow.struck]; isAsleep(body))
            world.sleep.struck.push_back(body.island);
}

void limitFastBodies(WorldState& world, Real dt) {
    world.solve.strikes.clear();
    world.solve.sweptBlows.clear();
    const std::vector<std::uint32_t> unseen = findUnseen(world);
    std::vector<Push> struck, next;
    std::vector<Candidate> candidates;
    const auto wayOf = [&](std::uint32_t slot) {
        return farWay(world, slot, dt, std::binary_search(unseen.begin(), unseen.end(), slot));
    };
    world.search.marks.resize(world.solve.layout.size());
    runRanges(*world.tasks, world.solve.layout.size(), kBodiesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            world.search.marks[i] = wayOf(world.solve.layout[i]).has_value();
    });
    for (std::size_t i = 0; i < world.solve.layout.size(); ++i)
        if (const std::uint32_t slot = world.solve.layout[i]; world.search.marks[i])
            candidates.push_back({kInfinity, slot, *wayOf(slot)});
    runRanges(*world.tasks, candidates.size(), kCandidatesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (Candidate& candidate : std::span(candidates).subspan(begin, end - begin))
            candidate.blow = FastBody(world, candidate.slot, dt, struck).firstBlow(candidate.polygon);
    });
    // Whoever is first to strike goes first: the others then meet it where it is. `moving` decides between equals.
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.blow < b.blow; });
    if (candidates.empty() || !(candidates[0].blow < kInfinity))
        return;
    for (const Candidate& candidate : candidates)
        FastBody(world, candidate.slot, dt, struck).follow(candidate.polygon);
    for (int round = 1; round < kMostRounds && !struck.empty(); ++round) {
        next.clear();
        std::stable_sort(struck.begin(), struck.end(), [](const Push& a, const Push& b) { return a.time < b.time; });
        for (const Push& push : struck)
            FastBody(world, push.slot, dt, next).follow(push);
        struck.swap(next);
    }
}

}  // namespace sunder::world
