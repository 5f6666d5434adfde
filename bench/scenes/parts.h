// What the scenes of tests and bars are made of: boxes that remember their size, floors, pits, reproducible numbers.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "sunder/sunder.h"

namespace sunder::scenes {

constexpr double kGravity = 9.81;  // m/s^2, WorldDef's default
constexpr double kPi = 3.14159265358979323846;

inline Vec3 vec(double x, double y, double z) { return {Real(x), Real(y), Real(z)}; }
inline double radians(double degrees) { return degrees * kPi / 180; }

inline Quat turnAbout(double x, double y, double z, double angle) {
    const double s = std::sin(angle / 2) / std::sqrt(x * x + y * y + z * z);
    return {Real(x * s), Real(y * s), Real(z * s), Real(std::cos(angle / 2))};
}

// Random numbers that are the same on every machine (the splitmix64 sequence).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        state_ += 0x9e3779b97f4a7c15ull;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    double between(double low, double high) { return low + (high - low) * double(bits() >> 11) * 0x1p-53; }
    Vec3 inBox(double half) {
        const double x = between(-half, half), y = between(-half, half), z = between(-half, half);
        return vec(x, y, z);
    }
    Quat rotation() {
        for (;;) {
            const double x = between(-1, 1), y = between(-1, 1), z = between(-1, 1), w = between(-1, 1);
            const double n = std::sqrt(x * x + y * y + z * z + w * w);
            if (n < 1 && n > 0.1)
                return {Real(x / n), Real(y / n), Real(z / n), Real(w / n)};
        }
    }

private:
    std::uint64_t state_;
};

// For whatever must stand still by itself, or be timed while it does.
inline WorldDef withoutSleep(int threads = 1) {
    WorldDef def;
    def.sleeping = false;
    def.threads = threads;
    return def;
}

struct BoxRecord {
    BodyId id;
    Vec3 halfExtents;
    bool fixed = false;
};

// A world of boxes only, so that everything can be measured from poses and sizes.
struct BoxScene {
    World world;
    std::vector<BoxRecord> fixed, moving;

    explicit BoxScene(const WorldDef& def) : world(def) {}

    // def's shape is replaced by the box.
    BodyId add(const Vec3& halfExtents, BodyDef def) {
        def.shape = Box{halfExtents};
        const BodyId id = world.addBody(def);
        (def.motion == Motion::Dynamic ? moving : fixed).push_back({id, halfExtents, def.motion != Motion::Dynamic});
        return id;
    }
    BodyId addCube(double side, const Vec3& position, const Material& material = {}) {
        return add(vec(side / 2, side / 2, side / 2), {.position = position, .material = material});
    }
    // Its top is the plane y = 0.
    BodyId addFloor(double half = 50, const Material& material = {}) {
        return add(vec(half, 0.5, half), {.motion = Motion::Static, .position = vec(0, -0.5, 0), .material = material});
    }
};

inline void addPit(BoxScene& scene, double innerWidth, double height, const Material& material = {}) {
    constexpr double kHalfWall = 1;
    const double half = innerWidth / 2, outer = half + 2 * kHalfWall;
    scene.addFloor(outer, material);
    for (const double side : {-1.0, 1.0}) {
        const double offset = side * (half + kHalfWall);
        scene.add(vec(kHalfWall, height / 2, outer),
                  {.motion = Motion::Static, .position = vec(offset, height / 2, 0), .material = material});
        scene.add(vec(outer, height / 2, kHalfWall),
                  {.motion = Motion::Static, .position = vec(0, height / 2, offset), .material = material});
    }
}

}  // namespace sunder::scenes
