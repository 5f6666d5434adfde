#include "dynamics/impulse/rank_pairs.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// A body rests on what its own weight presses it against: least share of its acceleration along the normal.
constexpr Real kRestShare = Real(0.05);

bool restsAlong(const ImpulseStep& step, std::uint32_t body, const Vec3& away, Real gap) {
    const Vec3& a = step.constants[body].acceleration;
    const Real press = -dot(a, away);
    return press > kRestShare * length(a) && gap < press * square(step.settings.dt);
}

}  // namespace

void noteRest(ImpulseStep& step, const ImpulsePair& pair, const ImpulseSite& site, Real gap) {
    if (restsAlong(step, pair.a.body, site.N, gap))
        step.scratch.rests.push_back({pair.a.body, pair.b.body});
    if (restsAlong(step, pair.b.body, -site.N, gap))
        step.scratch.rests.push_back({pair.b.body, pair.a.body});
}

void rankPairs(ImpulseStep& step) {
    std::vector<std::uint8_t>& isSupport = step.scratch.isSupport;
    isSupport.resize(step.bodies.size());
    for (std::size_t i = 0; i < isSupport.size(); ++i)
        isSupport[i] = !step.constants[i].isDynamic;
    ContactGraph& graph = step.scratch.graph;
    graph.build(step.scratch.rests, isSupport);

    std::vector<std::uint32_t>& order = step.scratch.order;
    order.clear();
    for (std::uint32_t i = 0; i < step.pairs().size(); ++i) {
        ImpulsePair& pair = step.pairs()[i];
        pair.level = std::max(graph.level(pair.a.body), graph.level(pair.b.body));
        order.push_back(i);
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return step.pairs()[x].level < step.pairs()[y].level; });
}

}  // namespace sunder::dynamics
