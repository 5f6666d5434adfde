#include "world/breaking/stress_loads.h"

#include <algorithm>
#include <cmath>

#include "elastic/solid/contact_time.h"
#include "math/roots.h"
#include "world/commit/pieces/stress_mesh.h"
#include "world/commit/pieces/stress_of_body.h"

namespace sunder::world {

namespace {

// m/s: slower than this a change of load is a load, not a blow: a body that rests pulses by so much.
constexpr Real kLeastBlowSpeed = Real(0.1);
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

// 1/m: curvature of the surface, for the time that bodies touch (Hertz). Corners and edges have none, so a body that is not
// round counts as a ball of its volume.
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
struct PartnerImpulse {
    Real impulse = 0;  // N s into the body, along the normals
    Vec3 point;        // in the body's frame: the mean, weighted by impulse
    Vec3 outward;      // world axes, of the strongest
    Real strongest = 0;
    Real separation = 0;  // m: of the strongest, at the end
    Real time = 0;        // s: of a blow that continuous collision found
};

PartnerImpulse meetingOf(std::span<const FeltImpulse> felt) {
    PartnerImpulse meeting;
    for (const FeltImpulse& one : felt) {
        if (!(one.normalImpulse > 0))
            continue;
        meeting.impulse += one.normalImpulse;
        meeting.point += one.point * one.normalImpulse;
        if (one.normalImpulse > meeting.strongest) {
            meeting.strongest = one.normalImpulse;
            meeting.outward = one.outward;
            meeting.separation = one.separation;
            meeting.time = one.time;
        }
    }
    if (meeting.impulse > 0)
        meeting.point = meeting.point / meeting.impulse;
    return meeting;
}

// Of a body at a point: velocity (m/s) before the solve, what accelerates it (m/s^2), and its way in the solve (m).
struct PointMotion {
    Vec3 velocity, acceleration, way;
};
PointMotion motionAt(const WorldState& world, const Body& body, const WorldPoint& point) {
    if (body.motion == Motion::Static || isAsleep(body))
        return {};
    const Vec3 arm = point - body.center;
    const dynamics::SolverBody& solver = world.solve.bodies[body.solverIndex];
    const Vec3 velocity = body.velocity + cross(body.angularVelocity, arm);
    // A body that rests is held against its weight.
    const bool isHeld = length(velocity) < kLeastBlowSpeed;
    return {velocity, isHeld ? Vec3{} : world.solve.constants[body.solverIndex].acceleration,
            solver.displacement + cross(solver.turned, arm)};
}

// m/s: how fast the two met. Before the solve they may still be apart, and fall on: v^2 = v0^2 + 2 a s. The change
// of velocity in the solve cannot be used: it also carries the striker's weight for the rest of the step, and spreads a blow
// over short steps.
double arrivalSpeed(const WorldState& world, const Body& body, const Body& partner, const PartnerImpulse& meeting,
                    const WorldPoint& point) {
    const PointMotion own = motionAt(world, body, point), other = motionAt(world, partner, point);
    const double speed = double(dot(own.velocity - other.velocity, meeting.outward));
    const double acceleration = double(dot(own.acceleration - other.acceleration, meeting.outward));
    if (meeting.time > 0)
        return speed + acceleration * double(meeting.time);
    const double gap = std::max(0.0, double(meeting.separation + dot(own.way - other.way, meeting.outward)));
    return std::sqrt(std::max(0.0, std::max(speed, 0.0) * speed + 2 * acceleration * gap));
}

// m/s: how fast the two close in along the normal after the solve; negative where they part.
double speedAfter(const WorldState& world, const Body& body, const Body& partner, const PartnerImpulse& meeting,
                  const WorldPoint& point) {
    const auto after = [&](const Body& one) {
        if (one.motion == Motion::Static || isAsleep(one))
            return Vec3{};
        const dynamics::SolverBody& solver = world.solve.bodies[one.solverIndex];
        return solver.velocity + cross(solver.angularVelocity, point - one.center);
    };
    return double(dot(after(body) - after(partner), meeting.outward));
}

// Of the meeting on the body. A blow's impulse is that of two free bodies, (1 + e) m v, over the time that they touch; what
// the contact bore before goes on. Any other load is the mean over kLoadTime. energy: what the two have lost along the normal
// by the end of the solve, m (v^2 - v'^2) / 2, so that a blow that takes several short steps counts once.
struct MeetingLoad {
    Real force = 0;   // N
    Real energy = 0;  // J; 0 where it is no blow
};
MeetingLoad loadOf(const WorldState& world, const Body& body, const Body& partner, const PartnerImpulse& meeting, Real before,
                   Real now) {
    const WorldPoint point = userPosition(body) + rotate(userOrientation(body), meeting.point);
    const double speed = arrivalSpeed(world, body, partner, meeting, point);
    if (!(speed > double(kLeastBlowSpeed)))
        return {now, 0};
    const elastic::ContactSide a = sideOf(body, point, meeting.outward), b = sideOf(partner, point, meeting.outward);
    if (!(a.inverseMass + b.inverseMass > 0))
        return {now, 0};
    const double bounce = double(max(body.material.restitution, partner.material.restitution));
    const double mass = 1 / (a.inverseMass + b.inverseMass);
    const double impulse = (1 + bounce) * speed * mass;
    const double after = speedAfter(world, body, partner, meeting, point);
    return {before + Real(impulse / elastic::hertzContactTime(a, b, speed, kLongestBlow)),
            Real(std::max(0.0, mass * (speed * speed - after * after) / 2))};
}

// Pa: below this neither cracks nor dents are to be looked for.
Real leastStress(const Body& body) {
    const Material& material = body.material;
    const bool dents = material.yield > 0 && std::get<Stressed>(body.fracture->def.method).pliability > 0;
    return dents ? min(material.strength, material.yield) : material.strength;
}

struct ForceSum {
    Real force = 0;
    Vec3 center;
};
ForceSum sumOf(const std::vector<StressLoad>& loads) {
    ForceSum sum;
    for (const StressLoad& load : loads) {
        const Real force = length(load.force);
        sum.force += force;
        sum.center += load.point * force;
    }
    if (sum.force > 0)
        sum.center = sum.center / sum.force;
    return sum;
}

bool isBorne(const Body& body, const ForceSum& sum) {
    const StressMemory& memory = body.fracture->stress;
    const int elements = std::get<Stressed>(body.fracture->def.method).elements;
    const Shell* shell = shellOf(*body.fracture->solid);
    const Real cell = shell ? shell->thickness : latticeCell(body.fracture->solid->massProperties.volume, elements);
    if (sum.force * kMostConcentration < leastStress(body) * cell * cell || sum.force < kElsewhere * memory.borneForce)
        return true;
    return sum.force < memory.borneForce && length(sum.center - memory.borneCenter) < kSamePlace * body.shape->boundingRadius;
}

}  // namespace

bool isStressHit(const WorldState& world, const FeltState::Range& range, Real dt, BodyHit& hit) {
    const Body& body = world.bodies[range.body];
    if (body.birth > world.breaking.countBefore)
        return false;
    const Quat orientation = userOrientation(body);
    PartnerImpulse hardest;
    for (std::span<const FeltImpulse> left = world.solve.felt.of(range); !left.empty();) {
        const std::size_t count = countSame(left, &FeltImpulse::pair);
        const std::span<const FeltImpulse> felt = left.first(count);
        left = left.subspan(count);
        const PartnerImpulse meeting = meetingOf(felt);
        if (!(meeting.impulse > 0))
            continue;
        const std::uint32_t pair = felt.front().pair;
        const Real before = pair == kNone ? 0 : world.pairs[pair].slowLoad;
        const MeetingLoad load = loadOf(world, body, world.bodies[felt.front().partner], meeting, before,
                                        slowLoadAfter(before, meeting.impulse, dt));
        const Real factor = load.force / meeting.impulse;
        hit.request.energy += load.energy;
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
        const ForceSum sum = sumOf(request.loads);
        Real share = max(outcome.stress / body.material.strength, Real(1e-6));
        if (body.material.yield > 0)
            share = max(share, outcome.equivalent / body.material.yield);
        memory.borneForce = sum.force * max(kLittleMore, kBelowStrength / share);
        memory.borneCenter = sum.center;
    }
    reportLostStress(world, request);
}

void reportLostStress(WorldState& world, const BreakRequest& request) {
    const StressOutcome& outcome = world.breaking.stressOutcome;
    if (!outcome.isTried || outcome.isSolved)
        return;
    world.events.errors.push_back(
        {request.body, outcome.rounds == 0 ? "the stress of the body could not be found, and it does not crack"
                                           : "the stress of the body was lost after cracks had grown, and they end there"});
}

}  // namespace sunder::world
