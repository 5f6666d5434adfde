// See palette.h.
#include "render/palette.h"

#include <array>

#include "core/hash.h"

namespace sunder::render {

namespace {

// Linear colours that sit well side by side. Each row serves one kind of body, so that a wall and the ball that breaks it
// differ at a glance.
constexpr int kTones = 5;
using Family = std::array<Vec3, kTones>;
constexpr std::array<Family, 5> kFamilies = {{
    {{{Real(.72), Real(.20), Real(.09)},
      {Real(.80), Real(.42), Real(.15)},
      {Real(.78), Real(.62), Real(.40)},
      {Real(.60), Real(.13), Real(.08)},
      {Real(.80), Real(.72), Real(.58)}}},
    {{{Real(.03), Real(.24), Real(.32)},
      {Real(.05), Real(.36), Real(.40)},
      {Real(.04), Real(.13), Real(.28)},
      {Real(.12), Real(.42), Real(.50)},
      {Real(.03), Real(.18), Real(.38)}}},
    {{{Real(.80), Real(.52), Real(.08)},
      {Real(.84), Real(.64), Real(.22)},
      {Real(.70), Real(.40), Real(.06)},
      {Real(.86), Real(.70), Real(.36)},
      {Real(.76), Real(.46), Real(.14)}}},
    {{{Real(.18), Real(.34), Real(.14)},
      {Real(.30), Real(.44), Real(.22)},
      {Real(.12), Real(.26), Real(.14)},
      {Real(.42), Real(.52), Real(.30)},
      {Real(.22), Real(.38), Real(.26)}}},
    {{{Real(.38), Real(.10), Real(.24)},
      {Real(.56), Real(.22), Real(.34)},
      {Real(.26), Real(.08), Real(.22)},
      {Real(.66), Real(.36), Real(.42)},
      {Real(.46), Real(.14), Real(.20)}}},
}};
constexpr Vec3 kStaticColor{Real(.38), Real(.39), Real(.41)};
constexpr Vec3 kKinematicColor{Real(.10), Real(.11), Real(.14)};

// A number from 0 to 1 that depends on the variant alone.
Real chance(std::uint32_t variant, std::uint64_t salt) {
    Hasher hasher;
    hasher.add(variant);
    hasher.add(salt);
    return Real(hasher.value() >> 40) / Real(1u << 24);
}

// Generated bodies are numbered; the name without the number is their kind.
std::string kindOf(const std::string& name) { return name.substr(0, name.find_last_not_of("0123456789_-.#[], ") + 1); }

// Broken faces are paler and greyer than the weathered outside.
constexpr Vec3 kOpenedTone{Real(.80), Real(.77), Real(.72)};
constexpr Real kOpenedShare = Real(0.62);
constexpr int kShades = 3;

}  // namespace

Look Palette::look(const std::string& name, std::uint32_t variant, Motion motion) {
    Look look;
    switch (motion) {
        case Motion::Static:
            look.albedo = kStaticColor;
            look.gloss = Real(0.15);
            look.ground = true;
            break;
        case Motion::Kinematic: look.albedo = kKinematicColor; break;
        case Motion::Dynamic: {
            const Kind& kind = kinds_.emplace(kindOf(name), Kind{int(kinds_.size()), variant}).first->second;
            const Family& family = kFamilies[std::size_t(kind.number) % kFamilies.size()];
            // The first body of a kind, often the only one, has the kind's main tone.
            const bool isFirst = variant == kind.firstVariant;
            const int tone = isFirst ? 0 : int(chance(variant, 1) * kTones);
            const int shade = isFirst ? kShades - 1 : int(chance(variant, 2) * kShades);
            look.albedo = family[std::size_t(tone)] * (Real(0.92) + Real(0.08) * Real(shade));
            break;
        }
    }
    look.opened = openedTone(look.albedo);
    return look;
}

Vec3 openedTone(const Vec3& albedo) { return albedo + (kOpenedTone - albedo) * kOpenedShare; }

}  // namespace sunder::render
