#include "world/breaking/bond_components.h"

#include <algorithm>

#include "core/union_find.h"
#include "fracture/prescored/piece_mass.h"
#include "world/breaking/bond_loads.h"
#include "world/breaking/given_loads.h"
#include "world/breaking/overloaded_bonds.h"
#include "world/breaking/release.h"
#include "world/breaking/shedding.h"
#include "world/commit/bodies.h"
#include "world/commit/joints.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

using fracture::Wrench;

// The number of the component that each piece is in: pieces that bonds join have the same one. Components are numbered by their
// first piece.
std::vector<std::uint32_t> componentsOf(std::size_t pieces, const std::vector<Bond>& bonds, std::uint32_t& count) {
    UnionFind joined(pieces);
    for (const Bond& bond : bonds)
        joined.join(bond.a, bond.b);
    std::vector<std::uint32_t> component(pieces);
    count = 0;
    for (std::uint32_t i = 0; i < pieces; ++i)
        component[i] = joined.root(i) == i ? count++ : component[joined.root(i)];
    return component;
}

SharedShape shapeOfPiece(const Body& body, const BondedPieces& pieces, std::uint32_t piece) {
    if (pieces.firstChild[piece + 1] - pieces.firstChild[piece] == 1)
        return body.shape->children[pieces.firstChild[piece]].shape;
    return buildShape(std::get<Compound>(body.shape->definition).children[piece].shape);
}

// The loads of the pieces that have a new number; the others are left out.
template <class Load>
std::vector<Load> loadsOf(const std::vector<Load>& loads, const std::vector<std::uint32_t>& newNumber) {
    std::vector<Load> moved;
    for (const Load& load : loads)
        if (newNumber[load.piece] != kNone) {
            moved.push_back(load);
            moved.back().piece = newNumber[load.piece];
        }
    return moved;
}

// The body that a component becomes. A single piece has its own shape and frame; several keep the frame of the whole body.
NewPiece makeComponent(const Body& body, const std::vector<std::uint32_t>& members) {
    const BodyBonds& bonds = *body.bonds;
    const BondedPieces& pieces = *bonds.pieces;
    const Compound& whole = std::get<Compound>(body.shape->definition);
    const auto isAnchored = [&](std::uint32_t piece) {
        return body.motion == Motion::Static &&
               std::find(bonds.def.anchored.begin(), bonds.def.anchored.end(), piece) != bonds.def.anchored.end();
    };
    NewPiece component;
    component.isAnchored = std::any_of(members.begin(), members.end(), isAnchored);
    if (members.size() == 1) {
        const CompoundChild& child = whole.children[members[0]];
        component.shape = shapeOfPiece(body, pieces, members[0]);
        component.center = child.position;
        component.orientation = normalize(child.orientation);
    } else {
        Compound compound;
        std::vector<std::uint32_t> newNumber(whole.children.size(), kNone);
        BodyBonds left;
        left.def = bonds.def;
        left.young = bonds.young;
        left.poisson = bonds.poisson;
        left.def.bonds.clear();
        left.def.anchored.clear();
        for (std::uint32_t i = 0; i < members.size(); ++i) {
            const CompoundChild& child = whole.children[members[i]];
            compound.children.push_back({shapeOfPiece(body, pieces, members[i]), child.position, child.orientation});
            newNumber[members[i]] = i;
            if (isAnchored(members[i]))
                left.def.anchored.push_back(i);
        }
        for (Bond bond : bonds.def.bonds)
            if (newNumber[bond.a] != kNone && newNumber[bond.b] != kNone) {
                bond.a = newNumber[bond.a];
                bond.b = newNumber[bond.b];
                left.def.bonds.push_back(bond);
            }
        left.earlier = {pieces.graph, members};
        left.loads = loadsOf(bonds.loads, newNumber);
        left.given = loadsOf(bonds.given, newNumber);
        left.clock = bonds.clock;
        left.nextBreakTime = bonds.nextBreakTime;
        component.shape = buildShape(compound);
        component.bonds = std::move(left);
    }
    component.share = Real(component.shape->massProperties.volume / body.shape->massProperties.volume);
    return component;
}

// Every component starts with the velocity that the rigid body had at its place.
void setMotions(const Body& body, std::vector<NewPiece>& components) {
    if (body.motion != Motion::Dynamic)
        return;
    const Quat orientation = userOrientation(body);
    const auto local = [&](const Vec3& v) { return toDouble(inverseRotate(orientation, v)); };
    std::vector<geometry::MassProperties> masses;
    for (const NewPiece& component : components)
        masses.push_back(geometry::transformed(component.shape->massProperties, {component.center, component.orientation}));
    const std::vector<fracture::Motion> motions =
        fracture::motionOfPieces(body.shape->massProperties, {local(body.velocity), local(body.angularVelocity)}, masses);
    for (std::size_t i = 0; i < components.size(); ++i) {
        components[i].velocity = rotate(orientation, toReal(motions[i].velocity));
        components[i].angularVelocity = rotate(orientation, toReal(motions[i].angularVelocity));
    }
}

// The broken bonds between two components: they act as one force at one point.
struct Joined {
    std::uint32_t componentA = 0, componentB = 0;
    std::vector<const BondOverload*> bonds;
};

std::vector<Joined> joinedComponents(const std::vector<Bond>& bonds, const std::vector<BondOverload>& broken,
                                     const std::vector<std::uint32_t>& componentOf) {
    std::vector<Joined> joined;
    for (const BondOverload& overload : broken) {
        const std::uint32_t a = componentOf[bonds[overload.bond].a], b = componentOf[bonds[overload.bond].b];
        if (a == b)
            continue;
        const std::uint32_t low = std::min(a, b), high = std::max(a, b);
        auto known = std::find_if(joined.begin(), joined.end(),
                                  [&](const Joined& j) { return j.componentA == low && j.componentB == high; });
        if (known == joined.end()) {
            joined.push_back({low, high, {}});
            known = joined.end() - 1;
        }
        known->bonds.push_back(&overload);
    }
    return joined;
}

Release releaseOf(WorldState& world, const Body& body, const Joined& joined, const std::vector<std::uint32_t>& componentOf,
                  const std::vector<NewPiece>& components, const std::vector<std::uint32_t>& slots, bool& isImpact) {
    const std::vector<Bond>& bonds = body.bonds->def.bonds;
    Vec3d point, normal;
    double area = 0;
    for (const BondOverload* overload : joined.bonds) {
        const Bond& bond = bonds[overload->bond];
        point += toDouble(bond.point) * double(bond.area);
        normal += toDouble(bond.normal) * (componentOf[bond.a] == joined.componentA ? double(bond.area) : -double(bond.area));
        area += double(bond.area);
    }
    point = point * (1 / area);
    // A blow is an impulse (N s) and a load a force (N), so they cannot be added: the one that stores more energy is released.
    Wrench sum[2];
    double spring[2] = {0, 0};
    for (const BondOverload* overload : joined.bonds) {
        const Bond& bond = bonds[overload->bond];
        // A bond's load acts on its piece a; the force of a release acts on B.
        const double sign = componentOf[bond.b] == joined.componentB ? -1 : 1;
        const Wrench load = scaled(overload->load, sign * atBreak(*overload));
        const Vec3d& force = load.force;
        sum[overload->isImpact].force += force;
        sum[overload->isImpact].torque += load.torque + cross(toDouble(bond.point) - point, force);
        spring[overload->isImpact] += overload->springEnergy;
    }
    const Quat orientation = userOrientation(body);
    Release release;
    release.a = {slots[joined.componentA], world.bodies[slots[joined.componentA]].generation};
    release.b = {slots[joined.componentB], world.bodies[slots[joined.componentB]].generation};
    const auto inComponent = [&](std::uint32_t component) {
        return inverseTransformPoint({components[component].center, components[component].orientation}, toReal(point));
    };
    release.pointInA = inComponent(joined.componentA);
    release.pointInB = inComponent(joined.componentB);
    release.towardsB = rotate(orientation, toReal(normalizeOr(normal, {0, 1, 0})));
    const auto world3 = [&](const Vec3d& v) { return rotate(orientation, toReal(v)); };
    const double impact = spring[1] + blowEnergyOf(world, release, world3(sum[1].force), world3(sum[1].torque));
    isImpact = impact > spring[0];
    release.force = world3(sum[isImpact].force);
    release.torque = world3(sum[isImpact].torque);
    release.stored = isImpact ? impact : spring[0];
    release.seed = world.def.release.seed ^ ++world.overloads.count << 32;
    return release;
}

// Kinetic energy (J) of the blow on the body, an upper bound of what its bonds can store: lambda M^-1 lambda / 2 with the mass
// of the body or, where that is fixed, of the pieces that were struck.
double energyOfBlow(const Body& body) {
    const BondedPieces& pieces = *body.bonds->pieces;
    const std::span<const fracture::GraphPiece> graph = pieces.graph->pieces();
    const Vec3d center = toDouble(body.bodyFromPrincipal.position);
    Vec3d blow, turn;
    double ofPieces = 0;
    for (const auto& [piece, reading] : pieces.readings) {
        const Vec3d given = toDouble(reading.blow);
        blow += given;
        turn += toDouble(reading.angularBlow) + cross(graph[piece].center - center, given);
        ofPieces += dot(given, given) / (2 * graph[piece].mass);
    }
    if (body.motion != Motion::Dynamic)
        return ofPieces;
    const Vec3d local = toDouble(inverseRotate(body.bodyFromPrincipal.orientation, toReal(turn)));
    return (dot(blow, blow) * double(body.inverseMass) + dot(local, multiply(toDouble(body.inversePrincipalInertia), local))) /
           2;
}

void releaseComponents(WorldState& world, const Body& body, const std::vector<BondOverload>& broken,
                       const std::vector<std::uint32_t>& componentOf, const std::vector<NewPiece>& components,
                       const std::vector<std::uint32_t>& slots, double striking) {
    std::vector<Release> releases, blows;
    double sum = 0;
    for (const Joined& joined : joinedComponents(body.bonds->def.bonds, broken, componentOf)) {
        bool isImpact = false;
        const Release release = releaseOf(world, body, joined, componentOf, components, slots, isImpact);
        (isImpact ? blows : releases).push_back(release);
        sum += isImpact ? release.stored : 0;
    }
    const double most = std::min(energyOfBlow(body), striking), scale = sum > most ? most / sum : 1;
    const std::size_t firstBlow = releases.size();
    for (Release& release : blows) {
        release.stored *= scale;
        releases.push_back(release);
    }
    // A bond that flows at a share of its strength stores the square of that share of what it would at its strength.
    const double elastic = double(body.bonds->def.yield) * double(body.bonds->def.yield);
    for (std::size_t i = 0; i < releases.size(); ++i) {
        releases[i].stored *= elastic;
        releases[i].energy = double(body.bonds->def.alpha) * releases[i].stored;
        (i < firstBlow ? releaseEnergy : releaseAfterBlow)(world, releases[i]);
    }
}

// Releases that are still to come go on with the component that holds their point.
void handReleases(WorldState& world, const Body& body, BodyId id, const std::vector<std::uint32_t>& componentOf,
                  const std::vector<NewPiece>& components, const std::vector<std::uint32_t>& slots) {
    const auto hand = [&](BodyId& end, WorldPoint& point) {
        if (end != id)
            return;
        const std::uint32_t component = componentOf[pieceAt(*body.bonds->pieces, toVec3(point))];
        const NewPiece& piece = components[component];
        point = inverseTransformPoint({piece.center, piece.orientation}, toVec3(point));
        end = {slots[component], world.bodies[slots[component]].generation};
    };
    for (Release& release : world.overloads.releases) {
        hand(release.a, release.pointInA);
        hand(release.b, release.pointInB);
    }
}

void reportBonds(WorldState& world, const Body& body, BodyId id, const std::vector<BondOverload>& broken) {
    const Quat orientation = userOrientation(body);
    for (const BondOverload& overload : broken) {
        BondEvent& event = world.overloads.bondEvents.emplace_back();
        const double time = overload.isImpact ? double(fracture::kBlowTime) : 1;
        event.body = id;
        event.bond = overload.bond;
        event.point = toVec3(userPosition(body) + rotate(orientation, body.bonds->def.bonds[overload.bond].point));
        event.force = rotate(orientation, toReal(overload.load.force * (-1 / time)));
        event.torque = rotate(orientation, toReal(overload.load.torque * (-1 / time)));
        event.isImpact = overload.isImpact;
        event.storedEnergy = overload.springEnergy;
        ++world.stepStats.breaks;
    }
}

void reportComponents(WorldState& world, const Body& body, BodyId id, const std::vector<BondOverload>& broken,
                      const std::vector<std::uint32_t>& slots) {
    const BondOverload& worst = worstOf(broken);
    const Bond& bond = body.bonds->def.bonds[worst.bond];
    BreakEvent& event = world.breaking.events.emplace_back();
    event.body = id;
    event.point = toVec3(userPosition(body) + rotate(userOrientation(body), bond.point));
    event.normal = rotate(userOrientation(body), normalizeOr(bond.normal, {0, 1, 0}));
    event.rule = BreakRule::Bonds;
    event.impulse = worst.isImpact ? Real(length(worst.load.force)) : Real(0);
    for (const std::uint32_t slot : slots)
        event.pieces.push_back({slot, world.bodies[slot].generation});
    ++world.stepStats.breaks;
}

bool hasRoom(const WorldState& world, const Body& body, std::uint32_t count) {
    int pieces = 0;
    for (const Body& other : world.bodies)
        pieces += other.alive && other.birth > 0;
    return world.breaking.piecesMade + int(count) <= world.def.mostPiecesPerStep &&
           pieces + int(count) <= world.def.mostPieces + (body.birth > 0);
}

}  // namespace

BreakOutcome breakBonded(WorldState& world, std::uint32_t slot, const std::vector<BondOverload>& broken) {
    const Body body = world.bodies[slot];
    const BodyId id{slot, body.generation};
    const std::size_t pieceCount = body.bonds->pieces->bounds.size();
    std::vector<Bond> left;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < body.bonds->def.bonds.size(); ++i) {
        if (next < broken.size() && broken[next].bond == i)
            ++next;
        else
            left.push_back(body.bonds->def.bonds[i]);
    }
    std::uint32_t count = 0;
    const std::vector<std::uint32_t> componentOf = componentsOf(pieceCount, left, count);
    if (count > 1 && !hasRoom(world, body, count))
        return BreakOutcome::Refused;
    const double nextBreakTime = world.clock.time + double(body.bonds->def.breakInterval);
    if (count == 1) {
        BodyBonds& bonds = *world.bodies[slot].bonds;
        reportBonds(world, body, id, broken);
        takeBonds(world.bodies[slot], std::move(left));
        bonds.isKnown = false;
        bonds.nextBreakTime = nextBreakTime;
        for (const BondOverload& overload : broken)
            world.stepStats.storedEnergy += overload.springEnergy;
        return BreakOutcome::Whole;
    }
    Body remaining = body;  // with the bonds that are left
    remaining.bonds->def.bonds = left;
    remaining.bonds->nextBreakTime = nextBreakTime;
    std::vector<std::vector<std::uint32_t>> members(count);
    for (std::uint32_t i = 0; i < pieceCount; ++i)
        members[componentOf[i]].push_back(i);
    std::vector<NewPiece> components;
    for (const std::vector<std::uint32_t>& group : members)
        components.push_back(makeComponent(remaining, group));
    Body withoutGiven = body;  // the loads that calls gave go to single components, below
    takeGiven(withoutGiven);
    setMotions(withoutGiven, components);
    const std::vector<DetachedJoint> detached =
        detachJoints(world, slot, [&](const Vec3& point) { return pieceAt(*body.bonds->pieces, point); });
    reportBonds(world, body, id, broken);
    world.breaking.piecesMade += int(count);
    const double striking = strikingEnergy(world, slot, componentOf);
    const std::vector<std::uint32_t> slots = commitBreak(world, slot, components);
    for (const DetachedJoint& end : detached) {
        const NewPiece& component = components[componentOf[end.piece]];
        attachJoint(world, end, slots[componentOf[end.piece]], {component.center, component.orientation});
    }
    handGiven(world, body, componentOf, slots);
    handReleases(world, body, id, componentOf, components, slots);
    reportComponents(world, body, id, broken, slots);
    releaseComponents(world, body, broken, componentOf, components, slots, striking);
    return BreakOutcome::Apart;
}

}  // namespace sunder::world
