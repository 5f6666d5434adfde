#include "world/breaking/release.h"

#include "fracture/bonds/energy_release.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// In steps: a release with no more time left than this ends in the present step. Above 1, because rounding of the time left
// would otherwise add a step with next to no energy.
constexpr double kLastStep = 1.001;

fracture::ReleaseBody releaseBody(const Body* body, const WorldPoint& point) {
    fracture::ReleaseBody out;
    if (!body || body->motion == Motion::Static)
        return out;
    out.velocity = toDouble(body->velocity);
    out.angularVelocity = toDouble(body->angularVelocity);
    out.arm = toDouble(point) - toDouble(body->center);
    if (body->motion != Motion::Dynamic || body->quarantined)
        return out;
    out.inverseMass = double(body->inverseMass);
    // R diag(1 / I) R^T in double, from the axes of the orientation.
    const Mat3 R = toMatrix(body->orientation);
    const Vec3& I = body->inversePrincipalInertia;
    const auto entry = [&](const Vec3& a, const Vec3& b) {
        return double(a.x) * b.x * I.x + double(a.y) * b.y * I.y + double(a.z) * b.z * I.z;
    };
    const double inverse[6] = {entry(R.row0, R.row0), entry(R.row1, R.row1), entry(R.row2, R.row2),
                               entry(R.row0, R.row1), entry(R.row0, R.row2), entry(R.row1, R.row2)};
    for (int i = 0; i < 6; ++i)
        out.inverseInertia[i] = inverse[i];
    return out;
}

// The point of the break in the world: the mean of where each of the two bodies has carried it.
WorldPoint pointOf(const WorldState& world, const Release& release) {
    const auto place = [&](BodyId id, const WorldPoint& local) {
        if (id.isNull())
            return local;
        const Body& body = world.bodies[id.index];
        return userPosition(body) + rotate(userOrientation(body), toVec3(local));
    };
    const WorldPoint a = place(release.a, release.pointInA), b = place(release.b, release.pointInB);
    return {(a.x + b.x) / 2, (a.y + b.y) / 2, (a.z + b.z) / 2};
}

void giveEnergy(WorldState& world, const Release& release, double energy) {
    Body *a = livingBody(world, release.a), *b = livingBody(world, release.b);
    const bool isGone = (!a && !release.a.isNull()) || (!b && !release.b.isNull());
    if (isGone || !(energy > 0))
        return;
    const WorldPoint point = pointOf(world, release);
    fracture::ReleaseBody bodyA = releaseBody(a, point), bodyB = releaseBody(b, point);
    const fracture::ReleaseForce force{toDouble(release.force), toDouble(release.torque)};
    const fracture::Released done =
        fracture::release(world.def.release, bodyA, bodyB, force, toDouble(release.towardsB), energy, release.seed);
    const auto take = [&](Body* body, BodyId id, const fracture::ReleaseBody& from) {
        if (!body || !(from.inverseMass > 0))
            return;
        body->velocity = toReal(from.velocity);
        body->angularVelocity = toReal(from.angularVelocity);
        wakeBody(world, id.index);
    };
    take(a, release.a, bodyA);
    take(b, release.b, bodyB);
    world.stepStats.releasedEnergy += done.energy;
    world.stepStats.releasedMomentum += length(done.momentum);
}

}  // namespace

void releaseEnergy(WorldState& world, const Release& release) {
    world.stepStats.storedEnergy += release.stored;
    if (!(release.energy > 0))
        return;
    if (world.def.release.time > 0) {
        world.overloads.releases.push_back(release);
        world.overloads.releases.back().timeLeft = double(world.def.release.time);
    } else {
        giveEnergy(world, release, release.energy);
    }
}

void releaseWaiting(WorldState& world, Real dt) {
    for (Release& release : world.overloads.releases) {
        const bool isLast = release.timeLeft <= double(dt) * kLastStep;
        const double portion = isLast ? release.energy : release.energy * double(dt) / release.timeLeft;
        giveEnergy(world, release, portion);
        release.energy -= portion;
        release.timeLeft = isLast ? 0 : release.timeLeft - double(dt);
    }
    std::erase_if(world.overloads.releases, [](const Release& release) { return !(release.timeLeft > 0); });
}

double blowEnergyOf(const Body& body, const Vec3& blow, const Vec3& angularBlow) {
    return fracture::blowEnergy(releaseBody(&body, body.center), {}, {toDouble(blow), toDouble(angularBlow)});
}

double blowEnergyOf(const WorldState& world, const Release& release, const Vec3& blow, const Vec3& angularBlow, double shareA,
                    double shareB) {
    const WorldPoint point = pointOf(world, release);
    const auto body = [&](BodyId id) { return id.isNull() ? nullptr : &world.bodies[id.index]; };
    return fracture::blowEnergy(releaseBody(body(release.a), point), releaseBody(body(release.b), point),
                                {toDouble(blow), toDouble(angularBlow)}, shareA, shareB);
}

}  // namespace sunder::world
