#include "world/contact/feel.h"

#include "world/record/bonded_pieces.h"
#include "world/record/contact_point.h"
#include "world/state/blows.h"

namespace sunder::world {

namespace {

// Only bodies that can break: nobody asks what the others felt.
bool feels(const Body& body) { return body.fracture || (body.bonds && isWatched(body)); }

// Calls visit(slot, isB, pair, manifold) for each side of each manifold whose body can break.
template <class Visitor>
void forEachSide(const PagedVector<Body>& bodies, const PagedVector<ContactPair>& pairs, Visitor&& visit) {
    for (std::uint32_t i = 0; i < pairs.size(); ++i) {
        const ContactPair& pair = pairs[i];
        if (pair.manifoldCount == 0)
            continue;
        for (const bool isB : {false, true})
            if (const std::uint32_t slot = isB ? pair.bodyB : pair.bodyA; feels(bodies[slot]))
                for (std::uint32_t j = 0; j < pair.manifoldCount; ++j)
                    visit(slot, isB, i, pair.firstManifold + j);
    }
}

FeltImpulse feltAt(const Body& body, const dynamics::ContactConstraint& constraint, const dynamics::ConstraintPoint& point,
                   bool isB, Real h) {
    const Real sign = isB ? Real(1) : Real(-1);
    const Vec3 impulse = constraint.normal * point.totalNormalImpulse + constraint.tangent1 * point.totalTangentImpulse1 +
                         constraint.tangent2 * point.totalTangentImpulse2;
    FeltImpulse felt;
    felt.child = isB ? constraint.id.childB : constraint.id.childA;
    felt.point = anchorInBody(body, isB ? constraint.frameB : constraint.frameA, isB ? point.anchorB : point.anchorA);
    felt.outward = isB ? -constraint.normal : constraint.normal;
    felt.impulse = impulse * sign;
    felt.endForce = impulseOf(constraint, point) * (sign / h);
    felt.normalImpulse = point.totalNormalImpulse;
    felt.separation = point.separation;
    return felt;
}

FeltImpulse feltBy(const SweptBlow& blow, bool isStriker) {
    FeltImpulse felt;
    felt.partner = isStriker ? blow.struck : blow.striker;
    felt.child = isStriker ? blow.childOfStriker : blow.childOfStruck;
    felt.point = isStriker ? blow.onStriker : blow.onStruck;
    felt.outward = isStriker ? -blow.normal : blow.normal;
    felt.impulse = isStriker ? blow.impulse : -blow.impulse;
    felt.normalImpulse = blow.normalImpulse;
    felt.time = blow.time;
    return felt;
}

// Turns counts per slot into the places where each body's impulses begin.
void layOut(FeltState& felt) {
    std::uint32_t sum = 0;
    for (std::uint32_t slot = 0; slot < felt.places.size(); ++slot) {
        const std::uint32_t count = felt.places[slot];
        if (count > 0)
            felt.bodies.push_back({slot, sum, count});
        felt.places[slot] = sum;
        sum += count;
    }
    felt.impulses.resize(sum);
}

}  // namespace

void listFelt(WorldState& world, Real h) {
    FeltState& felt = world.solve.felt;
    felt.impulses.clear();
    felt.bodies.clear();
    if (!world.breaking.anyBreakable && world.roster.bonded.empty())
        return;
    felt.places.assign(world.bodies.size(), 0);
    forEachSide(world.bodies, world.pairs, [&](std::uint32_t slot, bool, std::uint32_t, std::uint32_t manifold) {
        felt.places[slot] += static_cast<std::uint32_t>(world.constraints[manifold].count);
    });
    const auto forEachStruck = [&](auto&& visit) {
        forEachBlow(world.solve, [&](const SweptBlow& blow) {
            for (const bool isStriker : {true, false})
                if (const std::uint32_t slot = isStriker ? blow.striker : blow.struck; feels(world.bodies[slot]))
                    visit(slot, blow, isStriker);
        });
    };
    forEachStruck([&](std::uint32_t slot, const SweptBlow&, bool) { ++felt.places[slot]; });
    layOut(felt);
    forEachSide(world.bodies, world.pairs, [&](std::uint32_t slot, bool isB, std::uint32_t pair, std::uint32_t manifold) {
        const dynamics::ContactConstraint& constraint = world.constraints[manifold];
        for (int i = 0; i < constraint.count; ++i) {
            FeltImpulse& out = felt.impulses[felt.places[slot]++];
            out = feltAt(world.bodies[slot], constraint, constraint.points[i], isB, h);
            out.partner = isB ? world.pairs[pair].bodyA : world.pairs[pair].bodyB;
            out.pair = pair;
            out.manifold = manifold;
        }
    });
    forEachStruck([&](std::uint32_t slot, const SweptBlow& blow, bool isStriker) {
        felt.impulses[felt.places[slot]++] = feltBy(blow, isStriker);
    });
}

}  // namespace sunder::world
