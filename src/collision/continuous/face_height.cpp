#include "collision/continuous/face_height.h"

#include "collision/narrow_phase/core/core.h"

namespace sunder::collision {

namespace {

constexpr Real kSameFace = Real(0.9994);  // cosine of two degrees

struct FacePlane {
    Vec3 normal;
    Real offset = 0;
};

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

Real heightOverFace(const BuiltShape& below, const Pose& poseBelow, const BuiltShape& above, const Pose& poseAbove,
                    const Vec3& up, const Vec3& other) {
    const Vec3 upBelow = inverseRotate(poseBelow.orientation, up);
    const FacePlane face = nearestFace(below, upBelow);
    const Real cosine = dot(face.normal, upBelow);
    if (!(cosine > kSameFace) || dot(face.normal, inverseRotate(poseBelow.orientation, other)) > cosine)
        return -kInfinity;
    const ConvexCore core(above);
    const Placement place = relativePlacement(toPlacement(poseBelow), toPlacement(poseAbove));
    const Vec3d normal = toDouble(face.normal);
    const Vec3d lowest = outerPoint(place, core.support(innerDirection(place, normal * -1)));
    return Real(dot(normal, lowest) - core.rounding - double(face.offset));
}

}  // namespace sunder::collision
