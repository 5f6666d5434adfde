#include "collision/narrow_phase/level_set/level_set_manifolds.h"

#include <algorithm>
#include <bit>
#include <cstddef>

#include "collision/narrow_phase/level_set/point_choice.h"
#include "math/quads.h"

namespace sunder::collision {
namespace {

// cos(32 degrees). A rough surface gives a spread of normals, which one manifold carries as well as many.
constexpr Real kSameNormal = Real(0.85);
// Axes with their signs.
constexpr std::uint32_t kKeys = 6;
constexpr std::uint32_t kFarKey = 1000;  // on top of the axis
// Points this many blends off are not chosen for the first manifold wherever they lie, and those far outside of it need others.
constexpr Real kFarBlends = 4;
// So many times the width of that band deep, one has gone into the other, and what it would be held by on the far side does not
// count: points that face each other would keep it where it is.
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

// The same vector four times.
struct SameNormal {
    Quad x, y, z;

    explicit SameNormal(const Vec3& n) : x(quadOf(n.x)), y(quadOf(n.y)), z(quadOf(n.z)) {}
};

// The contacts that no manifold has yet, four by four.
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

    // The smaller feature among equals. None where none are left.
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

    // The mean normal of the contacts near the leader's, the deeper ones counting more. Added up in order.
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

    // Those of about this normal and the leader, which then are no longer left. Until the next call.
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
        Quad separation;  // beyond all where it is not left
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

    // Of fewer than four contacts the last is repeated, and not left.
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
    std::vector<Four> all_;  // of the most contacts so far
    std::size_t count_ = 0;  // of those in use
    std::vector<std::uint32_t> taken_;
};

// A long body that turns may be about to come down where no point of its manifold is: a wall that falls over touches the ground
// with one edge, and the other comes down within the step. Points that are far from touching make a second manifold where they
// are far outside of the first.
bool chooseFarPoints(PointCandidates& candidates, Real blend, const FarPoints& limits, const ContactManifold& first,
                     ContactManifold& manifold) {
    Real deepest = kInfinity, widest = 0;
    for (int i = 0; i < first.count; ++i) {
        deepest = min(deepest, first.points[i].separation);
        widest = max(widest, lengthSquared(first.points[i].onA - first.points[0].onA));
    }
    const Real far = max(square(limits.widths) * widest, square(kFarBlends * blend));
    candidates.dropNear(deepest + limits.blends * blend, far, first);
    if (candidates.isEmpty())
        return false;
    candidates.choose(kFarBlends * kFarBlends * blend, manifold);
    return true;
}

// One of the candidates, and with the first of a pair one of those far outside of it.
void appendManifold(PointCandidates& candidates, const Quat& frameFromA, Real blend, const FarPoints& limits, std::size_t begin,
                    ManifoldList& out) {
    const bool isFirst = out.size() == begin;
    ContactManifold manifold;
    candidates.choose(blend, manifold);
    const std::uint32_t axis = mainAxis(inverseRotate(frameFromA, manifold.normal));
    manifold.key = uniqueKey(axis, out, begin);
    out.push_back(manifold);
    if (ContactManifold far; isFirst && chooseFarPoints(candidates, blend, limits, manifold, far)) {
        far.key = uniqueKey(axis + kFarKey, out, begin);
        out.push_back(far);
    }
}

// Of the calling thread, kept for their memory.
struct Scratch {
    PointCandidates candidates;
    ContactsLeft left;
};
Scratch& scratchOfThread() {
    thread_local Scratch scratch;
    return scratch;
}

}  // namespace

void appendManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                     KnownManifolds known, ManifoldList& out) {
    auto& [candidates, left] = scratchOfThread();
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

void appendFlatManifolds(std::span<const ParticleContact> contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                         KnownManifolds known, ManifoldList& out) {
    PointCandidates& candidates = scratchOfThread().candidates;
    candidates.start(contacts, known);
    candidates.takeAll(contacts.front().normal);
    appendManifold(candidates, frameFromA, blend, limits, out.size(), out);
}

}  // namespace sunder::collision
