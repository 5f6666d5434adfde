// 500 spheres, capsules, cylinders, hulls and compounds in a pit made of triangles.
#include <algorithm>
#include <cmath>

#include "bars/bars.h"
#include "bars/energy_watch.h"
#include "measure/convex_penetration.h"
#include "scenes/piles.h"

namespace sunder::bars {

namespace {

using measure::ConvexPart;
using measure::Penetration;
using scenes::Vector;

// The pit's inside is convex, so a part stands in its mesh as deep as it reaches behind a face.
double depthInPit(const ConvexPart& part) {
    const double wall = scenes::kMixedPitWidth / 2;
    double deepest = part.highest({0, -1, 0});
    for (const Vector& outward : {Vector{1, 0, 0}, Vector{-1, 0, 0}, Vector{0, 0, 1}, Vector{0, 0, -1}})
        deepest = std::max(deepest, part.highest(outward) - wall);
    return std::max(0.0, deepest);
}

Penetration measurePenetration(const scenes::MixedPile& pile) {
    std::vector<measure::Placed<ConvexPart>> parts;
    Penetration inPit;
    for (std::size_t i = 0; i < pile.pieces.size(); ++i) {
        const BodyId id = pile.pieces[i];
        for (auto& part : measure::placeShape(pile.shapes[i], pile.world.position(id), pile.world.orientation(id), i)) {
            inPit.add(depthInPit(part.body));
            parts.push_back(std::move(part));
        }
    }
    return inPit + measurePairs(std::move(parts), [](const ConvexPart& a, const ConvexPart& b) { return penetration(a, b); });
}

// Its shape and motion: nothing damps a ball that spins on its point of contact, but all else should be at rest.
std::string fastestPiece(scenes::MixedPile& pile) {
    static constexpr const char* kNames[] = {"sphere", "box", "capsule", "cylinder", "hull", "mesh", "compound", "shared"};
    const auto length = [](const Vec3& v) { return std::hypot(double(v.x), double(v.y), double(v.z)); };
    double most = -1;
    std::string text;
    for (const BodyId id : pile.pieces) {
        const double speed = length(pile.world.velocity(id)), spin = length(pile.world.angularVelocity(id));
        if (speed + spin <= most)
            continue;
        most = speed + spin;
        text = format("%s, %.3f m/s, %.3f rad/s, %.3g kg", kNames[pile.world.shape(id).index()], speed, spin,
                      double(pile.world.mass(id)));
    }
    return text;
}

}  // namespace

void pileOfEverything(Table& table) {
    table.begin("mixed", "500 spheres, capsules, cylinders, hulls and compounds in a mesh pit, 30 Hz, 10 s");
    scenes::MixedPile pile = scenes::mixedPile(scenes::withoutSleep(), 10, 5);
    const auto energy = [&] { return pile.world.stats().kineticEnergy + pile.world.stats().potentialEnergy; };
    EnergyWatch watch(energy());
    double peak = 0;
    for (int i = 1; i <= 300; ++i) {
        pile.world.step(Real(1) / 30);
        watch.see(energy());
        if (i % 10 == 0)
            peak = std::max(peak, measurePenetration(pile).largest);
    }
    int escaped = 0;
    for (const BodyId id : pile.pieces) {
        const Vec3 p = pile.world.centerOfMass(id);
        const double wall = scenes::kMixedPitWidth / 2;
        escaped += std::abs(p.x) > wall || std::abs(p.z) > wall || !(p.y > 0);
    }
    const Penetration end = measurePenetration(pile);
    table.check("escaped", "0", format("%d", escaped), escaped == 0);
    table.below("largest penetration at the end", end.largest * 1e3, 15, "mm");
    table.note("mean at the end, peak of every tenth step", format("%.3g mm, %.3g mm", end.mean * 1e3, peak * 1e3));
    table.note("the fastest piece", fastestPiece(pile));
    table.below("mean kinetic energy at the end", pile.world.stats().kineticEnergy / double(pile.pieces.size()), 1e-3, "J");
    table.check("energy above initial", "<= 1e-4, rise <= 1e-4",
                format("%+.1e, rise %.1e", watch.highest(), watch.largestRise()), watch.holds());
}

}  // namespace sunder::bars
