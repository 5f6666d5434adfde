// Fracture patterns: all of space scored into regions, so that a body breaks about the point where it was hit.
//   [Su09] 4.1, 4.3
// A pattern fills the cube [-1, 1]^3: the fracture centre is its origin, +y the outward normal of the surface that was hit.
// When it is placed, the distance 1 becomes the diameter of the body's bounding sphere, so that the cube covers the body
// wherever it is hit. Lengths below are therefore shares of that diameter. A seed gives the same pattern on every machine.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <variant>

#include "sunder/types.h"

namespace sunder {

// Glass: rays from the centre and rings about the normal; cracks run straight through the body along the normal.
struct RadialPattern {
    int rays = 8;                   // 3 to 64
    int rings = 5;                  // 1 to 32; beyond the last one the sectors are unbounded
    Real innerRadius = Real(0.04);  // of the central disc, which no ray divides
    Real growth = Real(1.9);        // radius of each ring over the one within it, above 1
    Real jitter = Real(0.5);        // 0: regular; 1: rays and rings move by up to half their spacing
    int splitRing = 3;              // from this ring outwards each sector is split in two; `rings` or more: never
};

// Cells about random points.
struct VoronoiPattern {
    int pieces = 40;      // 1 to 2000: approximate number in a ball of the body's size; fewer in a thin body
    Real evenness = 1;    // 0: points are independent; 1: they keep apart (up to 400 pieces)
    Real clustering = 0;  // 0: uniform; 1: most points within a tenth of the body about the centre
    // Optional: points are denser where this is larger; relative, 0 to 1. Pattern frame.
    std::function<Real(const Vec3&)> density;
};

// Splinters: cells that are long in the direction of the grain.
struct WoodPattern {
    int pieces = 40;      // as for VoronoiPattern
    Real anisotropy = 8;  // length of a splinter over its width, 1 to 100
    Vec3 grain{1, 0, 0};  // direction in the pattern's frame
};

// Plates between planes.
struct SlabPattern {
    Real thickness = Real(0.1);  // mean
    Vec3 axis{0, 0, 1};          // normal of the plates in the pattern's frame
    Real jitter = Real(0.3);     // of each plane, in thicknesses, 0 to 1
    Real tilt = Real(0.05);      // of each plane, as a slope, 0 to 0.5
};

// A wall of bricks in running bond. Seen along the normal, courses follow each other in z and bricks in x.
struct BrickPattern {
    Vec3 size{Real(0.2), Real(0.1), Real(0.08)};  // length x, depth y, height z
    Real bond = Real(0.5);                        // shift of every other course, in lengths
};

// Shells about the centre, each divided into sectors.
struct ShellPattern {
    Real thickness = Real(0.15);  // mean
    int sectors = 6;              // per shell, 1: whole shells
    Real jitter = Real(0.3);      // of the radii, in thicknesses, 0 to 1
};

// Roughens the faces of any pattern by noise.
struct PatternRoughness {
    Real amplitude = 0;            // displacement of the faces; 0: none
    Real wavelength = Real(0.15);  // of the largest bumps; keep it above four times the amplitude
    int octaves = 2;               // 1 to 6: each octave has half the size of the one before
};

using PatternKind = std::variant<RadialPattern, VoronoiPattern, WoodPattern, SlabPattern, BrickPattern, ShellPattern>;

struct PatternDef {
    PatternKind kind{};
    std::uint64_t seed = 1;
    int nodes = 129;  // per axis of the cube, 9 to 513; the memory is 4 bytes per node
    PatternRoughness roughness{};
};

// A pattern that is sampled once and may be shared by many bodies.
class BuiltPattern;
using SharedPattern = std::shared_ptr<const BuiltPattern>;

// Throws sunder::Error, naming the parameter, where one is out of range.
SharedPattern buildPattern(const PatternDef& definition);

}  // namespace sunder
