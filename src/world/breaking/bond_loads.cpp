#include "world/breaking/bond_loads.h"

#include <algorithm>

#include "core/task_runner.h"
#include "fracture/bonds/spread_contacts.h"
#include "world/pair/distances.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

using fracture::GraphPiece;
using fracture::LoadReading;
using fracture::Wrench;

// Loads that changed by less than kSameLoad of the largest one are not solved again. The loads of bonds are linear in them, so
// where the most loaded bond uses only a share of its strength, the change may be larger by 1 / share; kSlackRatio is the
// smallest share that counts, which limits the change to a tenth.
constexpr Real kSameLoad = Real(5e-3), kSlackRatio = Real(0.05);
// Relative change of the angular velocity below which centrifugal loads, which grow with its square, are not solved again.
constexpr Real kSameSpin = Real(0.01);

void touch(BondedPieces& pieces, std::uint32_t piece, const Vec3& point, const Vec3& impulse, const Vec3& turn,
           const Vec3& force, const Vec3& torque) {
    BondedPieces::Acting& acting = pieces.acting[piece];
    if (!acting.isTouched) {
        acting = {};
        acting.isTouched = true;
        pieces.touched.push_back(piece);
    }
    const Vec3 arm = toReal(toDouble(point) - pieces.graph->pieces()[piece].center);
    acting.impulse += impulse;
    acting.angularImpulse += cross(arm, impulse) + turn;
    acting.force += force;
    acting.torque += cross(arm, force) + torque;
}

// Contact points of a pair, as impulses on one of its bodies: over the whole step, and forces at its end.
struct PairPoints {
    std::vector<fracture::ContactShare> total, end;
    fracture::ContactSpreader spreader;
};

void list(const Body& body, const FeltImpulse& felt, PairPoints& points) {
    const BondedPieces& pieces = *body.bonds->pieces;
    if (felt.child >= pieces.pieceOfChild.size() || (!(felt.normalImpulse > 0) && !(felt.separation < kTouchGap)))
        return;
    const Quat orientation = userOrientation(body);
    const auto local = [&](const Vec3& v) { return toDouble(inverseRotate(orientation, v)); };
    fracture::ContactShare share;
    share.piece = pieces.pieceOfChild[felt.child];
    share.normal = local(-felt.outward);
    share.point = toDouble(felt.point);
    share.impulse = local(felt.impulse);
    points.total.push_back(share);
    share.impulse = local(felt.endForce);
    points.end.push_back(share);
}

void touchBy(Body& body, PairPoints& points) {
    points.spreader.spread(points.total);
    points.spreader.spread(points.end);
    for (std::size_t i = 0; i < points.total.size(); ++i) {
        const fracture::ContactShare &total = points.total[i], &end = points.end[i];
        touch(*body.bonds->pieces, total.piece, toReal(total.point), toReal(total.impulse), toReal(total.torque),
              toReal(end.impulse), toReal(end.torque));
    }
}

// Contacts of one pair share their load; a strike (no pair) acts on one piece only.
void gatherFelt(Body& body, std::span<const FeltImpulse> felt, PairPoints& points) {
    BondedPieces& pieces = *body.bonds->pieces;
    while (!felt.empty()) {
        const std::span<const FeltImpulse> group = felt.first(countSame(felt, &FeltImpulse::pair));
        felt = felt.subspan(group.size());
        if (group.front().pair == kNone) {
            const FeltImpulse& blow = group.front();
            touch(pieces, pieceAt(pieces, blow.point), blow.point, inverseRotate(userOrientation(body), blow.impulse), {}, {},
                  {});
            continue;
        }
        if (std::none_of(group.begin(), group.end(), [](const FeltImpulse& one) { return one.normalImpulse > 0; }))
            continue;
        points.total.clear();
        points.end.clear();
        for (const FeltImpulse& one : group)
            list(body, one, points);
        touchBy(body, points);
    }
}

void gatherContacts(WorldState& world) {
    thread_local PairPoints points;  // kept between steps so that its lists need not be allocated again
    for (const FeltState::Range& range : world.solve.felt.bodies)
        if (Body& body = world.bodies[range.body]; body.bonds && isWatched(body))
            gatherFelt(body, world.solve.felt.of(range), points);
}

void gatherJointForces(WorldState& world, Real h) {
    for (std::size_t i = 0; i < world.solve.joints.active.size(); ++i) {
        const Joint& joint = world.joints[world.solve.joints.active[i]];
        const auto [isBall, index] = world.solve.joints.solver.place(i);
        Vec3 impulse, turn, force, torque;
        if (isBall) {
            impulse = world.solve.joints.solver.ball(index).total;
            force = world.solve.joints.solver.ball(index).impulse / h;
        } else {
            const dynamics::JointConstraint& constraint = world.solve.joints.solver.constraint(index);
            impulse = constraint.totalForce;
            turn = constraint.totalTorque;
            force = constraint.given.linear / h;
            torque = (constraint.given.angularB - cross(constraint.armB, constraint.given.linear)) / h;
        }
        for (const bool isB : {false, true}) {
            const std::uint32_t slot = isB ? joint.bodyB : joint.bodyA;
            Body* body = slot == kWorldSlot ? nullptr : &world.bodies[slot];
            if (!body || !body->bonds || !isWatched(*body))
                continue;
            const Vec3& place = (isB ? joint.frameB : joint.frameA).position;
            const Quat q = userOrientation(*body);
            const Real sign = isB ? Real(1) : Real(-1);
            BondedPieces& pieces = *body->bonds->pieces;
            touch(pieces, pieceAt(pieces, place), place, inverseRotate(q, impulse * sign), inverseRotate(q, turn * sign),
                  inverseRotate(q, force * sign), inverseRotate(q, torque * sign));
        }
    }
}

void gatherGiven(WorldState& world, Real dt) {
    for (const std::uint32_t slot : world.roster.bonded) {
        Body& body = world.bodies[slot];
        if (!isWatched(body))
            continue;
        BondedPieces& pieces = *body.bonds->pieces;
        for (const GivenLoad& given : body.bonds->given)
            touch(pieces, given.piece, toReal(pieces.graph->pieces()[given.piece].center), given.impulse + given.force * dt,
                  given.angularImpulse + given.torque * dt, given.force, given.torque);
    }
}

// Bodies that a break has just made need their pieces, and those a factor.
void makeBondedPieces(WorldState& world) {
    std::vector<Body*> without;
    for (const std::uint32_t slot : world.roster.bonded)
        if (Body& body = world.bodies[slot]; isWatched(body) && !body.bonds->pieces)
            without.push_back(&body);
    runTasks(*world.tasks, static_cast<int>(without.size()), [&](int number) { piecesOf(*without[number]); });
}

Real largest(const Vec3& a, const Vec3& b) { return max(length(a), length(b)); }

// Whether two lists of readings differ by less than `tolerance` of the largest load. Torques are divided by `size` (m) to
// compare them with forces.
bool areSame(const std::vector<KnownLoad>& now, const std::vector<KnownLoad>& then, Real size, Real tolerance) {
    if (now.size() != then.size())
        return false;
    Real scale = 0, change = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
        const LoadReading &x = now[i].reading, &y = then[i].reading;
        if (now[i].piece != then[i].piece)
            return false;
        scale = max(scale, max(largest(y.recentForce, y.meanForce), largest(y.recentTorque, y.meanTorque) / size));
        change = max(change, max(largest(x.recentForce - y.recentForce, x.meanForce - y.meanForce),
                                 largest(x.recentTorque - y.recentTorque, x.meanTorque - y.meanTorque) / size));
    }
    return change <= tolerance * scale;
}

}  // namespace

fracture::LoadSample sampleOf(const BondedPieces& pieces, std::uint32_t piece, Real dt) {
    fracture::LoadSample sample;
    sample.duration = dt;
    if (const BondedPieces::Acting& acting = pieces.acting[piece]; acting.isTouched) {
        sample.impulse = acting.impulse;
        sample.angularImpulse = acting.angularImpulse;
        sample.endForce = acting.force;
        sample.endTorque = acting.torque;
    }
    return sample;
}

void gatherActing(WorldState& world, Real dt, Real h) {
    makeBondedPieces(world);
    for (const std::uint32_t slot : world.roster.bonded)
        if (Body& body = world.bodies[slot]; isWatched(body)) {
            BondedPieces& pieces = *body.bonds->pieces;
            for (const std::uint32_t piece : pieces.touched)
                pieces.acting[piece].isTouched = false;
            pieces.touched.clear();
        }
    gatherContacts(world);
    gatherJointForces(world, h);
    gatherGiven(world, dt);
    for (const std::uint32_t slot : world.roster.bonded)
        if (const Body& body = world.bodies[slot]; isWatched(body))
            std::sort(body.bonds->pieces->touched.begin(), body.bonds->pieces->touched.end());
}

bool readLoads(const WorldState& world, Body& body, Real dt) {
    BodyBonds& bonds = *body.bonds;
    BondedPieces& pieces = *bonds.pieces;
    pieces.readings.clear();
    // Both lists are ascending by piece.
    std::size_t known = 0, touched = 0;
    while (known < bonds.loads.size() || touched < pieces.touched.size()) {
        const std::uint32_t old = known < bonds.loads.size() ? bonds.loads[known].piece : kNone;
        const std::uint32_t now = touched < pieces.touched.size() ? pieces.touched[touched] : kNone;
        const std::uint32_t piece = std::min(old, now);
        touched += now == piece;
        const fracture::LoadWindow& window = old == piece ? bonds.loads[known++].window : bonds.clock;
        pieces.readings.push_back({piece, window.with(sampleOf(pieces, piece, dt))});
    }
    const Quat orientation = userOrientation(body);
    const Vec3 spin = inverseRotate(orientation, body.angularVelocity);
    const Vec3 gravity = inverseRotate(orientation, world.def.gravity * body.gravityFactor);
    const Real size = body.shape->boundingRadius;
    const Real tolerance = kSameLoad / max(bonds.knownRatio, kSlackRatio);
    const bool isSame = bonds.isKnown && areSame(pieces.readings, bonds.known, size, tolerance) &&
                        length(spin - bonds.knownSpin) <= kSameSpin * max(1, length(bonds.knownSpin)) &&
                        (body.motion != Motion::Static || gravity == bonds.knownGravity);
    if (!isSame) {
        bonds.knownSpin = spin;
        bonds.knownGravity = gravity;
    }
    return !isSame;
}

void solveLoads(Body& body) {
    BodyBonds& bonds = *body.bonds;
    BondedPieces& pieces = *bonds.pieces;
    const std::span<const GraphPiece> graph = pieces.graph->pieces();
    std::fill(pieces.meanLoads.begin(), pieces.meanLoads.end(), Wrench{});
    std::fill(pieces.recentLoads.begin(), pieces.recentLoads.end(), Wrench{});
    for (const auto& [piece, reading] : pieces.readings) {
        pieces.meanLoads[piece] = {toDouble(reading.meanForce), toDouble(reading.meanTorque)};
        pieces.recentLoads[piece] = {toDouble(reading.recentForce), toDouble(reading.recentTorque)};
    }
    for (std::vector<Wrench>* loads : {&pieces.meanLoads, &pieces.recentLoads}) {
        if (body.motion == Motion::Static)
            for (std::size_t i = 0; i < graph.size(); ++i)
                (*loads)[i].force += toDouble(bonds.knownGravity) * graph[i].mass;
        else
            fracture::balanceLoads(graph, toDouble(bonds.knownSpin), *loads);
    }
    pieces.graph->solveBoth(pieces.meanLoads, pieces.recentLoads, pieces.meanBonds, pieces.recentBonds);
}

std::vector<BondLoad> bondLoadsOf(const WorldState& world, const Body& body) {
    std::vector<BondLoad> found(body.bonds ? body.bonds->def.bonds.size() : 0);
    if (found.empty() || !body.bonds->pieces)
        return found;
    const BodyBonds& bonds = *body.bonds;
    fracture::BondGraph& bondGraph = *bonds.pieces->graph;
    const std::span<const GraphPiece> graph = bondGraph.pieces();
    std::vector<Wrench> loads(graph.size()), borne(found.size());
    for (const PieceLoad& load : bonds.loads)
        loads[load.piece] = {toDouble(load.window.meanForce), toDouble(load.window.meanTorque)};
    const Quat orientation = userOrientation(body);
    if (body.motion == Motion::Static)
        for (std::size_t i = 0; i < graph.size(); ++i)
            loads[i].force += toDouble(inverseRotate(orientation, world.def.gravity * body.gravityFactor)) * graph[i].mass;
    else
        fracture::balanceLoads(graph, toDouble(inverseRotate(orientation, body.angularVelocity)), loads);
    bondGraph.solve(loads, borne);
    for (std::size_t i = 0; i < found.size(); ++i)
        found[i] = {toReal(borne[i].force), toReal(borne[i].torque),
                    Real(bondGraph.utilisation(i, bonds.def.strength, borne[i]))};
    return found;
}

}  // namespace sunder::world
