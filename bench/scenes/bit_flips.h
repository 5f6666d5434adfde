// Flips every bit of a body's state through the public setters and counts the flips that the world's hash does not see.
#pragma once

#include <cstring>
#include <functional>
#include <string>
#include <type_traits>

#include "scenes/parts.h"

namespace sunder::scenes {

struct BitFlips {
    int tried = 0, missed = 0;
    std::string firstMissed;  // "field[number] bit"
};

namespace detail {

using Bits = std::conditional_t<sizeof(Real) == 8, std::uint64_t, std::uint32_t>;

inline Real flipBit(Real value, int bit) {
    Bits bits;
    std::memcpy(&bits, &value, sizeof bits);
    bits ^= Bits(1) << bit;
    std::memcpy(&value, &bits, sizeof bits);
    return value;
}

inline bool sameBits(const std::vector<Real>& a, const std::vector<Real>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
}

// A part of the state: how it is read and written.
struct Field {
    std::string name;
    std::function<std::vector<Real>()> read;
    std::function<void(const std::vector<Real>&)> write;
};

inline void flipField(World& world, const Field& field, BitFlips& result) {
    for (std::size_t i = 0; i < field.read().size(); ++i)
        for (int bit = 0; bit < int(8 * sizeof(Real)); ++bit) {
            const std::vector<Real> before = field.read();
            const std::uint64_t hash = world.hash();
            std::vector<Real> flipped = before;
            flipped[i] = flipBit(flipped[i], bit);
            try {
                field.write(flipped);
            } catch (const Error&) {
                continue;  // not a state the world can have
            }
            // What the world rounds away (the length of a quaternion) is not part of its state.
            if (!sameBits(field.read(), before)) {
                ++result.tried;
                if (world.hash() == hash && result.missed++ == 0)
                    result.firstMissed = field.name + "[" + std::to_string(i) + "] bit " + std::to_string(bit);
            }
            field.write(before);
        }
}

inline std::vector<Real> listOf(const Vec3& v) { return {v.x, v.y, v.z}; }
inline Vec3 vecOf(const std::vector<Real>& v) { return {v[0], v[1], v[2]}; }

}  // namespace detail

// The body is dynamic. Its damping, gravity factor and surface velocity, which cannot be read, are taken to be their
// defaults.
inline BitFlips flipEveryBit(World& world, BodyId body) {
    using Values = std::vector<Real>;
    using namespace detail;
    Values damping{0, 0}, gravityFactor{1}, surface{0, 0, 0};
    const std::vector<Field> fields{
        {"pose",
         [&] {
             const Vec3 p = world.position(body);
             const Quat q = world.orientation(body);
             return Values{p.x, p.y, p.z, q.x, q.y, q.z, q.w};
         },
         [&](const Values& v) {
             world.setPose(body, {v[0], v[1], v[2]}, {v[3], v[4], v[5], v[6]});
         }},
        {"velocity", [&] { return listOf(world.velocity(body)); }, [&](const Values& v) { world.setVelocity(body, vecOf(v)); }},
        {"angularVelocity", [&] { return listOf(world.angularVelocity(body)); },
         [&](const Values& v) { world.setAngularVelocity(body, vecOf(v)); }},
        {"gravity", [&] { return listOf(world.gravity()); }, [&](const Values& v) { world.setGravity(vecOf(v)); }},
        {"material",
         [&] {
             const Material& m = world.material(body);
             return Values{m.density, m.friction, m.restitution, m.rollingFriction.value_or(-1),
                           m.spinningFriction.value_or(-1)};
         },
         [&](const Values& v) {
             world.setMaterial(body, {v[0], v[1], v[2], v[3], v[4]});
         }},
        {"damping", [&] { return damping; },
         [&](const Values& v) {
             world.setDamping(body, v[0], v[1]);
             damping = v;
         }},
        {"gravityFactor", [&] { return gravityFactor; },
         [&](const Values& v) {
             world.setGravityFactor(body, v[0]);
             gravityFactor = v;
         }},
        {"surfaceVelocity", [&] { return surface; },
         [&](const Values& v) {
             world.setSurfaceVelocity(body, vecOf(v));
             surface = v;
         }},
    };
    BitFlips result;
    for (const Field& field : fields)
        flipField(world, field, result);
    return result;
}

}  // namespace sunder::scenes
