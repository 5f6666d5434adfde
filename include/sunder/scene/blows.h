// The blows that bodies take, whether or not they can break: what a threshold is compared with.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "sunder/world.h"

namespace sunder {

// The impulse of the contacts of a body with one other in one step, along the normals, beyond the load that they carried in the
// step before. What a contact of bodies at rest takes up when it begins is load (docs/fracture.md).
struct Blow {
    BodyId body;
    Real impulse = 0;  // N s
};

// Follows a world from step to step: all its bodies or, where there are more than kMostWatched, those that can break. Of a body
// that breaks BreakEvent has the blow, as the step was solved again without it.
class BlowMeter {
public:
    static constexpr std::size_t kMostWatched = 1000;

    void beginFrame() { blows_.clear(); }
    void beforeStep(const World& world);
    void afterStep(const World& world, Real dt);
    // Of the steps since beginFrame.
    const std::vector<Blow>& blows() const { return blows_; }

private:
    struct Touch {
        Real load = 0;    // N, of the last step
        double time = 0;  // s since it began
    };
    struct Motion {
        std::uint32_t generation = 0;
        Vec3 velocity, angularVelocity;
    };
    Real relativeSpeed(const World& world, const ContactEvent& contact) const;

    std::vector<Blow> blows_;
    std::map<std::pair<std::uint64_t, std::uint64_t>, Touch> touches_;
    std::vector<Motion> before_;  // by slot
    bool onlyBreakable_ = false;
};

}  // namespace sunder
