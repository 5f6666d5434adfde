// Drawn shapes as bytes. Simple solids and the points of hulls are kept exactly, in float. Triangles are compressed: positions
// to 2^-18 of the surface's extent, normals to 0.05 degrees, texture coordinates to 2^-16 of their extent, those of meshes with
// a look to 2^-22.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "core/binary_writer.h"
#include "sunder/scene/surface.h"

namespace sunder::scene {

// Lists of materials are stored once each and have numbers.
using NumberOfMaterials = std::function<std::uint32_t(const std::shared_ptr<const MeshMaterials>&)>;
using MaterialsOfNumber = std::function<std::shared_ptr<const MeshMaterials>(std::uint32_t)>;

void writeSurface(BinaryWriter& out, const DrawnShape& shape, const NumberOfMaterials& numberOf);
// Nothing where the bytes cannot be decoded.
std::optional<DrawnShape> readSurface(std::span<const std::byte> contents, const MaterialsOfNumber& materialsOf);

void writeMaterials(BinaryWriter& out, const MeshMaterials& materials);
// Null where the bytes cannot be decoded.
std::shared_ptr<const MeshMaterials> readMaterials(std::span<const std::byte> contents);

}  // namespace sunder::scene
