// A chord is a straight line with a constant turn, as collision/continuous wants it. A body leaves the chord by no more than
//     sag = (acceleration + gyration w^2 r) span^2 / 8
// so the surfaces are searched for a meeting at the distance kHitGap + sag; where there is one and the sag is not small, the
// search goes on from that time with shorter chords.
// Two bodies that are already as near as that and part, as after a collision, may meet again at other corners: they are looked
// at in several moments until they are farther apart, and a moment at which they approach is narrowed down by bisection.
#include "dynamics/timewarp/meeting.h"

#include <algorithm>

#include "collision/continuous/time_of_impact.h"
#include "collision/narrow_phase/collide.h"
#include "dynamics/impulse/predicted_motion.h"

namespace sunder::dynamics {

namespace {

// m: surfaces this near have met. Positions are exact to about a tenth of this where bodies are large.
constexpr Real kHitGap = Real(2e-5);
constexpr Real kTolerance = Real(2e-6);             // m: a hit is found within this
constexpr Real kMetGap = kHitGap + 2 * kTolerance;  // m: at a hit the surfaces are no farther apart
constexpr int kMostPassedOver = 6;                  // meetings without approach that are passed over in a search
constexpr Real kFineSag = Real(4e-6);               // m: chords that sag less count as straight
constexpr Real kShorter = Real(0.25);               // the span of the next chord, where one sagged too much
constexpr Real kMostTurn = 1;                       // rad per chord
constexpr int kMostChords = 48;                     // per search; then the two count as met
// Moments of a step at which two bodies that are near each other are looked at, and steps of bisection between two of them.
constexpr int kMoments = 8, kBisections = 6;
// m/s: least speed of a collision where there is little or no gravity, above the rounding of velocities.
constexpr Real kSlowest = Real(1e-4);

Pose poseOf(const ImpulseSide& side, const SolverBody& body, const Vec3& origin) {
    const Quat& q = side.body == kFixedBody ? side.fixedOrientation : body.orientation;
    return Pose{body.displacement - origin, q} * side.principalFromShape;
}

// The nearest place of two bodies, and the fastest approach (m/s) among their places nearer than a gap.
struct Nearness {
    Real separation = kInfinity;
    Real approach = 0;
};

Nearness nearnessOf(const ImpulsePair& pair, const SolverBody& a, const SolverBody& b, Real gap) {
    thread_local collision::ManifoldList manifolds;
    manifolds.clear();
    Pose poseB = poseOf(pair.b, b, a.displacement);
    poseB.position += pair.centerOffset;
    collision::collide(*pair.a.shape, poseOf(pair.a, a, a.displacement), *pair.b.shape, poseB, max(gap, 0), manifolds);
    Nearness nearness;
    for (const collision::ContactManifold& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i) {
            const collision::ContactPoint& point = manifold.points[i];
            if (point.separation > gap)
                continue;
            nearness.separation = min(nearness.separation, point.separation);
            const Vec3 common = (point.onA + point.onB) * Real(0.5);
            const Vec3 armB = common - (b.displacement - a.displacement) - pair.centerOffset;
            const Vec3 u = velocityAt(b, armB) - velocityAt(a, common);
            nearness.approach = max(nearness.approach, -dot(u, manifold.normal));
        }
    return nearness;
}

// m: how far from its centre of mass a body's rotation moves its surface; that of a ball moves none of it.
Real reachOf(const ImpulseSide& side, const SolverBodyConstants& constants) {
    const bool isBall = side.shape->type == ShapeType::Sphere && constants.radius <= Real(1.001) * side.shape->boundingRadius;
    return isBall ? Real(0) : constants.radius;
}

// rad/s^2 per (rad/s)^2: how much free rotation changes its own rate.
Real gyration(const SolverBodyConstants& constants) {
    const Vec3 &I = constants.principalInertia, &w = constants.inversePrincipalInertia;
    return max(std::fabs(I.y - I.z) * w.x, max(std::fabs(I.z - I.x) * w.y, std::fabs(I.x - I.y) * w.z));
}

// The search for one pair.
class Search {
public:
    Search(const WarpStep& step, const ImpulsePair& pair, const SearchSpan& span, SearchMemory& memory)
        : step_(step), pair_(pair), memory_(memory), start_(span.from), pause_(min(span.pause, span.end)), end_(span.end) {
        const WarpBody &a = step.bodies[pair.a.body], &b = step.bodies[pair.b.body];
        const auto &constantsA = step.impulse.constants[pair.a.body], &constantsB = step.impulse.constants[pair.b.body];
        const CenterMotion centerA = centerAt(pair.a.body, start_), centerB = centerAt(pair.b.body, start_);
        const Real turningA = a.spin * reachOf(pair.a, constantsA), turningB = b.spin * reachOf(pair.b, constantsB);
        const Real fall = length(constantsA.acceleration - constantsB.acceleration);
        // Torque is left out: it changes little within a step.
        bend_ = fall + constantsA.linearDamping * length(centerA.velocity) +
                constantsB.linearDamping * length(centerB.velocity) +
                (gyration(constantsA) * a.spin + constantsA.angularDamping) * turningA +
                (gyration(constantsB) * b.spin + constantsB.angularDamping) * turningB;
        speed_ = length(centerA.velocity - centerB.velocity) + turningA + turningB;
        fastest_ = speed_ + fall * (end_ - start_);
        mostSpan_ = kMostTurn / max(max(a.spin, b.spin), Real(1e-3));
        between_ = pair.centerOffset + centerB.displacement - centerA.displacement;
        approach_ = centerA.velocity - centerB.velocity;
    }

    Prospect run() {
        if (!(speed_ > slowAt(start_)) || !(start_ < end_))
            return {};
        Real time = farUntil();
        if (!(time < end_) || isSlowEverywhere())
            return {};
        if (time > pause_)
            return {Prospect::Kind::ApartUntil, time};
        // Surfaces that meet without approach, as those that graze or have just parted, may meet again elsewhere.
        for (int round = 0; round < kMostPassedOver; ++round) {
            Nearness nearness;
            if (memory_.wereMet && !(time > start_))
                nearness = nearnessAt(time);
            memory_.wereMet = nearness.separation <= kMetGap;
            if (!memory_.wereMet) {
                const Prospect met = advance(time);
                if (met.kind != Prospect::Kind::Collide)
                    return met;
                time = met.time;
                nearness = nearnessAt(time);
                memory_.wereMet = true;
            }
            if (nearness.approach > slowAt(time))
                return {Prospect::Kind::Collide, time};
            const Watched watched = watch(time);
            isSure_ = false;  // they may meet elsewhere between two moments
            if (watched.what == Watched::What::Collide)
                return {Prospect::Kind::Collide, watched.time};
            memory_.wereMet = watched.what == Watched::What::Unknown;
            if (!(watched.time < end_))
                return {};
            if (watched.what == Watched::What::Unknown)
                return {Prospect::Kind::ApartUntil, watched.time};
            time = watched.time;
        }
        return {};
    }

    bool isSure() const { return isSure_; }

private:
    struct CenterMotion {
        Vec3 displacement, velocity;
    };
    // As stateAt, without turning the body.
    CenterMotion centerAt(std::uint32_t body, Real time) const {
        const WarpBody& warp = step_.bodies[body];
        const SolverBodyConstants& constants = step_.impulse.constants[body];
        const Real flight = time - warp.validTime;
        CenterMotion motion{warp.valid.displacement, warp.valid.velocity};
        if (!(flight > 0))
            return motion;
        if (constants.isDynamic)
            motion.velocity += linearAcceleration(warp.valid, constants, flight) * flight;
        motion.displacement += (warp.valid.velocity + motion.velocity) * (flight * Real(0.5));
        return motion;
    }
    Real slowAt(Real time) const { return slowestCollision(step_, pair_, time); }
    Nearness nearnessAt(Real time) const {
        moveTo(time);
        return nearnessOf(pair_, a_, b_, kMetGap);
    }
    // Sets a_ and b_. Most searches look at one moment several times.
    void moveTo(Real time) const {
        if (time == time_)
            return;
        time_ = time;
        a_ = stateAt(step_, pair_.a.body, time);
        b_ = stateAt(step_, pair_.b.body, time);
    }
    // s: until then the balls about the two do not meet, or that about one and the box about the other if that never moves: the
    // ball about the ground holds everything.
    Real farUntil() const {
        const Real radiusA = step_.impulse.constants[pair_.a.body].radius,
                   radiusB = step_.impulse.constants[pair_.b.body].radius;
        Real gap = 0;
        if (pair_.a.body != kFixedBody && pair_.b.body != kFixedBody) {
            gap = radiusA + radiusB > 0 ? length(between_) - radiusA - radiusB : Real(0);
        } else {
            const bool isFixedA = pair_.a.body == kFixedBody;
            const ImpulseSide& fixed = isFixedA ? pair_.a : pair_.b;
            Pose pose = poseOf(fixed, SolverBody{}, {});
            pose.position += isFixedA ? Vec3{} : between_;
            const Bounds box = collision::worldBounds(*fixed.shape, pose);
            const Vec3 center = isFixedA ? between_ : Vec3{}, nearest = max(box.low, min(center, box.high));
            const Real radius = isFixedA ? radiusB : radiusA;
            gap = radius > 0 ? length(center - nearest) - radius : Real(0);
        }
        return gap > kHitGap ? start_ + (gap - kHitGap) / fastest_ : start_;
    }
    // Whether no place at which the two may touch before the end is faster than the least speed of a collision. Such a place
    // lies on both, so within the ball about the centre of the smaller one, and there
    //     u = vA - vB + wA x (cB - cA) + (wA - wB) x r        cB, r: of the smaller one
    // which is little for bodies that turn as one, however fast they do. What gravity adds counts nowhere (slowestCollision).
    bool isSlowEverywhere() const {
        const auto &constantsA = step_.impulse.constants[pair_.a.body], &constantsB = step_.impulse.constants[pair_.b.body];
        if (!(constantsA.radius > 0) && !(constantsB.radius > 0))
            return false;
        const bool isSmallerA = constantsA.radius > 0 && !(constantsB.radius > 0 && constantsB.radius <= constantsA.radius);
        const WarpBody &a = step_.bodies[pair_.a.body], &b = step_.bodies[pair_.b.body];
        const Vec3 &wA = a.valid.angularVelocity, &wB = b.valid.angularVelocity;
        const Real radius = isSmallerA ? constantsA.radius : constantsB.radius;
        const Vec3 carried = cross(isSmallerA ? wB : wA, between_);
        const Real now = length(approach_ + carried) + length(wA - wB) * radius;
        // Until the end: the centres move, and damping and free rotation change the velocities, the latter since they were
        // valid.
        const Real fall = length(constantsA.acceleration - constantsB.acceleration), span = end_ - start_;
        const Real moved = ((isSmallerA ? b.spin : a.spin) * length(approach_) + bend_ - fall) * span;
        const Real gyrating = gyration(constantsA) * square(a.spin) + gyration(constantsB) * square(b.spin);
        const Real turned = gyrating * (length(between_) + 2 * radius) * step_.impulse.settings.dt;
        return now + moved + turned <= slowAt(start_);
    }
    collision::TimeOfImpact searchChord(Real from, Real span, Real sag) const {
        moveTo(from);
        const SolverBody &a0 = a_, &b0 = b_;
        const SolverBody a1 = stateAt(step_, pair_.a.body, from + span), b1 = stateAt(step_, pair_.b.body, from + span);
        const auto moving = [&](const ImpulseSide& side, const SolverBody& start, const SolverBody& end, const Vec3& offset) {
            Pose pose = poseOf(side, start, a0.displacement);
            pose.position += offset;
            const Vec3 turn = side.body == kFixedBody ? Vec3{} : rotationVectorBetween(start.orientation, end.orientation);
            return collision::MovingShape{*side.shape, pose, start.displacement - a0.displacement + offset,
                                          (end.displacement - start.displacement) / span, turn / span};
        };
        return collision::findTimeOfImpact(moving(pair_.a, a0, a1, {}), moving(pair_.b, b0, b1, pair_.centerOffset), span,
                                           kHitGap + sag, max(kTolerance, sag), pause_ - from, &memory_.axis);
    }
    // When surfaces are next as near as if they had met.
    Prospect advance(Real time) const {
        Real span = min(end_ - time, mostSpan_);
        for (int i = 0; i < kMostChords; ++i) {
            const Real sag = bend_ * square(span) / 8;
            const bool isFine = sag <= kFineSag;
            const collision::TimeOfImpact found = searchChord(time, span, isFine ? Real(0) : sag);
            if (found.status == collision::TimeOfImpact::Status::Paused)
                return {Prospect::Kind::ApartUntil, min(time + found.time, end_)};
            if (found.status == collision::TimeOfImpact::Status::Apart) {
                if (!(time + span < end_))
                    return {};
                time += span;
                span = min(span, end_ - time);
            } else if (isFine) {
                return {Prospect::Kind::Collide, min(time + found.time, end_)};
            } else {
                time += found.time;
                span = min(span * kShorter, end_ - time);
                if (!(span > 0))
                    return {};
            }
        }
        return {Prospect::Kind::Collide, time};
    }
    // What two bodies that are as near as if they had met do next, from a moment on. Unknown: neither until this moment, which
    // is the end of the search or after the pause.
    struct Watched {
        enum class What { Collide, Part, Unknown } what;
        Real time;
    };
    Watched watch(Real from) const {
        const auto collides = [&](Real time) {
            const Nearness nearness = nearnessAt(time);
            return nearness.separation <= kMetGap && nearness.approach > slowAt(time);
        };
        Real before = from;
        const int moments = std::max(1, int(std::ceil(Real(kMoments) * (end_ - from) / step_.impulse.settings.dt)));
        for (int i = 1; i <= moments; ++i) {
            Real time = i == moments ? end_ : from + (end_ - from) * Real(i) / Real(moments);
            const Nearness nearness = nearnessAt(time);
            if (nearness.separation > kMetGap)
                return {Watched::What::Part, time};
            if (nearness.approach > slowAt(time)) {
                for (int j = 0; j < kBisections; ++j) {
                    const Real middle = (before + time) * Real(0.5);
                    (collides(middle) ? time : before) = middle;
                }
                return {Watched::What::Collide, time};
            }
            if (time > pause_)
                return {Watched::What::Unknown, time};
            before = time;
        }
        return {Watched::What::Unknown, end_};
    }

    const WarpStep& step_;
    const ImpulsePair& pair_;
    SearchMemory& memory_;
    Real start_, pause_, end_;      // s
    Real bend_ = 0;                 // m/s^2: how fast the ways of the two leave their chords
    Real speed_ = 0, fastest_ = 0;  // m/s: bound of the speed of approach, at the start and until the end
    Real mostSpan_ = 0;             // s
    Vec3 between_, approach_;       // m: from A's centre to B's at the start; m/s: of A's centre less B's
    bool isSure_ = true;            // no moments were left out
    mutable Real time_ = -1;        // s: of a_ and b_
    mutable SolverBody a_, b_;
};

}  // namespace

Real slowestCollision(const WarpStep& step, const ImpulsePair& pair, Real time) {
    const ImpulseStep& impulse = step.impulse;
    const Vec3 &a = impulse.constants[pair.a.body].acceleration, &b = impulse.constants[pair.b.body].acceleration;
    const Real fall = max(length(a), length(b)) * impulse.settings.dt;
    const Real slow = max(kSlowShare * fall, kSlowest);
    const Real start = max(step.bodies[pair.a.body].validTime, step.bodies[pair.b.body].validTime);
    const Real again = slow * Real(1u << step.timesMet[std::size_t(&pair - impulse.pairs().data())]);
    return max(again, impulse.settings.restitutionThreshold) + length(a - b) * (time - start);
}

Prospect findCollision(const WarpStep& step, const ImpulsePair& pair, const SearchSpan& span, SearchMemory& memory) {
    Search search(step, pair, span, memory);
    Prospect prospect = search.run();
    prospect.isSure = search.isSure();
    return prospect;
}

bool overlap(const WarpStep& step, const ImpulsePair& pair, const SolverBody& a, const SolverBody& b) {
    const Real radii = step.impulse.constants[pair.a.body].radius + step.impulse.constants[pair.b.body].radius;
    const bool moveBoth = pair.a.body != kFixedBody && pair.b.body != kFixedBody;
    if (moveBoth && radii > 0 && length(pair.centerOffset + b.displacement - a.displacement) > radii)
        return false;
    return nearnessOf(pair, a, b, 0).separation < -kHitGap;
}

}  // namespace sunder::dynamics
