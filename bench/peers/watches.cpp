#include "peers/watches.h"

#include <algorithm>
#include <cmath>

#include "scenes/mechanics.h"

namespace sunder::peers {

namespace {

using scenes::Axes;
using scenes::Mechanics;
using scenes::toVector;
using scenes::Vector;

bool moves(const BodyDef& def) { return def.motion == Motion::Dynamic; }

// The origin of a hull's frame need not be in it.
Vector massCenter(const SceneSetup& setup, const Engine& engine, std::size_t body) {
    const BodyState state = engine.state(body);
    return toVector(state.position) + scenes::axesOf(state.orientation).toWorld(toVector(setup.massCenters[body]));
}

// Of the boxes that move; hulls and balls are left out.
Mechanics mechanicsOf(const SceneSetup& setup, const Engine& engine) {
    Mechanics sum;
    for (std::size_t i = 0; i < setup.bodies.size(); ++i) {
        const Box* box = std::get_if<Box>(&setup.bodies[i].shape);
        if (box == nullptr || !moves(setup.bodies[i]))
            continue;
        const BodyState state = engine.state(i);
        add(sum,
            {.mass = *setup.bodies[i].mass,
             .halfExtents = toVector(box->halfExtents),
             .x = toVector(state.position),
             .v = toVector(state.velocity),
             .axes = scenes::axesOf(state.orientation),
             .w = toVector(state.angularVelocity)},
            -double(setup.gravity.y));
    }
    return sum;
}

class PileWatch final : public Watch {
public:
    explicit PileWatch(const SceneSetup& setup) : setup_(setup) {
        for (const BodyDef& def : setup.bodies) {
            const Box* box = std::get_if<Box>(&def.shape);
            if (moves(def) || box == nullptr)
                continue;
            const double gapX = std::abs(double(def.position.x)) - box->halfExtents.x;
            const double gapZ = std::abs(double(def.position.z)) - box->halfExtents.z;
            if (std::max(gapX, gapZ) > 0)
                halfWidth_ = std::min(halfWidth_, std::max(gapX, gapZ));
        }
    }
    Figures finish(const Engine& engine, double) override {
        double height = 0;
        int escaped = 0, boxes = 0;
        for (std::size_t i = 0; i < setup_.bodies.size(); ++i) {
            if (!moves(setup_.bodies[i]))
                continue;
            boxes += std::holds_alternative<Box>(setup_.bodies[i].shape);
            const Vector p = massCenter(setup_, engine, i);
            const bool inside = std::abs(p.x) <= halfWidth_ && std::abs(p.z) <= halfWidth_ && p.y > 0;
            escaped += !inside;
            if (inside)
                height = std::max(height, p.y);
        }
        Figures figures{{"height", height}, {"escaped", escaped}};
        if (boxes > 0)
            figures.emplace_back("kinetic_energy_per_body", mechanicsOf(setup_, engine).kinetic / boxes);
        return figures;
    }

private:
    const SceneSetup& setup_;
    double halfWidth_ = 1e300;
};

class StandingWatch final : public Watch {
public:
    explicit StandingWatch(const SceneSetup& setup) : setup_(setup) {
        for (const BodyDef& def : setup.bodies)
            if (const Box* box = std::get_if<Box>(&def.shape); box != nullptr && moves(def))
                smallestSide_ = std::min(smallestSide_, 2 * double(box->halfExtents.y));
    }
    Figures finish(const Engine& engine, double) override {
        double drift = 0, sag = 0, fastest = 0;
        for (std::size_t i = 0; i < setup_.bodies.size(); ++i) {
            if (!moves(setup_.bodies[i]))
                continue;
            const BodyState state = engine.state(i);
            const Vector way = toVector(state.position) - toVector(setup_.bodies[i].position);
            drift = std::max(drift, std::hypot(way.x, way.z));
            sag = std::max(sag, -way.y);
            fastest = std::max(fastest, length(toVector(state.velocity)));
        }
        const bool stands = std::max(drift, sag) < smallestSide_ / 2;
        return {{"stands", stands}, {"sag", sag}, {"drift", drift}, {"fastest", fastest}};
    }

private:
    const SceneSetup& setup_;
    double smallestSide_ = 1e300;
};

class SpinnerWatch final : public Watch {
public:
    explicit SpinnerWatch(const SceneSetup& setup) : setup_(setup) {}

    void see(const Engine& engine) override {
        const BodyState state = engine.state(0);
        const bool forward = scenes::axesOf(state.orientation).toBody(toVector(state.angularVelocity)).y > 0;
        flips_ += forward != forward_;
        forward_ = forward;
    }
    // Against the definition, not the first state: what an engine says after a step need not be what it was given.
    Figures finish(const Engine& engine, double) override {
        const BodyDef& def = setup_.bodies[0];
        Mechanics start;
        add(start,
            {.mass = *def.mass,
             .halfExtents = toVector(std::get<Box>(def.shape).halfExtents),
             .x = toVector(def.position),
             .v = toVector(def.velocity),
             .axes = scenes::axesOf(def.orientation),
             .w = toVector(def.angularVelocity)},
            0);
        const Mechanics end = mechanicsOf(setup_, engine);
        return {{"energy_ratio", end.kinetic / start.kinetic},
                {"momentum_error", length(end.angular - start.angular) / length(start.angular)},
                {"flips", flips_}};
    }

private:
    const SceneSetup& setup_;
    int flips_ = 0;
    bool forward_ = true;
};

class SlideWatch final : public Watch {
public:
    explicit SlideWatch(const SceneSetup& setup) : setup_(setup) {}

    // The slope descends along its own x axis.
    Figures finish(const Engine& engine, double seconds) override {
        const BodyDef &slope = setup_.bodies[0], &cube = setup_.bodies[1];
        const Axes axes = scenes::axesOf(slope.orientation);
        const double way = dot(toVector(engine.state(1).position) - toVector(cube.position), axes.x);
        const double acceleration = -double(setup_.gravity.y) * (-axes.x.y - cube.material.friction * axes.y.y);
        const double exact = acceleration * seconds * seconds / 2;
        return {{"distance", way}, {"distance_error", way / exact - 1}};
    }

private:
    const SceneSetup& setup_;
};

class BulletsWatch final : public Watch {
public:
    explicit BulletsWatch(const SceneSetup& setup) : setup_(setup) {}

    Figures finish(const Engine& engine, double) override {
        int tunnelled = 0;
        for (std::size_t i = 0; i < setup_.bodies.size(); ++i)
            tunnelled += moves(setup_.bodies[i]) && !(engine.state(i).position.z > 0);
        return {{"tunnelled", tunnelled}};
    }

private:
    const SceneSetup& setup_;
};

class JointWatch final : public Watch {
public:
    explicit JointWatch(const SceneSetup& setup) : setup_(setup) {}
    void see(const Engine& engine) override {
        if (++step_ % kLookEvery == 0)
            largest_ = std::max(largest_, look(engine).first);
    }
    Figures finish(const Engine& engine, double) override {
        const auto [worst, mean] = look(engine);
        double lowest = 0;
        for (std::size_t i = 0; i < setup_.bodies.size(); ++i)
            lowest = std::min(lowest, double(engine.state(i).position.y));
        return {{"joint_error_peak", std::max(largest_, worst)},
                {"joint_error_worst", worst},
                {"joint_error_mean", mean},
                {"lowest", lowest}};
    }

private:
    static constexpr int kLookEvery = 10;
    Vector anchorOf(const Engine& engine, BodyId body, const Vec3& anchor) const {
        if (body.isNull())
            return toVector(anchor);
        const BodyDef& start = setup_.bodies[body.index];
        const Vector local = scenes::axesOf(start.orientation).toBody(toVector(anchor) - toVector(start.position));
        const BodyState now = engine.state(body.index);
        return toVector(now.position) + scenes::axesOf(now.orientation).toWorld(local);
    }
    std::pair<double, double> look(const Engine& engine) const {
        double worst = 0, sum = 0;
        for (const JointDef& joint : setup_.joints) {
            const double gap = length(anchorOf(engine, joint.b, joint.anchor) - anchorOf(engine, joint.a, joint.anchor));
            worst = std::max(worst, gap);
            sum += gap;
        }
        return {worst, sum / double(std::max<std::size_t>(1, setup_.joints.size()))};
    }
    const SceneSetup& setup_;
    double largest_ = 0;
    int step_ = 0;
};

class TerrainWatch final : public Watch {
public:
    explicit TerrainWatch(const SceneSetup& setup) : setup_(setup) {
        for (const BodyDef& def : setup.bodies)
            if (const Mesh* mesh = std::get_if<Mesh>(&def.shape))
                for (const Vec3& vertex : mesh->vertices) {
                    lowest_ = std::min(lowest_, double(vertex.y));
                    half_ = std::max(half_, std::abs(double(vertex.x)));
                }
    }
    Figures finish(const Engine& engine, double) override {
        int under = 0;
        for (std::size_t i = 0; i < setup_.bodies.size(); ++i) {
            const Vector center = massCenter(setup_, engine, i);
            if (moves(setup_.bodies[i]) && center.y < lowest_ && std::max(std::abs(center.x), std::abs(center.z)) < half_)
                ++under;
        }
        return {{"under", under}};
    }

private:
    const SceneSetup& setup_;
    double lowest_ = 0, half_ = 0;  // m
};

}  // namespace

std::unique_ptr<Watch> watchPile(const SceneSetup& setup) { return std::make_unique<PileWatch>(setup); }
std::unique_ptr<Watch> watchStanding(const SceneSetup& setup) { return std::make_unique<StandingWatch>(setup); }
std::unique_ptr<Watch> watchSpinner(const SceneSetup& setup) { return std::make_unique<SpinnerWatch>(setup); }
std::unique_ptr<Watch> watchSlide(const SceneSetup& setup) { return std::make_unique<SlideWatch>(setup); }
std::unique_ptr<Watch> watchBullets(const SceneSetup& setup) { return std::make_unique<BulletsWatch>(setup); }

std::unique_ptr<Watch> watchJoints(const SceneSetup& setup) { return std::make_unique<JointWatch>(setup); }

std::unique_ptr<Watch> watchTerrain(const SceneSetup& setup) { return std::make_unique<TerrainWatch>(setup); }

}  // namespace sunder::peers
