#include "world/contact/grazes.h"

#include <algorithm>
#include <optional>

#include "collision/continuous/face_height.h"
#include "core/fitted.h"
#include "dynamics/contact/scalar/contact_law.h"

namespace sunder::world {

namespace {

using dynamics::ContactConstraint;

// Faces are level where the difference is less than contacts are springs for; for small bodies than a share of the inner
// radius.
constexpr Real kLevelShare = Real(0.02);
// m: what moves less against the other body in the step goes over nothing.
constexpr Real kLeastWay = Real(0.1) * dynamics::kTouchingGap;
// m: faces that move more against each other in the step are not those of one floor.
constexpr Real kMostWayOfFloor = dynamics::kTouchingGap;
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

Vec3 velocityOf(const Flight& flight) { return flight.fixed ? Vec3{} : flight.body->velocity; }

// m: how far surfaces move against each other in the step, at most.
Real wayBetween(const Flight& a, const Flight& b, Real dt) {
    return (length(velocityOf(a) - velocityOf(b)) + a.turning + b.turning) * dt;
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
    if (!(wayBetween(a, b, dt) > kLeastWay) || !isConvex(a) || !isConvex(b))
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
        listAround();
        const auto isNone = [&](const GrazingContact& contact) { return !isGraze(contact); };
        runTasks(*world.tasks, int(search_.usedCount()),
                 [&](int block) { std::erase_if(search_.narrowPhaseBlocks[std::size_t(block)].mayGraze, isNone); });
    }

    // One after the other: what is dropped holds nobody any more.
    void drop() {
        for (const NarrowPhaseBlock& block : search_.usedBlocks())
            for (const GrazingContact& contact : block.mayGraze)
                if (isGraze(contact)) {
                    world_.constraints[contact.manifold].count = 0;
                    world_.pairs[contact.pair].seen.reach = -1;
                }
    }

private:
    // Calls visit(flight, pair) for the moving bodies of the pairs with contacts, in the order of the pairs.
    template <class Visit>
    void forEachTouching(Visit&& visit) const {
        for (std::size_t block = 0; block < search_.usedCount(); ++block)
            for (const FoundPair& found : search_.foundOf(block))
                for (const std::uint32_t slot : {world_.pairs[found.pair].bodyA, world_.pairs[found.pair].bodyB})
                    if (search_.flightOf(slot) != nullptr)
                        visit(search_.flightAt[slot], found.pair);
    }

    // Lists the pairs with contacts of bodies that may graze something.
    void listAround() {
        search_.marks.assign(search_.flights.size(), 0);
        for (const NarrowPhaseBlock& block : search_.usedBlocks())
            for (const GrazingContact& contact : block.mayGraze)
                for (const std::uint32_t slot : {world_.pairs[contact.pair].bodyA, world_.pairs[contact.pair].bodyB})
                    if (search_.flightOf(slot) != nullptr)
                        search_.marks[search_.flightAt[slot]] = 1;
        std::vector<std::uint32_t>& end = search_.aroundEnd;
        end.assign(search_.flights.size() + 1, 0);
        forEachTouching([&](std::uint32_t flight, std::uint32_t) { end[flight + 1] += search_.marks[flight]; });
        for (std::size_t i = 1; i < end.size(); ++i)
            end[i] += end[i - 1];
        resizeFitted(search_.around, end.back());
        // Until here a body's own is its begin.
        forEachTouching([&](std::uint32_t flight, std::uint32_t pair) {
            if (search_.marks[flight])
                search_.around[end[flight]++] = pair;
        });
    }
    std::span<const std::uint32_t> aroundOf(std::uint32_t slot) const {
        if (search_.flightOf(slot) == nullptr)
            return {};
        const std::uint32_t flight = search_.flightAt[slot], begin = flight > 0 ? search_.aroundEnd[flight - 1] : 0;
        return std::span(search_.around).subspan(begin, search_.aroundEnd[flight] - begin);
    }

    std::span<const ContactConstraint> contactsOf(const ContactPair& pair) const {
        return std::span(world_.constraints).subspan(pair.firstManifold, pair.manifoldCount);
    }

    bool isGraze(const GrazingContact& contact) const {
        const ContactPair& pair = world_.pairs[contact.pair];
        const ContactConstraint& constraint = world_.constraints[contact.manifold];
        if (constraint.count == 0)
            return false;
        Flight ownA, ownB;
        const Flight &a = flightAt(pair.bodyA, ownA), &b = flightAt(pair.bodyB, ownB);
        return goesOver(pair.bodyA, a, b, constraint, false) || goesOver(pair.bodyB, b, a, constraint, true);
    }

    const Flight& flightAt(std::uint32_t slot, Flight& own) const {
        if (const Flight* flight = search_.flightOf(slot))
            return *flight;
        own = flightOf(world_.bodies[slot], {}, dt_);
        return own;
    }

    // A contact as one of its bodies sees it.
    struct Side {
        const Flight &body, &obstacle;
        const BuiltShape &part, &obstaclePart;
        Pose place, obstaclePlace;  // about the body's centre
        Vec3 away;                  // from the obstacle
    };
    static Side sideOf(const Flight& body, const Flight& obstacle, const ContactConstraint& contact, bool isB) {
        const std::uint32_t child = isB ? contact.id.childB : contact.id.childA,
                            obstacleChild = isB ? contact.id.childA : contact.id.childB;
        return {body,
                obstacle,
                partOf(body, child),
                partOf(obstacle, obstacleChild),
                placeOf(body, child, {}),
                placeOf(obstacle, obstacleChild, obstacle.center - body.center),
                isB ? contact.normal : -contact.normal};
    }

    // Whether one of the other contacts of a body holds it over a face of the obstacle.
    bool goesOver(std::uint32_t slot, const Flight& body, const Flight& obstacle, const ContactConstraint& contact,
                  bool isB) const {
        std::optional<Side> side;  // found once it is needed: most obstacles are no floor
        for (const std::uint32_t index : aroundOf(slot)) {
            const ContactPair& pair = world_.pairs[index];
            if (!isOneFloor(obstacle, pair.bodyB == slot ? pair.bodyA : pair.bodyB))
                continue;
            if (!side)
                side.emplace(sideOf(body, obstacle, contact, isB));
            for (const ContactConstraint& other : contactsOf(pair))
                if (&other != &contact && other.count > 0 && isOver(*side, pair, other, pair.bodyB == slot))
                    return true;
        }
        return false;
    }

    // Whether the contact `other` holds the body over a face of the obstacle: as high as over what it lies on, or higher.
    bool isOver(const Side& side, const ContactPair& pair, const ContactConstraint& other, bool isUpper) const {
        const Vec3 up = isUpper ? other.normal : -other.normal;
        if (dot(up, side.away) > kAlongNormal)
            return false;
        const Quat& turn = side.obstaclePlace.orientation;
        const auto face = collision::faceAlong(side.obstaclePart, inverseRotate(turn, up), inverseRotate(turn, side.away));
        if (!face)
            return false;
        const Real height = heightOfBody(pair, other);
        return height < kInfinity && collision::heightOverFace(*face, side.obstaclePlace, side.part, side.place) >
                                         height - levelOf(side.body, side.obstacle);
    }

    // Whether a body moves with the obstacle, as the tiles of one floor do and what tumbles in a heap does not.
    bool isOneFloor(const Flight& obstacle, std::uint32_t holder) const {
        if (obstacle.body == &world_.bodies[holder])
            return true;
        const Flight* moving = search_.flightOf(holder);
        const Real way =
            moving != nullptr ? wayBetween(obstacle, *moving, dt_) : (length(velocityOf(obstacle)) + obstacle.turning) * dt_;
        return way < kMostWayOfFloor;
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

    WorldState& world_;
    SearchState& search_;
    const Real dt_;
};

}  // namespace

void dropGrazes(WorldState& world, Real dt) {
    clearFitted(world.search.around);  // of the last step; most have none
    for (const NarrowPhaseBlock& block : world.search.usedBlocks())
        if (!block.mayGraze.empty())
            return Grazes(world, dt).drop();
}

}  // namespace sunder::world
