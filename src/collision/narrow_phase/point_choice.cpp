#include "collision/narrow_phase/point_choice.h"

#include <algorithm>
#include <bit>

#include "math/quads.h"

namespace sunder::collision {
namespace {

// Of the squared width of a patch: the smallest triangle worth a point.
constexpr Real kSliver = Real(1e-3);
// Points of the last time: of the band, how much deeper another must be, and how much more than another they count.
constexpr Real kKeptDepth = Real(0.1), kKeptWeight = 3;
constexpr Real kLeastLength = Real(1e-12);  // m^2: of a line that is a point

struct FourPlaces {
    Quad x, y, z;

    explicit FourPlaces(const PointCandidates::Four& four) : x(loadQuad(four.x)), y(loadQuad(four.y)), z(loadQuad(four.z)) {}
    FourPlaces(Quad px, Quad py, Quad pz) : x(px), y(py), z(pz) {}
};
FourPlaces operator-(const FourPlaces& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
Quad lengthSquared(const FourPlaces& a) { return a.x * a.x + a.y * a.y + a.z * a.z; }

// Of the triangles from p over q to each of four points, twice, as seen along the normal.
Quad areas(const Vec3& normal, const Vec3& p, const Vec3& q, const FourPlaces& places) {
    const Vec3 side = q - p;
    const FourPlaces arm = places - p;
    return normal.x * (side.y * arm.z - side.z * arm.y) + normal.y * (side.z * arm.x - side.x * arm.z) +
           normal.z * (side.x * arm.y - side.y * arm.x);
}

// The point with the largest score above `least`; the earlier among equals. -1 where there is none.
template <class Score>
int pickBest(const std::vector<PointCandidates::Four>& fours, Real least, const Score& score) {
    Quad most = quadOf(least);
    QuadMask best{-1, -1, -1, -1}, index{0, 1, 2, 3};
    for (const PointCandidates::Four& four : fours) {
        const Quad s = score(four);
        const QuadMask isMore = s > most;
        most = select(isMore, s, most);
        best = (isMore & index) | (~isMore & best);
        index += 4;
    }
    int lane = 0;
    for (int i = 1; i < 4; ++i)
        if (most[i] > most[lane] || (most[i] == most[lane] && (unsigned(best[i]) < unsigned(best[lane]))))
            lane = i;
    return int(best[lane]);
}

// How far each of four points is from the nearest line between two of the manifold's points, squared; from its point where it
// has one.
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

void PointCandidates::start(const Vec3& normal, KnownManifolds known) {
    normal_ = normal;
    contacts_.clear();
    known_ = known;
    knownBits_ = 0;
    for (const KnownManifold& manifold : known)
        for (int i = 0; i < manifold.count; ++i)
            knownBits_ |= 1ull << (manifold.features[i] / 2) % 64;
}

bool PointCandidates::isKnown(std::uint32_t feature) const {
    if (!(knownBits_ >> (feature / 2) % 64 & 1))
        return false;
    return std::any_of(known_.begin(), known_.end(), [&](const KnownManifold& manifold) { return manifold.has(feature); });
}

void PointCandidates::add(const ParticleContact& contact) { contacts_.push_back(contact); }

void PointCandidates::takeAll(std::vector<ParticleContact>& contacts) {
    std::swap(contacts_, contacts);
    contacts.clear();
}

void PointCandidates::finish() {
    fours_.resize((contacts_.size() + 3) / 4);
    for (std::size_t i = 0; i < 4 * fours_.size(); ++i) {
        Four& four = fours_[i / 4];
        const std::size_t from = std::min(i, contacts_.size() - 1), lane = i % 4;
        const Vec3 place = placeOf(from);
        four.x[lane] = place.x;
        four.y[lane] = place.y;
        four.z[lane] = place.z;
        four.separation[lane] = contacts_[from].separation;
        four.kept[lane] = isKnown(contacts_[from].feature) ? Real(1) : Real(0);
    }
}

Vec3 PointCandidates::placeOf(std::size_t i) const {
    const ParticleContact& contact = contacts_[i];
    return contact.onB ? contact.point - normal_ * contact.separation : contact.point;
}

ContactPoint PointCandidates::pointOf(std::size_t i) const {
    const ParticleContact& contact = contacts_[i];
    const Vec3 across = normal_ * contact.separation;
    return contact.onB ? ContactPoint{contact.point - across, contact.point, contact.separation, contact.feature}
                       : ContactPoint{contact.point, contact.point + across, contact.separation, contact.feature};
}

void PointCandidates::choose(Real band, ContactManifold& manifold) const {
    manifold.normal = normal_;
    const auto take = [&](int i) {
        manifold.points[manifold.count++] = pointOf(std::size_t(i));
        return manifold.points[manifold.count - 1].onA;
    };
    const int deepest = pickBest(fours_, -kInfinity, [&](const Four& four) {
        return kKeptDepth * band * loadQuad(four.kept) - loadQuad(four.separation);
    });
    const Vec3 first = take(std::max(deepest, 0));
    const Real least = manifold.points[0].separation;
    const auto weight = [&](const Four& four) {
        const Quad share = band / (band + loadQuad(four.separation) - least);
        return share * share * (1 + kKeptWeight * loadQuad(four.kept));
    };
    const int widest =
        pickBest(fours_, 0, [&](const Four& four) { return weight(four) * lengthSquared(FourPlaces(four) - first); });
    if (widest < 0)
        return;
    const Vec3 second = take(widest);
    const Real sliver = kSliver * sunder::lengthSquared(second - first);  // adds nothing
    const int aside = pickBest(fours_, 0, [&](const Four& four) {
        return weight(four) * (absolute(areas(normal_, first, second, FourPlaces(four))) - sliver);
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
        return weight(four) * (-inside - sliver);
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
            if (const std::size_t point = 4 * i + std::size_t(std::countr_zero(bits)); point < contacts_.size())
                contacts_[kept++] = contacts_[point];
    }
    contacts_.resize(kept);
    if (kept > 0)
        finish();
}

}  // namespace sunder::collision
