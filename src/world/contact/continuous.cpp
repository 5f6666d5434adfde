// Follows bodies that the solve has turned aside along the way that they then went (BentWay).
#include "world/contact/continuous.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "collision/continuous/children.h"
#include "collision/query/shape_cast.h"
#include "dynamics/contact/scalar/contact_frame.h"
#include "world/contact/pre_solve.h"
#include "world/contact/way_of.h"
#include "world/pair/motion_bounds.h"
#include "world/record/contact_point.h"
#include "world/state/blows.h"
#include "world/state/contact_filter.h"

namespace sunder::world {

namespace {

using collision::ShapeAt;
using dynamics::SolverBody;

// Radius of an inner ball, as a share of the inner radius: contacts that hold never let another body in as deep.
constexpr Real kInnerBallShare = Real(0.5);
// Share of the inner radius. Bodies that overlapped by more before the step meet by no blow of this step; contacts push them
// apart.
constexpr Real kTangled = Real(0.25);
// Share of the inner ball's radius: the way is not followed into corners smaller than this.
constexpr Real kShortLeg = Real(1e-3);
// Most blows of one body in a step; after them it stays where it is until the next step.
constexpr int kMostBlows = 8;
// Bodies that are struck may strike others, and those others again: most rounds of following them.
constexpr int kMostStrikeRounds = 4;
constexpr std::size_t kSweptBodiesPerTask = 256, kCandidatesPerBlock = 8;  // grain of the tasks

Vec3 innerCenter(const BuiltShape& part) { return part.levelSet ? part.levelSet->innerCenter : part.polyhedron.center; }

// A ball inside the body, about the middle of its thickest child.
struct InnerBall {
    BuiltShape ball;
    Vec3 arm;  // m: from the centre of mass to its middle, world axes

    InnerBall(const Body& body, const Quat& worldFromPrincipal) {
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
        ball.radius = ball.boundingRadius = ball.innerRadius = kInnerBallShare * part->innerRadius;
    }
};

struct FoundBlow {
    std::uint32_t obstacle = kNone;
    collision::CastHit hit;
};

// A body that was struck at `time` (s) and must be followed for how far that moves it (BodyWays::pushedOf).
struct Push {
    std::uint32_t slot = 0;
    Real time = 0;
};

// One straight leg of a body's way: it begins at `from` (m, relative to the centre at the start of the step) at `time` (s).
struct Leg {
    Vec3 from, way;
    Real time = 0, duration = 0;
};

bool isLoaded(const PagedVector<dynamics::ContactConstraint>& constraints, const ContactPair& pair) {
    for (const dynamics::ContactConstraint& constraint : std::span(constraints).subspan(pair.firstManifold, pair.manifoldCount))
        for (int i = 0; i < constraint.count; ++i)
            if (constraint.points[i].totalNormalImpulse > 0)
                return true;
    return false;
}

// The ways of all bodies through the step. Blows that are found here bend some of them once more.
class BodyWays {
public:
    BodyWays(const WorldState& world, Real dt) : world_(world), dt_(dt) {}

    // Lists the pairs of free bodies that pushed on each other in this solve. Their meeting is known; another blow between
    // them, found along reconstructed ways and with shapes that do not turn, would be the same blow counted twice.
    void findMet() {
        for (const ContactPair& pair : world_.pairs)
            if (world_.bodies[pair.bodyA].motion == Motion::Dynamic && world_.bodies[pair.bodyB].motion == Motion::Dynamic &&
                isLoaded(world_.constraints, pair))
                met_.push_back(collision::pairKey(pair.bodyA, pair.bodyB));
        std::sort(met_.begin(), met_.end());
    }
    // Only while both go the way on which the solver left them.
    bool haveMet(std::uint32_t a, std::uint32_t b) const {
        return !isBent(a) && !isBent(b) &&
               std::binary_search(met_.begin(), met_.end(), collision::pairKey(std::min(a, b), std::max(a, b)));
    }

    Real timeStep() const { return dt_; }
    BentWay of(std::uint32_t slot) const {
        const auto found = find(slot);
        if (isAt(found, slot))
            return found->way;
        const Body& body = world_.bodies[slot];
        // A kinematic body goes straight to its target.
        return body.motion == Motion::Dynamic ? wayOf(world_.solve, body, dt_) : BentWay{};
    }
    // From this place and time (s) on the body goes straight to its displacement, or stays there until the next step (waits).
    void bend(std::uint32_t slot, const Vec3& place, Real time, bool waits = false) {
        set({slot, {place, place, time}, {}, waits});
    }
    // The body was struck and will move by this much more (m) when it is followed. Until then it is where the solver left it.
    void push(std::uint32_t slot, const Vec3& way) { set({slot, of(slot), pushedOf(slot) + way, false}); }
    bool waits(std::uint32_t slot) const {
        const auto found = find(slot);
        return isAt(found, slot) && found->waits;
    }
    template <class Visitor>
    void forEachBent(Visitor&& visit) const {
        for (const Bent& bent : bent_)
            visit(bent.slot);
    }
    Vec3 pushedOf(std::uint32_t slot) const {
        const auto found = find(slot);
        return isAt(found, slot) ? found->pushed : Vec3{};
    }

private:
    struct Bent {
        std::uint32_t slot = 0;
        BentWay way;
        Vec3 pushed;
        bool waits = false;
    };
    std::vector<Bent>::const_iterator find(std::uint32_t slot) const {
        return std::lower_bound(bent_.begin(), bent_.end(), slot,
                                [](const Bent& bent, std::uint32_t s) { return bent.slot < s; });
    }
    bool isAt(std::vector<Bent>::const_iterator found, std::uint32_t slot) const {
        return found != bent_.end() && found->slot == slot;
    }
    bool isBent(std::uint32_t slot) const { return isAt(find(slot), slot); }
    void set(const Bent& bent) {
        const auto found = find(bent.slot);
        if (isAt(found, bent.slot))
            bent_[found - bent_.begin()] = bent;
        else
            bent_.insert(found, bent);
    }

    const WorldState& world_;
    Real dt_;
    std::vector<Bent> bent_;          // by slot
    std::vector<std::uint64_t> met_;  // keys of pairs, in order
};

class FastBody {
public:
    // struck: receives the bodies that it strikes.
    FastBody(WorldState& world, std::uint32_t slot, BodyWays& ways, std::vector<Push>& struck)
        : world_(world),
          ways_(ways),
          struck_(struck),
          slot_(slot),
          body_(world.bodies[slot]),
          solver_(world.solve.bodies[body_.solverIndex]),
          solved_(solver_.displacement),
          dt_(ways.timeStep()),
          innerBall_(body_, solver_.orientation) {}

    // s: the time of the first blow on the way; infinity where there is none.
    Real firstBlow(const BentWay& way) const {
        const auto [leg, blow] = findFirst(way);
        return blow.obstacle != kNone ? leg.time + leg.duration * Real(blow.hit.fraction) : kInfinity;
    }

    // Follows the way to its first blow, if there is one, and then the way on which the blow sends the body.
    void follow(const BentWay& way) {
        const auto [leg, blow] = findFirst(way);
        if (blow.obstacle != kNone)
            goOn(leg, blow);
    }

    // Moves a struck body on from where the step had left it, past the others where the step has left them, up to the next
    // blow. Where that would be with a free body, its way is followed from the moment at which it was struck itself.
    void follow(const Push& push) {
        const Vec3 pushed = ways_.pushedOf(slot_);
        if (pushed == Vec3{})  // several pushes are followed as one
            return;
        Leg leg{solver_.displacement, pushed, dt_, 0};
        FoundBlow blow = findBlow(leg);
        const Vec3 way = solver_.velocity * (dt_ - push.time), place = solver_.displacement + pushed - way;
        const bool wasThere = length(place - movedBy(slot_, push.time)) < kUnnoticedShare * body_.shape->innerRadius;
        if (blow.obstacle != kNone && isFree(blow.obstacle) && wasThere) {
            leg = {place, way, push.time, dt_ - push.time};
            blow = findBlow(leg);
        }
        if (blow.obstacle != kNone)
            return goOn(leg, blow);
        solver_.displacement += pushed;
        ways_.bend(slot_, place, push.time);
    }

private:
    std::pair<Leg, FoundBlow> findFirst(const BentWay& way) const {
        const auto& [bend, afterBend, time] = way;
        // A body that was struck no longer goes this way: free bodies that it meets are found when it is followed (Push).
        const bool wasStruck = !(ways_.pushedOf(slot_) == Vec3{});
        const Leg last{afterBend, solver_.displacement - afterBend, time, dt_ - time};
        // A short leg between the two others is made part of the first.
        const bool isShort = length(afterBend - bend) <= kShortLeg * innerBall_.ball.radius;
        const Leg legs[] = {{{}, isShort ? afterBend : bend, 0, time}, {bend, afterBend - bend, time, 0}, last};
        for (const Leg& leg : legs) {
            if (isShort && &leg == &legs[1])
                continue;
            if (const FoundBlow blow = findDeepBlow(leg, &leg == &legs[2] && !wasStruck); blow.obstacle != kNone)
                return {leg, blow};
        }
        return {};
    }

    void goOn(Leg leg, FoundBlow blow) {
        for (int blows = 1; blow.obstacle != kNone; ++blows) {
            world_.solve.strikes.push_back({body_.solverIndex, solverIndexOf(blow.obstacle)});
            strike(leg, blow);
            const Real share = Real(blow.hit.fraction);
            const Real now = leg.time + leg.duration * share;
            leg = {leg.from + leg.way * share, solver_.velocity * (dt_ - now), now, dt_ - now};
            const FoundBlow next = findBlow(leg);
            // The body that it has struck is still in its way: it stays there until the next step. Of a mesh another triangle
            // may be, along which it goes on.
            const bool isHeld = next.obstacle == blow.obstacle && !(next.hit.fraction > 0);
            const bool isOver = blows == kMostBlows || (isHeld && !isMesh(next.obstacle));
            if (isOver)
                leg.way = isHeld && isMesh(next.obstacle) ? wayOut(toReal(next.hit.normal)) : Vec3{};
            solver_.displacement = leg.from + leg.way;
            ways_.bend(slot_, leg.from, leg.time, leg.way == Vec3{});
            blow = isOver ? FoundBlow{} : next;
        }
    }

    // What contacts make of the way of a body that lies in a mesh: without it the body might stay there for ever.
    Vec3 wayOut(const Vec3& normal) const { return normal * clamp(dot(solved_, normal), 0, innerBall_.ball.radius); }

    bool isObstacle(std::uint32_t slot) const {
        const Body& other = world_.bodies[slot];
        // Pieces are small and many: meetings among them are left to the contacts of the next step.
        if (body_.birth > 0 && other.birth > 0 && other.motion == Motion::Dynamic)
            return false;
        if (other.motion == Motion::Dynamic && ways_.haveMet(slot_, slot))
            return false;
        return slot != slot_ && !other.sensor && !other.quarantined && !other.vertices && (body_.layer & other.mask) &&
               (other.layer & body_.mask) && passesFilter(world_, slot_, slot);
    }
    bool isFree(std::uint32_t slot) const {
        const Body& body = world_.bodies[slot];
        return body.motion == Motion::Dynamic && !isAsleep(body);
    }
    bool isMesh(std::uint32_t slot) const { return world_.bodies[slot].shape->type == ShapeType::Mesh; }
    std::uint32_t solverIndexOf(std::uint32_t slot) const {
        const Body& body = world_.bodies[slot];
        return body.motion == Motion::Static || isAsleep(body) ? dynamics::kFixedBody : body.solverIndex;
    }
    SolverBody& solverBodyOf(std::uint32_t slot) const { return world_.solve.bodies[solverIndexOf(slot)]; }
    // m: displacement of a body by a time.
    Vec3 movedBy(std::uint32_t slot, Real time) const {
        if (solverIndexOf(slot) == dynamics::kFixedBody)
            return {};
        return placeOn(ways_.of(slot), time, solverBodyOf(slot).displacement, dt_);
    }
    // m: centre of another body at a time, relative to this body's centre at the start of the step.
    Vec3d centerOf(std::uint32_t slot, Real time) const {
        return toDouble(world_.bodies[slot].center) - toDouble(body_.center) + toDouble(movedBy(slot, time));
    }
    ShapeAt obstacleAt(std::uint32_t slot, Real time) const {
        const Body& other = world_.bodies[slot];
        const bool stays = other.motion == Motion::Static || isAsleep(other);
        const Pose pose = shapePose(other, stays ? other.orientation : solverBodyOf(slot).orientation);
        return {*other.shape, centerOf(slot, time) + toDouble(pose.position), pose.orientation};
    }
    // m: the leg relative to the obstacle, which moves too.
    Vec3d relativeWay(const Leg& leg, std::uint32_t slot) const {
        return toDouble(leg.way - (movedBy(slot, leg.time + leg.duration) - movedBy(slot, leg.time)));
    }
    // Where the shape first meets the obstacle on the leg, at a fraction of at most `limit`. Where the obstacle's own way bends
    // meanwhile, the leg is cast in two. The point of the hit is on the obstacle as it lies when the leg begins.
    std::optional<collision::CastHit> castAt(std::uint32_t slot, const Leg& leg, const ShapeAt& moving, double limit) const {
        const BentWay way = solverIndexOf(slot) == dynamics::kFixedBody ? BentWay{} : ways_.of(slot);
        const ShapeAt obstacle = obstacleAt(slot, leg.time);
        if (!(way.time > leg.time && way.time < leg.time + leg.duration))
            return collision::castShape(moving, relativeWay(leg, slot), obstacle, limit, false, true);
        const Vec3 there = movedBy(slot, leg.time);
        const Real share = (way.time - leg.time) / leg.duration;
        const double first = double(share), second = 1 - first;
        const Vec3d untilBend = toDouble(leg.way * share - (way.bend - there));
        std::optional<collision::CastHit> hit =
            collision::castShape(moving, untilBend, obstacle, std::min(1., limit / first), false, true);
        if (hit) {
            hit->fraction *= first;
            return hit;
        }
        if (!(limit > first))
            return hit;
        const ShapeAt then{moving.shape, moving.position + toDouble(leg.way * share), moving.orientation};
        const Vec3d sinceTurn =
            toDouble(leg.way * (1 - share) - (movedBy(slot, leg.time + leg.duration) - movedBy(slot, way.time)));
        hit = collision::castShape(then, sinceTurn, obstacleAt(slot, way.time), (limit - first) / second, false, true);
        if (hit) {
            hit->fraction = first + second * hit->fraction;
            hit->point = hit->point - toDouble(movedBy(slot, way.time) - there);
        }
        return hit;
    }

    // What the shape (the inner ball, or the whole body) meets first on the leg. An overlap counts as a hit where the way leads
    // deeper: with a mesh always, because a body that has sunk in so deep may pass through it next, with others if
    // countOverlaps is set.
    FoundBlow findFirstHit(const Leg& leg, const ShapeAt& moving, bool countOverlaps, bool countFree) const {
        FoundBlow first;
        double limit = 1;
        const Vec3d way = toDouble(leg.way), start = toDouble(body_.center) + moving.position;
        const double radius = moving.shape.boundingRadius;
        const auto key = [&](const Bounds& bounds) {
            return collision::entryFraction(bounds, start, way, {radius, radius, radius});
        };
        const auto consider = [&](std::uint32_t slot) {
            if (!isObstacle(slot) || (!countFree && isFree(slot)))
                return limit;
            const auto hit = castAt(slot, leg, moving, limit);
            const bool counts = countOverlaps || isMesh(slot);
            if (!hit || (hit->startsInside && !(counts && dot(relativeWay(leg, slot), hit->normal) < 0)))
                return limit;
            if (world_.host.preSolve && !lawOf(slot, *hit).isEnabled)
                return limit;
            const bool isFirst =
                first.obstacle == kNone || hit->fraction < first.hit.fraction ||
                (hit->fraction == first.hit.fraction && world_.bodies[slot].serial < world_.bodies[first.obstacle].serial);
            if (isFirst)
                first = {slot, *hit};
            return limit = first.hit.fraction;
        };
        for (const Motion motion : {Motion::Static, Motion::Kinematic, Motion::Dynamic})
            world_.broadPhase.nearest(motion, limit, key, [&](std::uint32_t collider) { return consider(slotOf(collider)); });
        // Bodies that blows have moved may be outside their bounds in the broad phase.
        ways_.forEachBent(consider);
        return first;
    }

    BlowLaw lawOf(std::uint32_t slot, const collision::CastHit& hit) const {
        return lawOfBlow(world_, slot_, slot, toReal(hit.point), toReal(hit.normal), Real(hit.startsInside ? hit.depth : 0));
    }

    ShapeAt wholeAt(const Vec3& center) const {
        const Pose pose = shapePose(body_, solver_.orientation);
        return {*body_.shape, toDouble(center + pose.position), pose.orientation};
    }

    // Whether two dynamic bodies overlapped before the step: contacts push them apart, and there is no blow to be missed.
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

    // The first blow on a leg of the solver's own way. It counts only where the inner ball meets something, since contacts that
    // the solver holds let bodies overlap a little; the blow itself is where the surface meets. Free bodies count only on the
    // leg after the bend (countFree). Before it the contacts have dealt with them; and a body that was stopped before the bend
    // would keep the velocity that it has after it, which would create angular momentum.
    FoundBlow findDeepBlow(const Leg& leg, bool countFree) const {
        if (leg.way == Vec3{})
            return {};
        FoundBlow blow = findFirstHit(leg, {innerBall_.ball, toDouble(leg.from + innerBall_.arm), {}}, false, countFree);
        if (blow.obstacle == kNone)
            return blow;
        const auto surface = castAt(blow.obstacle, leg, wholeAt(leg.from), blow.hit.fraction);
        if (surface && !surface->startsInside)
            blow.hit = *surface;
        else if (surface && wereTangled(blow.obstacle))
            return {};
        else if (surface && !isMesh(blow.obstacle))  // a mesh on which it slides is struck where the inner ball meets it
            blow.hit.fraction = 0;                   // they overlap already and must not go deeper
        return blow;
    }
    // The first blow of the whole body on a leg that the solver knows nothing of.
    FoundBlow findBlow(const Leg& leg) const {
        return leg.way == Vec3{} ? FoundBlow{} : findFirstHit(leg, wholeAt(leg.from), true, true);
    }

    static Real response(const SolverBody& body, const Vec3& arm, const Vec3& direction) {
        const Vec3 lever = cross(arm, direction);
        return dot(multiply(body.inverseMass, direction), direction) + dot(body.inverseInertia * lever, lever);
    }

    // Applies the impulse of a blow: Newton's restitution along the normal, Coulomb's friction across it.
    void strike(const Leg& leg, const FoundBlow& blow) {
        const Body& otherBody = world_.bodies[blow.obstacle];
        SolverBody& other = solverBodyOf(blow.obstacle);
        const Real share = Real(blow.hit.fraction);
        const Real now = leg.time + leg.duration * share;
        const Vec3 moved = movedBy(blow.obstacle, now) - movedBy(blow.obstacle, leg.time);
        const Vec3 point = toReal(blow.hit.point) + moved;
        const Vec3 armA = point - (leg.from + leg.way * share);
        // The arm of a free body is taken from the place from which its present velocity leads to its end: it goes on from
        // there, so angular momentum is kept. A body that waits stays where it is.
        const bool goesOn = isFree(blow.obstacle) && !ways_.waits(blow.obstacle);
        const Vec3 place = goesOn ? other.displacement + ways_.pushedOf(blow.obstacle) - other.velocity * (dt_ - now)
                           : isFree(blow.obstacle) ? other.displacement
                                                   : movedBy(blow.obstacle, now);
        const Vec3 armB = point - toReal(toDouble(otherBody.center) - toDouble(body_.center)) - place;
        const Vec3 normal = toReal(blow.hit.normal);
        const Vec3 velocity = velocityAt(solver_, armA) - velocityAt(other, armB);
        const Real approach = -dot(velocity, normal);
        if (!(approach > 0))
            return;
        const Real answer = response(solver_, armA, normal) + response(other, armB, normal);
        if (!(answer > dynamics::leastResponse(solver_, other, armA, armB)))
            return;
        const BlowLaw law = lawOf(blow.obstacle, blow.hit);
        const Real restitution = approach > world_.def.restitutionThreshold ? law.restitution : Real(0);
        const Real push = (1 + restitution) * approach / answer;
        const Vec3 slip = velocity + normal * approach;
        const Vec3 against = normalizeOr(-slip, {});
        const Real stop = length(slip) / max(response(solver_, armA, against) + response(other, armB, against), kEpsilon);
        const Vec3 impulse = normal * push + against * min(law.friction * push, stop);
        applyImpulse(solver_, impulse, armA);
        world_.solve.strikes.back().work = dot(impulse, velocityAt(other, armB));
        note(blow, leg.from + leg.way * share, armA, armB, normal, impulse, push, now);
        if (otherBody.motion != Motion::Dynamic || isAsleep(otherBody))
            return;
        const Vec3 before = other.velocity;
        applyImpulse(other, -impulse, armB);
        if (!goesOn)
            return;
        ways_.push(blow.obstacle, (other.velocity - before) * (dt_ - now));
        struck_.push_back({blow.obstacle, now});
    }

    void note(const FoundBlow& blow, const Vec3& centerA, const Vec3& armA, const Vec3& armB, const Vec3& normal,
              const Vec3& impulse, Real push, Real time) {
        const Body& other = world_.bodies[blow.obstacle];
        const bool stays = other.motion == Motion::Static || isAsleep(other);
        SweptBlow& noted = world_.solve.sweptBlows.emplace_back();
        noted.striker = slot_;
        noted.struck = blow.obstacle;
        noted.onStriker = pointInBody(body_, solver_.orientation, armA);
        noted.onStruck = pointInBody(other, stays ? other.orientation : solverBodyOf(blow.obstacle).orientation, armB);
        noted.childOfStriker = blow.hit.castChild;
        noted.childOfStruck = blow.hit.child;
        noted.point = body_.center + (centerA + armA);
        noted.normal = normal;
        noted.impulse = impulse;
        noted.normalImpulse = push;
        noted.time = time;
    }

    WorldState& world_;
    BodyWays& ways_;
    std::vector<Push>& struck_;
    std::uint32_t slot_;
    const Body& body_;
    SolverBody& solver_;
    const Vec3 solved_;  // m: the displacement that the solver gave it
    Real dt_;
    InnerBall innerBall_;
};

// Slots of bodies with an impact that the contacts leave out (dropLateImpacts), and of those that go far near a mesh. A mesh
// has no inside: a body that gets behind it past the contacts of one step would never come back.
std::vector<std::uint32_t> findUnseen(const PagedVector<ContactPair>& pairs, const SearchState& search) {
    std::vector<std::uint32_t> slots;
    for (const NarrowPhaseBlock& block : search.usedBlocks()) {
        slots.insert(slots.end(), block.alongMeshes.begin(), block.alongMeshes.end());
        for (const FarImpact& impact : block.impacts)
            if (impact.isLate)
                slots.insert(slots.end(), {pairs[impact.pair].bodyA, pairs[impact.pair].bodyB});
    }
    std::sort(slots.begin(), slots.end());
    return slots;
}

// The body's way, where it went far and not as the search for contacts expected.
std::optional<BentWay> farWay(const PagedVector<Body>& bodies, const SolveState& solve, std::uint32_t slot, Real dt,
                              bool hasUnseen) {
    const Body& body = bodies[slot];
    if (body.motion != Motion::Dynamic || body.quarantined || body.sensor || body.vertices)
        return std::nullopt;
    const SolverBody& solver = solve.bodies[body.solverIndex];
    const Real far = kUnnoticedShare * body.shape->innerRadius;
    if (!hasUnseen && !(length(solver.displacement - velocityBefore(solve, body, dt) * dt) > far))
        return std::nullopt;
    const BentWay way = wayOf(solve, body, dt);
    return lengthOf(way, solver.displacement) > far && isFinite(solver.displacement) ? std::optional(way) : std::nullopt;
}

// A body to be followed, with the time of its first blow.
struct Candidate {
    Real blow = 0;
    std::uint32_t slot = 0;
    BentWay way;
};

}  // namespace

void wakeStruck(const PagedVector<Body>& bodies, const SolveState& solve, SleepState& sleep) {
    forEachBlow(solve, [&](const SweptBlow& blow) {
        if (const Body& body = bodies[blow.struck]; isAsleep(body))
            sleep.struck.push_back(body.island);
    });
}

void limitFastBodies(WorldState& world, Real dt) {
    world.solve.strikes.clear();
    world.solve.sweptBlows.clear();
    const std::vector<std::uint32_t> unseen = findUnseen(world.pairs, world.search);
    BodyWays ways(world, dt);
    std::vector<Push> struck, next;
    std::vector<Candidate> candidates;
    const auto wayOf = [&](std::uint32_t slot) -> std::optional<BentWay> {
        // A body in a group of joints is not followed: stopped alone it would be torn off.
        if (world.solve.joints.solver.isInGroup(world.bodies[slot].solverIndex))
            return std::nullopt;
        return farWay(world.bodies, world.solve, slot, dt, std::binary_search(unseen.begin(), unseen.end(), slot));
    };
    world.search.marks.resize(world.solve.layout.size());
    runRanges(*world.tasks, world.solve.layout.size(), kSweptBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            world.search.marks[i] = wayOf(world.solve.layout[i]).has_value();
    });
    for (std::size_t i = 0; i < world.solve.layout.size(); ++i)
        if (const std::uint32_t slot = world.solve.layout[i]; world.search.marks[i])
            candidates.push_back({kInfinity, slot, *wayOf(slot)});
    if (candidates.empty())
        return;
    ways.findMet();
    runRanges(*world.tasks, candidates.size(), kCandidatesPerBlock, [&](std::size_t begin, std::size_t end) {
        for (Candidate& candidate : std::span(candidates).subspan(begin, end - begin))
            candidate.blow = FastBody(world, candidate.slot, ways, struck).firstBlow(candidate.way);
    });
    // The body whose blow is earliest goes first: the others then meet it where it is. The order of bodies decides between
    // equals.
    std::stable_sort(candidates.begin(), candidates.end(),
                     [](const Candidate& a, const Candidate& b) { return a.blow < b.blow; });
    if (!(candidates[0].blow < kInfinity))
        return;
    for (const Candidate& candidate : candidates)
        FastBody(world, candidate.slot, ways, struck).follow(candidate.way);
    for (int round = 1; round < kMostStrikeRounds && !struck.empty(); ++round) {
        next.clear();
        std::stable_sort(struck.begin(), struck.end(), [](const Push& a, const Push& b) { return a.time < b.time; });
        for (const Push& push : struck)
            FastBody(world, push.slot, ways, next).follow(push);
        struck.swap(next);
    }
}

}  // namespace sunder::world
