// A level set's spheres and particles against the distance field of another, wide::kLanes at a time, and the kernels that were
// compiled for it, one set per instruction set. Every lane has the bits that geometry::boundFour and sampleFour give.
#pragma once

#include "math/lanes.h"

namespace sunder::collision {

// The field of the other shape, and the way from the frame of the particles into its frame. Plain numbers: the kernels are
// compiled for newer processors than the rest, and must not share inline functions with it.
struct FieldInFrame {
    const std::int16_t* values;
    int nodes[3];
    Real origin[3], cell, inverseCell, step;
    Real low[3], high[3];  // bounds of the grid
    Real rotation[3][3];   // rows of fieldFromOwn
    Real offset[3];
};

// Where four points or spheres lie as x[4], y[4], z[4] (and radius[4]), and how many numbers it is from one four to the next.
struct FoursAt {
    const Real* first;
    int stride;
};

// Fours that are looked at together.
inline constexpr int kFoursPerBlock = wide::kLanes / 4;

struct SphereBounds {
    wide::Lanes bound;   // what the surface is away from the sphere at least, m
    std::uint32_t near;  // bits of those that may be within the margin
};
struct FieldReadings {
    wide::Lanes distance, gradientX, gradientY, gradientZ;
    std::uint32_t near;  // bits of those within the margin
};

// The particles of one shape, and the way from their frame into that of the contacts. Four f are the particles from 4 f on.
struct ParticlesInFrame {
    FoursAt positions;
    const Real* normals;           // unit, x, y and z of one after the other
    const std::uint8_t* features;  // 0 where the surface is smooth
    std::uint32_t wholeFours;      // of normals and features; of the four after those:
    Real lastNormals[12];
    std::uint8_t lastFeatures[4];
    Real thickest[3];     // where their body is
    Real rotation[3][3];  // rows of contactsFromOwn
    Real offset[3];
    Real sign;               // of normals of contacts out of the other shape: 1 or -1
    Real touching, shallow;  // m: see Reading; how deep is not deep yet
};
// In the frame of the contacts.
struct FacingParticles {
    wide::Vec3Of<wide::Lanes> point, normal;
    std::uint32_t facing;  // bits of those that can touch: the other lanes hold anything
};

// `which`: so many fours, then any of them again until the block is full: those are not near. What they return is the least of
// all that is not within the margin, for particles the least of all.
struct FieldKernels {
    Real (*boundSpheres)(const FieldInFrame&, FoursAt, const std::uint32_t* which, int fours, Real margin, SphereBounds* out);
    Real (*readParticles)(const FieldInFrame&, FoursAt, const std::uint32_t* which, int fours, Real margin, FieldReadings* out);
    // Of those that are near: as chooseNormal where the other surface is nowhere known to be flat.
    void (*chooseNormals)(const FieldInFrame&, const ParticlesInFrame&, const std::uint32_t* which, int fours,
                          const FieldReadings* readings, FacingParticles* out);
};

extern const FieldKernels kBaselineFieldKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const FieldKernels kAvx2FieldKernels, kAvx512FieldKernels;
#endif
// The best that this processor has.
const FieldKernels& fieldKernels();

}  // namespace sunder::collision
