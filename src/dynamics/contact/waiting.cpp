#include "dynamics/contact/waiting.h"

#include "dynamics/contact/soft_contact.h"

namespace sunder::dynamics {

namespace {

constexpr std::size_t kBodiesPerRange = 512;
// Of the way of a body that goes on as it does now: so many times that, and so much (m) where it is at rest.
constexpr Real kSpare = Real(1.5), kLeastWay = Real(1e-4);

}  // namespace

void WaitingContacts::begin(TaskRunner& tasks, std::span<const SolverBody> bodies,
                            std::span<const SolverBodyConstants> constants, Real dt) {
    ways_.resize(bodies.size());
    isAwake_.assign(bodies.size(), 0);
    runRanges(tasks, bodies.size(), kBodiesPerRange, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const Real speed = length(bodies[i].velocity) + constants[i].radius * length(bodies[i].angularVelocity);
            const Real way = max(kSpare * speed * dt, kLeastWay);
            ways_[i] = {way, Real(0.5) * square(way), square(constants[i].radius)};
        }
    });
}

bool WaitingContacts::mayWait(const ContactConstraint& constraint) const {
    const Real least = kTouchingGap + ways_[constraint.bodyA].length + ways_[constraint.bodyB].length;
    for (int i = 0; i < constraint.count; ++i)
        if (!(constraint.points[i].separation > least))
            return false;
    return true;
}

// A body awakes two substeps ahead, as contacts do that are about to touch. (d + t)^2 <= 2 d^2 + 2 t^2 saves two roots.
void WaitingContacts::watch(std::span<const SolverBody> bodies, std::size_t first, std::size_t end, Real h) {
    for (std::size_t i = first; i < end; ++i) {
        const SolverBody& body = bodies[i];
        const Vec3 moved = body.displacement + body.velocity * (2 * h), turned = body.turned + body.angularVelocity * (2 * h);
        if (!(lengthSquared(moved) + ways_[i].radiusSquared * lengthSquared(turned) <= ways_[i].halfSquare))
            isAwake_[i] = 1;
    }
}

}  // namespace sunder::dynamics
