// Which of many points of two surfaces make a manifold. Four points are looked at at a time; ties go to the earlier point, so
// that the lanes do not show.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/narrow_phase/level_set/particle_contact.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Contacts that share one normal.
class PointCandidates {
public:
    // By coordinate, on A. Lanes after the last repeat it.
    struct Four {
        Real x[4], y[4], z[4], separation[4];
        Real kept[4];    // 1 where it is a point of the last time, else 0
        Real weight[4];  // the less the farther it is from touching
    };

    // known: points that are kept unless others are clearly better. The contacts are looked at until the next start.
    void start(std::span<const ParticleContact> contacts, KnownManifolds known = {});
    // Those of the contacts that may be chosen from, at least one.
    void take(std::span<const std::uint32_t> which, const Vec3& normal);
    void takeAll(const Vec3& normal);

    // At most four points: the deepest, then those that widen the patch most, a point counting the less the farther it is from
    // touching. Without that weight the widest points would all be ones that touch nothing, and a curved surface would rock on
    // the deepest particle alone. band: m, of the separations that count fully.
    void choose(Real band, ContactManifold& manifold);
    // Drops what is nearer to touching than `separation`, and what is no farther (squared) from the lines between the patch's
    // points than `far`.
    void dropNear(Real separation, Real far, const ContactManifold& patch);

    bool isEmpty() const { return which_.empty(); }

private:
    void layOut();
    void layFour(const ParticleContact* const (&contacts)[4], Four& four) const;
    void weigh(Real band, Real least);
    ContactPoint pointOf(std::size_t i) const;
    bool mayBeKnown(std::uint32_t feature) const { return knownBits_[feature / 64 % 4] >> feature % 64 & 1; }
    bool isKnown(std::uint32_t feature) const;

    Vec3 normal_;
    std::span<const ParticleContact> contacts_;
    KnownManifolds known_;
    std::array<std::uint64_t, 4> knownBits_{};  // of the last digits of their features: most others are told from them at once
    std::vector<std::uint32_t> which_;
    std::vector<Four> allFours_;  // of the most contacts so far
    std::span<Four> fours_;       // of those taken
};

}  // namespace sunder::collision
