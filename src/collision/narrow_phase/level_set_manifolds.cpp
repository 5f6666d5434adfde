#include "collision/narrow_phase/level_set_manifolds.h"

#include <algorithm>

#include "collision/narrow_phase/point_choice.h"

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

// Deepest; the smaller feature among equals.
std::size_t deepestOf(const std::vector<ParticleContact>& contacts) {
    std::size_t best = 0;
    for (std::size_t i = 1; i < contacts.size(); ++i)
        if (contacts[i].separation < contacts[best].separation ||
            (contacts[i].separation == contacts[best].separation && contacts[i].feature < contacts[best].feature))
            best = i;
    return best;
}

// The mean normal of the contacts near the leader's, the deeper ones counting more.
Vec3 meanNormal(const std::vector<ParticleContact>& contacts, const ParticleContact& leader, Real blend) {
    Vec3 sum = leader.normal * (blend * Real(0.01));
    for (const ParticleContact& contact : contacts)
        if (dot(contact.normal, leader.normal) > kSameNormal)
            sum += contact.normal * max(0, leader.separation + blend - contact.separation);
    return normalizeOr(sum, leader.normal);
}

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
    candidates.finish();
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
PointCandidates& emptyCandidates() {
    thread_local PointCandidates candidates;
    return candidates;
}

}  // namespace

void appendManifolds(std::vector<ParticleContact>& contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                     KnownManifolds known, ManifoldList& out) {
    PointCandidates& candidates = emptyCandidates();
    const std::size_t begin = out.size();
    for (int i = 0; i < kMaxLevelSetManifolds && !contacts.empty(); ++i) {
        const ParticleContact leader = contacts[deepestOf(contacts)];
        const Vec3 normal = meanNormal(contacts, leader, blend);
        candidates.start(normal, known);
        std::erase_if(contacts, [&](const ParticleContact& contact) {
            if (contact.feature != leader.feature && !(dot(contact.normal, normal) > kSameNormal))
                return false;
            candidates.add(contact);
            return true;
        });
        appendManifold(candidates, frameFromA, blend, limits, begin, out);
        if (i == 0 && leader.separation < -kTangledBlends * blend)
            std::erase_if(contacts, [&](const ParticleContact& contact) { return dot(contact.normal, normal) < 0; });
    }
    contacts.clear();
}

void appendFlatManifolds(std::vector<ParticleContact>& contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                         KnownManifolds known, ManifoldList& out) {
    PointCandidates& candidates = emptyCandidates();
    candidates.start(contacts.front().normal, known);
    candidates.takeAll(contacts);
    appendManifold(candidates, frameFromA, blend, limits, out.size(), out);
}

}  // namespace sunder::collision
