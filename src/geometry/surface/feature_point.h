// The point of a cell in which the planes that its corners see meet: on the sharp edge or corner that runs through it.
//   [JLSW02] quadratic error functions
// Deviation: planes come from the nodes of the cell and not from the crossings of its edges, because a sampled distance has
// no sharp gradient at a crossing next to an edge, but its nodes each see one face. The rank is found from the normals, with
// no eigenvalues: two that differ make an edge, a third out of their plane a corner.
#pragma once

#include "geometry/surface/node_planes.h"
#include "geometry/surface/surface_cell.h"

namespace sunder::geometry {

struct FeaturePoint {
    Vec3 position, normal;                            // in cells from the cell's lowest node
    SurfaceFeature feature = SurfaceFeature::Smooth;  // Smooth: the planes make no edge near this cell; no position
    // Where the position lies outside the cell (by up to a cell): the place in the cell on the face nearest to it.
    Vec3 inCell, inCellNormal;
    bool isOutside = false;
};

// `mean` of the crossings of the cell's edges.
FeaturePoint featurePoint(const CornerPlanes& planes, const Vec3& mean);

// Where featurePoint would find something other than Smooth, or may: two of the planes make an edge somewhere.
QuadMask makeEdges(const FourCornerPlanes& planes, const QuadVec3& means);

}  // namespace sunder::geometry
