#include "dynamics/contact/heavy/heavy_block.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Share of an arm by which bodies may move, and angle (rad) by which they may turn, before a block's arms are laid anew. Laying
// them costs more than all else in a block; what a lag of this size leaves wrong shows in the next substep's velocities, and
// makes heavy bodies at rest tremble by 3e-8 m/s (docs/step.md, section 7).
constexpr Real kBlockLag = Real(2e-3);
// Substeps for which a block whose friction did not settle is solved in two stages at once. Trying again costs a solve each
// time.
constexpr std::uint8_t kRoughSubsteps = 12;

// In double: where two bodies rest on each other their relative velocity is a small difference, and rounding of it would be
// energy for heavy ones.
Vec3d exactVelocityAt(const SolverBody& body, const Vec3& arm) {
    return toDouble(body.velocity) + cross(toDouble(body.angularVelocity), toDouble(arm));
}

// Adds to the impulses of the substep and of the step.
void addImpulse(ConstraintPoint& point, Real normal, Real tangent1, Real tangent2) {
    point.normalImpulse = max(point.normalImpulse + normal, 0);
    point.tangentImpulse1 += tangent1;
    point.tangentImpulse2 += tangent2;
    dropFrictionWithoutLoad(point);
    point.totalNormalImpulse += point.normalImpulse;
    point.totalTangentImpulse1 += point.tangentImpulse1;
    point.totalTangentImpulse2 += point.tangentImpulse2;
}

}  // namespace

void HeavyBlock::begin(std::span<const std::uint32_t> members, std::span<const ContactLink> links,
                       std::span<const SolverBodyConstants> constants) {
    members_.clear();
    places_.clear();
    for (const std::uint32_t index : members) {
        const ContactLink& link = links[index];
        members_.push_back({index, placeOf(link.bodyA, constants[link.bodyA].isDynamic),
                            placeOf(link.bodyB, constants[link.bodyB].isDynamic), link.hasRestitution});
    }
    bodies_.resize(places_.size());
    isRough_ = 0;
    isLaid_ = false;
}

std::uint32_t HeavyBlock::placeOf(std::uint32_t body, bool moves) {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].body == body)
            return static_cast<std::uint32_t>(i);
    Place place;
    place.body = body;
    place.moves = moves;
    places_.push_back(place);
    return static_cast<std::uint32_t>(places_.size() - 1);
}

void HeavyBlock::push(std::span<ContactConstraint> constraints, std::span<SolverBody> bodies, const ContactSettings& settings,
                      PointOrder order) {
    takeBodies(bodies);
    followBodies(constraints, settings.h);
    const std::size_t inSystem = findNear(settings.h);
    findMassRatio();
    bool isSolved = false;
    if (isHeavy()) {
        if (points_.size() != inSystem)
            buildSystem(constraints);
        setWanted(settings);
        isSolved = solve();
    }
    if (isSolved)
        applyImpulses();
    else
        pushOneByOne(constraints, settings, order);
    giveBodies(bodies);
}

// The block works on copies: fixed bodies may belong to other blocks too, and are not written back.
void HeavyBlock::takeBodies(std::span<const SolverBody> bodies) {
    for (std::size_t i = 0; i < places_.size(); ++i)
        bodies_[i] = bodies[places_[i].body];
}

void HeavyBlock::giveBodies(std::span<SolverBody> bodies) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
        if (places_[i].moves)
            bodies[places_[i].body] = bodies_[i];
}

void HeavyBlock::followBodies(std::span<ContactConstraint> constraints, Real h) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        Place& place = places_[i];
        place.way = bodies_[i].displacement - place.displacement;
        place.turn = bodies_[i].turned - place.turned;
    }
    if (!isLaid_ || isFar(constraints))
        layArms(constraints, h);
    else
        followSeparations(h);
}

// Whether bodies have moved so far that arms must be laid anew. Arms are also laid anew where a contact bounces, because the
// bounce needs the exact point of the blow.
bool HeavyBlock::isFar(std::span<const ContactConstraint> constraints) const {
    for (const Place& place : places_)
        if (lengthSquared(place.turn) > square(kBlockLag))
            return true;
    for (const Member& member : members_) {
        const Vec3 way = places_[member.bodyB].way - places_[member.bodyA].way;
        if (member.isNear && lengthSquared(way) > member.slack)
            return true;
        if (member.hasRestitution && constraints[member.constraint].substep.hits != Hits::No)
            return true;
    }
    return false;
}

void HeavyBlock::layArms(std::span<ContactConstraint> constraints, Real h) {
    isLaid_ = true;
    points_.clear();
    spots_.clear();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i].displacement = bodies_[i].displacement;
        places_[i].turned = bodies_[i].turned;
        places_[i].reach = 0;
    }
    for (Member& member : members_) {
        ContactConstraint& constraint = constraints[member.constraint];
        constraint.bodyA = member.bodyA;
        constraint.bodyB = member.bodyB;
        followArms(constraint, bodies_, h);
        constraint.bodyA = places_[member.bodyA].body;
        constraint.bodyB = places_[member.bodyB].body;
        addSpots(member, constraint);
    }
}

void HeavyBlock::addSpots(Member& member, ContactConstraint& constraint) {
    const SolverBody &a = bodies_[member.bodyA], &b = bodies_[member.bodyB];
    const Vec3& n = constraint.normal;
    Real least = Real(1e30), mostA = 0, mostB = 0;
    for (int i = 0; i < constraint.count; ++i) {
        ConstraintPoint& point = constraint.points[i];
        const Vec3 &armA = point.armA, &armB = point.armB;
        spots_.push_back({&point,
                          armA,
                          armB,
                          cross(armA, n),
                          cross(armB, n),
                          point.separation,
                          point.separation,
                          point.normalImpulse > 0,
                          false,
                          {}});
        least = min(least, min(sizeOf(a, armA), sizeOf(b, armB)));
        mostA = max(mostA, lengthSquared(armA));
        mostB = max(mostB, lengthSquared(armB));
    }
    Real &reachA = places_[member.bodyA].reach, &reachB = places_[member.bodyB].reach;
    reachA = max(reachA, std::sqrt(mostA));
    reachB = max(reachB, std::sqrt(mostB));
    member.spots = constraint.count;
    member.normal = n;
    member.slack = square(kBlockLag) * least;
    member.closing = kBlockLag * (reachA + reachB);
}

// m/s: an upper bound of the relative speed of any contact point of the block.
Real HeavyBlock::fastestMotion() const {
    Real fastest = 0;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const SolverBody& body = bodies_[i];
        fastest = max(fastest, length(body.velocity - bodies_[0].velocity) + places_[i].reach * length(body.angularVelocity));
    }
    return 2 * fastest;
}

// Updates the separations by the bodies' small motions, but for points that are too far away to touch.
void HeavyBlock::followSeparations(Real h) {
    const Real reach = kTouchingGap + 2 * h * fastestMotion();
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const Place &a = places_[member.bodyA], &b = places_[member.bodyB];
        const Real lift = dot(b.way - a.way, member.normal);
        for (int i = 0; i < member.spots; ++i, ++spot) {
            spot->isAway = !spot->isInSystem && spot->laidSeparation + lift > reach + member.closing;
            if (!spot->isAway)
                spot->separation = spot->laidSeparation + (lift + dot(b.turn, spot->turnsB) - dot(a.turn, spot->turnsA));
        }
    }
}

// m/s: the fastest relative motion of any point that is under load or that its own motion brings near. Any body of the block
// may get this speed through the others, so it bounds the approach of all points.
Real HeavyBlock::fastestApproach(Real h) {
    Real fastest = 0;
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const SolverBody &a = bodies_[member.bodyA], &b = bodies_[member.bodyB];
        for (int i = 0; i < member.spots; ++i, ++spot) {
            if (spot->isAway)
                continue;
            spot->velocity = exactVelocityAt(b, spot->armB) - exactVelocityAt(a, spot->armA);
            const Real squared = Real(dot(spot->velocity, spot->velocity)), gap = spot->separation - kTouchingGap;
            if (gap < 0 || gap * gap < square(2 * h) * squared || isUnderLoad(*spot))
                fastest = max(fastest, squared);
        }
    }
    return std::sqrt(fastest);
}

// Finds the points that may touch in this substep. Returns how many have been near since arms were laid.
std::size_t HeavyBlock::findNear(Real h) {
    const Real reach = kTouchingGap + 2 * h * fastestApproach(h);
    std::size_t inSystem = 0;
    Spot* spot = spots_.data();
    for (Member& member : members_) {
        member.isNear = false;
        for (int i = 0; i < member.spots; ++i, ++spot) {
            if (spot->isAway)
                continue;
            const bool isNear = spot->separation < reach || isUnderLoad(*spot);
            member.isNear = member.isNear || isNear;
            spot->isInSystem = spot->isInSystem || isNear;
            inSystem += spot->isInSystem;
        }
    }
    return inSystem;
}

void HeavyBlock::findMassRatio() {
    Real least = kInfinity, most = 0;  // inverse masses
    for (const Member& member : members_)
        for (const std::uint32_t index : {member.bodyA, member.bodyB})
            if (const Real inverse = bodies_[index].inverseMass.x; member.isNear && inverse > 0) {
                least = min(least, inverse);
                most = max(most, inverse);
            }
    system_.massRatio = most > 0 ? double(most) / double(least) : 1;
}

bool HeavyBlock::solve() {
    if (isRough_ > 0)
        --isRough_;
    else if (activeSet_.solve(system_) && isSound())
        return true;
    else
        isRough_ = kRoughSubsteps;
    // Where overlaps are not pushed apart (dropOverlaps), no impulse can add energy.
    const auto solveNormals = [&] { return stages_.solveNormals(system_) && isSound(); };
    if (!solveNormals() && !(system_.dropOverlaps() && solveNormals()))
        return false;
    stages_.solveFriction(system_);
    return true;
}

// A solution must add no energy, and its impulses must not be far beyond what the bodies bring along. Impulses that cancel may
// have any size: a shard under a table was held by 4,000 N s, until it had turned a little, and left at 70 m/s (docs/step.md,
// section 7).
bool HeavyBlock::isSound() const {
    constexpr double kMostSqueezed = 8;  // times the load, or the load and what stops all bodies (brought)
    const double load = *std::max_element(system_.had.begin(), system_.had.begin() + long(points_.size()));
    if (!system_.isBelow(kMostSqueezed * load) && !system_.isBelow(kMostSqueezed * (load + brought())))
        return false;
    return !system_.gainsEnergy();
}

void HeavyBlock::applyImpulses() {
    for (Place& place : places_)
        place.force = place.torque = {};
    for (std::size_t i = 0; i < points_.size(); ++i) {
        const Spot& spot = *points_[i].spot;
        const Vec3* axes = points_[i].axes;
        const std::size_t row = system_.tangentOf(i);
        const Real x = Real(system_.change[i]), y = Real(system_.change[row]), z = Real(system_.change[row + 1]);
        if (x == 0 && y == 0 && z == 0 && !isUnderLoad(spot))
            continue;
        addImpulse(*spot.point, x, y, z);
        const Vec3 impulse = axes[0] * x + axes[1] * y + axes[2] * z;
        Place &a = places_[points_[i].bodies[0]], &b = places_[points_[i].bodies[1]];
        a.force -= impulse;
        a.torque -= cross(spot.armA, impulse);
        b.force += impulse;
        b.torque += cross(spot.armB, impulse);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        SolverBody& body = bodies_[i];
        body.velocity += multiply(body.inverseMass, places_[i].force);
        body.angularVelocity += body.inverseInertia * places_[i].torque;
    }
}

// The fallback: contact by contact, with frames laid where the bodies are now. Points that did not seem near may come under
// load.
void HeavyBlock::pushOneByOne(std::span<ContactConstraint> constraints, const ContactSettings& settings, PointOrder order) {
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        Spot* end = spot + member.spots;
        if (member.isNear) {
            ContactConstraint& constraint = constraints[member.constraint];
            constraint.bodyA = member.bodyA;
            constraint.bodyB = member.bodyB;
            ContactFrame frame = layFrame(constraint, bodies_[member.bodyA], bodies_[member.bodyB]);
            sunder::dynamics::push(constraint, frame, bodies_, settings, order);
            constraint.bodyA = places_[member.bodyA].body;
            constraint.bodyB = places_[member.bodyB].body;
            for (Spot* own = spot; own != end; ++own)
                own->isInSystem = own->isInSystem || own->point->normalImpulse > 0;
        }
        spot = end;
    }
}

}  // namespace sunder::dynamics
