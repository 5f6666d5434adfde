// How large the pieces of a pattern are, from its definition; of one from a file, from its grid and the number of its regions.
#include <cmath>

#include "geometry/patterns/built_pattern.h"

namespace sunder::geometry {

namespace {

// By Newton's steps, with the same bits everywhere.
double cubeRootFromOne(double x) {
    double y = 1;
    for (int i = 0; i < 60; ++i)
        y = (2 * y + x / (y * y)) / 3;
    return y;
}

// As many pieces in a ball of diameter 1.
double sizeOf(int pieces) {
    constexpr double kBall = 0.5235987755982988;
    return cubeRootFromOne(kBall / pieces);
}

struct Size {
    double operator()(const RadialPattern& p) const { return 2 * double(p.innerRadius); }
    double operator()(const VoronoiPattern& p) const { return sizeOf(p.pieces); }
    double operator()(const WoodPattern& p) const { return sizeOf(p.pieces); }
    double operator()(const SlabPattern& p) const { return double(p.thickness); }
    double operator()(const BrickPattern& p) const {
        return cubeRootFromOne(double(p.size.x) * double(p.size.y) * double(p.size.z));
    }
    double operator()(const ShellPattern& p) const { return double(p.thickness); }
};

}  // namespace

Real pieceSize(const BuiltPattern& pattern) {
    if (pattern.definition)
        return Real(std::visit(Size{}, pattern.definition->kind));
    const Bounds bounds = pattern.pattern.grid.bounds();
    const Vec3 size = bounds.high - bounds.low;
    const double area = double(size.x) * double(size.z);
    const int pieces = pattern.pattern.regionCount;
    if (pattern.drawn && pattern.drawn->isPrism)
        return Real(std::sqrt(area / pieces));
    return Real(cubeRootFromOne(area * double(size.y) / pieces));
}

}  // namespace sunder::geometry
