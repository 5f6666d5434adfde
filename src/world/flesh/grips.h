// Where deformable bodies stick to others, from step to step: how far they have slipped there since they stuck.
//   [Parker09] 6: static friction by a PID controller
#pragma once

#include "deformable/contact/island_contact.h"
#include "world/flesh/flesh_contact.h"

namespace sunder::world {

// Lets the contact take back what it has slipped, where one of its deformable bodies asks for that.
void holdGrip(const WorldState& world, const FleshContact& found, deformable::IslandContact& contact);

// Grips of a step that stands, for the next one.
class Grips {
public:
    explicit Grips(WorldState& world) : world_(world) {}
    void add(const FleshContact& found, const deformable::IslandContact& solved);
    // Gives these bodies (slots) their grips; what they did not touch they no longer hold.
    void take(std::span<const std::uint32_t> solids);

private:
    struct Held {
        std::uint32_t slot;
        DeformableBody::Grip grip;
    };
    WorldState& world_;
    std::vector<Held> held_;
};

}  // namespace sunder::world
