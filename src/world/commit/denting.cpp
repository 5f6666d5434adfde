#include "world/commit/denting.h"

#include <algorithm>

#include "world/commit/bodies.h"
#include "world/commit/dent.h"
#include "world/state/handles.h"

namespace sunder::world {

std::optional<DentedBody> dentedBy(WorldState& world, const BreakRequest& request) {
    const std::vector<Dent>& dents = world.breaking.dents;
    if (std::any_of(dents.begin(), dents.end(), [&](const Dent& dent) { return dent.event.body == request.body; }))
        return std::nullopt;
    std::optional<Dent> dent = dentOf(world, world.bodies[request.body.index], request);
    if (!dent)
        return std::nullopt;
    DentedBody dented{world.bodies[request.body.index], std::move(*dent)};
    takeDent(dented.body, dented.dent.shape);
    return dented;
}

void dropUnsettledDents(BreakingState& breaking) {
    std::erase_if(breaking.dents, [](const Dent& dent) { return !dent.isSettled; });
}

void settleDents(BreakingState& breaking) {
    for (Dent& dent : breaking.dents)
        dent.isSettled = true;
}

void applyDents(WorldState& world) {
    for (const Dent& dent : world.breaking.dents) {
        if (!isAlive(world, dent.event.body))
            continue;
        commitDent(world, dent.event.body.index, dent);
        const Body& body = world.bodies[dent.event.body.index];
        DentEvent& event = world.breaking.dentEvents.emplace_back(dent.event);
        event.point = toVec3(userPosition(body) + rotate(userOrientation(body), dent.event.point));
        ++world.stepStats.dents;
    }
    world.breaking.dents.clear();
}

}  // namespace sunder::world
