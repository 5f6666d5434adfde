// The sharp edges and corners in many cells of a level set.
#pragma once

#include <span>
#include <vector>

#include "geometry/level_set/level_set.h"
#include "geometry/surface/node_planes.h"
#include "geometry/surface/surface_cell.h"

namespace sunder::geometry {

// The vertex of a cell with one sheet.
struct CellFeature {
    Vec3 position, normal;  // in cells from the cell's lowest node; unit
    SurfaceFeature feature = SurfaceFeature::Smooth;
    // Otherwise the position is the mean of the crossings, and the normal the gradient in the cell's middle.
    bool isFound = false;
};

// Keeps its memory from one field to the next.
class FeatureCells {
public:
    // One result per cell; valid until the next call.
    template <class Stored>
    std::span<const CellFeature> find(const LevelSet<Stored>& field, std::span<const SurfaceCell> cells);

private:
    NodePlanes planes_;
    std::vector<CellFeature> features_;
};

}  // namespace sunder::geometry
