#include "world/query/debug_draw.h"

#include "world/query/crack_lines.h"
#include "world/query/flesh_stress.h"

namespace sunder::world {

namespace {

void drawShape(DebugDraw& draw, BodyId id, const BuiltShape& shape, const Pose& worldFromShape) {
    if (shape.type != ShapeType::Compound) {
        draw.shape(id, shape.definition, worldFromShape);
        return;
    }
    for (const BuiltShape::Child& child : shape.children)
        drawShape(draw, id, *child.shape, worldFromShape * child.parentFromChild);
}

void drawBody(const PagedVector<Body>& bodies, const collision::BroadPhase& broadPhase, std::uint32_t slot, DebugDraw& draw) {
    const Body& body = bodies[slot];
    const BodyId id{slot, body.generation};
    drawShape(draw, id, *body.shape, {toVec3(userPosition(body)), userOrientation(body)});
    for (std::uint32_t child = 0; child < colliderCount(body); ++child) {
        const Bounds& bounds = broadPhase.fatBounds(proxyOf(body, child));
        draw.bounds(id, bounds.low, bounds.high);
    }
    if (isAsleep(body))
        draw.asleep(id);
    draw.centreOfMass(id, {toVec3(body.center), body.orientation});
}

// Contact points of the last step whose bodies are still there; of sleepers, those of their last step awake.
void drawContacts(const PagedVector<Body>& bodies, std::span<const ContactPair> pairs,
                  std::span<const dynamics::ContactConstraint> constraints, DebugDraw& draw) {
    for (const ContactPair& pair : pairs) {
        const Body& body = bodies[pair.bodyA];
        for (const dynamics::ContactConstraint& constraint : constraints.subspan(pair.firstManifold, pair.manifoldCount))
            for (int j = 0; j < constraint.count; ++j) {
                const dynamics::ConstraintPoint& point = constraint.points[j];
                if (point.totalNormalImpulse > 0 || point.separation <= 0)
                    draw.contact(toVec3(body.center + point.armA), constraint.normal, point.separation,
                                 point.totalNormalImpulse);
            }
    }
}

void drawJoints(const PagedVector<Body>& bodies, const std::vector<Joint>& joints, const FleshJointState& held,
                DebugDraw& draw) {
    const auto frame = [&](BodyId id, const Pose& added, const Joint& joint, const std::vector<FleshPoint>* points) {
        if (id.isNull())
            return added;
        const Body& body = bodies[id.index];
        const Pose local = points && !points->empty() ? frameNow(body, joint.def.type, *points, added) : added;
        return Pose{toVec3(userPosition(body)), userOrientation(body)} * local;
    };
    for (std::uint32_t slot = 0; slot < joints.size(); ++slot) {
        const Joint& joint = joints[slot];
        if (!joint.alive)
            continue;
        const JointFlesh* flesh = fleshOf(held, slot);
        const Pose a = frame(joint.def.a, joint.frameA, joint, flesh ? &flesh->a : nullptr);
        const Pose b = frame(joint.def.b, joint.frameB, joint, flesh ? &flesh->b : nullptr);
        draw.joint({slot, joint.generation}, a.position, b.position, rotate(a.orientation, {1, 0, 0}), joint.force);
    }
}

}  // namespace

void drawWorld(const WorldState& world, DebugDraw& draw) {
    for (std::uint32_t slot = 0; slot < world.bodies.size(); ++slot)
        if (world.bodies[slot].alive)
            drawBody(world.bodies, world.broadPhase, slot, draw);
    drawContacts(world.bodies, world.pairs, world.constraints, draw);
    for (const SleepingIsland& island : world.sleep.islands)
        drawContacts(world.bodies, island.pairs, island.constraints, draw);
    drawJoints(world.bodies, world.joints, world.fleshJoints, draw);
    if (auto* stress = dynamic_cast<StressDraw*>(&draw)) {
        for (const StressMap& map : world.breaking.stressMaps)
            stress->stress(map);
        drawFleshStress(world, *stress);
    }
    if (auto* cracks = dynamic_cast<CrackDraw*>(&draw))
        drawCracks(world, *cracks);
}

}  // namespace sunder::world
