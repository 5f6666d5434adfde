#include "world/breaking/bond_parts.h"

#include <algorithm>

#include "core/union_find.h"
#include "fracture/prescored/piece_mass.h"
#include "world/breaking/bond_loads.h"
#include "world/breaking/given_loads.h"
#include "world/breaking/release.h"
#include "world/commit/bodies.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

using fracture::Wrench;

// The parts that bonds hold together: the number of each piece's part, numbered by their first piece.
std::vector<std::uint32_t> partsOf(std::size_t pieces, const std::vector<Bond>& bonds, std::uint32_t& count) {
    UnionFind joined(pieces);
    for (const Bond& bond : bonds)
        joined.join(bond.a, bond.b);
    std::vector<std::uint32_t> part(pieces);
    count = 0;
    for (std::uint32_t i = 0; i < pieces; ++i)
        part[i] = joined.root(i) == i ? count++ : part[joined.root(i)];
    return part;
}

SharedShape shapeOfPiece(const Body& body, const BondedPieces& pieces, std::uint32_t piece) {
    if (pieces.firstChild[piece + 1] - pieces.firstChild[piece] == 1)
        return body.shape->children[pieces.firstChild[piece]].shape;
    return buildShape(std::get<Compound>(body.shape->definition).children[piece].shape);
}

// The loads on pieces go with them.
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

// One part as a body: a single piece has its own shape and frame, several the frame of the whole.
NewPiece makePart(const Body& body, const std::vector<std::uint32_t>& members) {
    const BodyBonds& bonds = *body.bonds;
    const BondedPieces& pieces = *bonds.pieces;
    const Compound& whole = std::get<Compound>(body.shape->definition);
    const auto isAnchored = [&](std::uint32_t piece) {
        return body.motion == Motion::Static &&
               std::find(bonds.def.anchored.begin(), bonds.def.anchored.end(), piece) != bonds.def.anchored.end();
    };
    NewPiece part;
    part.anchored = std::any_of(members.begin(), members.end(), isAnchored);
    if (members.size() == 1) {
        const CompoundChild& child = whole.children[members[0]];
        part.shape = shapeOfPiece(body, pieces, members[0]);
        part.center = child.position;
        part.orientation = normalize(child.orientation);
    } else {
        Compound compound;
        std::vector<std::uint32_t> newNumber(whole.children.size(), kNone);
        BodyBonds left;
        left.def = bonds.def;
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
        left.loads = loadsOf(bonds.loads, newNumber);
        left.given = loadsOf(bonds.given, newNumber);
        left.clock = bonds.clock;
        left.quietUntil = bonds.quietUntil;
        part.shape = buildShape(compound);
        part.bonds = std::move(left);
    }
    part.share = Real(part.shape->massProperties.volume / body.shape->massProperties.volume);
    return part;
}

// Parts go on as the body did.
void setMotions(const Body& body, std::vector<NewPiece>& parts) {
    if (body.motion != Motion::Dynamic)
        return;
    const Quat orientation = userOrientation(body);
    const auto local = [&](const Vec3& v) { return toDouble(inverseRotate(orientation, v)); };
    std::vector<geometry::MassProperties> masses;
    for (const NewPiece& part : parts)
        masses.push_back(geometry::transformed(part.shape->massProperties, {part.center, part.orientation}));
    const std::vector<fracture::Motion> motions =
        fracture::motionOfPieces(body.shape->massProperties, {local(body.velocity), local(body.angularVelocity)}, masses);
    for (std::size_t i = 0; i < parts.size(); ++i) {
        parts[i].velocity = rotate(orientation, toReal(motions[i].velocity));
        parts[i].angularVelocity = rotate(orientation, toReal(motions[i].angularVelocity));
    }
}

// Joints of the body, and which of its pieces they hold.
struct HeldJoint {
    std::uint32_t joint = 0, piece = 0;
    bool isB = false;
};

// Takes them off the body, so that they outlive it.
std::vector<HeldJoint> takeJoints(WorldState& world, std::uint32_t slot, const BondedPieces& pieces) {
    std::vector<HeldJoint> held;
    for (std::uint32_t i = 0; i < world.joints.size(); ++i) {
        Joint& joint = world.joints[i];
        for (const bool isB : {false, true}) {
            BodyId& id = isB ? joint.def.b : joint.def.a;
            if (!joint.alive || id.index != slot)
                continue;
            held.push_back({i, pieceAt(pieces, (isB ? joint.frameB : joint.frameA).position), isB});
            id = {};
        }
    }
    return held;
}

void giveJoints(WorldState& world, const std::vector<HeldJoint>& held, const std::vector<std::uint32_t>& partOf,
                const std::vector<NewPiece>& parts, const std::vector<std::uint32_t>& slots) {
    for (const HeldJoint& hold : held) {
        Joint& joint = world.joints[hold.joint];
        const std::uint32_t part = partOf[hold.piece], slot = slots[part];
        (hold.isB ? joint.def.b : joint.def.a) = BodyId{slot, world.bodies[slot].generation};
        Pose& frame = hold.isB ? joint.frameB : joint.frameA;
        frame = inverse(Pose{parts[part].center, parts[part].orientation}) * frame;
        joint.known = false;
        world.jointRoster.uncollidingKnown = false;
    }
}

// All that held two of the new bodies together, as one force at one point.
struct Joined {
    std::uint32_t partA = 0, partB = 0;
    std::vector<const BondOverload*> bonds;
};

std::vector<Joined> joinedParts(const std::vector<Bond>& bonds, const std::vector<BondOverload>& broken,
                                const std::vector<std::uint32_t>& partOf) {
    std::vector<Joined> joined;
    for (const BondOverload& overload : broken) {
        const std::uint32_t a = partOf[bonds[overload.bond].a], b = partOf[bonds[overload.bond].b];
        if (a == b)
            continue;
        const std::uint32_t low = std::min(a, b), high = std::max(a, b);
        auto known =
            std::find_if(joined.begin(), joined.end(), [&](const Joined& j) { return j.partA == low && j.partB == high; });
        if (known == joined.end()) {
            joined.push_back({low, high, {}});
            known = joined.end() - 1;
        }
        known->bonds.push_back(&overload);
    }
    return joined;
}

Release releaseOf(WorldState& world, const Body& body, const Joined& joined, const std::vector<std::uint32_t>& partOf,
                  const std::vector<NewPiece>& parts, const std::vector<std::uint32_t>& slots, bool& isImpact) {
    const std::vector<Bond>& bonds = body.bonds->def.bonds;
    Vec3d point, normal;
    double area = 0;
    for (const BondOverload* overload : joined.bonds) {
        const Bond& bond = bonds[overload->bond];
        point += toDouble(bond.point) * double(bond.area);
        normal += toDouble(bond.normal) * (partOf[bond.a] == joined.partA ? double(bond.area) : -double(bond.area));
        area += double(bond.area);
    }
    point = point * (1 / area);
    // Blows and loads do not add up: what there is more of decides.
    Wrench sum[2];
    double spring[2] = {0, 0};
    for (const BondOverload* overload : joined.bonds) {
        const Bond& bond = bonds[overload->bond];
        // What b does to a is what A does to B, reversed.
        const double sign = partOf[bond.b] == joined.partB ? -1 : 1;
        const Wrench load = scaled(overload->load, sign * atBreak(*overload));
        const Vec3d& force = load.force;
        sum[overload->isImpact].force += force;
        sum[overload->isImpact].torque += load.torque + cross(toDouble(bond.point) - point, force);
        spring[overload->isImpact] += overload->springEnergy;
    }
    const Quat orientation = userOrientation(body);
    Release release;
    release.a = {slots[joined.partA], world.bodies[slots[joined.partA]].generation};
    release.b = {slots[joined.partB], world.bodies[slots[joined.partB]].generation};
    const auto inPart = [&](std::uint32_t part) {
        return inverseTransformPoint({parts[part].center, parts[part].orientation}, toReal(point));
    };
    release.pointInA = inPart(joined.partA);
    release.pointInB = inPart(joined.partB);
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

// J that the blow on the whole body carries, by which its bonds cannot store more: half of lambda M^-1 lambda of the body, or,
// where that is fixed, of the pieces that were struck.
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

void releaseParts(WorldState& world, const Body& body, const std::vector<BondOverload>& broken,
                  const std::vector<std::uint32_t>& partOf, const std::vector<NewPiece>& parts,
                  const std::vector<std::uint32_t>& slots) {
    std::vector<Release> releases, blows;
    double sum = 0;
    for (const Joined& joined : joinedParts(body.bonds->def.bonds, broken, partOf)) {
        bool isImpact = false;
        const Release release = releaseOf(world, body, joined, partOf, parts, slots, isImpact);
        (isImpact ? blows : releases).push_back(release);
        sum += isImpact ? release.stored : 0;
    }
    const double most = energyOfBlow(body), scale = sum > most ? most / sum : 1;
    for (Release& release : blows) {
        release.stored *= scale;
        releases.push_back(release);
    }
    for (Release& release : releases) {
        release.energy = double(body.bonds->def.alpha) * release.stored;
        releaseEnergy(world, release);
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

void reportParts(WorldState& world, const Body& body, BodyId id, const std::vector<BondOverload>& broken,
                 const std::vector<std::uint32_t>& slots) {
    const BondOverload& worst = worstOf(broken);
    const Bond& bond = body.bonds->def.bonds[worst.bond];
    BreakEvent& event = world.breaking.events.emplace_back();
    event.body = id;
    event.point = toVec3(userPosition(body) + rotate(userOrientation(body), bond.point));
    event.normal = rotate(userOrientation(body), normalizeOr(bond.normal, {0, 1, 0}));
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

const BondOverload& worstOf(const std::vector<BondOverload>& found) {
    return *std::max_element(found.begin(), found.end(),
                             [](const BondOverload& a, const BondOverload& b) { return a.ratio < b.ratio; });
}

bool breakBonded(WorldState& world, std::uint32_t slot, const std::vector<BondOverload>& broken) {
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
    const std::vector<std::uint32_t> partOf = partsOf(pieceCount, left, count);
    if (count > 1 && !hasRoom(world, body, count))
        return false;
    const double quietUntil = world.clock.time + double(body.bonds->def.breakInterval);
    if (count == 1) {
        BodyBonds& bonds = *world.bodies[slot].bonds;
        reportBonds(world, body, id, broken);
        bonds.def.bonds = std::move(left);
        bonds.pieces.reset();
        bonds.isKnown = false;
        bonds.quietUntil = quietUntil;
        for (const BondOverload& overload : broken)
            world.stepStats.storedEnergy += overload.springEnergy;
        return true;
    }
    Body without = body;  // its bonds: those that are left
    without.bonds->def.bonds = left;
    without.bonds->quietUntil = quietUntil;
    std::vector<std::vector<std::uint32_t>> members(count);
    for (std::uint32_t i = 0; i < pieceCount; ++i)
        members[partOf[i]].push_back(i);
    std::vector<NewPiece> parts;
    for (const std::vector<std::uint32_t>& group : members)
        parts.push_back(makePart(without, group));
    Body ungiven = body;
    takeGiven(ungiven);
    setMotions(ungiven, parts);
    const std::vector<HeldJoint> held = takeJoints(world, slot, *body.bonds->pieces);
    reportBonds(world, body, id, broken);
    world.breaking.piecesMade += int(count);
    const std::vector<std::uint32_t> slots = commitBreak(world, slot, parts);
    giveJoints(world, held, partOf, parts, slots);
    handGiven(world, body, partOf, slots);
    reportParts(world, body, id, broken, slots);
    releaseParts(world, body, broken, partOf, parts, slots);
    return true;
}

}  // namespace sunder::world
