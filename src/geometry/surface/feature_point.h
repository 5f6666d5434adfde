// The point of a cell where the planes at its corners meet: on the sharp edge or corner that runs through it.
//   [JLSW02] quadratic error functions
// Deviation: planes come from the nodes of the cell and not from the crossings of its edges, because a sampled distance has no
// sharp gradient at a crossing next to an edge, but each of its nodes sees one face. The rank is found from the normals,
// without eigenvalues: two that differ make an edge, a third out of their plane a corner.
#pragma once

#include "geometry/surface/node_planes.h"
#include "geometry/surface/surface_cell.h"

namespace sunder::geometry {

struct FeaturePoint {
    Vec3 position, normal;  // in cells from the cell's lowest node
    SurfaceFeature feature =
        SurfaceFeature::Smooth;  // Smooth: the planes make no edge near this cell, and there is no position
    // Where the position lies outside the cell (by up to a cell): the point in the cell on the nearest face.
    Vec3 inCell, inCellNormal;
    bool isOutside = false;
};

// mean: of the crossings of the cell's edges.
FeaturePoint featurePoint(const CornerPlanes& planes, const Vec3& mean);

// True where featurePoint may find something other than Smooth: two of the planes make an edge somewhere.
QuadMask makeEdges(const FourCornerPlanes& planes, const QuadVec3& means);

}  // namespace sunder::geometry
