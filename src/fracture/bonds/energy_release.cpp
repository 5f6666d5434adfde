#include "fracture/bonds/energy_release.h"

#include <algorithm>

#include "core/random.h"

namespace sunder::fracture {

namespace {

// Share of |t| |f| below which the direction of t x f is rounding noise and a random direction is taken instead.
constexpr double kLeastTorque = 1e-3;
// Squared length, across the force, below which a random vector of the unit ball is drawn again: its direction would be
// inexact.
constexpr double kLeastAcross = 0.01;

double kineticChange(const ReleaseBody& body, const Vec3d& impulse, const Vec3d& angularImpulse) {
    // p v + p M^-1 p / 2
    return dot(impulse, body.velocity) + dot(angularImpulse, body.angularVelocity) +
           (dot(impulse, impulse) * body.inverseMass + dot(angularImpulse, body.turning(angularImpulse))) / 2;
}

void push(ReleaseBody& body, const Vec3d& impulse, const Vec3d& angularImpulse) {
    body.velocity += impulse * body.inverseMass;
    body.angularVelocity += body.turning(angularImpulse);
}

double response(const ReleaseBody& body, const ReleaseForce& G) {
    const Vec3d torque = G.torque + cross(body.arm, G.force);
    return dot(G.force, G.force) * body.inverseMass + dot(torque, body.turning(torque));
}

double speedAlong(const ReleaseBody& body, const ReleaseForce& G) {
    return dot(G.force, body.velocity) + dot(G.torque + cross(body.arm, G.force), body.angularVelocity);
}

void pushAlong(ReleaseBody& body, const ReleaseForce& G, double size, Released& done) {
    const Vec3d impulse = G.force * size, angular = (G.torque + cross(body.arm, G.force)) * size;
    done.energy += kineticChange(body, impulse, angular);
    if (body.inverseMass > 0)
        done.momentum += impulse;
    push(body, impulse, angular);
}

// Pushes B along G and A against it.
void recoil(ReleaseBody& a, ReleaseBody& b, const ReleaseForce& G, double energy, Released& done) {
    const double inverse = response(a, G) + response(b, G);
    if (!(inverse > 0))
        return;
    const double v = speedAlong(b, G) - speedAlong(a, G);
    const double open = std::sqrt(2 * energy / inverse);
    const double size = v >= 0 ? 2 * energy / (v + std::sqrt(v * v + 2 * energy * inverse)) : open;
    Released pair;
    pushAlong(b, G, size, pair);
    pushAlong(a, G, -size, pair);
    done.energy += pair.energy;
    if (a.inverseMass > 0 && b.inverseMass > 0)
        done.momentum += pair.momentum;
}

Vec3d randomPerpendicular(const Vec3d& direction, std::uint64_t seed) {
    core::Random random(seed);
    const Vec3d unit = normalizeOr(direction, {0, 1, 0});
    for (;;) {
        const Vec3d v{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
        const Vec3d across = v - unit * dot(v, unit);
        if (dot(v, v) <= 1 && dot(across, across) > kLeastAcross)
            return normalizeOr(across, {1, 0, 0});
    }
}

// [Li18] 3.6.1 for one body: force and torque about its centre.
bool outwardOf(const Vec3d& force, const Vec3d& torque, Vec3d& direction) {
    const Vec3d l = cross(torque, force);
    direction = normalizeOr(-l, {});
    return length(l) > kLeastTorque * length(torque) * length(force) && length(l) > 0;
}

void pushOutward(ReleaseBody& body, const Vec3d& direction, double energy, Released& done) {
    const ReleaseForce G{direction, {}};
    if (const double inverse = response(body, G); inverse > 0)
        pushAlong(body, G, std::sqrt(2 * energy / inverse), done);
}

// Releases energy at right angles to the force: each body is pushed by itself, or the two push each other apart.
void releaseOutward(const ReleaseOptions& options, ReleaseBody& a, ReleaseBody& b, const ReleaseForce& force, double energy,
                    std::uint64_t seed, Released& done) {
    const Vec3d any = randomPerpendicular(force.force, seed);
    const double size = length(force.force) * (length(a.arm) + length(b.arm)) / 2;
    const bool isStraight = length(force.torque + cross(b.arm, force.force)) < kLeastTorque * size &&
                            length(force.torque + cross(a.arm, force.force)) < kLeastTorque * size;
    Vec3d ofA = -any, ofB = any;
    if (!isStraight) {
        if (!outwardOf(force.force, force.torque + cross(b.arm, force.force), ofB))
            ofB = any;
        if (!outwardOf(-force.force, -(force.torque + cross(a.arm, force.force)), ofA))
            ofA = -any;
    }
    if (options.form == ReleaseForm::Pair)
        return recoil(a, b, {ofB, {}}, energy, done);
    const double share = a.inverseMass > 0 && b.inverseMass > 0 ? 0.5 : 1;
    if (a.inverseMass > 0)
        pushOutward(a, ofA, energy * share, done);
    if (b.inverseMass > 0)
        pushOutward(b, ofB, energy * share, done);
}

}  // namespace

Vec3d ReleaseBody::turning(const Vec3d& t) const {
    const double* i = inverseInertia;
    return {i[0] * t.x + i[3] * t.y + i[4] * t.z, i[3] * t.x + i[1] * t.y + i[5] * t.z, i[4] * t.x + i[5] * t.y + i[2] * t.z};
}

double blowEnergy(const ReleaseBody& a, const ReleaseBody& b, const ReleaseForce& blow, double shareA, double shareB) {
    return (response(a, blow) * shareA + response(b, blow) * shareB) / 2;
}

ReleaseForce recoilOf(const ReleaseForce& force, const Vec3d& towardsB) {
    const Vec3d normal = normalizeOr(towardsB, {});
    return {normal * (2 * std::max(0.0, dot(force.force, normal))) - force.force, -force.torque};
}

ReleaseForce acrossOf(const ReleaseForce& force, std::uint64_t seed) { return {randomPerpendicular(force.force, seed), {}}; }

Released release(const ReleaseOptions& options, ReleaseBody& a, ReleaseBody& b, const ReleaseForce& force,
                 const Vec3d& towardsB, double energy, std::uint64_t seed) {
    Released done;
    if (!(energy > 0))
        return done;
    const double outward = options.outward, along = std::max(1 - outward - double(options.free), 0.0);
    if (along > 0)
        recoil(a, b, recoilOf(force, towardsB), energy * along, done);
    if (outward > 0)
        releaseOutward(options, a, b, force, energy * outward, seed, done);
    return done;
}

}  // namespace sunder::fracture
