#include "dynamics/island/islands.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {
constexpr std::size_t kIslandBodiesPerTask = 1024, kIslandLinksPerTask = 1024;  // per task
constexpr auto kRelaxed = std::memory_order_relaxed;                            // the forest guards no other memory
}  // namespace

// Halves the path for the next caller. Under any interleaving a node's parent is a lower node of its own tree.
std::uint32_t Islands::root(std::uint32_t body) {
    for (;;) {
        const std::uint32_t parent = nodes_[body].parent.load(kRelaxed);
        if (parent == body)
            return body;
        const std::uint32_t above = nodes_[parent].parent.load(kRelaxed);
        if (above != parent)
            nodes_[body].parent.store(above, kRelaxed);
        body = above;
    }
}

void Islands::build(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies, std::span<const ContactLink> links,
                    std::span<const Strike> strikes, std::span<const JointLink> joints) {
    begin(tasks, bodies);
    runRanges(tasks, links.size(), kIslandLinksPerTask, [&](std::size_t begin, std::size_t end) {
        for (const ContactLink& contact : links.subspan(begin, end - begin))
            if (contact.carriedLoad)
                join(contact.bodyA, contact.bodyB);
    });
    for (const Strike& strike : strikes)
        join(strike.bodyA, strike.bodyB);
    for (const JointLink& joint : joints)
        join(joint.bodyA, joint.bodyB);
    finish(tasks, Loners::LeftOut);
}

void Islands::begin(TaskRunner& tasks, std::span<const SolverBodyConstants> bodies) {
    if (nodes_.size() < bodies.size())
        nodes_ = std::vector<Node>(bodies.size());
    islandOf_.resize(bodies.size());
    runRanges(tasks, bodies.size(), kIslandBodiesPerTask, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            nodes_[i].parent.store(static_cast<std::uint32_t>(i), kRelaxed);
            nodes_[i].isTouched.store(false, kRelaxed);
            nodes_[i].isDynamic = bodies[i].isDynamic;
        }
    });
}

void Islands::join(std::uint32_t bodyA, std::uint32_t bodyB) {
    touch(bodyA);
    touch(bodyB);
    if (!nodes_[bodyA].isDynamic || !nodes_[bodyB].isDynamic)
        return;
    for (;;) {
        const std::uint32_t a = root(bodyA), b = root(bodyB);
        if (a == b)
            return;
        // The higher root joins the lower, unless another thread gave it a parent meanwhile.
        std::uint32_t higher = std::max(a, b);
        if (nodes_[higher].parent.compare_exchange_strong(higher, std::min(a, b), kRelaxed))
            return;
    }
}

void Islands::finish(TaskRunner& tasks, Loners loners) {
    const auto forEachDynamic = [&](auto&& function) {
        runRanges(tasks, islandOf_.size(), kIslandBodiesPerTask, [&](std::size_t begin, std::size_t end) {
            for (auto i = static_cast<std::uint32_t>(begin); i < end; ++i)
                if (nodes_[i].isDynamic)
                    function(i);
        });
    };
    forEachDynamic([&](std::uint32_t i) {
        if (nodes_[i].isTouched.load(kRelaxed))
            touch(root(i));
    });
    count_ = 0;
    for (std::uint32_t i = 0; i < islandOf_.size(); ++i) {
        const bool isRoot = nodes_[i].isDynamic && nodes_[i].parent.load(kRelaxed) == i;
        islandOf_[i] = isRoot && (nodes_[i].isTouched.load(kRelaxed) || loners == Loners::Islands) ? count_++ : -1;
    }
    forEachDynamic([&](std::uint32_t i) {
        if (const std::uint32_t r = root(i); r != i)
            islandOf_[i] = islandOf_[r];
    });
}

}  // namespace sunder::dynamics
