// The pieces of a cracked solid as regions of space: which piece a point lies in, and how far the nearest crack between pieces
// is. Cracks that part nothing have no effect.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "elastic/crack/virtual_nodes.h"
#include "geometry/patterns/build_pattern.h"
#include "geometry/static_tree.h"

namespace sunder::elastic {

// Finds the tetrahedron that holds a point.
class TetFinder {
public:
    explicit TetFinder(const UncutMesh& solid);
    // For a point outside all tetrahedra, the one near it that it is least far out of; for a point far from all, one with the
    // nearest bounds.
    std::uint32_t find(const UncutMesh& solid, const Vec3d& point) const;
    // The same, begun in a tetrahedron: the way from there to a point inside the solid is short where the two are near.
    std::uint32_t findFrom(const UncutMesh& solid, std::uint32_t start, const Vec3d& point) const;
    // Whether any tetrahedron may be within this distance (m) of the point; false is certain.
    bool isWithin(const Vec3d& point, double distance) const;

private:
    geometry::StaticTree tree_;
    std::vector<Bounds> bounds_;
};

// All that is given must outlive it, and every another() of it.
class CrackRegions final : public geometry::RegionSource {
public:
    // farthest: m, the largest distance that anybody asks for. Farther out of the solid the region may be any.
    CrackRegions(const UncutMesh& solid, const CrackState& state, const CrackedMesh& cut, const TetFinder& finder,
                 double farthest = 1e150);

    void focus(const Vec3d& center, double radius, double reach) override;
    geometry::RegionAt at(const Vec3d& point) const override;
    std::unique_ptr<geometry::RegionSource> another() const override { return std::make_unique<CrackRegions>(*this); }

private:
    using Triangle = std::array<Vec3d, 3>;
    // Where pieces meet, for all threads.
    struct Borders {
        std::vector<std::uint32_t> placeOf;  // per tetrahedron its place in `regions`, kNone where it belongs to one piece
        std::vector<CornerRegions> regions;
        std::vector<Triangle> triangles;
        geometry::StaticTree tree;
    };
    void addBorders(std::uint32_t tet, Borders& made) const;

    const UncutMesh& solid_;
    const CrackedMesh& cut_;
    const TetFinder& finder_;
    std::shared_ptr<const Borders> borders_;
    double farthest_, reach_;
    bool isBorderNear_ = true, isSolidNear_ = true;  // to the points of the last focus
    mutable std::uint32_t last_ = 0;                 // where the point before was; nothing depends on it but time
};

// The element of a cracked mesh that holds a point, and the point's weights there: barycentric, none below 0, sum 1. Of a
// splinter of a tetrahedron, which would bear no load, the largest part of that tetrahedron in its place.
struct ElementPlace {
    std::uint32_t element = 0;
    std::array<double, 4> weights{};
};
ElementPlace placeOf(const UncutMesh& solid, const CrackState& state, const CrackedMesh& cut, const TetFinder& finder,
                     const Vec3d& point);

}  // namespace sunder::elastic
