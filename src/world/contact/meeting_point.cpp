#include "world/contact/meeting_point.h"

#include <cmath>
#include <limits>
#include <optional>

#include "dynamics/contact/scalar/contact_frame.h"

namespace sunder::world {

namespace {

using dynamics::ContactConstraint;
using dynamics::SolverBody;

// m: bodies that move less in the step rest on each other, and are taken where the step leaves them.
constexpr Real kHardlyMoves = Real(2e-3);
// m: points farther apart than the one that touches first by more than this do not count as touching.
constexpr Real kTouchesToo = Real(1e-3);
// Steps of the search for the moment of touch, each of which at least nearly halves the time interval: 12 give 1/4000 of a
// step. Two or three will do as a rule, for it ends where the gap is less than kMetGap (m).
constexpr int kSearchSteps = 12;
constexpr Real kMetGap = Real(1e-4);

// Both bodies at a time of the step: on the way by which they came, as the search for contacts saw it, or on the way by which
// they left, traced back from where the step has ended.
class PairWays {
public:
    enum class Side { Coming, Leaving };
    PairWays(const SearchState& search, const SolveState& solve, const ContactPair& pair, const ContactConstraint& manifold,
             Real dt, Side side)
        : search_(search), solve_(solve), pair_(pair), manifold_(manifold), dt_(dt), side_(side) {}

    dynamics::ContactPlane planeAt(Real time) const {
        return dynamics::planeOf(manifold_, bodyAt(pair_.bodyA, manifold_.bodyA, time),
                                 bodyAt(pair_.bodyB, manifold_.bodyB, time));
    }
    Vec3 movedA(Real time) const { return bodyAt(pair_.bodyA, manifold_.bodyA, time).displacement; }

private:
    SolverBody bodyAt(std::uint32_t slot, std::uint32_t index, Real time) const {
        if (index == dynamics::kFixedBody)
            return solve_.bodies[index];
        SolverBody body = solve_.bodies[index];
        if (side_ == Side::Leaving) {
            body.displacement -= body.velocity * (dt_ - time);
            body.orientation = quatFromRotationVector(body.angularVelocity * (time - dt_)) * body.orientation;
            return body;
        }
        const Flight& flight = *search_.flightOf(slot);  // it has one: the solver knows it
        if (time == 0) {
            body.displacement = {};
            body.orientation = flight.orientation;
            return body;
        }
        const Vec3 acceleration = solve_.constants[index].acceleration;
        body.displacement = (flight.velocity - acceleration * (dt_ - time / 2)) * time;
        body.orientation = quatFromRotationVector(flight.angularVelocity * time) * flight.orientation;
        return body;
    }

    const SearchState& search_;
    const SolveState& solve_;
    const ContactPair& pair_;
    const ContactConstraint& manifold_;
    Real dt_;
    Side side_;
};

// When the point's separation, known at both times and of opposite signs there, is zero: false position, with the Illinois
// rule.
Real findTouch(const PairWays& ways, int point, Real open, Real openGap, Real shut, Real shutGap) {
    int kept = 0;  // which end was kept the last time: 1 open, -1 shut
    Real time = open;
    for (int i = 0; i < kSearchSteps; ++i) {
        time = openGap > shutGap ? open + (shut - open) * (openGap / (openGap - shutGap)) : shut;
        const Real gap = ways.planeAt(time).points[point].separation;
        if (std::fabs(gap) < kMetGap)
            break;
        if (gap > 0) {
            open = time;
            openGap = gap;
            shutGap *= kept == -1 ? Real(0.5) : Real(1);
            kept = -1;
        } else {
            shut = time;
            shutGap = gap;
            openGap *= kept == 1 ? Real(0.5) : Real(1);
            kept = 1;
        }
    }
    return time;
}

// Points that pushed less than this share of the hardest do not tell where the bodies met.
constexpr Real kMatters = Real(0.1);

Real hardestPush(std::span<const ContactConstraint> manifolds) {
    Real most = 0;
    for (const ContactConstraint& manifold : manifolds)
        for (int i = 0; i < manifold.count; ++i)
            most = max(most, manifold.points[i].totalNormalImpulse);
    return most;
}

bool isConvex(const BuiltShape& shape) {
    return shape.type != ShapeType::Mesh && shape.type != ShapeType::LevelSet && shape.type != ShapeType::Compound;
}

// m: how far the two move at most relative to each other as they come, without what forces add: bodies at rest have none.
Real wayOf(const SearchState& search, const ContactPair& pair, const ContactConstraint& manifold, Real dt) {
    Real speed = 0;
    const auto add = [&](std::uint32_t slot, std::uint32_t index) {
        if (index != dynamics::kFixedBody)
            speed += search.flightOf(slot)->startSpeed + search.flightOf(slot)->turning;
    };
    add(pair.bodyA, manifold.bodyA);
    add(pair.bodyB, manifold.bodyB);
    return speed * dt;
}

// The point that touched first, on which way, and when (s).
struct Meeting {
    const ContactConstraint* manifold = nullptr;
    int point = 0;
    PairWays::Side side = PairWays::Side::Leaving;
    Real time = 0;
};

// The first of the points that matter to touch on the way by which the bodies came, on which nothing has turned them aside yet.
// Nothing where none touches.
std::optional<Meeting> findFirst(const SearchState& search, const SolveState& solve, const ContactPair& pair,
                                 std::span<const ContactConstraint> manifolds, Real hardest, Real dt) {
    using Side = PairWays::Side;
    std::optional<Meeting> first;
    Real startGap = 0, endGap = 0;
    for (const ContactConstraint& manifold : manifolds) {
        const PairWays ways(search, solve, pair, manifold, dt, Side::Coming);
        const dynamics::ContactPlane start = ways.planeAt(0), end = ways.planeAt(dt);
        for (int i = 0; i < manifold.count; ++i) {
            const Real from = start.points[i].separation, to = end.points[i].separation;
            if (manifold.points[i].totalNormalImpulse < kMatters * hardest || (from > 0 && to > 0))
                continue;
            const Real time = from > 0 ? dt * (from / (from - to)) : Real(0);
            if (first && !(time < first->time))
                continue;
            first = Meeting{&manifold, i, Side::Coming, time};
            startGap = from;
            endGap = to;
        }
    }
    if (first && startGap > 0)
        first->time =
            findTouch(PairWays(search, solve, pair, *first->manifold, dt, Side::Coming), first->point, 0, startGap, dt, endGap);
    return first;
}

// The point that pushed hardest, on the way by which the bodies left.
Meeting findLast(const SearchState& search, const SolveState& solve, const ContactPair& pair,
                 std::span<const ContactConstraint> manifolds, Real hardest, Real dt) {
    Meeting last{.time = dt};
    for (const ContactConstraint& manifold : manifolds)
        for (int i = 0; i < manifold.count && !last.manifold; ++i)
            if (manifold.points[i].totalNormalImpulse == hardest) {
                last.manifold = &manifold;
                last.point = i;
            }
    const PairWays ways(search, solve, pair, *last.manifold, dt, last.side);
    const Real end = ways.planeAt(dt).points[last.point].separation;
    if (!(end > kTouchesToo))
        return last;
    const Real before = ways.planeAt(0).points[last.point].separation;
    if (!(before > 0))
        last.time = findTouch(ways, last.point, dt, end, 0, before);
    return last;
}

Meeting findMeeting(const SearchState& search, const SolveState& solve, const ContactPair& pair,
                    std::span<const ContactConstraint> manifolds, Real dt) {
    const Real hardest = hardestPush(manifolds);
    if (wayOf(search, pair, manifolds[0], dt) > kHardlyMoves)
        if (const std::optional<Meeting> first = findFirst(search, solve, pair, manifolds, hardest, dt))
            return *first;
    return findLast(search, solve, pair, manifolds, hardest, dt);
}

}  // namespace

bool isWhereTheyTouch(const PagedVector<Body>& bodies, const SearchState& search, const ContactPair& pair,
                      const ContactConstraint& manifold, bool stays, Real dt) {
    return isConvex(*bodies[pair.bodyA].shape) && isConvex(*bodies[pair.bodyB].shape) &&
           (stays || !(wayOf(search, pair, manifold, dt) > kHardlyMoves));
}

MeetingPoint meetingPointOf(const PagedVector<Body>& bodies, const SearchState& search, const SolveState& solve,
                            const ContactPair& pair, std::span<const ContactConstraint> manifolds, Real dt) {
    const Meeting moment = findMeeting(search, solve, pair, manifolds, dt);
    const ContactConstraint& manifold = *moment.manifold;
    const PairWays ways(search, solve, pair, manifold, dt, moment.side);
    const dynamics::ContactPlane plane = ways.planeAt(moment.time);
    const bool isMean = isConvex(*bodies[pair.bodyA].shape) && isConvex(*bodies[pair.bodyB].shape);
    const Real touching = max(plane.points[moment.point].separation, 0) + kTouchesToo;
    Vec3 sum;
    Real weights = 0;
    for (int i = 0; i < manifold.count; ++i) {
        const dynamics::ContactPlane::Point& point = plane.points[i];
        if (i != moment.point && (!isMean || point.separation > touching))
            continue;
        const Real weight = max(manifold.points[i].totalNormalImpulse, std::numeric_limits<Real>::min());
        sum += (manifold.tangent1 * point.x + manifold.tangent2 * point.y + manifold.normal * point.z) * weight;
        weights += weight;
    }
    const Body& bodyA = bodies[pair.bodyA];
    const bool stays = manifold.bodyA == dynamics::kFixedBody;
    // Body::center is already that of the end of the step.
    const Vec3 moved = stays ? Vec3{} : ways.movedA(moment.time) - solve.bodies[manifold.bodyA].displacement;
    return {bodyA.center + (moved + plane.armA + sum * (1 / weights)), manifold.normal};
}

}  // namespace sunder::world
