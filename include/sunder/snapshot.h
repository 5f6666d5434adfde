// The state of a world at one moment, kept in memory. See World::checkpoint, and World::snapshot for bytes that may leave the
// program.
#pragma once

#include <cstddef>
#include <vector>

#include "sunder/shapes.h"

namespace sunder {

class Checkpoint {
public:
    std::size_t bytes() const { return state_.size(); }  // shapes are shared with the world and not counted

private:
    friend class World;
    std::vector<std::byte> state_;
    std::vector<SharedShape> shapes_;
};

}  // namespace sunder
