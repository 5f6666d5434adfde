#include "world/breaking/stress_loads.h"

#include <algorithm>

#include "elastic/solid/contact_time.h"
#include "math/roots.h"
#include "world/commit/stress_mesh.h"

namespace sunder::world {

namespace {

// m/s: slower than this a change of load is a load, not a blow: a body that rests pulses by so much.
constexpr Real kLeastBlowSpeed = Real(0.1);
// s: a blow may be spread over the steps of this time after it began, which matters where steps are shorter; what the step
// before did then counts with what this one does, if that is no less than this share of it.
constexpr double kSpread = 0.01;
constexpr Real kLeastOfSpread = Real(0.05);
// s: nothing touches longer in a blow.
constexpr double kLongestBlow = 0.05;
// A body of ordinary proportions has no tension beyond this many times the sum of its loads over the square of its
// tetrahedra's size; less is not tried.
constexpr Real kMostConcentration = 30;
// A load that was borne is borne again, within this share of the body's radius about the same place: a little more than it, or
// this share of what would have reached the strength. Elsewhere it may strain the body more, and less of it is borne.
constexpr Real kSamePlace = Real(0.02), kLittleMore = Real(1.02), kBelowStrength = Real(0.7), kElsewhere = Real(0.25);

// 1/kg: how a push along the normal at a point (from its centre, world axes) moves the body there.
Real inverseMassAt(const Body& body, const Vec3& arm, const Vec3& normal) {
    if (body.motion != Motion::Dynamic)
        return 0;
    const Vec3 turn = inverseRotate(body.orientation, cross(arm, normal));
    return body.inverseMass + dot(multiply(turn, turn), body.inversePrincipalInertia);
}

// 1/m. Corners and edges have none of their own to tell: a body that is not round counts as a ball of its volume.
double curvatureOf(const Body& body) {
    const BuiltShape& shape = *body.shape;
    if (shape.type == ShapeType::Sphere || shape.type == ShapeType::Capsule)
        return 1 / double(shape.radius);
    if (body.motion != Motion::Dynamic)
        return 0;
    return cubeRoot(4.18879 / shape.massProperties.volume);
}

elastic::ContactSide sideOf(const Body& body, const WorldPoint& point, const Vec3& normal) {
    elastic::ContactSide side;
    side.inverseMass = double(inverseMassAt(body, point - body.center, normal));
    side.curvature = curvatureOf(body);
    side.young = double(body.material.young);
    side.poisson = double(body.material.poisson);
    return side;
}

// The impulses between the body and one other.
struct Meeting {
    Real impulse = 0;  // N s into the body, along the normals
    Vec3 point;        // in the body's frame: the mean, weighted by impulse
    Vec3 outward;      // world axes, of the strongest
    Real strongest = 0;
};

Meeting meetingOf(std::span<const FeltImpulse> felt) {
    Meeting meeting;
    for (const FeltImpulse& one : felt) {
        if (!(one.normalImpulse > 0))
            continue;
        meeting.impulse += one.normalImpulse;
        meeting.point += one.point * one.normalImpulse;
        if (one.normalImpulse > meeting.strongest) {
            meeting.strongest = one.normalImpulse;
            meeting.outward = one.outward;
        }
    }
    if (meeting.impulse > 0)
        meeting.point = meeting.point / meeting.impulse;
    return meeting;
}

// 1/s: what an impulse of the meeting is multiplied by to become a force. resting: N s of it that the contact would do anyway;
// earlier: N s that the same blow did in the step before.
Real forcePerImpulse(const Body& body, const Body& partner, const Meeting& meeting, Real resting, Real earlier, Real dt) {
    const Real blow = meeting.impulse - resting + earlier;
    if (!(blow > 0))
        return 1 / dt;
    const WorldPoint point = userPosition(body) + rotate(userOrientation(body), meeting.point);
    const elastic::ContactSide a = sideOf(body, point, meeting.outward), b = sideOf(partner, point, meeting.outward);
    // The speed at which they met, from what it took to part them.
    const double bounce = double(max(body.material.restitution, partner.material.restitution));
    const double speed = double(blow) * (a.inverseMass + b.inverseMass) / (1 + bounce);
    if (!(speed > double(kLeastBlowSpeed)))
        return 1 / dt;
    const double time = elastic::hertzContactTime(a, b, speed, kLongestBlow);
    return Real((double(resting) / double(dt) + double(blow) / time) / double(meeting.impulse));
}

// Of a meeting's impulse (N s) what is load, and what the same blow did in the step before.
struct Before {
    Real resting = 0, earlier = 0;
};
Before beforeOf(const ContactPair& pair, bool isSettling, Real impulse, Real dt) {
    if (isSettling)
        return {impulse, 0};
    const Real last = pair.load * dt;
    const bool isSpread = last > 0 && secondsLoaded(pair) < kSpread && impulse > kLeastOfSpread * last;
    return isSpread ? Before{0, last} : Before{last, 0};
}

struct Sum {
    Real force = 0;
    Vec3 center;
};
Sum sumOf(const std::vector<StressLoad>& loads) {
    Sum sum;
    for (const StressLoad& load : loads) {
        const Real force = length(load.force);
        sum.force += force;
        sum.center += load.point * force;
    }
    if (sum.force > 0)
        sum.center = sum.center / sum.force;
    return sum;
}

bool isBorne(const Body& body, const Sum& sum) {
    const StressMemory& memory = body.fracture->stress;
    const int elements = std::get<Stressed>(body.fracture->def.method).elements;
    const Real cell = latticeCell(body.fracture->solid->massProperties.volume, elements);
    if (sum.force * kMostConcentration < body.material.strength * cell * cell || sum.force < kElsewhere * memory.borneForce)
        return true;
    return sum.force < memory.borneForce && length(sum.center - memory.borneCenter) < kSamePlace * body.shape->boundingRadius;
}

}  // namespace

bool isStressHit(const WorldState& world, const FeltState::Range& range, Real dt,
                 bool (*isSettling)(const WorldState&, const ContactPair&), BodyHit& hit) {
    const Body& body = world.bodies[range.body];
    if (body.birth > world.breaking.countBefore)
        return false;
    const Quat orientation = userOrientation(body);
    Meeting hardest;
    for (std::span<const FeltImpulse> left = world.solve.felt.of(range); !left.empty();) {
        const std::size_t count = countSame(left, &FeltImpulse::pair);
        const std::span<const FeltImpulse> felt = left.first(count);
        left = left.subspan(count);
        const Meeting meeting = meetingOf(felt);
        if (!(meeting.impulse > 0))
            continue;
        const std::uint32_t pair = felt.front().pair;
        const auto [resting, earlier] =
            pair == kNone ? Before{} : beforeOf(world.pairs[pair], isSettling(world, world.pairs[pair]), meeting.impulse, dt);
        const Real factor = forcePerImpulse(body, world.bodies[felt.front().partner], meeting, resting, earlier, dt);
        for (const FeltImpulse& one : felt)
            if (one.normalImpulse > 0)
                hit.request.loads.push_back({one.point, inverseRotate(orientation, one.impulse) * factor});
        if (meeting.impulse > hardest.impulse)
            hardest = meeting;
    }
    if (isBorne(body, sumOf(hit.request.loads)))
        return false;
    hit.serial = body.serial;
    hit.share = kInfinity;  // whether it breaks is found by trying
    hit.request.kind = BreakRequest::Kind::Loads;
    hit.request.body = {range.body, body.generation};
    hit.request.point = hardest.point;
    hit.request.normal = inverseRotate(orientation, hardest.outward);
    hit.request.impulse = hardest.impulse;
    return true;
}

void keepBorne(WorldState& world, const BreakRequest& request) {
    StressOutcome& outcome = world.breaking.stressOutcome;
    if (!outcome.isTried)
        return;
    Body& body = world.bodies[request.body.index];
    StressMemory& memory = body.fracture->stress;
    memory.cracks = std::move(outcome.cracks);
    if (request.kind == BreakRequest::Kind::Loads) {
        const Sum sum = sumOf(request.loads);
        const Real share = max(outcome.stress / body.material.strength, Real(1e-6));
        memory.borneForce = sum.force * max(kLittleMore, kBelowStrength / share);
        memory.borneCenter = sum.center;
    }
    if (!outcome.isSolved)
        world.events.errors.push_back({request.body, "the stress of the body could not be found, and it does not crack"});
}

}  // namespace sunder::world
