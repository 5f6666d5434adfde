// Kernels that test a level set's spheres and particles against the distance field of another, wide::kLanes at a time, and the
// compiled sets of them, one per instruction set. Every lane has the bits that geometry::boundFour and sampleFour give.
#pragma once

#include "math/lanes.h"

namespace sunder::collision {

// The field of the other shape, and the transform from the frame of the particles into its frame. Plain numbers: the kernels
// are compiled for newer processors than the rest and must not share inline functions with it.
struct FieldInFrame {
    const std::int16_t* values;
    int nodes[3];
    Real origin[3], cell, inverseCell, step;
    Real low[3], high[3];  // bounds of the grid
    Real rotation[3][3];   // rows of fieldFromOwn
    Real offset[3];
};

// Groups of four points or spheres as x[4], y[4], z[4] (and radius[4]), and the stride in numbers from one group to the next.
struct FoursAt {
    const Real* first;
    int stride;
};

// Groups of four that are processed together.
inline constexpr int kFoursPerBlock = wide::kLanes / 4;

struct SphereBounds {
    wide::Lanes bound;   // m: lower bound of the distance from the sphere to the surface
    std::uint32_t near;  // bits of those that may be within the margin
};
struct FieldReadings {
    wide::Lanes distance, gradientX, gradientY, gradientZ;
    std::uint32_t near;  // bits of those within the margin
};

// The particles of one shape, and the transform from their frame into that of the contacts. Group f holds the particles from 4
// f on.
struct ParticlesInFrame {
    FoursAt positions;
    const Real* normals;           // unit: x, y, z of each particle in turn
    const std::uint8_t* features;  // 0 where the surface is smooth
    std::uint32_t wholeFours;      // groups complete in normals and features; the incomplete one after them is copied here:
    Real lastNormals[12];
    std::uint8_t lastFeatures[4];
    Real thickest[3];     // where their body is thickest
    Real rotation[3][3];  // rows of contactsFromOwn
    Real offset[3];
    Real sign;               // 1 or -1: sign of the contact normals relative to the outward direction of the other shape
    Real touching, shallow;  // m: limits of Reading::Touching and Reading::Shallow
};
// Results in the frame of the contacts.
struct FacingParticles {
    wide::Vec3Of<wide::Lanes> point, normal;
    std::uint32_t facing;  // bits of the particles that can touch; the other lanes are undefined
};

// `which` holds `fours` indices of groups, then repeats any of them until the block is full; repeated ones count as not near.
// boundSpheres returns the least bound beyond the margin, readParticles the least distance of all.
struct FieldKernels {
    Real (*boundSpheres)(const FieldInFrame&, FoursAt, const std::uint32_t* which, int fours, Real margin, SphereBounds* out);
    Real (*readParticles)(const FieldInFrame&, FoursAt, const std::uint32_t* which, int fours, Real margin, FieldReadings* out);
    // For near particles: chooseNormal for a surface that is nowhere known to be flat.
    void (*chooseNormals)(const FieldInFrame&, const ParticlesInFrame&, const std::uint32_t* which, int fours,
                          const FieldReadings* readings, FacingParticles* out);
};

extern const FieldKernels kBaselineFieldKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const FieldKernels kAvx2FieldKernels, kAvx512FieldKernels;
#endif
// The widest set that this processor can run.
const FieldKernels& fieldKernels();

}  // namespace sunder::collision
