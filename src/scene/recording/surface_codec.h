// Drawn shapes as bytes. Simple solids and the points of hulls are kept exactly, in float. Triangles are compressed: positions
// to 2^-18 of the surface's extent, normals to 0.05 degrees, texture coordinates to 2^-16 of their extent.
#pragma once

#include <optional>
#include <span>

#include "core/binary_writer.h"
#include "sunder/scene/surface.h"

namespace sunder::scene {

void writeSurface(BinaryWriter& out, const DrawnShape& shape);
// Nothing where the bytes cannot be decoded.
std::optional<DrawnShape> readSurface(std::span<const std::byte> contents);

}  // namespace sunder::scene
