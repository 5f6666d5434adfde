// A small wall that a ball breaks, and a heap of boxes, out of sight: a browser compiles a function quickly when it is first
// called and well once it has worked for a while, and without this the first break of a visit is run by what was made quickly.
// See playground.h.
#include "answers.h"
#include "playground.h"

namespace sunder::web {

namespace {

constexpr int kFrames = 8;  // the ball arrives in the second
constexpr std::string_view kWall =
    R"({ "sunder": 1, "patterns": { "star": { "type": "radial", "rays": 7, "rings": 3, "nodes": 33 } },
    "bodies": [
        { "motion": "static", "shape": { "type": "box", "half_extents": [20, 0.5, 20] }, "position": [0, -0.5, 0] },
        { "shape": { "type": "level_set", "solid": { "type": "box", "half_extents": [1.1, 0.75, 0.13] }, "resolution": [40, 27, 8] },
          "position": [0, 0.75, 0],
          "fracture": { "pattern": "star", "threshold": 600, "smallest": 0.0005, "most_pieces": 20, "generations": 2 } },
        { "shape": { "type": "sphere", "radius": 0.3 }, "position": [0, 0.8, 0.9], "velocity": [1, 0, -16] },
        { "pile": { "count": [3, 3, 3], "spacing": 0.5, "first": 0.25, "jitter": [0.02, 0, 0.02], "spin": 3 }, "position": [9, 0, 0],
          "name": "box", "body": { "shape": { "type": "box", "half_extents": [0.25, 0.25, 0.25] } } } ] })";

}  // namespace

int Playground::warmUp() const {
    SceneResult result = parseScene(kWall, optionsFor({}, {}));
    if (!result)
        throw Error(result.problems.front().text());
    SceneRunner runner(*result.scene, tasks_.get());
    for (int i = 0; i < kFrames; ++i)
        runner.stepFrame();
    return int(runner.world().bodies().size());
}

}  // namespace sunder::web
