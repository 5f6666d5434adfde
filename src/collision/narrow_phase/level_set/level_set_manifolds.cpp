#include "collision/narrow_phase/level_set/level_set_manifolds.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "collision/narrow_phase/level_set/point_choice.h"
#include "math/quads.h"

namespace sunder::collision {
namespace {

// cos(32 degrees). Contacts whose normals agree to this share a manifold: a rough surface gives a spread of normals, which one
// manifold carries as well as many.
constexpr Real kSameNormal = Real(0.85);
// The main axis of a normal with its sign.
constexpr std::uint32_t kKeys = 6;
constexpr std::uint32_t kFarKey = 1000;  // offset of far manifolds' keys
// In blends: least distance from the first manifold's patch at which points may make a second one. Its square is the band of
// the second manifold, whose points are far from touching.
constexpr Real kFarBlends = 4;
// In blends. Where the deepest contact is deeper, one body has entered the other, and contacts that oppose the first manifold
// are dropped: with points that face each other it would be held inside.
constexpr Real kTangledBlends = 4;

std::uint32_t mainAxis(const Vec3& n) {
    const Vec3 a = abs(n);
    const std::uint32_t axis = a.x >= a.y && a.x >= a.z ? 0 : (a.y >= a.z ? 1 : 2);
    return 2 * axis + (component(n, int(axis)) < 0 ? 1 : 0);
}

std::uint32_t uniqueKey(std::uint32_t key, const ManifoldList& out, std::size_t begin) {
    for (std::size_t i = begin; i < out.size(); ++i)
        if (out[i].key == key) {
            key += kKeys;
            i = begin - 1;
        }
    return key;
}

// A normal in four equal lanes.
struct SameNormal {
    Quad x, y, z;

    explicit SameNormal(const Vec3& n) : x(quadOf(n.x)), y(quadOf(n.y)), z(quadOf(n.z)) {}
};

// The contacts that belong to no manifold yet, four at a time.
class ContactsLeft {
public:
    void start(std::span<const ParticleContact> contacts) {
        contacts_ = contacts;
        count_ = (contacts.size() + 3) / 4;
        if (all_.size() < count_) {
            all_.resize(count_);
            taken_.resize(4 * count_);
        }
        for (std::size_t i = 0; i < count_; ++i)
            layFour(std::uint32_t(4 * i), std::min<std::size_t>(contacts.size() - 4 * i, 4), all_[i]);
    }

    // The deepest contact left, the one of smaller feature among equals; null where none are left.
    const ParticleContact* deepest() const {
        Quad least = quadOf(kInfinity);
        for (const Four& four : fours())
            least = lesserOf(least, four.separation);
        const Quad depth = quadOf(leastOf(least));
        const ParticleContact* best = nullptr;
        for (const Four& four : fours())
            for (unsigned bits = bitsOf((four.separation == depth) & four.isLeft); bits != 0; bits &= bits - 1) {
                const ParticleContact& contact = contacts_[four.first + std::uint32_t(std::countr_zero(bits))];
                if (best == nullptr || contact.feature < best->feature)
                    best = &contact;
            }
        return best;
    }

    // The mean normal of the contacts that agree with the leader's, weighted by depth. Summed in order, so that the bits do not
    // depend on the lanes.
    Vec3 meanNormal(const ParticleContact& leader, Real blend) const {
        const SameNormal ofLeader(leader.normal);
        const Quad depth = quadOf(leader.separation + blend);
        const Vec3 start = leader.normal * (blend * Real(0.01));
        Quad sum{start.x, start.y, start.z, 0};
        for (const Four& four : fours()) {
            unsigned bits = bitsOf((four.along(ofLeader) > quadOf(kSameNormal)) & four.isLeft);
            if (bits == 0)
                continue;
            const Quad weight = greaterOf(quadOf(0), depth - four.separation);
            Quad parts[4] = {four.x * weight, four.y * weight, four.z * weight, quadOf(0)};
            transpose(parts);
            for (; bits != 0; bits &= bits - 1)
                sum += parts[std::countr_zero(bits)];
        }
        return normalizeOr({sum[0], sum[1], sum[2]}, leader.normal);
    }

    // Removes and returns the leader and the contacts of about this normal. Valid until the next call.
    std::span<const std::uint32_t> takeAlong(const Vec3& normal, const ParticleContact& leader) {
        const SameNormal same(normal);
        std::uint32_t* taken = taken_.data();
        std::size_t kept = 0;
        for (Four& four : fours()) {
            const QuadMask isTaken = ((four.along(same) > quadOf(kSameNormal)) | four.has(leader.feature)) & four.isLeft;
            for (unsigned bits = bitsOf(isTaken); bits != 0; bits &= bits - 1)
                *taken++ = four.first + std::uint32_t(std::countr_zero(bits));
            four.drop(isTaken);
            if (bitsOf(four.isLeft) == 0)
                continue;
            if (&all_[kept] != &four)
                all_[kept] = four;
            ++kept;
        }
        count_ = kept;
        return {taken_.data(), taken};
    }
    void dropAgainst(const Vec3& normal) {
        const SameNormal same(normal);
        for (Four& four : fours())
            four.drop(four.along(same) < quadOf(0));
    }

private:
    struct Four {
        Quad x, y, z;     // of the normals
        Quad separation;  // infinite once the contact is taken
        QuadMask isLeft;
        QuadInteger feature;
        std::uint32_t first;  // of the contacts

        Quad along(const SameNormal& n) const { return x * n.x + y * n.y + z * n.z; }
        QuadMask has(std::uint32_t wanted) const {
            const std::int32_t w = std::int32_t(wanted);
            return __builtin_convertvector(feature == QuadInteger{w, w, w, w}, QuadMask);
        }
        void drop(QuadMask isDropped) {
            isLeft &= ~isDropped;
            separation = select(isLeft, separation, quadOf(kInfinity));
        }
    };

    // Fewer than four contacts: unused lanes repeat the last one and count as taken.
    void layFour(std::uint32_t first, std::size_t count, Four& four) const {
        static_assert(offsetof(ParticleContact, normal) + 3 * sizeof(Real) == offsetof(ParticleContact, separation));
        constexpr std::size_t kNormal = offsetof(ParticleContact, normal) / sizeof(Real);
        const auto contact = [&](std::size_t lane) -> const ParticleContact& {
            return contacts_[first + std::min(lane, count - 1)];
        };
        const auto normal = [&](std::size_t lane) { return loadQuad(reinterpret_cast<const Real*>(&contact(lane)) + kNormal); };
        const auto feature = [&](std::size_t lane) { return std::int32_t(contact(lane).feature); };
        Quad rows[4] = {normal(0), normal(1), normal(2), normal(3)};
        transpose(rows);
        four.x = rows[0];
        four.y = rows[1];
        four.z = rows[2];
        four.separation = rows[3];
        four.feature = QuadInteger{feature(0), feature(1), feature(2), feature(3)};
        four.isLeft = QuadMask{0, 1, 2, 3} < wide::LaneInteger(count);
        four.first = first;
        four.drop(~four.isLeft);
    }

    std::span<const Four> fours() const { return {all_.data(), count_}; }
    std::span<Four> fours() { return {all_.data(), count_}; }

    std::span<const ParticleContact> contacts_;
    std::vector<Four> all_;  // grown to the largest number of contacts so far
    std::size_t count_ = 0;  // entries in use
    std::vector<std::uint32_t> taken_;
};

// Chooses a second manifold from points that are far from touching and far outside the first manifold. A long body that turns
// may be about to come down where its manifold has no point: a falling wall touches the ground with one edge, and the opposite
// edge comes down within the step.
bool chooseFarPoints(PointCandidates& candidates, Real blend, const PointLimits& limits, const ContactManifold& first,
                     ContactManifold& manifold) {
    Real deepest = kInfinity, widest = 0;
    for (int i = 0; i < first.count; ++i) {
        deepest = min(deepest, first.points[i].separation);
        widest = max(widest, lengthSquared(first.points[i].onA - first.points[0].onA));
    }
    const Real far = max(square(limits.farWidths) * widest, square(kFarBlends * blend));
    candidates.dropNear(deepest + limits.farBlends * blend, far, first);
    if (candidates.isEmpty())
        return false;
    candidates.choose(kFarBlends * kFarBlends * blend, manifold);
    return true;
}

// Appends one manifold of the candidates and, with the first of a pair, a second one of points far outside it.
void appendManifold(PointCandidates& candidates, const Quat& frameFromA, Real blend, const PointLimits& limits,
                    std::size_t begin, ManifoldList& out) {
    const bool isFirst = out.size() == begin;
    ContactManifold manifold;
    candidates.choose(limits.band * blend, manifold);
    const std::uint32_t axis = mainAxis(inverseRotate(frameFromA, manifold.normal));
    manifold.key = uniqueKey(axis, out, begin);
    out.push_back(manifold);
    if (ContactManifold far; isFirst && chooseFarPoints(candidates, blend, limits, manifold, far)) {
        far.key = uniqueKey(axis + kFarKey, out, begin);
        out.push_back(far);
    }
}

// Per thread, kept to reuse its memory.
struct ManifoldScratch {
    PointCandidates candidates;
    ContactsLeft left;
};
ManifoldScratch& manifoldScratch() {
    thread_local ManifoldScratch scratch;
    return scratch;
}

}  // namespace

void appendManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const PointLimits& limits,
                     KnownManifolds known, ManifoldList& out) {
    auto& [candidates, left] = manifoldScratch();
    candidates.start(contacts, known);
    left.start(contacts);
    const std::size_t begin = out.size();
    for (int i = 0; i < kMaxLevelSetManifolds; ++i) {
        const ParticleContact* leader = left.deepest();
        if (leader == nullptr)
            break;
        const Vec3 normal = left.meanNormal(*leader, blend);
        candidates.take(left.takeAlong(normal, *leader), normal);
        appendManifold(candidates, frameFromA, blend, limits, begin, out);
        if (i == 0 && leader->separation < -kTangledBlends * blend)
            left.dropAgainst(normal);
    }
}

void appendFlatManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend,
                         const PointLimits& limits, KnownManifolds known, ManifoldList& out) {
    PointCandidates& candidates = manifoldScratch().candidates;
    candidates.start(contacts, known);
    candidates.takeAll(contacts.front().normal);
    appendManifold(candidates, frameFromA, blend, limits, out.size(), out);
}

}  // namespace sunder::collision
