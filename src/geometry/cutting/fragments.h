// What a cut leaves: polygons of the surface and of the faces, and which of their edges lie back to back.
#pragma once

#include <string>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "geometry/cutting/crossings.h"

namespace sunder::geometry {

// Where a node may be moved without changing the surface: a point of it stays, one on an edge may go along it.
struct NodePlace {
    enum class Kind : std::uint8_t { Point, Edge, Triangle, Inner };
    Kind kind = Kind::Inner;
    std::uint32_t number = 0;  // of the surface's point, edge or triangle
};

// A polygon of a triangle of the surface or of a face, as part of the surface of what has one label. Two edges with one seam
// lie back to back. The two sides of a face follow each other: first that which the label behind the face sees.
struct Fragment {
    std::uint32_t label = 0;
    bool isFace = false, isFront = false;
    std::uint32_t source = 0;  // triangle or face
    std::uint32_t firstCorner = 0, cornerCount = 0;
};

struct Fragments {
    static constexpr std::uint32_t kNoSeam = 0xffffffffu;  // an edge to a hole and back
    struct Corner {
        std::uint32_t node = 0, seam = kNoSeam;  // of the edge to the next corner
    };
    std::vector<Vec3d> nodes;
    std::vector<NodePlace> places;  // by node
    std::vector<Fragment> all;
    std::vector<Corner> corners;
    std::uint32_t seamCount = 0;
    ClosedSurface surface;
    std::string error;  // why there are none

    const Corner* cornersOf(const Fragment& fragment) const { return corners.data() + fragment.firstCorner; }
};

}  // namespace sunder::geometry
