// Whether triangles of pieces are as they should be: neither turned over, nor needles, nor folded upon a neighbour. Nodes are
// taken as they are in single precision.
#pragma once

#include <vector>

#include "geometry/pieces/shared_triangles.h"

namespace sunder::geometry {

class TriangleCheck {
public:
    explicit TriangleCheck(const std::vector<Vec3d>& nodes);
    void addNode(const Vec3d& position);

    // How far triangles of cracks may turn from their faces: less than a quarter of a turn, or as far as they do not fold.
    enum class Cracks { Bend, Tilt };
    void let(Cracks cracks) { cracks_ = cracks; }

    // Those of the old surface must face as it does.
    bool isFine(const SharedTriangle& triangle) const;
    bool isNoWorse(const SharedTriangle& before, const SharedTriangle& after) const;
    // Whether one of the triangles that are added lies upon a neighbour: of cracks two, or of the old surface two.
    bool folds(const SharedTriangles& triangles, const SharedTriangles::Change& change) const;

private:
    Vec3d areaOf(const SharedTriangle& triangle, double& longest) const;
    Vec3d unitNormal(const SharedTriangle& triangle) const;

    std::vector<Vec3d> nodes_;
    Cracks cracks_ = Cracks::Bend;
};

}  // namespace sunder::geometry
