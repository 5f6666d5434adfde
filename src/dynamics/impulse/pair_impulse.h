// One visit to a pair: its points are solved together, then the whole impulse is clamped [Su09] 3.2 and applied.
#pragma once

#include "dynamics/impulse/impulse_state.h"

namespace sunder::dynamics {

// The two bodies at the time at which the impulse acts. A heavy body is not moved by it: shock propagation.
struct PairVisit {
    SolverBody a, b;
    bool heavyA = false, heavyB = false;
    bool resistRolling = false;
    bool clampEnergy = false;
    int sweeps = 8;           // over the pair's points, where it has several
    bool isBackward = false;  // from the last point to the first
};

// Pursues the goals of the pair's sites: changes the velocities in the visit and the impulses in the pair. Returns whether the
// clamp scaled or dropped the impulse.
bool visitPair(ImpulsePair& pair, PairVisit& visit);

// Angular impulse against rolling and spinning, bounded by the load on the pair (N s) along its mean normal (of any length).
void solveRolling(ImpulsePair& pair, Real load, const Vec3& normal, SolverBody& a, SolverBody& b);
// By what acts at the sites, or at the rows made of them.
template <class Sites>
void solveRollingOf(ImpulsePair& pair, const Sites& sites, SolverBody& a, SolverBody& b) {
    Real load = 0;
    Vec3 normal;
    for (const auto& site : sites) {
        const Real jn = dot(site.impulse, site.N);
        load += jn;
        normal += site.N * jn;
    }
    solveRolling(pair, load, normal, a, b);
}

// [Egan03] 4.2: tilts the normals of a fast impact, all by the same turn. Impulses are still equal and opposite, at one point.
// The clamp keeps them from adding energy: scattering is refused where it is off.
void scatterNormals(const Scatter& scatter, ImpulsePair& pair, const PairVisit& visit);

}  // namespace sunder::dynamics
