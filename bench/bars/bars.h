// The rows of the table, by subject; each function runs its scenes and adds its rows.
#pragma once

#include "bars/table.h"

namespace sunder::bars {

// stacks.cpp
void stack(Table& table);
void pyramidOfCubes(Table& table);
void heavyOnLightCube(Table& table);
void tower(Table& table);
// piles.cpp
void pileOfBoxes(Table& table);
void restOfPiles(Table& table);
void pileOfPlates(Table& table);
void energyOfPiles(Table& table);
// mixed_pile.cpp
void pileOfEverything(Table& table);
// single_bodies.cpp
void slowCube(Table& table);
void stopOnIncline(Table& table);
void slideDownIncline(Table& table);
void tumblingBox(Table& table);
// reproducible.cpp
void clusters(Table& table);
void threads(Table& table);
// scene_files.cpp
void badSceneFiles(Table& table);
// asleep.cpp
void sleepers(Table& table);
void statics(Table& table);
void heaps(Table& table);
// terrain.cpp
void terrain(Table& table);
// flesh.cpp
void fleshSteps(Table& table);
void fleshTears(Table& table);
// memory.cpp
void memoryOfPile(Table& table);
// recording.cpp
void recording(Table& table);
// penetration_check.cpp
void measures(Table& table);
// fracture_scenes.cpp
void fractureWall(Table& table);
void fractureBall(Table& table);
void fractureCylinder(Table& table);
void fractureBunny(Table& table);
void fractureRealistic(Table& table);
void fractureTwice(Table& table);
void fractureTable100(Table& table);
void fractureTable1000(Table& table);
void fractureTable1000Asleep(Table& table);
// joints.cpp
void pendulum(Table& table);
void chain(Table& table);
void bridge(Table& table);
void slackChains(Table& table);
void ragdolls(Table& table);
// bonds.cpp
void bondedWall(Table& table);
void alphaSweep(Table& table);
void wrecking(Table& table);
// newcomer.cpp
void newcomers(Table& table);
// analytic.cpp
void analyticPyramid(Table& table);
// steppers.cpp
void steppersOnClump(Table& table);
void steppersOnFigures(Table& table);
// timewarp.cpp
void timewarpOrder(Table& table);
// exterior_rotation.cpp
void exteriorRotation(Table& table);
void steppersOnPyramids(Table& table);
void dampedHeaps(Table& table);
void steppersOnStacks(Table& table);
// fracture_cost.cpp
void fractureCost(Table& table);
// cut_surfaces.cpp
void cutSurfaces(Table& table);
// stress.cpp
void stressSolve(Table& table);
void stressVerdict(Table& table);
void stressHitFrame(Table& table);
void stressRates(Table& table);
void shellBoats(Table& table);
void shellOrnaments(Table& table);

}  // namespace sunder::bars
