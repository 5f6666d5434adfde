// A clamped beam of tetrahedra that sags: what a step of a deformable solid costs.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <vector>

#include "core/task_runner.h"
#include "deformable/contact/island.h"

namespace sunder::scenes {

struct FleshCost {
    std::size_t tets = 0;
    int iterations = 0;       // most in a step
    double milliseconds = 0;  // the median step; of one thread its processor time
    double tip = 0;           // m: how far the last node has come down or up
};

inline FleshCost sagBeam(std::array<int, 3> cells, Real young, Real tolerance, int threads, int steps = 20) {
    deformable::FleshMaterial material;
    material.elastic = {young, Real(0.3), 1000};
    const Real size = Real(0.1);
    const auto model = deformable::buildSolid(
        deformable::boxOfTets({size / 2 * Real(cells[0]), size / 2 * Real(cells[1]), size / 2 * Real(cells[2])}, cells),
        material);
    std::vector<Vec3> positions = model.model->mesh.vertices, velocities(positions.size());
    deformable::SolidMemory memory = deformable::freshMemory(*model.model);
    const std::unique_ptr<TaskRunner> tasks = makeTaskRunner(threads);
    deformable::Island island;
    island.settings.limits.tolerance = tolerance;
    deformable::IslandSolid& solid = island.solids.emplace_back();
    solid.model = model.model.get();
    solid.motion.center = toWorldPoint(solid.model->center);
    solid.motion.worldFromBody = {0, 0, 0, 1};
    solid.nodes = {positions, velocities};
    solid.memory = &memory;
    solid.acceleration = {0, Real(-9.81), 0};
    for (std::uint32_t i = 0; i < positions.size(); ++i)
        if (positions[i].x < -size * Real(0.499) * Real(cells[0]))
            solid.pins.push_back({i, toWorldPoint(positions[i])});
    const Real dt = Real(1) / 30;
    FleshCost cost;
    cost.tets = model.model->tetCount();
    std::vector<double> times;
    for (int i = 0; i < steps; ++i) {
        const auto start = std::chrono::steady_clock::now();
        const std::clock_t used = std::clock();
        ++island.step;
        island.predict(*tasks, dt);
        const deformable::ContactOutcome outcome = island.solve(*tasks, dt);
        island.finish(dt);
        const double wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
        times.push_back(threads == 1 ? std::min(wall, 1e3 * double(std::clock() - used) / CLOCKS_PER_SEC) : wall);
        cost.iterations = std::max(cost.iterations, outcome.iterations);
    }
    std::sort(times.begin(), times.end());
    cost.milliseconds = times[times.size() / 2];
    const auto last = static_cast<std::size_t>(std::max_element(solid.model->givenNode.begin(), solid.model->givenNode.end()) -
                                               solid.model->givenNode.begin());
    const Vec3 offset = rotate(solid.motion.worldFromBody, positions[last] - solid.model->center);
    cost.tip = solid.motion.center.y + double(offset.y) - double(solid.model->mesh.vertices[last].y);
    return cost;
}

}  // namespace sunder::scenes
