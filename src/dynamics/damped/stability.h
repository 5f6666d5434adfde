// Geometric stability [Egan03] 5.4: bodies that neither gravity nor contact forces can accelerate, whatever their magnitude.
#pragma once

#include "dynamics/damped/damped_state.h"

namespace sunder::dynamics {

// Fills ImpulseScratch::isStable, from the ground up. Needs the sites of all pairs and the contact graph. Returns how many
// dynamic bodies are stable.
int findStable(DampedStep& step);

struct PlanePoint {
    Real x = 0, y = 0;
};
// The corners of the convex hull, counter-clockwise; none where the points lie on a line. Sorts the points.
void hullOf(std::vector<PlanePoint>& points, std::vector<PlanePoint>& hull);

}  // namespace sunder::dynamics
