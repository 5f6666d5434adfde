#include "collision/narrow_phase/level_set/point_choice.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <numeric>

#include "math/quads.h"

namespace sunder::collision {
namespace {

// Share of the squared width of a patch: the smallest triangle worth a point.
constexpr Real kSliver = Real(1e-3);
// Preference for points of the previous manifold: another deepest point must be deeper by this share of the band, and their
// weight counts 1 + kKeptWeight times.
constexpr Real kKeptDepth = Real(0.1), kKeptWeight = 3;
constexpr Real kLeastLength = Real(1e-12);  // m^2: shorter lines count as a point

struct FourPlaces {
    Quad x, y, z;

    explicit FourPlaces(const PointCandidates::Four& four) : x(loadQuad(four.x)), y(loadQuad(four.y)), z(loadQuad(four.z)) {}
    FourPlaces(Quad px, Quad py, Quad pz) : x(px), y(py), z(pz) {}
};
FourPlaces operator-(const FourPlaces& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Quad lengthSquared(const FourPlaces& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Twice the areas of the triangles from p over q to each of four points, seen along the normal.
Quad areas(const Vec3& normal, const Vec3& p, const Vec3& q, const FourPlaces& places) {
    const Vec3 side = q - p;
    const FourPlaces arm = places - p;
    return normal.x * (side.y * arm.z - side.z * arm.y) + normal.y * (side.z * arm.x - side.x * arm.z) +
           normal.z * (side.x * arm.y - side.y * arm.x);
}

// The index of the largest score above `least`, the first among equals; -1 where there is none.
template <class Score>
int pickBest(std::span<const PointCandidates::Four> fours, Real least, const Score& score) {
    Quad most = quadOf(least);
    QuadMask best{-1, -1, -1, -1}, index{0, 1, 2, 3};
    for (const PointCandidates::Four& four : fours) {
        const Quad s = score(four);
        const QuadMask isMore = s > most;
        most = select(isMore, s, most);
        best = (isMore & index) | (~isMore & best);
        index += 4;
    }
    const Real mostOfAll = -leastOf(-most);
    std::uint32_t earliest = ~0u;
    for (unsigned bits = bitsOf(most == quadOf(mostOfAll)); bits != 0; bits &= bits - 1)
        earliest = std::min(earliest, std::uint32_t(best[std::countr_zero(bits)]));
    return int(earliest);
}

// Squared distance (m^2) of each of four points from the nearest line between two of the manifold's points, or from its point
// where it has one.
Quad distancesToPatch(const FourPlaces& places, const ContactManifold& patch) {
    Quad least = lengthSquared(places - patch.points[0].onA);
    for (int i = 0; i < patch.count; ++i)
        for (int j = i + 1; j < patch.count; ++j) {
            const Vec3 start = patch.points[i].onA, way = patch.points[j].onA - start;
            const FourPlaces arm = places - start;
            const Quad part = (arm.x * way.x + arm.y * way.y + arm.z * way.z) / max(lengthSquared(way), kLeastLength);
            const Quad along = lesserOf(greaterOf(part, quadOf(0)), quadOf(1));
            least =
                lesserOf(least, lengthSquared(FourPlaces{start.x + way.x * along - places.x, start.y + way.y * along - places.y,
                                                         start.z + way.z * along - places.z}));
        }
    return least;
}

}  // namespace

void PointCandidates::start(std::span<const ParticleContact> contacts, KnownManifolds known) {
    contacts_ = contacts;
    known_ = known;
    knownBits_ = {};
    for (const KnownManifold& manifold : known)
        for (int i = 0; i < manifold.count; ++i)
            knownBits_[manifold.features[i] / 64 % 4] |= 1ull << manifold.features[i] % 64;
}

bool PointCandidates::isKnown(std::uint32_t feature) const {
    return std::any_of(known_.begin(), known_.end(), [&](const KnownManifold& manifold) { return manifold.has(feature); });
}

void PointCandidates::take(std::span<const std::uint32_t> which, const Vec3& normal) {
    normal_ = normal;
    which_.assign(which.begin(), which.end());
    layOut();
}

void PointCandidates::takeAll(const Vec3& normal) {
    normal_ = normal;
    which_.resize(contacts_.size());
    std::iota(which_.begin(), which_.end(), 0u);
    layOut();
}

void PointCandidates::layOut() {
    const std::size_t count = (which_.size() + 3) / 4;
    if (allFours_.size() < count)
        allFours_.resize(count);
    fours_ = {allFours_.data(), count};
    const std::size_t last = which_.size() - 1;
    for (std::size_t i = 0; i < fours_.size(); ++i) {
        const auto contact = [&](std::size_t lane) { return &contacts_[which_[std::min(4 * i + lane, last)]]; };
        layFour({contact(0), contact(1), contact(2), contact(3)}, fours_[i]);
    }
}

void PointCandidates::layFour(const ParticleContact* const (&contacts)[4], Four& four) const {
    static_assert(offsetof(ParticleContact, point) + 3 * sizeof(Real) == offsetof(ParticleContact, normal));
    Quad rows[4];
    QuadMask isOnB;
    for (int lane = 0; lane < 4; ++lane) {
        const ParticleContact& contact = *contacts[lane];
        rows[lane] = loadQuad(reinterpret_cast<const Real*>(&contact));  // loads the point and the number after it
        isOnB[lane] = -wide::LaneInteger(contact.onB);
        four.separation[lane] = contact.separation;
        four.kept[lane] = mayBeKnown(contact.feature) && isKnown(contact.feature) ? Real(1) : Real(0);
    }
    transpose(rows);
    const Quad separation = loadQuad(four.separation);
    storeQuad(select(isOnB, rows[0] - normal_.x * separation, rows[0]), four.x);
    storeQuad(select(isOnB, rows[1] - normal_.y * separation, rows[1]), four.y);
    storeQuad(select(isOnB, rows[2] - normal_.z * separation, rows[2]), four.z);
}

ContactPoint PointCandidates::pointOf(std::size_t i) const {
    const ParticleContact& contact = contacts_[which_[i]];
    const Vec3 across = normal_ * contact.separation;
    return contact.onB ? ContactPoint{contact.point - across, contact.point, contact.separation, contact.feature}
                       : ContactPoint{contact.point, contact.point + across, contact.separation, contact.feature};
}

void PointCandidates::weigh(Real band, Real least) {
    for (Four& four : fours_) {
        const Quad share = band / (band + loadQuad(four.separation) - least);
        storeQuad(share * share * (1 + kKeptWeight * loadQuad(four.kept)), four.weight);
    }
}

void PointCandidates::choose(Real band, ContactManifold& manifold) {
    manifold.normal = normal_;
    const auto take = [&](int i) {
        manifold.points[manifold.count++] = pointOf(std::size_t(i));
        return manifold.points[manifold.count - 1].onA;
    };
    const int deepest = pickBest(fours_, -kInfinity, [&](const Four& four) {
        return kKeptDepth * band * loadQuad(four.kept) - loadQuad(four.separation);
    });
    const Vec3 first = take(std::max(deepest, 0));
    weigh(band, manifold.points[0].separation);
    const int widest =
        pickBest(fours_, 0, [&](const Four& four) { return loadQuad(four.weight) * lengthSquared(FourPlaces(four) - first); });
    if (widest < 0)
        return;
    const Vec3 second = take(widest);
    const Real sliver = kSliver * sunder::lengthSquared(second - first);  // smaller triangles add nothing
    const int aside = pickBest(fours_, 0, [&](const Four& four) {
        return loadQuad(four.weight) * (absolute(areas(normal_, first, second, FourPlaces(four))) - sliver);
    });
    if (aside < 0)
        return;
    const Vec3 third = take(aside);
    const Real turn = dot(normal_, cross(second - first, third - first)) > 0 ? Real(1) : Real(-1);
    const int outside = pickBest(fours_, 0, [&](const Four& four) {
        const FourPlaces places(four);
        const Quad inside =
            lesserOf(turn * areas(normal_, first, second, places),
                     lesserOf(turn * areas(normal_, second, third, places), turn * areas(normal_, third, first, places)));
        return loadQuad(four.weight) * (-inside - sliver);
    });
    if (outside >= 0)
        take(outside);
}

void PointCandidates::dropNear(Real separation, Real far, const ContactManifold& patch) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < fours_.size(); ++i) {
        unsigned bits = ~bitsOf(loadQuad(fours_[i].separation) < quadOf(separation)) & 15u;
        if (bits != 0)
            bits &= ~bitsOf(distancesToPatch(FourPlaces(fours_[i]), patch) < quadOf(far));
        for (; bits != 0; bits &= bits - 1)
            if (const std::size_t point = 4 * i + std::size_t(std::countr_zero(bits)); point < which_.size())
                which_[kept++] = which_[point];
    }
    which_.resize(kept);
    if (kept > 0)
        layOut();
}

}  // namespace sunder::collision
