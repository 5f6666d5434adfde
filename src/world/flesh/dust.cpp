#include "world/flesh/dust.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace sunder::world {

namespace {

constexpr std::size_t kMostGrains = 4096;                        // in the air; the oldest are left out
constexpr Real kLife = Real(1.2);                                // s until a grain is gone
constexpr Real kSmallest = Real(0.002), kLargest = Real(0.007);  // m: radius of a grain
constexpr Real kPuff = Real(1.2);                                // m/s: fastest away from the face
constexpr Real kDrag = 3;  // 1/s: air slows so small things down within a third of a second

// Number of grains of a face: its area times `dust` (1/m^2), rounded up or down at random so that the mean is right.
int grainsOf(const TornFace& face, Real dust, core::Random& random) {
    return static_cast<int>(double(face.area) * double(dust) + random.between(0, 1));
}

void raise(const Body& body, const TearEvent& tear, core::Random& random, std::vector<DustGrain>& dust) {
    const auto between = [&](Real low, Real high) { return Real(random.between(double(low), double(high))); };
    for (const TornFace& face : tear.faces) {
        const Real half = std::sqrt(face.area) / 2;
        for (int left = grainsOf(face, body.solid->def.dust, random); left > 0; --left) {
            DustGrain grain;
            grain.position = face.point + Vec3{between(-half, half), between(-half, half), between(-half, half)};
            grain.velocity = body.velocity * Real(0.5) + face.normal * between(-kPuff, kPuff) +
                             Vec3{between(-kPuff, kPuff), between(0, kPuff), between(-kPuff, kPuff)} / 2;
            grain.size = between(kSmallest, kLargest);
            dust.push_back(grain);
        }
    }
}

}  // namespace

void flyDust(WorldState& world, Real dt) {
    std::vector<DustGrain>& dust = world.breaking.dust;
    for (DustGrain& grain : dust) {
        grain.velocity = (grain.velocity + world.def.gravity * dt) / (1 + kDrag * dt);
        grain.position += grain.velocity * dt;
        grain.age += dt;
    }
    std::erase_if(dust, [](const DustGrain& grain) { return grain.age > kLife; });
    core::Random random(world.clock.steps);
    for (const TearEvent& tear : world.breaking.tears)
        if (const Body& body = world.bodies[tear.body.index]; body.alive && body.solid && body.solid->def.dust > 0)
            raise(body, tear, random, dust);
    if (dust.size() > kMostGrains)
        dust.erase(dust.begin(), dust.end() - kMostGrains);
}

}  // namespace sunder::world
