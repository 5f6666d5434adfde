// Chooses which of many contact points make a manifold. Works on four points at a time; ties go to the earlier point, so that
// the result does not depend on the lanes.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "collision/narrow_phase/level_set/particle_contact.h"
#include "collision/narrow_phase/manifold/manifold.h"

namespace sunder::collision {

// Contacts that share one normal, and the choice among them.
class PointCandidates {
public:
    // Coordinates of the points on A. Unused lanes repeat the last.
    struct Four {
        Real x[4], y[4], z[4], separation[4];
        Real kept[4];    // 1 for a point of the previous manifold, else 0
        Real weight[4];  // falls with the distance from touching
    };

    // known: previous points, which are kept unless others are clearly better. The contacts must stay valid until the next
    // start.
    void start(std::span<const ParticleContact> contacts, KnownManifolds known = {});
    // Selects the contacts to choose from, at least one.
    void take(std::span<const std::uint32_t> which, const Vec3& normal);
    void takeAll(const Vec3& normal);

    // Chooses at most four points: the deepest, then those that widen the patch most, weighted by how near they are to
    // touching. Without the weight the widest points would all touch nothing, and a curved surface would rock on its deepest
    // particle alone. band (m): separations up to this above the deepest count fully.
    void choose(Real band, ContactManifold& manifold);
    // Drops candidates whose separation is less than `separation`, and those within the squared distance `far` (m^2) of the
    // lines between the patch's points.
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
    std::array<std::uint64_t, 4> knownBits_{};  // bit sets of the last digits of known features: rule out most others at once
    std::vector<std::uint32_t> which_;
    std::vector<Four> allFours_;  // grown to the largest number of contacts so far
    std::span<Four> fours_;       // the candidates
};

}  // namespace sunder::collision
