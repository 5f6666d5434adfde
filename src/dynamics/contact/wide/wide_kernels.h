// The kernels that work on blocks: what they do, and those that were compiled, one set per instruction set.
#pragma once

#include "dynamics/contact/scalar/soft_contact.h"
#include "dynamics/contact/wide/wide_block.h"
#include "dynamics/integrate/wide_substep.h"
#include "dynamics/joints/ball_joint.h"

namespace sunder::dynamics {

// One instruction set's kernels. All give the same bits.
struct WideKernels {
    // Normals, anchors and impulses from the constraints of the lanes into a block that knows their numbers of points.
    void (*gather)(WideContact& block, const ContactConstraint* constraints);
    // Effective masses where the bodies are now; then the impulses that the manifolds have act.
    void (*start)(WideContact* blocks, int count, SolverBody* bodies);
    void (*push)(WideContact* blocks, int count, SolverBody* bodies, const ContactSettings& settings, PointOrder order);
    // Once the step is over, of every point into its constraint: arms and separation where the bodies are now, and impulses.
    // Gives the bits of the lanes that were pushed in any substep.
    std::uint32_t (*finish)(const WideContact& block, const SolverBody* bodies, ContactConstraint* constraints);
    // integratePosition, and beginSubstep of the next substep if asked to, for those of kLanes bodies whose bit is set and that
    // are under load and slow (integrate/wide_substep.h).
    MovedLanes (*move)(SolverBody* bodies, const SolverBodyConstants* constants, const BodyWay* ways, std::uint32_t lanes,
                       Real h, bool alsoBegin);
    BallKernels balls;
};

extern const WideKernels kBaselineKernels;
#if defined(SUNDER_HAS_X86_KERNELS)
extern const WideKernels kAvx2Kernels, kAvx512Kernels;
#endif
// The best that this machine can run.
const WideKernels& wideKernels();

}  // namespace sunder::dynamics
