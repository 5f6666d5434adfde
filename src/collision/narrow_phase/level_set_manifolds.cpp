#include "collision/narrow_phase/level_set_manifolds.h"

#include <algorithm>

namespace sunder::collision {
namespace {

// cos(32 degrees). A rough surface gives a spread of normals, which one manifold carries as well as many.
constexpr Real kSameNormal = Real(0.85);
// Of the squared width of a patch: the smallest triangle worth a point.
constexpr Real kSliver = Real(1e-3);
// Axes with their signs.
constexpr std::uint32_t kKeys = 6;
constexpr std::uint32_t kFarKey = 1000;  // on top of the axis
// Points this many blends off are not chosen for the first manifold wherever they lie, and those far outside of it need others.
constexpr Real kFarBlends = 4;
constexpr Real kLeastLength = Real(1e-12);  // m^2: of a line that is a point
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

ContactPoint pointOf(const ParticleContact& contact, const Vec3& normal) {
    const Vec3 across = normal * contact.separation;
    return contact.onB ? ContactPoint{contact.point - across, contact.point, contact.separation, contact.feature}
                       : ContactPoint{contact.point, contact.point + across, contact.separation, contact.feature};
}

// The point with the largest positive score; the earlier among equals.
template <class Score>
int pickBest(int count, Score score) {
    int best = -1;
    Real most = 0;
    for (int i = 0; i < count; ++i)
        if (const Real s = score(i); s > most) {
            best = i;
            most = s;
        }
    return best;
}

// At most four points: the deepest, then those that widen the patch most, a point counting the less the farther it is from
// touching. Without that weight the widest points would all be ones that touch nothing, and a curved surface would rock on the
// deepest particle alone.
void choosePoints(const std::vector<ContactPoint>& points, const Vec3& normal, Real band, ContactManifold& manifold) {
    const int count = int(points.size());
    const auto at = [&](int i) -> const ContactPoint& { return points[std::size_t(i)]; };
    int first = 0;
    for (int i = 1; i < count; ++i)
        if (at(i).separation < at(first).separation)
            first = i;
    const auto weight = [&](int i) { return square(band / (band + at(i).separation - at(first).separation)); };
    const auto area = [&](int i, int j, int k) { return dot(normal, cross(at(j).onA - at(i).onA, at(k).onA - at(i).onA)); };
    int chosen[kMaxManifoldPoints] = {first, -1, -1, -1};
    chosen[1] = pickBest(count, [&](int i) { return weight(i) * lengthSquared(at(i).onA - at(first).onA); });
    if (const int second = chosen[1]; second >= 0) {
        // A sliver adds nothing.
        const Real least = kSliver * lengthSquared(at(second).onA - at(first).onA);
        chosen[2] = pickBest(count, [&](int i) { return weight(i) * (std::fabs(area(first, second, i)) - least); });
        if (const int third = chosen[2]; third >= 0) {
            const Real turn = area(first, second, third) > 0 ? Real(1) : Real(-1);
            chosen[3] = pickBest(count, [&](int i) {
                const Real inside =
                    min(turn * area(first, second, i), min(turn * area(second, third, i), turn * area(third, first, i)));
                return weight(i) * (-inside - least);
            });
        }
    }
    manifold.normal = normal;
    for (const int i : chosen)
        if (i >= 0)
            manifold.points[manifold.count++] = at(i);
}

// How far the point is from the nearest line between two of the manifold's points, squared; from its point where it has one.
Real distanceToPatch(const Vec3& point, const ContactManifold& patch) {
    Real least = lengthSquared(point - patch.points[0].onA);
    for (int i = 0; i < patch.count; ++i)
        for (int j = i + 1; j < patch.count; ++j) {
            const Vec3 start = patch.points[i].onA, way = patch.points[j].onA - start;
            const Real along = clamp(dot(point - start, way) / max(lengthSquared(way), kLeastLength), 0, 1);
            least = min(least, lengthSquared(start + way * along - point));
        }
    return least;
}

// A long body that turns may be about to come down where no point of its manifold is: a wall that falls over touches the ground
// with one edge, and the other comes down within the step. Points that are far from touching make a second manifold where they
// are far outside of the first.
bool chooseFarPoints(std::vector<ContactPoint>& points, const Vec3& normal, Real blend, const FarPoints& limits,
                     const ContactManifold& first, ContactManifold& manifold) {
    Real deepest = kInfinity, widest = 0;
    for (int i = 0; i < first.count; ++i) {
        deepest = min(deepest, first.points[i].separation);
        widest = max(widest, lengthSquared(first.points[i].onA - first.points[0].onA));
    }
    const Real far = max(square(limits.widths) * widest, square(kFarBlends * blend));
    std::erase_if(points, [&](const ContactPoint& point) {
        return point.separation < deepest + limits.blends * blend || distanceToPatch(point.onA, first) < far;
    });
    if (points.empty())
        return false;
    choosePoints(points, normal, kFarBlends * kFarBlends * blend, manifold);
    return true;
}

}  // namespace

void appendManifolds(std::vector<ParticleContact>& contacts, const Quat& frameFromA, Real blend, const FarPoints& limits,
                     ManifoldList& out) {
    thread_local std::vector<ContactPoint> points;
    const std::size_t begin = out.size();
    for (int i = 0; i < kMaxLevelSetManifolds && !contacts.empty(); ++i) {
        const ParticleContact leader = contacts[deepestOf(contacts)];
        const Vec3 normal = meanNormal(contacts, leader, blend);
        points.clear();
        std::erase_if(contacts, [&](const ParticleContact& contact) {
            if (contact.feature != leader.feature && !(dot(contact.normal, normal) > kSameNormal))
                return false;
            points.push_back(pointOf(contact, normal));
            return true;
        });
        ContactManifold manifold;
        choosePoints(points, normal, blend, manifold);
        const std::uint32_t axis = mainAxis(inverseRotate(frameFromA, normal));
        manifold.key = uniqueKey(axis, out, begin);
        out.push_back(manifold);
        if (ContactManifold far; i == 0 && chooseFarPoints(points, normal, blend, limits, manifold, far)) {
            far.key = uniqueKey(axis + kFarKey, out, begin);
            out.push_back(far);
        }
        if (i == 0 && leader.separation < -kTangledBlends * blend)
            std::erase_if(contacts, [&](const ParticleContact& contact) { return dot(contact.normal, normal) < 0; });
    }
    contacts.clear();
}

}  // namespace sunder::collision
