#include "dynamics/contact/heavy_block.h"

#include <algorithm>

namespace sunder::dynamics {

namespace {

// Share of an arm by which bodies may move, and rad by which they may turn, before a block's arms are laid anew.
constexpr Real kBlockLag = Real(2e-3);
// A block whose friction did not settle is not asked again for so many substeps.
constexpr std::uint8_t kRoughSubsteps = 12;

// A body that does not turn says nothing of the contact's size.
Real sizeOf(const SolverBody& body, const Vec3& arm) { return body.inverseInertia.xx > 0 ? lengthSquared(arm) : Real(1e30); }

}  // namespace

void HeavyBlock::begin(std::span<const std::uint32_t> members, std::span<const ContactLink> links,
                       std::span<const SolverBodyConstants> constants) {
    members_.clear();
    places_.clear();
    for (const std::uint32_t index : members) {
        const ContactLink& link = links[index];
        members_.push_back({index, placeOf(link.bodyA, constants[link.bodyA].isDynamic),
                            placeOf(link.bodyB, constants[link.bodyB].isDynamic)});
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
    const std::size_t inSystem = findNear(constraints, settings.h);
    findMassRatio();
    bool isSolved = false;
    if (isHeavy()) {
        if (points_.size() != inSystem)
            buildSystem(constraints);
        setWanted(settings);
        isSolved = solve();
    }
    if (isSolved) {
        applyImpulses();
        for (const Member& member : members_)
            sumImpulses(constraints[member.constraint]);
    } else {
        pushOneByOne(constraints, settings, order);
    }
    giveBodies(bodies);
}

// Copies: what does not move belongs to other blocks too, and is not written.
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
}

// Finds the separations on the way; they serve where it is false.
bool HeavyBlock::isFar(std::span<ContactConstraint> constraints) {
    for (const Place& place : places_)
        if (lengthSquared(place.turn) > square(kBlockLag))
            return true;
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const ContactConstraint& constraint = constraints[member.constraint];
        const Place &a = places_[member.bodyA], &b = places_[member.bodyB];
        const Vec3 offset = b.way - a.way;
        for (int i = 0; i < constraint.count; ++i, ++spot) {
            ConstraintPoint& point = *spot->point;
            const Vec3 way = offset + cross(b.turn, point.armB) - cross(a.turn, point.armA);
            if (spot->isInSystem && lengthSquared(way) > member.slack)
                return true;
            point.separation = spot->separation + dot(way, constraint.normal);
        }
    }
    return false;
}

void HeavyBlock::layArms(std::span<ContactConstraint> constraints, Real h) {
    isLaid_ = true;
    points_.clear();
    spots_.clear();
    for (Member& member : members_) {
        ContactConstraint& constraint = constraints[member.constraint];
        constraint.bodyA = member.bodyA;
        constraint.bodyB = member.bodyB;
        followArms(constraint, bodies_, h);
        constraint.bodyA = places_[member.bodyA].body;
        constraint.bodyB = places_[member.bodyB].body;
        const SolverBody &a = bodies_[member.bodyA], &b = bodies_[member.bodyB];
        member.slack = Real(1e30);
        for (int i = 0; i < constraint.count; ++i) {
            ConstraintPoint& point = constraint.points[i];
            spots_.push_back({&point, point.separation, false, {}});
            member.slack = min(member.slack, square(kBlockLag) * min(sizeOf(a, point.armA), sizeOf(b, point.armB)));
        }
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        places_[i].displacement = bodies_[i].displacement;
        places_[i].turned = bodies_[i].turned;
    }
}

// m/s: of any point that is under load or that this brings near. What one body of it brings may become the speed of the next.
Real HeavyBlock::fastestApproach(std::span<const ContactConstraint> constraints, Real h) {
    Real fastest = 0;
    Spot* spot = spots_.data();
    for (const Member& member : members_) {
        const SolverBody &a = bodies_[member.bodyA], &b = bodies_[member.bodyB];
        for (int i = 0; i < constraints[member.constraint].count; ++i, ++spot) {
            const ConstraintPoint& point = *spot->point;
            spot->velocity = relativeVelocity(a, b, point);
            const Real squared = lengthSquared(spot->velocity), gap = point.separation - kTouchingGap;
            if (point.normalImpulse > 0 || gap < 0 || gap * gap < square(2 * h) * squared)
                fastest = max(fastest, squared);
        }
    }
    return std::sqrt(fastest);
}

// How many points have been near since arms were laid.
std::size_t HeavyBlock::findNear(std::span<const ContactConstraint> constraints, Real h) {
    const Real reach = kTouchingGap + 2 * h * fastestApproach(constraints, h);
    std::size_t inSystem = 0;
    Spot* spot = spots_.data();
    for (Member& member : members_) {
        member.isNear = false;
        for (int i = 0; i < constraints[member.constraint].count; ++i, ++spot) {
            const bool isNear = spot->point->normalImpulse > 0 || spot->point->separation < reach;
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
    // Without what overlaps ask for nothing is gained, whatever the impulses.
    const auto solveNormals = [&] { return stages_.solveNormals(system_) && isSound(); };
    if (!solveNormals() && !(system_.dropOverlaps() && solveNormals()))
        return false;
    stages_.solveFriction(system_);
    return true;
}

// No energy may be gained. Nor may an impulse be far beyond all that the bodies bring along: squeezed between others a shard can
// be held by impulses of any size that cancel, until it has turned a little.
bool HeavyBlock::isSound() const {
    constexpr double kMostSqueezed = 8;
    double load = 0;
    for (const Point& p : points_)
        load = std::fmax(load, double(p.spot->point->normalImpulse));
    if (!system_.isBelow(kMostSqueezed * load) && !system_.isBelow(kMostSqueezed * (load + brought())))
        return false;
    return !system_.gainsEnergy();
}

void HeavyBlock::applyImpulses() {
    for (Place& place : places_)
        place.force = place.torque = {};
    for (std::size_t i = 0; i < points_.size(); ++i) {
        ConstraintPoint& point = *points_[i].spot->point;
        const ContactConstraint& constraint = *points_[i].constraint;
        const std::size_t row = system_.tangentOf(i);
        const Real x = Real(system_.change[i]), y = Real(system_.change[row]), z = Real(system_.change[row + 1]);
        if (x == 0 && y == 0 && z == 0)
            continue;
        point.normalImpulse = max(point.normalImpulse + x, 0);
        point.tangentImpulse1 += y;
        point.tangentImpulse2 += z;
        const Vec3 impulse = constraint.normal * x + constraint.tangent1 * y + constraint.tangent2 * z;
        Place &a = places_[points_[i].bodyA], &b = places_[points_[i].bodyB];
        a.force -= impulse;
        a.torque -= cross(point.armA, impulse);
        b.force += impulse;
        b.torque += cross(point.armB, impulse);
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        SolverBody& body = bodies_[i];
        body.velocity += multiply(body.inverseMass, places_[i].force);
        body.angularVelocity += body.inverseInertia * places_[i].torque;
    }
}

// Each where its bodies are now.
void HeavyBlock::pushOneByOne(std::span<ContactConstraint> constraints, const ContactSettings& settings, PointOrder order) {
    for (const Member& member : members_) {
        if (!member.isNear)
            continue;
        ContactConstraint& constraint = constraints[member.constraint];
        constraint.bodyA = member.bodyA;
        constraint.bodyB = member.bodyB;
        ContactFrame frame = layFrame(constraint, bodies_[member.bodyA], bodies_[member.bodyB]);
        sunder::dynamics::push(constraint, frame, bodies_, settings, order);
        constraint.bodyA = places_[member.bodyA].body;
        constraint.bodyB = places_[member.bodyB].body;
    }
}

}  // namespace sunder::dynamics
