// The contacts of an island at rest, solved all at once: its velocities become the nearest ones that the loaded points allow.
//
//     v' = argmin  (v' - v)^T M (v' - v)  +  sum over points and directions of  k (d^T v')^2        k = 1 / (kYield answer)
//
// d is the speed of a point along its normal and, where it sticks, along its tangents; "answer" the speed that an impulse of
// 1 N s at the point gives its two bodies. A sweep over single contacts corrects a sway of many bodies with the mass of two of
// them and leaves it nearly as it was; this takes it out whatever its mass. No energy is added, since v' is a projection.
//
// A point pushes and cannot pull, and friction has its limit: points that would pull by more than they bear are left free,
// those that would slip keep their normal alone, and the rest is solved again.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "dynamics/contact/scalar/constraint.h"
#include "math/linear/block_cholesky.h"
#include "math/vec3d.h"

namespace sunder::dynamics {

class SteadySystem {
public:
    void clear();
    // Adds the points of a contact that bore load in the step.
    void addLoaded(std::uint32_t index, const ContactConstraint& constraint, std::span<const SolverBody> bodies,
                   std::span<const SolverBodyConstants> constants);
    // Adds the points of a contact that touch, before a step in which they will bear load for the first time.
    void addTouching(std::uint32_t index, const ContactConstraint& constraint, std::span<const SolverBody> bodies,
                     std::span<const SolverBodyConstants> constants);
    // False where a factorisation takes more than `budget` multiplications.
    bool plan(std::span<int> placeOf, double budget);
    // Finds the impulses of the projection of the velocities that bodies would have after h of their accelerations.
    void solve(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h);
    void setVelocities(std::span<SolverBody> bodies) const;
    // Adds the impulses of the projection, a `share` of them, to those that the points start the next step with.
    template <class Constraints>
    void carryOn(double share, Constraints& constraints) const {
        for (const Point& point : points_)
            if (point.hold != Hold::Free)
                carryOn(point, share, constraints[point.constraint].points[point.index]);
    }

private:
    enum class Hold : std::uint8_t { Free, Slides, Sticks };
    struct Side {
        int body = -1;  // of this system, or -1: fixed
        Vec3d arm;
    };
    struct Point {
        Side sides[2];
        Vec3d axes[3];         // normal and tangents
        double stiffness = 0;  // kg
        double load[3]{};      // N s along normal and tangents, of the whole step
        double friction = 0;
        Hold hold = Hold::Sticks;
        double given[3]{};  // N s, of the projection
        std::uint32_t constraint = 0;
        int index = 0;
    };
    Point& addPoint(std::uint32_t index, const ContactConstraint& constraint, int i, const Vec3& armA, const Vec3& armB,
                    std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    void setMomenta(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants, Real h);
    static void addTo(double* block, const Point& point, double stiffness, const Vec3d& r, const Vec3d& c);
    Vec3d motionOf(const Point& point) const;
    static void carryOn(const Point& point, double share, ConstraintPoint& to);
    void fill(std::span<const SolverBody> bodies, std::span<const SolverBodyConstants> constants);
    bool release();

    std::vector<Point> points_;
    std::vector<std::uint32_t> bodies_;  // solver indices, in the order in which contacts named them
    std::vector<std::pair<int, int>> neighbours_, planned_;
    int plannedBodies_ = 0;
    bool isPlanned_ = false;
    linear::BlockCholesky<double, 6> matrix_;
    std::vector<int> pairOf_;  // of each point: number of its pair of bodies, or -1
    std::vector<double> momenta_, velocities_;
};

}  // namespace sunder::dynamics
