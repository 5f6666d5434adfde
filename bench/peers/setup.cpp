// Reads a scene back from the world that it was built in.
#include <map>

#include "peers/engine.h"
#include "scenes/mechanics.h"

namespace sunder::peers {

SceneSetup describe(const World& world) {
    SceneSetup setup{.gravity = world.gravity()};
    std::map<std::uint32_t, std::uint32_t> places;  // of bodies, by the index of their handle
    for (const BodyId id : world.bodies()) {
        BodyDef def{.shape = world.shape(id),
                    .motion = world.motion(id),
                    .position = world.position(id),
                    .orientation = world.orientation(id),
                    .velocity = world.velocity(id),
                    .angularVelocity = world.angularVelocity(id),
                    .material = world.material(id)};
        if (def.motion == Motion::Dynamic)
            def.mass = world.mass(id);
        const scenes::Vector arm = scenes::toVector(world.centerOfMass(id)) - scenes::toVector(def.position);
        const scenes::Vector center = scenes::axesOf(def.orientation).toBody(arm);
        setup.massCenters.push_back(scenes::vec(center.x, center.y, center.z));
        def.layer = world.layer(id);
        def.mask = world.mask(id);
        places[id.index] = static_cast<std::uint32_t>(setup.bodies.size());
        setup.bodies.push_back(std::move(def));
    }
    for (const JointId id : world.joints()) {
        JointDef& def = setup.joints.emplace_back(world.joint(id));
        for (BodyId* body : {&def.a, &def.b})
            if (!body->isNull())
                *body = {places[body->index], 0};
    }
    return setup;
}

}  // namespace sunder::peers
