// One step of a composite island: deformable solids and the rigid bodies that touch them, solved together.
//   [Parker09] 4, 6, 7. Deviation: one system instead of forces handed from solver to solver, which needs many frames to agree
//   and lets heavy bodies sink.
//
//   predict()     solids and bodies fly freely, tetrahedra are measured, the matrix is assembled
//   contacts      are added by the owner, who knows the shapes
//   solve()       the change of all velocities
//   finish()      positions, frames
#pragma once

#include <memory>
#include <optional>

#include "deformable/contact/island_contact.h"
#include "deformable/element/solid_memory.h"
#include "deformable/frame/rotating_frame.h"

namespace sunder::deformable {

struct Pin {
    std::uint32_t node;
    WorldPoint target;  // m: where it is at the end of the step
};

struct NodeLoad {
    std::uint32_t node;
    Vec3 force;  // N, world axes
};

struct IslandSolid {
    const SolidModel* model = nullptr;
    FrameMotion motion;  // start; end after finish()
    NodeMotion nodes;
    SolidMemory* memory = nullptr;
    Vec3 acceleration;  // m/s^2
    std::vector<Pin> pins;
    std::vector<NodeLoad> forces;
    std::span<const Vec3> guess;  // m/s: change of the nodes' velocities from which the solve starts; empty: none

    // Of this step:
    FreeFlight flight;
    SolidMatrix matrix;
    std::vector<std::uint8_t> isPinned;
    bool isTouched = false;  // by a contact, a pin or a force
};

struct IslandBody {
    WorldPoint center;
    Real mass = 0;
    Sym3 inertia;                    // world axes
    Vec3 velocity, angularVelocity;  // start, with the step's gravity and forces; end after finish()
    Vec3 guess{}, angularGuess{};    // m/s, rad/s: change of velocity from which the solve starts
    std::optional<Mat3> turn{};      // in this step, if nothing acts on it; where absent, its points move straight on
};

class Island {
public:
    std::vector<IslandSolid> solids;
    std::vector<IslandBody> bodies;
    std::vector<IslandContact> contacts;
    ContactSettings settings;
    std::uint64_t step = 0;  // its number

    void predict(TaskRunner& tasks, Real dt);
    // m: displacement of a node, and of a point of a body at this arm from its centre, if nothing acted on them.
    Vec3 nodeDisplacement(std::size_t solid, std::uint32_t node) const {
        return toVec3(solids[solid].flight.displacement[node]);
    }
    // m: of a node from the centre of its solid, with the solid turned as if nothing acted on it.
    Vec3 nodeOffset(std::size_t solid, std::uint32_t node) const { return toVec3(solids[solid].flight.offsets[node]); }
    Vec3 bodyDisplacement(std::size_t body, const Vec3& arm, Real dt) const {
        const IslandBody& b = bodies[body];
        return b.turn ? b.velocity * dt + (*b.turn * arm - arm) : (b.velocity + cross(b.angularVelocity, arm)) * dt;
    }
    std::uint32_t rowOf(std::size_t solid, std::uint32_t node) const { return system_.firstNode(solid) + node; }
    ContactOutcome solve(TaskRunner& tasks, Real dt);
    // m/s, rad/s: change of velocity that solve() found, by rows of the system (rowOf, rowOfBody).
    Vec3 changeOf(std::uint32_t row) const { return toVec3(change_[row]); }
    std::uint32_t rowOfBody(std::size_t body) const { return system_.firstRow(body); }
    void finish(Real dt);

private:
    void predictSolid(TaskRunner& tasks, IslandSolid& solid, Real dt);
    void beginSystem();
    ContactOutcome solveOnce(TaskRunner& tasks, Real dt);
    bool isBoundAndFree() const;
    void keepMomenta();
    void loadSolid(const IslandSolid& solid, std::uint32_t first, Real dt);

    LinearSystem system_;
    std::vector<Four> right_, change_;
    std::vector<Four> positions_;
};

}  // namespace sunder::deformable
