// A solid with its state, stepped alone or with contacts that a test adds.
#pragma once

#include <gtest/gtest.h>

#include <functional>

#include "core/task_runner.h"
#include "deformable/contact/island.h"

namespace sunder::deformable {

inline FleshMaterial materialOf(Real young, Real poisson = Real(0.3), Real density = 1000) {
    FleshMaterial material;
    material.elastic = {young, poisson, density};
    return material;
}

struct TestSolid {
    std::shared_ptr<const SolidModel> model;
    FrameMotion motion;
    std::vector<Vec3> positions, velocities;
    SolidMemory memory;
    std::vector<Pin> pins;

    TestSolid(const geometry::TetMesh& mesh, const FleshMaterial& material, WorldPoint at = {}) {
        const SolidResult result = buildSolid(mesh, material);
        EXPECT_EQ(result.error, "");
        model = result.model;
        positions = model->mesh.vertices;
        velocities.assign(positions.size(), {});
        memory = freshMemory(*model);
        motion.center = at + model->center;
        motion.worldFromBody = {0, 0, 0, 1};
    }
    Vec3 offset(std::size_t i) const { return rotate(motion.worldFromBody, positions[i] - model->center); }
    WorldPoint place(std::size_t i) const { return motion.center + offset(i); }
    Vec3 velocityOf(std::size_t i) const {
        return motion.velocity + cross(motion.angularVelocity, offset(i)) + rotate(motion.worldFromBody, velocities[i]);
    }
    std::uint32_t nearest(const Vec3& p) const {
        std::uint32_t best = 0;
        for (std::uint32_t i = 0; i < positions.size(); ++i)
            if (length(model->mesh.vertices[i] - p) < length(model->mesh.vertices[best] - p))
                best = i;
        return best;
    }
    template <class Predicate>
    void pinWhere(Predicate&& predicate) {
        for (std::uint32_t i = 0; i < positions.size(); ++i)
            if (predicate(model->mesh.vertices[i]))
                pins.push_back({i, place(i)});
    }
    double kineticEnergy() const {
        double sum = 0;
        for (std::size_t i = 0; i < positions.size(); ++i)
            sum += 0.5 * double(model->nodeMass[i]) * double(lengthSquared(velocityOf(i)));
        return sum;
    }
    Vec3 momentum() const {
        Vec3 sum;
        for (std::size_t i = 0; i < positions.size(); ++i)
            sum += velocityOf(i) * model->nodeMass[i];
        return sum;
    }
    Vec3 angularMomentum() const {  // about the centre of mass
        Vec3 sum;
        for (std::size_t i = 0; i < positions.size(); ++i)
            sum += cross(offset(i), velocityOf(i)) * model->nodeMass[i];
        return sum;
    }
    double volume() const {
        double sum = 0;
        for (const geometry::TetCorners& t : model->mesh.tets)
            sum += double(dot(cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]),
                              positions[t[3]] - positions[t[0]])) /
                   6;
        return sum;
    }
    std::size_t invertedTets() const {
        std::size_t count = 0;
        for (const geometry::TetCorners& t : model->mesh.tets)
            count += dot(cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]),
                         positions[t[3]] - positions[t[0]]) <= 0;
        return count;
    }
    bool isFinite() const {
        for (std::size_t i = 0; i < positions.size(); ++i)
            if (!sunder::isFinite(positions[i]) || !sunder::isFinite(velocities[i]))
                return false;
        return sunder::isFinite(motion.velocity) && sunder::isFinite(motion.angularVelocity);
    }
};

struct TestIsland {
    Island island;
    std::unique_ptr<TaskRunner> tasks = makeSerialRunner();
    Vec3 gravity;
    SolveLimits& settings() { return island.settings.limits; }
    std::vector<TestSolid*> solids;
    std::function<void(Island&, Real dt)> addContacts;
    ContactOutcome outcome;

    void step(Real dt) {
        island.solids.resize(solids.size());
        for (std::size_t s = 0; s < solids.size(); ++s) {
            IslandSolid& in = island.solids[s];
            in.model = solids[s]->model.get();
            in.motion = solids[s]->motion;
            in.nodes = {solids[s]->positions, solids[s]->velocities};
            in.memory = &solids[s]->memory;
            in.acceleration = gravity;
            in.pins = solids[s]->pins;
        }
        ++island.step;
        island.predict(*tasks, dt);
        if (addContacts)
            addContacts(island, dt);
        outcome = island.solve(*tasks, dt);
        island.finish(dt);
        for (std::size_t s = 0; s < solids.size(); ++s)
            solids[s]->motion = island.solids[s].motion;
    }
};

}  // namespace sunder::deformable
