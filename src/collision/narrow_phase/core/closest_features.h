// Whether given features of two polyhedra that are apart hold their closest points. Those of the last look mostly still do,
// which is proved in a few lines where a search for the distance takes six rounds of support points.
#pragma once

#include "collision/narrow_phase/core/separating_axes.h"

namespace sunder::collision {

// The direction that two features give, and how far it separates the cores.
struct FeatureAxis {
    bool isSeparation = false;  // axis.normal and axis.separation are set: no point of B is less far along the normal
    bool isClosest = false;     // the cores are apart, and the axis is that of their closest points
    OverlapAxis axis;
};

// A face of a, or of b, and the vertex of the other core that is lowest over it. They are closest where the vertex lies over
// the face: no point is nearer than the face's plane.
FeatureAxis axisOfFace(const PlacedCore& a, const PlacedCore& b, bool isFaceOfB, int face);

// An edge of each. The direction across both separates the cores where their arcs cross on the Gauss map, and they are closest
// where the lines pass each other between their ends.
FeatureAxis axisOfEdges(const PlacedCore& a, const PlacedCore& b, int edgeA, int edgeB);

}  // namespace sunder::collision
