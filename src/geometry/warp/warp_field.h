// A level set whose solid has been displaced a little, point by point.
#pragma once

#include <functional>

#include "core/task_runner.h"
#include "geometry/level_set/cut_nodes.h"
#include "geometry/level_set/level_set.h"

namespace sunder::geometry {

// m: how far the point of the solid that was here has moved. Called from any thread; must be smooth, with slopes below 1.
using Displacement = std::function<Vec3(const Vec3&)>;

struct WarpedField {
    LevelSet16 field;   // on a grid of the same cell, about the displaced solid
    CutNodes cutNodes;  // where there were any
};

// most: m, no displacement is larger. The surface is where the displaced one is, to the order of a cell squared; values near it
// are those of the points that came there, so that they are off by the strain.
WarpedField warped(const LevelSet16& field, const CutNodes& cutNodes, const Displacement& displacement, Real most,
                   TaskRunner& runner);

}  // namespace sunder::geometry
