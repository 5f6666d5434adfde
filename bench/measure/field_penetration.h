// How deep bodies with level sets stand in one another, and how many each of them touches, measured from poses: the points
// where the surface passes through the cells of one body, all of them, in the field of the other.
#pragma once

#include "sunder/sunder.h"

namespace sunder::measure {

struct FieldPenetration {
    double largest = 0;       // m
    double largestCells = 0;  // the same in cells of the finer field of each pair
    int pairs = 0;            // that touch
    int moving = 0;           // dynamic bodies with a level set
    int inContact = 0;        // of those, with at least one that they touch
    double neighbours = 0;    // mean over those
    BodyId a, b;              // the deepest pair
};

// Level sets against level sets, boxes and balls. Surfaces nearer than `touch` cells count as touching.
FieldPenetration measureFields(const World& world, double touch = 0.25);

}  // namespace sunder::measure
