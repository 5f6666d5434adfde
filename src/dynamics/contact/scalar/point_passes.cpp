#include "dynamics/contact/scalar/point_passes.h"

namespace sunder::dynamics {

namespace {

// Coulomb's cone in its two-dimensional form: no direction in the plane is preferred.
void solveFriction(const ContactConstraint& constraint, ConstraintPoint& point, const ContactFrame& frame, int i, Screw& motion,
                   Screw& given) {
    const Real x = frame.plane.points[i].x, y = frame.plane.points[i].y, z = frame.plane.points[i].z;
    const Sym3& f = frame.acrossResponse;
    const Real slip1 = motion.across.x + motion.along.z * z - motion.across.z * y;
    const Real slip2 = motion.across.y + motion.across.z * x - motion.along.y * z;
    // Response of the slip to impulses along the tangents, a symmetric 2 x 2 matrix.
    const Real k11 = f.xx - 2 * (y * f.xz) + y * y * f.zz;
    const Real k12 = f.xy + x * f.xz - y * f.yz - x * y * f.zz;
    const Real k22 = f.yy + 2 * (x * f.yz) + x * x * f.zz;
    const Real determinant = k11 * k22 - k12 * k12, trace = k11 + k22;
    const bool isFlat = !(determinant > kFlatAnswer * (trace * trace));
    const Real inverse = determinant > 0 ? 1 / determinant : Real(0);
    Real impulse1 = point.tangentImpulse1 - (k22 * slip1 - k12 * slip2) * inverse;
    Real impulse2 = point.tangentImpulse2 - (k11 * slip2 - k12 * slip1) * inverse;
    const Real limit = constraint.material.friction * point.normalImpulse;
    if (!(limit > 0)) {
        impulse1 = impulse2 = 0;
    } else if (isFlat || impulse1 * impulse1 + impulse2 * impulse2 > limit * limit) {
        // Sliding: friction must oppose the slip itself, and the 2 x 2 matrix would turn it aside. Both directions use the mass
        // of the direction that answers most. With the mean of both masses, that direction overshot by up to its whole slip:
        // a hull whose points pushed against each other sideways turned to and fro with every substep and crept for ever.
        const Real most = trace + std::sqrt((k11 - k22) * (k11 - k22) + 4 * (k12 * k12));
        const Real mass = trace > 0 ? 2 / most : Real(0);
        impulse1 = point.tangentImpulse1 - mass * slip1;
        impulse2 = point.tangentImpulse2 - mass * slip2;
        const Real squared = impulse1 * impulse1 + impulse2 * impulse2;
        const Real scale = squared > limit * limit ? limit / std::sqrt(squared) : Real(1);
        impulse1 = impulse1 * scale;
        impulse2 = impulse2 * scale;
    }
    const Real change1 = impulse1 - point.tangentImpulse1, change2 = impulse2 - point.tangentImpulse2;
    point.tangentImpulse1 = impulse1;
    point.tangentImpulse2 = impulse2;
    const Vec3 drag = dragAt(change1, change2, x, y);
    motion.across += frame.acrossResponse * drag;
    motion.along += alongOf(frame, drag);
    given.across += drag;
    given.along += leanAt(change1, change2, z);
}

Real inverseOr0(Real k) { return k > 0 ? 1 / k : Real(0); }

// Torques against rolling and spinning, limited by normal load (N s) times a length (m).
void solveRotationalFriction(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given) {
    Real load = 0;
    for (int i = 0; i < constraint.count; ++i)
        load += constraint.points[i].normalImpulse;
    if (constraint.material.spinningFriction > 0) {
        const Real limit = constraint.material.spinningFriction * load;
        const Real impulse =
            clamp(constraint.angular.spinning - inverseOr0(frame.acrossResponse.zz) * motion.across.z, -limit, limit);
        const Vec3 drag{0, 0, impulse - constraint.angular.spinning};
        constraint.angular.spinning = impulse;
        motion.across += frame.acrossResponse * drag;
        motion.along += alongOf(frame, drag);
        given.across += drag;
    }
    if (constraint.material.rollingFriction > 0) {
        Real impulse1 = constraint.angular.rolling1 - inverseOr0(frame.alongResponse.yy) * motion.along.y;
        Real impulse2 = constraint.angular.rolling2 - inverseOr0(frame.alongResponse.zz) * motion.along.z;
        const Real limit = constraint.material.rollingFriction * load;
        const Real size = std::sqrt(impulse1 * impulse1 + impulse2 * impulse2);
        if (size > limit) {
            impulse1 *= limit / size;
            impulse2 *= limit / size;
        }
        const Vec3 drag{0, impulse1 - constraint.angular.rolling1, impulse2 - constraint.angular.rolling2};
        constraint.angular.rolling1 = impulse1;
        constraint.angular.rolling2 = impulse2;
        motion.along += frame.alongResponse * drag;
        motion.across += acrossOf(frame, drag);
        given.along += drag;
    }
}

}  // namespace

void solveAllFriction(ContactConstraint& constraint, const ContactFrame& frame, Screw& motion, Screw& given, PointOrder order) {
    Screw drag;
    for (int k = 0; k < constraint.count; ++k)
        if (const int i = indexAt(constraint, k, order); isActive(constraint, i))
            solveFriction(constraint, constraint.points[i], frame, i, motion, drag);
    given.along += drag.along;
    given.across += drag.across;
    motion.along += frame.alongResponse * drag.along;
    motion.across += acrossOf(frame, drag.along);
    if (constraint.material.rollingFriction > 0 || constraint.material.spinningFriction > 0)
        solveRotationalFriction(constraint, frame, motion, given);
}

}  // namespace sunder::dynamics
