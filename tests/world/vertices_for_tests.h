// A deforming body without a law: a cube of eight vertices that move as they are told, in two colliders, its left and its right
// half. What a deformable solid will bring, a stage that moves vertices and a search for their contacts, is made up here; all
// else is the engine's.
#pragma once

#include "sunder/sunder.h"
#include "world/commit/bodies.h"
#include "world/persist/snapshot.h"
#include "world/step/frame_rate_stepper.h"
#include "world/step/steppers.h"

namespace sunder::world {

// Vertex i of a cube: its x, y and z by the bits of i. Triangles of the sides below and above.
inline BodyVertices eightVertices(Real half) {
    BodyVertices cube;
    for (std::uint32_t i = 0; i < 8; ++i)
        cube.positions.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
    cube.velocities.resize(8);
    cube.triangles = {{0, 1, 5}, {0, 5, 4}, {2, 6, 7}, {2, 7, 3}};
    cube.revision = 1;
    cube.colliders.resize(2);
    cube.colliders[0].vertices = {0, 2, 4, 6};  // left
    cube.colliders[1].vertices = {1, 3, 5, 7};  // right
    return cube;
}

// The stage: vertices go on as they move. Then the frame is solved as a rigid body.
inline StepOutcome stepWithVertices(WorldState& world, Real dt) {
    for (const std::uint32_t slot : world.roster.deforming) {
        BodyVertices& vertices = *world.bodies[slot].vertices;
        for (std::size_t i = 0; i < vertices.positions.size(); ++i)
            vertices.positions[i] += vertices.velocities[i] * dt;
    }
    return stepFrameRate(world, dt);
}
inline constexpr StepperEntry kVertexStepper{"vertices", abilitiesOf(Stepper::FrameRate), stepWithVertices};

// The search: vertices of the one against the upper side of the other, a box that does not turn.
inline void findVerticesOnBox(const ColliderAt& a, const ColliderAt& b, Real margin, collision::ManifoldList& out) {
    const bool aDeforms = bool(a.body->vertices);
    const ColliderAt &soft = aDeforms ? a : b, &box = aDeforms ? b : a;
    if (box.body->shape->type != ShapeType::Box)
        return;
    const Real top = box.pose.position.y + box.body->shape->halfExtents.y;
    collision::ContactManifold manifold;
    manifold.normal = {0, aDeforms ? Real(-1) : Real(1), 0};
    for (const std::uint32_t vertex : soft.body->vertices->colliders[soft.child].vertices) {
        const Vec3 at = transformPoint(soft.pose, soft.body->vertices->positions[vertex]);
        if (at.y - top > margin || manifold.count == collision::kMaxManifoldPoints)
            continue;
        const Vec3 under{at.x, top, at.z};
        manifold.points[manifold.count++] = {aDeforms ? at : under, aDeforms ? under : at, at.y - top, vertex};
    }
    if (manifold.count > 0)
        out.push_back(manifold);
}

// A world with a floor, a deforming cube of 1 m and 1000 kg, and whatever `furnish` adds.
class VertexWorld {
public:
    template <class Furnish>
    VertexWorld(const Vec3& position, Furnish&& furnish, int threads = 1) {
        World world;
        floor = world.addBody({.shape = Box{{5, Real(0.5), 5}}, .motion = Motion::Static, .position = {0, Real(-0.5), 0}});
        cube = world.addBody({.shape = Box{{Real(0.5), Real(0.5), Real(0.5)}}, .position = position});
        furnish(world);
        state.host.ownTasks = makeTaskRunner(threads);
        state.tasks = state.host.ownTasks.get();
        state.host.vertexSearch = findVerticesOnBox;
        restoreSnapshot(state, world.snapshot());
        commitVertices(state, cube.index, eightVertices(Real(0.5)));
    }
    explicit VertexWorld(const Vec3& position) : VertexWorld(position, [](World&) {}) {}

    void step(int count = 1) {
        for (int i = 0; i < count; ++i) {
            state.events.contacts.clear();
            stepBy(kVertexStepper, state, Real(1) / 60);
        }
    }
    BodyVertices& vertices() { return *state.bodies[cube.index].vertices; }

    WorldState state;
    BodyId floor, cube;
};

}  // namespace sunder::world
