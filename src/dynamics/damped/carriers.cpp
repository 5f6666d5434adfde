#include "dynamics/damped/carriers.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Calls visit(body, foothold) for both sides of every loaded site.
template <class Visit>
void forEachFoothold(const ImpulseStep& step, Visit&& visit) {
    for (std::uint32_t i = 0; i < step.pairs().size(); ++i) {
        const ImpulsePair& pair = step.pairs()[i];
        for (const ImpulseSite& site : pair.sites) {
            const Real load = dot(site.impulse, site.N);
            if (!(load > 0))
                continue;
            visit(pair.a.body, Foothold{pair.b.body, site.N, site.armA, site.armB, -pair.material.surfaceVelocity, load,
                                        site.separation, i});
            visit(pair.b.body, Foothold{pair.a.body, -site.N, site.armB, site.armA, pair.material.surfaceVelocity, load,
                                        site.separation, i});
        }
    }
}

}  // namespace

Carriers::Carriers(const ImpulseStep& step) {
    const ContactGraph& graph = step.scratch.graph;
    const std::size_t count = step.bodies.size();
    std::vector<std::uint8_t> hasLower(count, 0);
    forEachFoothold(step, [&](std::uint32_t body, const Foothold& hold) {
        if (graph.level(hold.carrier) < graph.level(body))
            hasLower[body] = 1;
    });
    const auto counts = [&](std::uint32_t body, const Foothold& hold) {
        return step.constants[body].isDynamic && graph.isGrounded(body) &&
               (!hasLower[body] || graph.level(hold.carrier) < graph.level(body));
    };
    first_.assign(count + 1, 0);
    forEachFoothold(step, [&](std::uint32_t body, const Foothold& hold) { first_[body + 1] += counts(body, hold); });
    for (std::size_t i = 0; i < count; ++i)
        first_[i + 1] += first_[i];
    footholds_.resize(first_.back());
    std::vector<std::uint32_t> fill(first_.begin(), first_.end());
    forEachFoothold(step, [&](std::uint32_t body, const Foothold& hold) {
        if (counts(body, hold))
            footholds_[fill[body]++] = hold;
    });
    for (std::uint32_t i = 0; i < count; ++i)
        if (first_[i + 1] > first_[i])
            bodies_.push_back(i);
    std::stable_sort(bodies_.begin(), bodies_.end(),
                     [&](std::uint32_t x, std::uint32_t y) { return graph.level(x) < graph.level(y); });
}

}  // namespace sunder::dynamics
