#include "world/contact/grazes.h"

#include <algorithm>

#include "collision/continuous/face_height.h"
#include "core/fitted.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::world {

namespace {

using dynamics::ContactConstraint;

// Faces are level where the difference is less than contacts are springs for; for small bodies than a share of the inner
// radius.
constexpr Real kLevelShare = Real(0.02);
// Cosine of half a degree: a contact along the normal of what holds the body is no obstacle.
constexpr Real kAlongNormal = Real(0.99996);

Vec3 armOf(const Flight& flight, const dynamics::AnchorFrame& frame, const Vec3& anchor) {
    return flight.fixed ? anchor : dynamics::armAtStart(frame, flight.orientation, anchor);
}

// A point of a contact at the start of the step.
struct Gap {
    Real gap = 0;      // m, along the normal
    Real closing = 0;  // m/s, as the bodies go now
};
Gap gapAt(const Flight& a, const Flight& b, const ContactConstraint& constraint, int i) {
    const dynamics::ConstraintPoint& point = constraint.points[i];
    const Vec3 armA = armOf(a, constraint.frameA, point.anchorA), armB = armOf(b, constraint.frameB, point.anchorB);
    const auto velocity = [](const Flight& flight, const Vec3& arm) {
        return flight.fixed ? Vec3{} : flight.body->velocity + cross(flight.angularVelocity, arm);
    };
    return {dot(b.center - a.center + armB - armA, constraint.normal),
            dot(velocity(a, armA) - velocity(b, armB), constraint.normal)};
}

bool isLoaded(const ContactConstraint& constraint) {
    for (int i = 0; i < constraint.count; ++i)
        if (constraint.points[i].normalImpulse > 0)
            return true;
    return false;
}

const BuiltShape& partOf(const Flight& flight, std::uint32_t child) {
    return flight.shape->type == ShapeType::Compound ? *flight.shape->children[child].shape : *flight.shape;
}
Pose placeOf(const Flight& flight, std::uint32_t child, const Vec3& center) {
    const Pose pose{flight.shapePose.position + center, flight.shapePose.orientation};
    return flight.shape->type == ShapeType::Compound ? pose * flight.shape->children[child].parentFromChild : pose;
}
bool isConvex(const Flight& flight) { return !isMesh(flight) && !flight.isLevelSet && !flight.isShell && !flight.deforms; }

Real levelOf(const Flight& a, const Flight& b) {
    return min(dynamics::kTouchingGap, kLevelShare * min(a.innerRadius, b.innerRadius));
}

}  // namespace

bool mayGraze(const Flight& a, const Flight& b, const ContactConstraint& constraint, Real dt) {
    const Real speed = a.startSpeed + a.turning + b.startSpeed + b.turning;
    if (!(speed * dt > dynamics::kTouchingGap) || !isConvex(a) || !isConvex(b))
        return false;
    bool stops = false;
    for (int i = 0; i < constraint.count; ++i) {
        const auto [gap, closing] = gapAt(a, b, constraint, i);
        if (gap < -levelOf(a, b))
            return false;
        stops = stops || gap - closing * dt < dynamics::kTouchingGap;
    }
    return stops;
}

namespace {

class Grazes {
public:
    Grazes(WorldState& world, Real dt) : world_(world), search_(world.search), dt_(dt) {
        search_.marks.assign(world.bodies.size(), 0);
        for (const NarrowPhaseBlock& block : search_.usedBlocks())
            for (const std::uint32_t pair : block.mayGraze)
                search_.marks[world.pairs[pair].bodyA] = search_.marks[world.pairs[pair].bodyB] = 1;
        for (std::uint32_t i = 0; i < world.pairs.size(); ++i)
            if (const ContactPair& pair = world.pairs[i]; pair.manifoldCount > 0)
                for (const std::uint32_t slot : {pair.bodyA, pair.bodyB})
                    if (search_.marks[slot] && search_.flightOf(slot) != nullptr)
                        search_.around.push_back({slot, i});
        std::sort(search_.around.begin(), search_.around.end());
    }

    void drop() {
        for (const NarrowPhaseBlock& block : search_.usedBlocks())
            for (const std::uint32_t index : block.mayGraze) {
                ContactPair& pair = world_.pairs[index];
                const Flight &a = flightAt(pair.bodyA, ownA_), &b = flightAt(pair.bodyB, ownB_);
                for (ContactConstraint& constraint : contactsOf(pair))
                    if (constraint.count > 0 && mayGraze(a, b, constraint, dt_) &&
                        (goesOver(pair.bodyA, a, b, constraint, false) || goesOver(pair.bodyB, b, a, constraint, true))) {
                        constraint.count = 0;
                        pair.seen.reach = -1;
                    }
            }
    }

private:
    const Flight& flightAt(std::uint32_t slot, Flight& own) const {
        if (const Flight* flight = search_.flightOf(slot))
            return *flight;
        own = flightOf(world_.bodies[slot], {}, dt_);
        return own;
    }
    std::span<ContactConstraint> contactsOf(const ContactPair& pair) const {
        return std::span(world_.constraints).subspan(pair.firstManifold, pair.manifoldCount);
    }

    // Whether one of the other contacts of a body holds it over a face of the obstacle.
    bool goesOver(std::uint32_t slot, const Flight& body, const Flight& obstacle, const ContactConstraint& contact,
                  bool isB) const {
        const Vec3 away = isB ? contact.normal : -contact.normal;  // from the obstacle to the body
        for (auto i = std::lower_bound(search_.around.begin(), search_.around.end(), std::pair(slot, 0u));
             i != search_.around.end() && i->first == slot; ++i) {
            const ContactPair& pair = world_.pairs[i->second];
            const bool isUpper = pair.bodyB == slot;
            for (const ContactConstraint& other : contactsOf(pair)) {
                const Vec3 up = isUpper ? other.normal : -other.normal;
                if (&other == &contact || other.count == 0 || dot(up, away) > kAlongNormal)
                    continue;
                if (const Real height = heightOfBody(pair, other);
                    height < kInfinity && isOver(body, obstacle, isB ? contact.id.childB : contact.id.childA,
                                                 isB ? contact.id.childA : contact.id.childB, up, away, height))
                    return true;
            }
        }
        return false;
    }

    // m: over what the contact holds it on; infinite where it does not hold it in this step.
    Real heightOfBody(const ContactPair& pair, const ContactConstraint& constraint) const {
        Flight ownA, ownB;
        const Flight &a = flightAt(pair.bodyA, ownA), &b = flightAt(pair.bodyB, ownB);
        Real height = kInfinity;
        bool holds = isLoaded(constraint);
        for (int i = 0; i < constraint.count; ++i) {
            const auto [gap, closing] = gapAt(a, b, constraint, i);
            height = min(height, gap);
            holds = holds || gap - closing * dt_ < dynamics::kTouchingGap;
        }
        return holds ? height : kInfinity;
    }

    // Whether the body is over a face of the obstacle, as high as over what holds it or higher, and touches not that face.
    bool isOver(const Flight& body, const Flight& obstacle, std::uint32_t child, std::uint32_t obstacleChild, const Vec3& up,
                const Vec3& away, Real height) const {
        return collision::heightOverFace(partOf(obstacle, obstacleChild),
                                         placeOf(obstacle, obstacleChild, obstacle.center - body.center), partOf(body, child),
                                         placeOf(body, child, {}), up, away) > height - levelOf(body, obstacle);
    }

    WorldState& world_;
    SearchState& search_;
    const Real dt_;
    Flight ownA_, ownB_;
};

}  // namespace

void dropGrazes(WorldState& world, Real dt) {
    clearFitted(world.search.around);  // of the last step; most have none
    for (const NarrowPhaseBlock& block : world.search.usedBlocks())
        if (!block.mayGraze.empty())
            return Grazes(world, dt).drop();
}

}  // namespace sunder::world
