// What is watched in a run besides time and penetration, by the kind of scene.
#pragma once

#include "peers/scenes.h"

namespace sunder::peers {

// Height of the pile, bodies outside the pit, kinetic energy left. The pit's inside is where no fixed body is.
std::unique_ptr<Watch> watchPile(const SceneSetup& setup);
// How far bodies move from where they were put: drift is horizontal, sag downward, and the fastest at the end.
std::unique_ptr<Watch> watchStanding(const SceneSetup& setup);
// Energy, angular momentum and flips of the one body there is.
std::unique_ptr<Watch> watchSpinner(const SceneSetup& setup);
// Way of the cube down the slope, against the exact one.
std::unique_ptr<Watch> watchSlide(const SceneSetup& setup);
// Balls behind the wall.
std::unique_ptr<Watch> watchBullets(const SceneSetup& setup);
// How far the anchors of joints are apart, over the run and at its end.
std::unique_ptr<Watch> watchJoints(const SceneSetup& setup);
// Bodies lower than any part of the ground above which they are.
std::unique_ptr<Watch> watchTerrain(const SceneSetup& setup);

}  // namespace sunder::peers
