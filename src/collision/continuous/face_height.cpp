#include "collision/continuous/face_height.h"

#include "collision/narrow_phase/core/core.h"

namespace sunder::collision {

namespace {

constexpr Real kSameFace = Real(0.9994);  // cosine of two degrees

// Of the face whose normal is nearest to the direction; a normal of zero where there is none.
FacePlane nearestFace(const BuiltShape& shape, const Vec3& up) {
    if (shape.type == ShapeType::Cylinder)
        return {{0, up.y < 0 ? Real(-1) : Real(1), 0}, shape.halfHeight};
    FacePlane nearest;
    Real most = -1;
    if (shape.type == ShapeType::Box || shape.type == ShapeType::Hull)
        for (const geometry::Polyhedron::Face& face : shape.polyhedron.faces)
            if (const Real cosine = dot(face.normal, up); cosine > most) {
                most = cosine;
                nearest = {face.normal, face.offset};
            }
    return nearest;
}

}  // namespace

std::optional<FacePlane> faceAlong(const BuiltShape& shape, const Vec3& up, const Vec3& other) {
    const FacePlane face = nearestFace(shape, up);
    const Real cosine = dot(face.normal, up);
    if (!(cosine > kSameFace) || dot(face.normal, other) > cosine)
        return std::nullopt;
    return face;
}

Real heightOverFace(const FacePlane& face, const Pose& poseBelow, const BuiltShape& above, const Pose& poseAbove) {
    const ConvexCore core(above);
    const Placement place = relativePlacement(toPlacement(poseBelow), toPlacement(poseAbove));
    const Vec3d normal = toDouble(face.normal);
    const Vec3d lowest = outerPoint(place, core.support(innerDirection(place, normal * -1)));
    return Real(dot(normal, lowest) - core.rounding - double(face.offset));
}

}  // namespace sunder::collision
