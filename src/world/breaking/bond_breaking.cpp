// Finds and breaks overloaded bonds.
//   [Li18] 3.4, 3.5
#include "world/breaking/bond_breaking.h"

#include <algorithm>

#include "core/task_runner.h"
#include "world/breaking/bond_components.h"
#include "world/breaking/bond_loads.h"
#include "world/breaking/given_loads.h"
#include "world/breaking/overloaded_bonds.h"
#include "world/breaking/shedding.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

using fracture::Wrench;

// Each round breaks at least one bond; what is overloaded after so many is found when the next part is solved.
constexpr int kMostBondRounds = 32;

Wrench difference(const Wrench& a, const Wrench& b) { return {a.force - b.force, a.torque - b.torque}; }

// The bonds that are loaded beyond their strength under the readings.
std::vector<BondOverload> judge(Body& body) {
    BodyBonds& bonds = *body.bonds;
    const BondedPieces& pieces = *bonds.pieces;
    const BondStrength& strength = bonds.def.strength;
    const double duration = pieces.readings.empty() ? 0.0 : double(pieces.readings[0].reading.duration);
    std::vector<BondOverload> found;
    double highest = 0;
    for (std::uint32_t i = 0; i < pieces.graph->bondCount(); ++i) {
        const Wrench &mean = pieces.meanBonds[i], &recent = pieces.recentBonds[i];
        const double load =
            std::min(pieces.graph->utilisation(i, strength, mean), pieces.graph->utilisation(i, strength, recent));
        const Wrench blow = scaled(difference(recent, mean), duration);
        const double impact = pieces.graph->utilisation(i, strength, scaled(blow, 1 / double(strength.impactTime)));
        highest = std::max({highest, load, impact});
        if (!(load > 1) && !(impact > 1))
            continue;
        BondOverload& overload = found.emplace_back();
        overload.bond = i;
        overload.ratio = std::max(load, impact);
        overload.isImpact = impact > load;
        overload.load = overload.isImpact ? blow : recent;
        overload.springEnergy = pieces.graph->energy(i, scaled(overload.load, atBreak(overload)));
        if (overload.isImpact)
            overload.springEnergy /= duration * duration;
    }
    bonds.knownRatio = Real(highest);
    return found;
}

}  // namespace

namespace {

// Whether the loads of a body's bonds must be solved for.
bool mustSolve(const WorldState& world, Body& body, Real dt) {
    if (!isWatched(body) || !readLoads(world, body, dt))
        return false;
    BodyBonds& bonds = *body.bonds;
    fracture::LoadSample nothing;
    nothing.duration = dt;
    bonds.isKnown = false;
    if (!bonds.clock.with(nothing).isReady)
        return false;
    // A body that falls freely without turning loads no bond.
    return body.motion != Motion::Dynamic || !bonds.pieces->readings.empty() || !(bonds.knownSpin == Vec3{});
}

// Bonds that are overloaded, those that break first only; if there are none, the loads are known to be borne.
std::vector<BondOverload> solveAndJudge(Body& body) {
    BodyBonds& bonds = *body.bonds;
    solveLoads(body);
    std::vector<BondOverload> found = judge(body);
    if (found.empty()) {
        bonds.known = bonds.pieces->readings;
        bonds.isKnown = true;
    } else if (bonds.def.breakInterval > 0) {
        keepWorst(found);
    } else {
        keepFirst(found);
    }
    return found;
}

// Breaks bonds until those that are left hold or the body comes apart; true where it does. As long as it is one body its motion
// and what acts on it stay as they were solved, so the loads are found again at once.
bool breakOverloaded(WorldState& world, BodyOverload& overload) {
    for (int round = 0; round < kMostBondRounds; ++round) {
        Body& body = world.bodies[overload.body];
        if (worstOf(overload.bonds).isImpact && !(body.bonds->def.breakInterval > 0))
            shedBonds(world, overload.body, overload.bonds);
        const BreakOutcome outcome = breakBonded(world, overload.body, overload.bonds);
        if (outcome != BreakOutcome::Whole)
            return outcome == BreakOutcome::Apart;
        ++world.stepStats.loadSolves;
        overload.bonds = solveAndJudge(body);
        if (overload.bonds.empty() || body.bonds->nextBreakTime > world.clock.time)
            return false;
    }
    return false;
}

}  // namespace

void findBondOverloads(WorldState& world, Real dt, Real h) {
    world.overloads.bodies.clear();
    if (world.roster.bonded.empty())
        return;
    gatherActing(world, dt, h);
    std::vector<BodyOverload>& overloaded = world.overloads.bodies;
    for (const std::uint32_t slot : world.roster.bonded)
        if (mustSolve(world, world.bodies[slot], dt))
            overloaded.push_back({slot, {}});
    runTasks(*world.tasks, static_cast<int>(overloaded.size()),
             [&](int i) { overloaded[i].bonds = solveAndJudge(world.bodies[overloaded[i].body]); });
    world.stepStats.loadSolves += static_cast<int>(overloaded.size());
    std::erase_if(overloaded, [&](const BodyOverload& overload) {
        return overload.bonds.empty() || world.bodies[overload.body].bonds->nextBreakTime > world.clock.time;
    });
}

bool breakBondOverloads(WorldState& world) {
    bool any = false;
    for (BodyOverload& overload : world.overloads.bodies)
        any = breakOverloaded(world, overload) || any;
    world.overloads.bodies.clear();
    return any;
}

void keepBondLoads(WorldState& world, Real dt, bool isLast) {
    for (const std::uint32_t slot : world.roster.bonded) {
        Body& body = world.bodies[slot];
        endGiven(*body.bonds, isLast);
        if (!isWatched(body) || !body.bonds->pieces)
            continue;
        BodyBonds& bonds = *body.bonds;
        const BondedPieces& pieces = *bonds.pieces;
        std::size_t known = 0;
        for (const std::uint32_t piece : pieces.touched) {
            while (known < bonds.loads.size() && bonds.loads[known].piece < piece)
                ++known;
            if (known < bonds.loads.size() && bonds.loads[known].piece == piece)
                continue;
            bonds.loads.insert(bonds.loads.begin() + std::ptrdiff_t(known), PieceLoad{piece, bonds.clock});
        }
        for (PieceLoad& load : bonds.loads)
            load.window.add(sampleOf(pieces, load.piece, dt));
        fracture::LoadSample nothing;
        nothing.duration = dt;
        bonds.clock.add(nothing);
        std::erase_if(bonds.loads, [](const PieceLoad& load) { return load.window.isIdle(); });
    }
}

}  // namespace sunder::world
