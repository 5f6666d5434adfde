// Tearing of deformable bodies in a step: when they are looked at, and the step that is taken back where one tears.
//   [Parker09] 5
#pragma once

#include "deformable/tear/open_nodes.h"
#include "world/state/state.h"

namespace sunder::world {

// What the stage of deformable bodies changes of some bodies, so that it can be taken back.
class SavedBodies {
public:
    void save(const PagedVector<Body>& bodies, std::uint32_t slot);
    void restore(PagedVector<Body>& bodies) const;

private:
    struct Saved {
        std::uint32_t slot;
        BodyMotion motion;
        BodyRest rest;
        std::vector<Vec3> positions, velocities;
        deformable::SolidMemory memory;
        std::vector<DeformableBody::Grip> grips;
    };
    std::vector<Saved> saved_;
};

// Whether a piece is so small that it moves without deforming.
bool isStiff(const Body& body);

// A step as the stage sees it.
struct FleshStep {
    Real dt = 0;
    double endTime = 0;     // s: of the world's clock
    bool isStrike = false;  // one of several parts of a step
};

// Looks at a deformable body after it has moved. What tears in it, where that is not too much for the world's limits on pieces;
// no parts otherwise. Where it tears in a step that must be divided first, no parts either, and the body says isTearing.
deformable::Torn findTear(WorldState& world, std::uint32_t slot, const FleshStep& step);

// Equal parts into which a step of dt is divided where this body is struck or tears: its strike rate, as a number.
int partsWanted(const Body& body, Real dt);

// Number of equal parts into which a step of dt is divided because something strikes a deformable body that tears, or it still
// rings from a blow: contacts are linear over a part, and what a body breaks by must not depend on the host's frame rate.
int strikeParts(const WorldState& world, Real dt);

// Forces that were given for the whole step: each strike part uses up those of the rigid bodies it moves.
class GivenForces {
public:
    GivenForces(const WorldState& world, int strikes);
    void restore(WorldState& world) const;

private:
    struct Given {
        std::uint32_t slot, generation;
        Vec3 force, torque;
    };
    std::vector<Given> given_;
};

}  // namespace sunder::world
