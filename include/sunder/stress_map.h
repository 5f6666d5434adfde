// The stress that a blow found in a body, for pictures.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sunder/debug_draw.h"
#include "sunder/types.h"

namespace sunder {

// The outside of a body's tetrahedra and the largest tension at each of its vertices, before any new crack.
struct StressMap {
    BodyId body;
    Pose worldFromBody;                                   // when it was struck
    std::vector<Vec3> vertices;                           // m, in the body's frame
    std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise from outside
    std::vector<Real> tensions;  // Pa, per vertex, of the most strained tetrahedron around it; below 0 where it is pressed
    Real strength = 0;           // Pa, of the material
    Vec3 worst;                  // m, world: where the tension is largest for the strength there
    Real worstTension = 0;       // Pa, there
    std::uint32_t element = 0;   // there: the tetrahedron's number in the body's mesh
    // Of deformable bodies, per vertex: the largest principal strain of the most strained tetrahedron around it, with what is
    // permanent of it; empty for others.
    std::vector<Real> strains{};
};

// A visitor for World::debugDraw that is also shown the stress maps of the last step: of bodies that crack by stress, were
// struck, and did not surely bear it.
class StressDraw : public DebugDraw {
public:
    virtual void stress(const StressMap& map) = 0;
};

}  // namespace sunder
