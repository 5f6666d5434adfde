// Regions of space as convex polyhedra with exact planes, and the division of space that they make.
//   [Su09] 4.4   surface meshes are cut by convex regions
// Regions that are not convex, or round, are several cells. Where two cells meet they name the wall between them by the same
// number; that, and not a comparison of planes, says which of their faces lie upon each other.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "geometry/cutting/cell_complex.h"
#include "math/vec3d.h"

namespace sunder::geometry {

inline constexpr std::uint64_t kNoWall = ~std::uint64_t(0);

// Space behind it (dot(normal, p) < offset) is kept. The cells on both sides of a wall are told apart by isFront: the plane's
// normal leads from the cell that has it as false to the one that has it as true.
struct CellPlane {
    Vec3d normal;  // unit
    double offset = 0;
    std::uint64_t wall = kNoWall;  // kNoWall: the cell ends there, or goes on in a cell of the same region
    bool isFront = false;
    std::uint64_t part = 0;  // of a wall that is divided the same way on both sides: only equal parts meet
};

class ConvexCell {
public:
    struct Face {
        CellPlane plane;
        std::vector<Vec3d> points;  // counter-clockwise from outside
    };
    ConvexCell() = default;
    ConvexCell(const Vec3d& low, const Vec3d& high);  // a box

    // Cuts off what is in front of the plane. False where nothing is left.
    bool clip(const CellPlane& plane);
    bool isEmpty() const { return faces_.empty(); }
    // Whether the plane leaves something on both sides.
    bool isCrossedBy(const Vec3d& normal, double offset) const;
    // Distance of the farthest corner from a point.
    double reach(const Vec3d& from) const;
    // Turns, scales and moves: p becomes move + scale (axes[0].p, axes[1].p, axes[2].p).
    void transform(const Vec3d (&axes)[3], double scale, const Vec3d& move);
    const std::vector<Face>& faces() const { return faces_; }

    std::uint64_t region = 0;

private:
    std::vector<Face> faces_;
    double size_ = 1;  // m: what rounding is judged by
};

// The part of a convex polygon behind the plane, with points on it to `slack` as part of it.
void clipPolygon(std::vector<Vec3d>& polygon, const Vec3d& normal, double offset, double slack);

// Directions of a polyhedral ball: triangles of unit vectors, counter-clockwise from outside. Its faces are within `sagitta`
// (a share of the radius) of the sphere.
std::vector<std::array<Vec3d, 3>> ballFacets(double sagitta);

// Merges what is beyond the radius about the centre into one region. Walls get the numbers from firstWall on.
std::vector<ConvexCell> cellsWithin(std::vector<ConvexCell> cells, const Vec3d& center, double radius, double sagitta,
                                    const Vec3d& low, const Vec3d& high, std::uint64_t outside, std::uint64_t firstWall);

// The faces between cells of different regions. Labels are positions in `regions`, which is filled with their numbers,
// ascending. Faces of one wall have one group.
struct CellsComplex {
    CellComplex complex;
    std::vector<std::uint64_t> regions;
    std::string error;  // empty where the cells fit together
};
CellsComplex complexOfCells(std::span<const ConvexCell> cells, double size);

}  // namespace sunder::geometry
