// How a joint holds a deformable body: by points that move with its tetrahedra.
//
// A joint of a rigid body holds a frame; a deformable body has none that it could pull on. So the joint is expressed by one to
// four points that coincide: a ball joint by one, a hinge by two on its axis, a fixed one by the corners of a tetrahedron. Each
// lies in a tetrahedron of the body, and what acts on it acts on the nodes of that.
#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "math/quat.h"
#include "sunder/joints.h"

namespace sunder::deformable {
struct SolidModel;
}

namespace sunder::world {

struct Body;

struct FleshPoint {
    std::uint32_t tet = 0;         // of the body's model
    std::array<Real, 4> weight{};  // of its nodes, in sum 1; below 0 where the point lies outside of it
};

struct JointFlesh {
    std::uint32_t joint = 0;       // slot
    Real reach = 0;                // m: of the points from the middle of the joint
    std::vector<FleshPoint> a, b;  // as JointPoints; empty on a side that does not deform
};

// In the joint's frame.
struct JointPoints {
    int count = 0;
    std::array<Vec3, 4> point{};
};
// None for types that points cannot express. reach: m, of the points from the origin.
JointPoints pointsOf(JointType type, Real reach);

// What is wrong with a joint that holds a deformable body.
std::vector<std::string> complaintsAboutFlesh(const JointDef& def);

// m: how far a point of a deformable body's frame lies outside of it as it is now; 0 in it.
Real distanceOutside(const Body& body, const Vec3& point);
// The points of a joint's frame, in the body's frame, in its tetrahedra as they lie now.
std::vector<FleshPoint> holdPoints(const Body& body, const JointPoints& points, const Pose& frame);
// The point that lies at this place of the rest shape, by the nodes of a given tetrahedron.
FleshPoint pointAtRest(const deformable::SolidModel& model, std::uint32_t tet, const Vec3& place);
Vec3 placeAtRest(const deformable::SolidModel& model, const FleshPoint& point);
// Where it is now, in the body's frame.
Vec3 placeOf(const Body& body, const FleshPoint& point);

// The joint's frame in the body's frame as its points lie now. frame: where it was when the joint was added.
Pose frameNow(const Body& body, JointType type, std::span<const FleshPoint> points, const Pose& frame);

}  // namespace sunder::world
