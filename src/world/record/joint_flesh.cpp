#include "world/record/joint_flesh.h"

#include <cmath>
#include <limits>
#include <optional>

#include "geometry/level_set/closest_point.h"
#include "math/mat3.h"
#include "sunder/describe.h"
#include "world/record/body.h"

namespace sunder::world {

namespace {

// Weights of the corners of a tetrahedron; nothing where it is flat.
std::optional<std::array<Real, 4>> weightsIn(const std::array<Vec3, 4>& corner, const Vec3& point) {
    const Vec3 u = corner[1] - corner[0], v = corner[2] - corner[0], w = corner[3] - corner[0], p = point - corner[0];
    const Real volume = dot(cross(u, v), w);
    if (!(volume > 0))
        return {};
    const Real b = dot(cross(p, v), w) / volume, c = dot(cross(u, p), w) / volume, d = dot(cross(u, v), p) / volume;
    const std::array<Real, 4> weight{1 - b - c - d, b, c, d};
    for (const Real part : weight)
        if (!(std::fabs(part) < Real(1e6)))
            return {};
    return weight;
}

std::array<Vec3, 4> cornersOf(const deformable::SolidModel& model, std::span<const Vec3> places, std::uint32_t tet) {
    const geometry::TetCorners& nodes = model.mesh.tets[tet];
    return {places[nodes[0]], places[nodes[1]], places[nodes[2]], places[nodes[3]]};
}

const deformable::SolidModel& modelOf(const Body& body) { return modelOf(*body.solid, *body.shape); }

// In the tetrahedron in which the point lies, or the least far out.
FleshPoint pointIn(const Body& body, const Vec3& place) {
    const deformable::SolidModel& model = modelOf(body);
    FleshPoint best;
    Real most = -kInfinity;
    for (std::uint32_t t = 0; t < model.tetCount(); ++t) {
        const auto weight = weightsIn(cornersOf(model, body.vertices->positions, t), place);
        if (!weight)
            continue;
        const Real least = min(min((*weight)[0], (*weight)[1]), min((*weight)[2], (*weight)[3]));
        if (least > most) {
            most = least;
            best = {t, *weight};
        }
    }
    if (most == -kInfinity)  // all are inverted
        best.weight = {Real(0.25), Real(0.25), Real(0.25), Real(0.25)};
    return best;
}

Quat orthonormal(const Vec3& first, const Vec3& second) {
    const Vec3 x = normalizeOr(first, {1, 0, 0});
    const Vec3 y = normalizeOr(second - x * dot(x, second), anyPerpendicular(x));
    return toQuat(transpose({x, y, cross(x, y)}));
}

}  // namespace

JointPoints pointsOf(JointType type, Real reach) {
    switch (type) {
        case JointType::Ball:
        case JointType::ConeTwist:
        case JointType::Distance: return {1, {}};
        case JointType::Hinge: return {2, {Vec3{reach, 0, 0}, Vec3{-reach, 0, 0}}};
        case JointType::Fixed: {
            const Real r = reach * Real(0.57735027);  // 1 / sqrt(3)
            return {4, {Vec3{r, r, r}, Vec3{r, -r, -r}, Vec3{-r, r, -r}, Vec3{-r, -r, r}}};
        }
        case JointType::Slider:
        case JointType::SixDof:
        case JointType::Wheel: break;
    }
    return {};
}

std::vector<std::string> complaintsAboutFlesh(const JointDef& def) {
    using enum JointType;
    std::vector<std::string> messages;
    if (def.type != Ball && def.type != Hinge && def.type != Fixed && def.type != Distance) {
        messages.push_back("type: of a deformable body only a ball, hinge, fixed or distance joint can hold");
        return messages;
    }
    const auto refuse = [&](const char* field, bool isSet) {
        if (isSet)
            messages.push_back(std::string(field) + ": a joint of a deformable body has none");
    };
    refuse("limits", def.limits.has_value() && def.type != Distance);
    refuse("stiffness", def.stiffness > 0 || def.damping > 0 || def.frequency > 0);
    refuse("spring_stiffness", def.springStiffness > 0 || def.springDamping > 0 || def.springFrequency > 0);
    refuse("motor_strength", def.motorStrength > 0);
    refuse("friction", def.friction.value_or(0) > 0);
    refuse("yield_force", def.yieldForce.has_value());
    return messages;
}

Real distanceOutside(const Body& body, const Vec3& point) {
    const deformable::SolidModel& model = modelOf(body);
    const FleshPoint inside = pointIn(body, point);
    if (min(min(inside.weight[0], inside.weight[1]), min(inside.weight[2], inside.weight[3])) >= 0)
        return 0;
    const std::vector<Vec3>& places = body.vertices->positions;
    double least = std::numeric_limits<double>::infinity();
    for (const auto& triangle : model.triangles)
        least = std::min(least, geometry::closestPoint(toDouble(point), toDouble(places[triangle[0]]),
                                                       toDouble(places[triangle[1]]), toDouble(places[triangle[2]]))
                                    .squaredDistance);
    return Real(std::sqrt(least));
}

std::vector<FleshPoint> holdPoints(const Body& body, const JointPoints& points, const Pose& frame) {
    std::vector<FleshPoint> held;
    for (int k = 0; k < points.count; ++k)
        held.push_back(pointIn(body, transformPoint(frame, points.point[k])));
    return held;
}

FleshPoint pointAtRest(const deformable::SolidModel& model, std::uint32_t tet, const Vec3& place) {
    const std::array<Real, 4> middle{Real(0.25), Real(0.25), Real(0.25), Real(0.25)};
    return {tet, weightsIn(cornersOf(model, model.mesh.vertices, tet), place).value_or(middle)};
}

Vec3 placeAtRest(const deformable::SolidModel& model, const FleshPoint& point) {
    Vec3 place;
    for (int k = 0; k < 4; ++k)
        place += model.mesh.vertices[model.mesh.tets[point.tet][k]] * point.weight[k];
    return place;
}

Vec3 placeOf(const Body& body, const FleshPoint& point) {
    const geometry::TetCorners& nodes = modelOf(body).mesh.tets[point.tet];
    Vec3 place;
    for (int k = 0; k < 4; ++k)
        place += body.vertices->positions[nodes[k]] * point.weight[k];
    return place;
}

Pose frameNow(const Body& body, JointType type, std::span<const FleshPoint> points, const Pose& frame) {
    std::array<Vec3, 4> at{};
    Vec3 middle;
    for (std::size_t k = 0; k < points.size(); ++k) {
        at[k] = placeOf(body, points[k]);
        middle += at[k] / Real(points.size());
    }
    if (type == JointType::Hinge)
        return {middle, orthonormal(at[0] - at[1], rotate(frame.orientation, {0, 1, 0}))};
    if (type == JointType::Fixed)
        return {middle, orthonormal(at[0] + at[1] - at[2] - at[3], at[0] + at[2] - at[1] - at[3])};
    return {middle, frame.orientation};
}

}  // namespace sunder::world
