#include "deformable/frame/rotating_frame.h"

#include "math/vec3d.h"

namespace sunder::deformable {

namespace {

// Sums over nodes in double: their order is fixed, and thousands of small numbers add up to a large one.
struct Sum3 {
    double x = 0, y = 0, z = 0;
    void add(Real m, const Vec3& v) {
        x += double(m) * v.x;
        y += double(m) * v.y;
        z += double(m) * v.z;
    }
    Vec3 vector() const { return {Real(x), Real(y), Real(z)}; }
    Vec3 over(double mass) const { return {Real(x / mass), Real(y / mass), Real(z / mass)}; }
};

Sym3 turned(const Sym3& s, const Mat3& r) {  // R S R^T
    const Mat3 whole{{s.xx, s.xy, s.xz}, {s.xy, s.yy, s.yz}, {s.xz, s.yz, s.zz}};
    const Mat3 m = r * whole * transpose(r);
    return {m.row0.x, m.row1.y, m.row2.z, m.row0.y, m.row0.z, m.row1.z};
}

// The orientation after dt of free rotation, by the midpoint rule for a constant angular momentum.
Quat turnFreely(const Quat& start, const Sym3& inertia, const Vec3& angularVelocity, Real dt) {
    const Vec3 momentum = inertia * angularVelocity;
    const Quat half = quatFromRotationVector(angularVelocity * (dt / 2));
    const Vec3 middle = solve(turned(inertia, toMatrix(half)), momentum);
    return normalize(quatFromRotationVector(middle * dt) * start);
}

}  // namespace

Sym3 inertiaOf(const SolidModel& model, std::span<const Four> offsets) {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
    for (std::size_t i = 0; i < offsets.size(); ++i) {
        const double m = model.nodeMass[i], x = offsets[i][0], y = offsets[i][1], z = offsets[i][2];
        xx += m * x * x;
        yy += m * y * y;
        zz += m * z * z;
        xy += m * x * y;
        xz += m * x * z;
        yz += m * y * z;
    }
    return {Real(yy + zz), Real(xx + zz), Real(xx + yy), Real(-xy), Real(-xz), Real(-yz)};
}

void flyFreely(const SolidModel& model, const FrameMotion& start, const NodeMotion& nodes, const Vec3& acceleration, Real dt,
               FreeFlight& out) {
    const std::size_t count = model.nodeCount();
    out.offsets.resize(count);
    out.relative.resize(count);
    out.loads.resize(count);
    out.displacement.resize(count);
    const Mat3 before = toMatrix(start.worldFromBody);
    for (std::size_t i = 0; i < count; ++i)
        out.offsets[i] = toFour(before * (nodes.positions[i] - model.center));
    const Sym3 inertia = inertiaOf(model, out.offsets);
    out.angularMomentum = inertia * start.angularVelocity;
    out.motion.velocity = start.velocity + acceleration * dt;
    out.motion.center = start.center + out.motion.velocity * dt;
    out.motion.worldFromBody = turnFreely(start.worldFromBody, inertia, start.angularVelocity, dt);
    const Mat3 after = toMatrix(out.motion.worldFromBody);
    const Sym3 inertiaAfter = turned(inertia, after * transpose(before));
    const Vec3 w = out.motion.angularVelocity = solve(inertiaAfter, out.angularMomentum);
    const Vec3 drift = out.motion.velocity * dt;
    Sum3 torque;
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 s = after * (nodes.positions[i] - model.center), u = after * nodes.velocities[i];
        out.displacement[i] = toFour(drift + u * dt + s) - out.offsets[i];
        out.offsets[i] = toFour(s);
        out.relative[i] = toFour(u);
        const Vec3 felt = cross(w, cross(w, s) + 2 * u);
        out.loads[i] = toFour(felt * -model.nodeMass[i]);
        torque.add(model.nodeMass[i], cross(s, felt));
    }
    const Vec3 euler = solve(inertiaAfter, -torque.vector());
    for (std::size_t i = 0; i < count; ++i)
        out.loads[i] -= toFour(cross(euler, toVec3(out.offsets[i])) * model.nodeMass[i]);
}

void land(const SolidModel& model, const FreeFlight& flight, std::span<const Four> change, bool isFree, Real dt,
          FrameMotion& end, const NodeMotion& nodes) {
    const std::size_t count = model.nodeCount();
    Sum3 momentum, shift;
    for (std::size_t i = 0; i < count; ++i)
        momentum.add(model.nodeMass[i], toVec3(flight.relative[i] + change[i]));
    const Vec3 push = momentum.over(double(model.mass));
    // What lies here for a while is the motion relative to the predicted frame, without the common part where that is spurious.
    const Vec3 spurious = isFree ? push : Vec3{};
    std::vector<Four> offsets(count);
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 w = toVec3(flight.relative[i] + change[i]) - spurious;
        offsets[i] = flight.offsets[i] + toFour(w * dt);
        shift.add(model.nodeMass[i], toVec3(offsets[i]));
    }
    const Vec3 center = shift.over(double(model.mass));
    Sum3 angular;
    for (std::size_t i = 0; i < count; ++i) {
        offsets[i] -= toFour(center);
        angular.add(model.nodeMass[i], cross(toVec3(offsets[i]), toVec3(flight.relative[i] + change[i]) - push));
    }
    const Sym3 inertia = inertiaOf(model, offsets);
    const Vec3 spin = solve(inertia, angular.vector());
    end.center = flight.motion.center + center;
    end.velocity = flight.motion.velocity + (isFree ? Vec3{} : push);
    end.worldFromBody = normalize(quatFromRotationVector(spin * dt) * flight.motion.worldFromBody);
    const Vec3 total = flight.angularMomentum + (isFree ? Vec3{} : angular.vector());
    end.angularVelocity = solve(inertia, total);
    const Mat3 bodyFromWorld = transpose(toMatrix(end.worldFromBody));
    for (std::size_t i = 0; i < count; ++i) {
        const Vec3 s = toVec3(offsets[i]);
        nodes.positions[i] = bodyFromWorld * s + model.center;
        nodes.velocities[i] = bodyFromWorld * (toVec3(flight.relative[i] + change[i]) - push - cross(spin, s));
    }
}

RigidFlight flyRigidly(const SolidModel& model, const FrameMotion& start, std::span<const Vec3> positions,
                       const Vec3& acceleration, Real dt) {
    const Mat3 before = toMatrix(start.worldFromBody);
    std::vector<Four> offsets;
    offsets.reserve(positions.size());
    for (const Vec3& p : positions)
        offsets.push_back(toFour(before * (p - model.center)));
    const Sym3 inertia = inertiaOf(model, offsets);
    RigidFlight out;
    out.motion.velocity = start.velocity + acceleration * dt;
    out.motion.center = start.center + out.motion.velocity * dt;
    out.motion.worldFromBody = turnFreely(start.worldFromBody, inertia, start.angularVelocity, dt);
    out.turn = toMatrix(out.motion.worldFromBody) * transpose(before);
    out.inertia = turned(inertia, out.turn);
    out.motion.angularVelocity = solve(out.inertia, inertia * start.angularVelocity);
    return out;
}

FrameMotion landRigidly(const FrameMotion& start, const RigidFlight& flight, const Vec3& velocity, const Vec3& angularVelocity,
                        Real dt) {
    const Vec3 spin = angularVelocity - flight.motion.angularVelocity;
    return {start.center + velocity * dt, normalize(quatFromRotationVector(spin * dt) * flight.motion.worldFromBody), velocity,
            angularVelocity};
}

}  // namespace sunder::deformable
