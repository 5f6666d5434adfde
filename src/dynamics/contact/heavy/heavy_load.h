// Light bodies under heavy ones: their contacts are solved together, exactly, instead of one after the other.
//
// A pass over single contacts hands a heavy body's weight through a light one in portions of the light one's mass: at 1000:1 it
// takes a thousand passes, and the heavy body sinks meanwhile. Here the contacts of such a light body (and of its light
// neighbours) form a block, and each pass solves the block's system directly. Nothing is made infinitely heavy, so nothing
// sticks: where the block's contacts cannot hold, they open or slide as they should.
//
// A body that touches a heavy one need not carry it: shards on a table carry their own weight and each other's. A loaded
// contact makes a block where its load is mass_ratio times the light body's weight; a contact without load, where the block's
// light bodies lie between two others, of which at least one is heavy. Blocks that share no moving body do not depend on each
// other: they are coloured, and threads share those of a colour.
#pragma once

#include <span>
#include <vector>

#include "core/task_runner.h"
#include "dynamics/contact/heavy/heavy_block.h"
#include "dynamics/contact/scalar/contact_link.h"

namespace sunder::dynamics {

class HeavyLoads {
public:
    // Finds the blocks. massRatio: how many times heavier a neighbour must be; 0 finds none. h, dt: the substep, the step (s).
    void find(TaskRunner& tasks, std::span<const ContactLink> links, std::span<const ContactConstraint> constraints,
              std::span<const SolverBody> moving, std::span<const SolverBodyConstants> bodies, Real massRatio, Real h, Real dt);

    // Indices of the constraints in blocks, block by block; contains: whether a constraint is among them.
    std::span<const std::uint32_t> constraints() const { return constraints_; }
    bool contains(std::size_t constraint) const { return inBlock_[constraint] != 0; }

    int colorCount() const { return static_cast<int>(colorFirst_.size()) - 1; }
    int blockCount(int color) const { return static_cast<int>(colorFirst_[color + 1] - colorFirst_[color]); }
    HeavyBlock& block(int color, int number) { return blocks_[colorFirst_[color] + number]; }

private:
    void listConstraints(std::span<const ContactLink> links, std::size_t bodyCount);
    bool collectBlock(std::span<const ContactLink> links, std::span<const SolverBodyConstants> bodies, std::uint32_t lightBody,
                      Real heaviestLight);
    void dropBlock();
    void colorBlocks(std::span<const ContactLink> links, std::span<const SolverBodyConstants> bodies);

    // The blocks of this step.
    std::vector<std::uint32_t> constraints_;
    std::vector<std::uint32_t> blockFirst_;  // into constraints_; one more than there are blocks
    std::vector<HeavyBlock> blocks_;         // colour by colour; there may be more than are used
    std::vector<std::uint32_t> colorFirst_{0};
    std::vector<std::uint32_t> colorOf_;  // by block
    std::vector<std::uint64_t> bodyColors_;
    std::vector<std::uint8_t> inBlock_;
    std::vector<std::uint32_t> bodyFirst_, bodyConstraints_;  // constraints of every body
    std::vector<std::uint32_t> queue_;
    std::vector<std::uint8_t> queued_;
    bool touchesHeavyBody_ = false;  // of the block just collected: it has a contact with a heavy body that moves
};

}  // namespace sunder::dynamics
