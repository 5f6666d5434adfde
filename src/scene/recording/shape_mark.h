// Tells shapes apart: cheaply for one body from frame to frame, by a hash between bodies.
#pragma once

#include <array>
#include <cstdint>

#include "sunder/world.h"

namespace sunder::scene {

// Tells cheaply, without comparing all of it, whether a body still has the shape that it had.
struct ShapeMark {
    std::size_t type = 0;
    std::array<Real, 6> numbers{};
    const void* data = nullptr;
    std::size_t size = 0;
    friend bool operator==(const ShapeMark&, const ShapeMark&) = default;
};
ShapeMark markOf(const Shape& shape);

// A hash of all of a shape.
std::uint64_t hashOf(const Shape& shape);

}  // namespace sunder::scene
