// Reads a scene back from the world that it was built in.
#include "peers/engine.h"
#include "scenes/mechanics.h"

namespace sunder::peers {

SceneSetup describe(const World& world) {
    SceneSetup setup{.gravity = world.gravity()};
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
        setup.bodies.push_back(std::move(def));
    }
    return setup;
}

}  // namespace sunder::peers
