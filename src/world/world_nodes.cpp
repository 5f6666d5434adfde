// The public class: nodes of deformable bodies.
#include <algorithm>

#include "sunder/describe.h"
#include "world/flesh/holds.h"
#include "world/state/proxies.h"
#include "world/world_impl.h"

namespace sunder {

using world::Body;
using world::DeformableBody;

namespace {

const Body& requireDeformable(const Body& body, const char* call) {
    if (!body.solid)
        throw Error(std::string(call) + ": body '" + body.name + "' does not deform");
    return body;
}

void requireNode(const Body& body, std::uint32_t node, const char* call) {
    requireDeformable(body, call);
    if (node >= body.vertices->positions.size())
        throw Error(std::string(call) + ": node " + std::to_string(node) + " is not allowed (0 to " +
                    std::to_string(body.vertices->positions.size() - 1) + " of body '" + body.name + "')");
}

template <class Item>
void eraseNode(std::vector<Item>& items, std::uint32_t node) {
    std::erase_if(items, [&](const Item& item) { return item.node == node; });
}

}  // namespace

std::optional<VertexView> World::vertices(BodyId body) const {
    const Body& record = impl_->get(body);
    if (!record.vertices)
        return std::nullopt;
    return VertexView{record.vertices->positions, record.vertices->velocities, record.vertices->triangles,
                      record.vertices->revision};
}

std::optional<SplinterView> World::splinters(BodyId body) const {
    const Body& record = impl_->get(body);
    if (!record.solid || !record.solid->splinters || record.solid->splinters->number.empty())
        return std::nullopt;
    const deformable::SplinterSkin& skin = world::skinOf(*record.solid, *record.shape);
    return SplinterView{skin.place(world::modelOf(*record.solid, *record.shape), record.vertices->positions), skin.triangles,
                        skin.splinterOf, record.vertices->revision};
}

void World::setNodes(BodyId body, const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities) {
    const Body& record = requireDeformable(impl_->get(body), "setNodes");
    const std::size_t count = record.vertices->positions.size();
    if (positions.size() != count || velocities.size() != count)
        throw Error("setNodes: " + std::to_string(positions.size()) + " positions and " + std::to_string(velocities.size()) +
                    " velocities are not allowed (" + std::to_string(count) + " of each, the nodes of body '" + record.name +
                    "')");
    for (std::size_t i = 0; i < count; ++i) {
        requireFinite(positions[i], "position of a node");
        requireFinite(velocities[i], "velocity of a node");
    }
    Body& changed = impl_->disturb<&World::setNodes>(body, positions, velocities);
    changed.vertices->positions = positions;
    changed.vertices->velocities = velocities;
    world::refreshProxies(impl_->state.broadPhase, changed);
}

void World::pinNode(BodyId body, std::uint32_t node, const Vec3& place) {
    requireNode(impl_->get(body), node, "pinNode");
    requireFinite(place, "place");
    DeformableBody& solid = *impl_->drive<&World::pinNode>(body, node, place).solid;
    eraseNode(solid.pins, node);
    solid.pins.push_back({node, toWorldPoint(place)});
}
void World::unpinNode(BodyId body, std::uint32_t node) {
    requireNode(impl_->get(body), node, "unpinNode");
    eraseNode(impl_->drive<&World::unpinNode>(body, node).solid->pins, node);
}

void World::attachNode(BodyId body, std::uint32_t node, BodyId to) {
    requireNode(impl_->get(body), node, "attachNode");
    if (const Body& holder = impl_->get(to); holder.solid)
        throw Error("attachNode: body '" + holder.name + "' deforms and holds no nodes (a rigid body)");
    impl_->drive<&World::attachNode>(body, node, to);
    world::holdNode(impl_->state, body.index, node, to);
}
void World::detachNode(BodyId body, std::uint32_t node) {
    requireNode(impl_->get(body), node, "detachNode");
    eraseNode(impl_->drive<&World::detachNode>(body, node).solid->holds, node);
}

void World::addNodeForce(BodyId body, std::uint32_t node, const Vec3& force) {
    requireNode(impl_->get(body), node, "addNodeForce");
    requireFinite(force, "force");
    std::vector<DeformableBody::Force>& forces = impl_->drive<&World::addNodeForce>(body, node, force).solid->forces;
    for (DeformableBody::Force& given : forces)
        if (given.node == node) {
            given.force += force;
            return;
        }
    forces.push_back({node, force});
}

std::vector<NodePin> World::pinnedNodes(BodyId body) const {
    std::vector<NodePin> pins;
    for (const DeformableBody::Pin& pin : requireDeformable(impl_->get(body), "pinnedNodes").solid->pins)
        pins.push_back({pin.node, pin.place});
    return pins;
}
std::vector<NodeHold> World::attachedNodes(BodyId body) const {
    std::vector<NodeHold> holds;
    for (const DeformableBody::Hold& hold : requireDeformable(impl_->get(body), "attachedNodes").solid->holds)
        if (world::isAlive(impl_->state, hold.body))
            holds.push_back({hold.node, hold.body, hold.point});
    return holds;
}
std::vector<NodeForce> World::nodeForces(BodyId body) const {
    std::vector<NodeForce> forces;
    for (const DeformableBody::Force& given : requireDeformable(impl_->get(body), "nodeForces").solid->forces)
        forces.push_back({given.node, given.force});
    return forces;
}

}  // namespace sunder
