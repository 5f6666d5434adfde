#include "dynamics/contact/waiting.h"

#include <algorithm>
#include <cstring>

#include "dynamics/contact/soft_contact.h"
#include "math/lanes.h"

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
            ways_[i] = {way, Real(0.5) * square(way), square(constants[i].radius), 0};
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

void WaitingContacts::place(std::span<const ContactLink> links, std::span<const std::uint32_t> order,
                            std::span<const std::uint32_t> firstOf, std::span<const std::uint32_t> firstWaiting) {
    const auto forEachSide = [&](auto&& visit) {
        for (std::size_t color = 0; color < firstWaiting.size(); ++color)
            for (std::uint32_t i = firstWaiting[color]; i < firstOf[color + 1]; ++i) {
                visit(links[order[i]].bodyA, 2 * i);
                visit(links[order[i]].bodyB, 2 * i + 1);
            }
    };
    sides_.assign(2 * (order.size() + wide::kLanes), 0);
    firstSide_.assign(ways_.size() + 2, 0);
    forEachSide([&](std::uint32_t body, std::uint32_t) { ++firstSide_[body + 2]; });
    for (std::size_t body = 2; body < firstSide_.size(); ++body)
        firstSide_[body] += firstSide_[body - 1];
    sidesOf_.resize(firstSide_.back());
    // Each begins where the one before it ends once that is filled.
    forEachSide([&](std::uint32_t body, std::uint32_t side) { sidesOf_[firstSide_[body + 1]++] = side; });
}

void WaitingContacts::wakeContactsOf(std::size_t body) {
    isAwake_[body] = 1;
    for (std::uint32_t i = firstSide_[body]; i < firstSide_[body + 1]; ++i)
        sides_[sidesOf_[i]] = 1;
}

std::uint32_t WaitingContacts::reached(std::size_t place, int count) const {
    constexpr int kSides = 2 * wide::kLanes;
    static_assert(kSides % sizeof(std::uint64_t) == 0);
    const std::uint8_t* sides = &sides_[2 * place];
    std::uint64_t words[kSides / sizeof(std::uint64_t)], any = 0;
    std::memcpy(words, sides, kSides);  // maybe with some of the next ones: then the look below finds none
    for (const std::uint64_t word : words)
        any |= word;
    std::uint32_t bits = 0;
    for (int lane = 0; any != 0 && lane < count; ++lane)
        bits |= std::uint32_t(sides[2 * lane] | sides[2 * lane + 1]) << lane;
    return bits;
}

}  // namespace sunder::dynamics
