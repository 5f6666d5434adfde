#include "world/contact/impulse_pairs.h"

#include <algorithm>

#include "world/pair/distances.h"

namespace sunder::world {

namespace {

dynamics::ImpulseSide sideOf(const Body& body) {
    const std::uint32_t index = body.motion == Motion::Static ? dynamics::kFixedBody : body.solverIndex;
    return {index, body.shape.get(), inverse(body.bodyFromPrincipal), body.orientation};
}

Real thinnest(const Body& a, const Body& b) {
    const Real x = a.shape->innerRadius, y = b.shape->innerRadius;
    return x > 0 && y > 0 ? min(x, y) : max(x, y);  // a mesh has no inside
}

dynamics::ImpulsePair& nextPair(dynamics::ImpulseScratch& scratch) {
    if (scratch.pairCount == scratch.pairs.size())
        scratch.pairs.emplace_back();
    return scratch.pairs[scratch.pairCount++];
}

// Appends constraints for the impulses reported of one pair: one per key, and several where a manifold has no room for all
// points.
void appendConstraints(const dynamics::ImpulsePair& pair, const dynamics::ContactConstraint& material,
                       PagedVector<dynamics::ContactConstraint>& out) {
    const std::size_t first = out.size();
    for (const dynamics::ImpulseSite& site : pair.report) {
        auto found = std::find_if(out.begin() + first, out.end(), [&](const dynamics::ContactConstraint& c) {
            return c.id.key == site.key && c.id.childA == site.childA && c.id.childB == site.childB &&
                   c.count < collision::kMaxManifoldPoints;
        });
        if (found == out.end()) {
            dynamics::ContactConstraint constraint = material;
            constraint.id.key = site.key;
            constraint.id.childA = site.childA;
            constraint.id.childB = site.childB;
            constraint.frameA = constraint.frameB = {};
            constraint.count = 0;
            constraint.normal = -site.N;
            constraint.tangent1 = anyPerpendicular(constraint.normal);
            constraint.tangent2 = cross(constraint.normal, constraint.tangent1);
            out.push_back(constraint);
            found = out.end() - 1;
        }
        dynamics::ConstraintPoint& point = found->points[found->count++];
        point = {};
        point.feature = site.feature;
        point.anchorA = site.anchorA;
        point.anchorB = site.anchorB;
        point.armA = site.armA;
        point.armB = site.armB;
        point.separation = site.separation;
        point.normalImpulse = dot(site.steadyImpulse, site.N);
        point.tangentImpulse1 = -dot(site.steadyImpulse, found->tangent1);
        point.tangentImpulse2 = -dot(site.steadyImpulse, found->tangent2);
        point.totalNormalImpulse = dot(site.impulse, site.N);
        point.totalTangentImpulse1 = -dot(site.impulse, found->tangent1);
        point.totalTangentImpulse2 = -dot(site.impulse, found->tangent2);
    }
}

Vec3 armTo(const Body& body, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
    return body.motion == Motion::Static ? anchor : armAtStart(frame, body.orientation, anchor);
}

// A point of a constraint as the bodies lie at the start of the step. Where they were searched as they will lie later, its
// separation is that along the normal of then.
dynamics::ImpulseSite carriedSite(const Body& a, const Body& b, const dynamics::ContactConstraint& constraint, int index) {
    const dynamics::ConstraintPoint& point = constraint.points[index];
    const Vec3 offset = b.center - a.center;
    const Vec3 onA = armTo(a, constraint.frameA, point.anchorA), onB = offset + armTo(b, constraint.frameB, point.anchorB);
    dynamics::ImpulseSite site;
    site.key = constraint.id.key;
    site.feature = point.feature;
    site.childA = constraint.id.childA;
    site.childB = constraint.id.childB;
    site.N = -constraint.normal;
    site.separation = dot(onB - onA, constraint.normal);
    const Vec3 common = (onA + onB) * Real(0.5);
    site.armA = common;
    site.armB = common - offset;
    site.anchorA = a.motion == Motion::Static ? site.armA : inverseRotate(a.orientation, site.armA);
    site.anchorB = b.motion == Motion::Static ? site.armB : inverseRotate(b.orientation, site.armB);
    site.impulse = -dynamics::impulseOf(constraint, point);
    return site;
}

}  // namespace

void addImpulsePair(const PagedVector<Body>& bodies, const ContactPair& pair, std::uint32_t source,
                    const dynamics::ContactConstraint& constraint, dynamics::ImpulseScratch& scratch) {
    const Body &a = bodies[pair.bodyA], &b = bodies[pair.bodyB];
    dynamics::ImpulsePair& to = nextPair(scratch);
    to.source = source;
    to.a = sideOf(a);
    to.b = sideOf(b);
    to.centerOffset = b.center - a.center;
    to.material = constraint.material;
    to.margin = marginOf(thinnest(a, b));
    to.touching = min(kTouchGap, kTouchGapShare * thinnest(a, b));
    to.sites.clear();
    to.previousSites.clear();
    to.carried.clear();
    to.report.clear();
}

void listImpulsePairs(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs,
                      const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve) {
    solve.impulse.pairCount = 0;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        const ContactPair& pair = pairs[i];
        if (pair.manifoldCount == 0)  // too far apart for this step, or a sensor
            continue;
        if (bodies[pair.bodyA].vertices || bodies[pair.bodyB].vertices)  // the phases of this scheme look at shapes only
            continue;
        addImpulsePair(bodies, pair, i, constraints[pair.firstManifold], solve.impulse);
    }
}

void listCarriedSites(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs,
                      const PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve) {
    for (std::size_t i = 0; i < solve.impulse.pairCount; ++i) {
        dynamics::ImpulsePair& pair = solve.impulse.pairs[i];
        const ContactPair& source = pairs[pair.source];
        pair.carried.clear();
        for (std::uint32_t m = source.firstManifold; m < source.firstManifold + source.manifoldCount; ++m)
            for (int k = 0; k < constraints[m].count; ++k)
                pair.carried.push_back(carriedSite(bodies[source.bodyA], bodies[source.bodyB], constraints[m], k));
    }
}

void storeImpulses(PagedVector<ContactPair>& pairs, PagedVector<dynamics::ContactConstraint>& constraints, SolveState& solve) {
    PagedVector<dynamics::ContactConstraint>& out = solve.impulseConstraints;
    out.clear();
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        ContactPair& pair = pairs[i];
        const std::uint32_t first = static_cast<std::uint32_t>(out.size());
        if (next < solve.impulse.pairCount && solve.impulse.pairs[next].source == i) {
            appendConstraints(solve.impulse.pairs[next], constraints[pair.firstManifold], out);
            ++next;
        }
        pair.firstManifold = first;
        pair.manifoldCount = static_cast<std::uint32_t>(out.size()) - first;
    }
    std::swap(out, constraints);
}

}  // namespace sunder::world
