#include "world/breaking/release.h"

#include "fracture/bonds/energy_release.h"
#include "world/breaking/energy/free_release.h"
#include "world/breaking/energy/release_body.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"

namespace sunder::world {

namespace {

// In steps: a release with no more time left than this ends in the present step. Above 1, because rounding of the time left
// would otherwise add a step with next to no energy.
constexpr double kLastStep = 1.001;

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

// The free part of the recoil or, where all of that is held as in a taut chain, of a push across it.
double giveFreely(WorldState& world, const Release& release, const fracture::ReleaseForce& force, const WorldPoint& point,
                  double energy) {
    const fracture::ReleaseForce recoil = fracture::recoilOf(force, toDouble(release.towardsB));
    const fracture::Released done = releaseFreely(world, release.a, release.b, point, recoil, energy);
    if (done.energy > 0)
        return done.energy;
    return releaseFreely(world, release.a, release.b, point, fracture::acrossOf(force, release.seed), energy).energy;
}

// Whether contacts with what does not move press back a body that is pushed this way.
bool leansOn(const WorldState& world, std::uint32_t slot, const Vec3d& push) {
    for (const ContactPair& pair : world.pairs) {
        const bool isB = pair.bodyB == slot;
        if (pair.manifoldCount == 0 || (!isB && pair.bodyA != slot) ||
            world.bodies[isB ? pair.bodyA : pair.bodyB].motion == Motion::Dynamic)
            continue;
        for (std::uint32_t i = pair.firstManifold; i < pair.firstManifold + pair.manifoldCount; ++i) {
            const dynamics::ContactConstraint& contact = world.constraints[i];
            const double outward = dot(push, toDouble(contact.normal)) * (isB ? -1 : 1);
            for (int k = 0; k < contact.count; ++k)
                if (outward > 0 && contact.points[k].totalNormalImpulse > 0)
                    return true;
        }
    }
    return false;
}

enum class Leaning { Free, A, B, Both };

Leaning leaningOf(const WorldState& world, const Release& release) {
    const Vec3d push =
        fracture::recoilOf({toDouble(release.force), toDouble(release.torque)}, toDouble(release.towardsB)).force;
    const bool a = !release.a.isNull() && leansOn(world, release.a.index, push * -1.0);
    const bool b = !release.b.isNull() && leansOn(world, release.b.index, push);
    return a && b ? Leaning::Both : a ? Leaning::A : b ? Leaning::B : Leaning::Free;
}

void giveEnergy(WorldState& world, const Release& release, double energy, Leaning leaning = Leaning::Free) {
    Body *a = livingBody(world, release.a), *b = livingBody(world, release.b);
    const bool isGone = (!a && !release.a.isNull()) || (!b && !release.b.isNull());
    if (isGone || !(energy > 0))
        return;
    const WorldPoint point = pointOf(world, release);
    a = leaning == Leaning::A ? nullptr : a;
    b = leaning == Leaning::B ? nullptr : b;
    const fracture::ReleaseForce force{toDouble(release.force), toDouble(release.torque)};
    ReleaseOptions options = world.def.release;
    if (options.free > 0) {
        const double freed = giveFreely(world, release, force, point, energy * double(options.free));
        world.stepStats.releasedEnergy += freed;
        if (!(freed > 0))  // nothing is held, or nothing is free
            options.free = 0;
    }
    fracture::ReleaseBody bodyA = releaseBody(a, point), bodyB = releaseBody(b, point);
    const fracture::Released done =
        fracture::release(options, bodyA, bodyB, force, toDouble(release.towardsB), energy, release.seed);
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

void releaseAfterBlow(WorldState& world, const Release& release) {
    world.stepStats.storedEnergy += release.stored;
    if (!(release.energy > 0))
        return;
    world.overloads.releases.push_back(release);
    world.overloads.releases.back().timeLeft = double(world.def.release.time);
}

void releaseBlows(WorldState& world) {
    for (const Release& release : world.overloads.releases)
        if (!(release.timeLeft > 0))
            giveEnergy(world, release, release.energy, leaningOf(world, release));
    std::erase_if(world.overloads.releases, [](const Release& release) { return !(release.timeLeft > 0); });
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
