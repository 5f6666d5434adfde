#include "world/flesh/grips.h"

#include <algorithm>

namespace sunder::world {

namespace {

// Whose grip a contact is, and with what.
struct Owner {
    const FleshContact::Side* side = nullptr;  // null: nobody's
    const FleshContact::Side* other = nullptr;
    Real sign = 1;  // of the contact's slip, that is of a relative to b, as the owner's relative to the other
};

bool grips(const WorldState& world, const FleshContact::Side& side) {
    const Body& body = world.bodies[side.body];
    return side.nodes > 0 && body.solid && body.solid->def.staticFriction == FleshStiction::Pid;
}

Owner ownerOf(const WorldState& world, const FleshContact& found) {
    if (found.isHold || found.a.body == found.b.body)
        return {};
    if (grips(world, found.a))
        return {&found.a, &found.b, 1};
    if (grips(world, found.b))
        return {&found.b, &found.a, -1};
    return {};
}

std::uint32_t nearestNode(const FleshContact::Side& side) {
    return side.node[std::max_element(side.weight, side.weight + side.nodes) - side.weight];
}

BodyId idOf(const WorldState& world, std::uint32_t slot) { return {slot, world.bodies[slot].generation}; }

bool isBefore(const DeformableBody::Grip& a, const DeformableBody::Grip& b) {
    return a.node != b.node ? a.node < b.node : a.body.index < b.body.index;
}

}  // namespace

void holdGrip(const WorldState& world, const FleshContact& found, deformable::IslandContact& contact) {
    const Owner owner = ownerOf(world, found);
    if (owner.side == nullptr)
        return;
    contact.takesSlipBack = true;
    const Body& body = world.bodies[owner.side->body];
    const DeformableBody::Grip wanted{nearestNode(*owner.side), idOf(world, owner.other->body), {}};
    const auto& grips = body.solid->grips;
    const auto at = std::lower_bound(grips.begin(), grips.end(), wanted, isBefore);
    if (at != grips.end() && at->node == wanted.node && at->body == wanted.body)
        contact.slip = rotate(userOrientation(body), at->slip) * owner.sign;
}

void Grips::add(const FleshContact& found, const deformable::IslandContact& solved) {
    const Owner owner = ownerOf(world_, found);
    if (owner.side == nullptr || !(lengthSquared(solved.slip) > 0) || !isFinite(solved.slip))
        return;
    const Vec3 slip = inverseRotate(userOrientation(world_.bodies[owner.side->body]), solved.slip) * owner.sign;
    held_.push_back({owner.side->body, {nearestNode(*owner.side), idOf(world_, owner.other->body), slip}});
}

// Of contacts at the same node with the same body the first counts.
void Grips::take(std::span<const std::uint32_t> solids) {
    for (const std::uint32_t slot : solids) {
        Body& body = world_.bodies[slot];
        if (body.solid->def.staticFriction != FleshStiction::Pid)
            continue;
        std::vector<DeformableBody::Grip> grips;
        for (const Held& held : held_)
            if (held.slot == slot)
                grips.push_back(held.grip);
        std::stable_sort(grips.begin(), grips.end(), isBefore);
        const auto isSame = [](const DeformableBody::Grip& a, const DeformableBody::Grip& b) {
            return !isBefore(a, b) && !isBefore(b, a);
        };
        grips.erase(std::unique(grips.begin(), grips.end(), isSame), grips.end());
        body.solid->grips = std::move(grips);
    }
}

}  // namespace sunder::world
