#include "dynamics/contact/schedule/waiting.h"

#include "core/fitted.h"
#include "dynamics/body/point_motion.h"

namespace sunder::dynamics {

namespace {

constexpr std::size_t kWaitingPerTask = 512;  // per task
// The way that a body is foreseen to go: this share of speed times dt, and at least this much (m) for a body at rest. A small
// share lets more contacts wait; lengthen corrects it where it is too short.
constexpr Real kForeseen = Real(0.4), kLeastWay = Real(1e-4);
// A body that leaves its way is allowed this many times the way it needs, so that it does not leave it again in the next
// substep.
constexpr Real kLonger = Real(1.5);
// m. Surfaces nearer than this do not wait.
constexpr Real kClose = Real(1e-4);

}  // namespace

void WaitingContacts::begin(TaskRunner& tasks, std::span<const SolverBody> bodies,
                            std::span<const SolverBodyConstants> constants, Real dt) {
    ways_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kWaitingPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Real speed = fastestPoint(bodies[i].velocity, bodies[i].angularVelocity, constants[i].radius);
            const Real way = max(kForeseen * speed * dt, kLeastWay);
            ways_[i] = {way, Real(0.5) * square(way), square(constants[i].radius), 0};
        }
    });
}

Real WaitingContacts::roomOf(const ContactConstraint& constraint) {
    Real least = kInfinity;
    for (int i = 0; i < constraint.count; ++i)
        least = min(least, constraint.points[i].separation);
    return least - kClose;
}

void WaitingContacts::layOut(std::span<const std::uint32_t> counts) {
    lists_.clear();
    std::uint32_t first = 0;
    for (const std::uint32_t count : counts) {
        lists_.push_back({first, count});
        first += count;
    }
    resizeFitted(contacts_, first);
}

void WaitingContacts::fill(std::size_t list, std::span<const std::uint32_t> members,
                           std::span<const ContactConstraint> constraints) {
    WaitingContact* next = contacts_.data() + lists_[list].first;
    for (const std::uint32_t member : members) {
        const ContactConstraint& constraint = constraints[member];
        *next++ = {member, constraint.bodyA, constraint.bodyB, roomOf(constraint)};
    }
}

void WaitingContacts::lengthen(std::size_t index, const SolverBody& body, Real h) {
    BodyWay& way = ways_[index];
    const Real halfSquare = halfSquareAhead(body, way, h);
    way.length = kLonger * std::sqrt(2 * halfSquare);
    way.halfSquare = square(kLonger) * halfSquare;
}

}  // namespace sunder::dynamics
