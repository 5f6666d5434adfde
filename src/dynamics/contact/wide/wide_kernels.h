// The kernels that work on blocks, and the compiled sets of them, one per instruction set.
#pragma once

#include "dynamics/contact/scalar/soft_contact.h"
#include "dynamics/contact/wide/wide_block.h"
#include "dynamics/integrate/wide_substep.h"
#include "dynamics/joints/ball/ball_joint.h"
#include "dynamics/joints/bundle/joint_bundle.h"

namespace sunder::dynamics {

// The kernels of one instruction set. All sets give the same bits.
struct WideKernels {
    // Copies normals, anchors and impulses from the constraints into a block that knows its lanes' numbers of points.
    void (*gather)(WideContact& block, const ContactConstraint* constraints);
    // Finds the effective masses at the current positions, then applies the impulses that the manifolds have.
    void (*start)(WideContact* blocks, int count, SolverBody* bodies);
    void (*push)(WideContact* blocks, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order);
    // At the end of the step: writes arms, separations and impulses of every point into its constraint. Returns the bits of the
    // lanes that pushed in some substep.
    std::uint32_t (*finish)(const WideContact& block, const SolverBody* bodies, ContactConstraint* constraints);
    // integratePosition, and where asked beginSubstep of the next substep, for kLanes bodies: those whose bit is set and that
    // are under load and slow (integrate/wide_substep.h).
    MovedLanes (*move)(SolverBody* bodies, const SolverBodyConstants* constants, const BodyWay* ways, std::uint32_t lanes,
                       Real h, bool alsoBegin);
    BallKernels balls;
    BundleKernels bundles;
};

extern const WideKernels kBaselineKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const WideKernels kAvx2Kernels, kAvx512Kernels;
#endif
// The widest set that this machine can run.
const WideKernels& wideKernels();

}  // namespace sunder::dynamics
