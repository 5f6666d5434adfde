#include "dynamics/contact/coloring.h"

#include <bit>

namespace sunder::dynamics {

namespace {
constexpr int kMaxColors = 48;  // a body with more neighbours than this sends the rest to the overflow

bool carriesLoad(const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].normalImpulse > 0)
            return true;
    return false;
}
}  // namespace

void colorConstraints(std::span<const ContactConstraint> constraints, std::span<const std::uint8_t> isMoving,
                      const HeavyLoads& heavyLoads, Coloring& coloring, std::vector<std::uint64_t>& bodyColors,
                      std::vector<std::uint8_t>& constraintColors) {
    bodyColors.assign(isMoving.size(), 0);
    constraintColors.resize(constraints.size());
    std::uint32_t counts[kMaxColors + 1] = {};
    int used = 0;
    for (std::size_t i = 0; i < constraints.size(); ++i) {
        if (heavyLoads.contains(i))
            continue;
        const std::uint32_t a = constraints[i].bodyA, b = constraints[i].bodyB;
        const std::uint64_t taken = (isMoving[a] ? bodyColors[a] : 0) | (isMoving[b] ? bodyColors[b] : 0);
        const int color = std::countr_one(taken);
        constraintColors[i] = static_cast<std::uint8_t>(color < kMaxColors ? color : kMaxColors);
        ++counts[constraintColors[i]];
        if (color >= kMaxColors)
            continue;
        used = color + 1 > used ? color + 1 : used;
        bodyColors[a] |= 1ull << color;
        bodyColors[b] |= 1ull << color;
    }
    coloring.first.assign(used + 1, 0);
    for (int c = 0; c < used; ++c)
        coloring.first[c + 1] = coloring.first[c] + counts[c];
    coloring.order.resize(coloring.first[used]);
    coloring.overflow.clear();
    std::uint32_t next[kMaxColors];
    for (int c = 0; c < used; ++c)
        next[c] = coloring.first[c];
    // Those under load come first, so that the others, which may never touch in this step, are skipped eight at a time.
    for (const bool loaded : {true, false})
        for (std::size_t i = 0; i < constraints.size(); ++i) {
            if (heavyLoads.contains(i) || carriesLoad(constraints[i]) != loaded)
                continue;
            const int color = constraintColors[i];
            if (color == kMaxColors)
                coloring.overflow.push_back(static_cast<std::uint32_t>(i));
            else
                coloring.order[next[color]++] = static_cast<std::uint32_t>(i);
        }
}

}  // namespace sunder::dynamics
