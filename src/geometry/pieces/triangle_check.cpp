#include "geometry/pieces/triangle_check.h"

#include <algorithm>
#include <cmath>

#include "math/vec3.h"

namespace sunder::geometry {
namespace {

// Height over longest side below which a triangle is a needle: above what rounding turns over.
constexpr double kLeastHeight = 2e-5;
// Height over longest side below which a triangle has no side to be turned over.
constexpr double kNothing = 2e-6;
// Cosine: how far a triangle of a crack may turn from its face.
constexpr double kBend = 0.1, kTilt = -0.8;
// Cosine beyond which two triangles lie upon each other: 2.5 degrees, sharper than shards are.
constexpr double kFold = 0.999;

}  // namespace

// Judged as they will be stored: rounding turns over what is thin enough.
TriangleCheck::TriangleCheck(const std::vector<Vec3d>& nodes) {
    nodes_.reserve(nodes.size());
    std::for_each(nodes.begin(), nodes.end(), [&](const Vec3d& p) { addNode(p); });
}

void TriangleCheck::addNode(const Vec3d& position) { nodes_.push_back(toDouble(toReal(position))); }

// longest: the square of its longest side.
Vec3d TriangleCheck::areaOf(const SharedTriangle& triangle, double& longest) const {
    const Vec3d &p = nodes_[triangle.nodes[0]], &q = nodes_[triangle.nodes[1]], &r = nodes_[triangle.nodes[2]];
    longest = std::max({dot(q - p, q - p), dot(r - q, r - q), dot(p - r, p - r)});
    return cross(q - p, r - p);
}

bool TriangleCheck::isFine(const SharedTriangle& triangle) const {
    double longest = 0;
    const Vec3d area = areaOf(triangle, longest);
    const double along = dot(area, triangle.normal);
    if (!triangle.isCrack())
        return along > kLeastHeight * longest;
    return length(area) > kLeastHeight * longest && along > (cracks_ == Cracks::Bend ? kBend : kTilt) * length(area);
}

bool TriangleCheck::isNoWorse(const SharedTriangle& before, const SharedTriangle& after) const {
    double longestBefore = 0, longestAfter = 0;
    const double one = dot(areaOf(before, longestBefore), before.normal), two = dot(areaOf(after, longestAfter), after.normal);
    const double least = kNothing * longestAfter;
    return two * longestBefore >= one * longestAfter || (std::fabs(one) < kNothing * longestBefore && std::fabs(two) < least);
}

Vec3d TriangleCheck::unitNormal(const SharedTriangle& triangle) const {
    double longest = 0;
    const Vec3d area = areaOf(triangle, longest);
    return length(area) > kLeastHeight * longest ? normalizeOr(area, {}) : Vec3d{};
}

bool TriangleCheck::folds(const SharedTriangles& triangles, const SharedTriangles::Change& change) const {
    const auto lieUpon = [&](const SharedTriangle& one, const SharedTriangle& two) {
        if (one.isCrack() != two.isCrack())
            return false;
        const double cosine = dot(unitNormal(one), unitNormal(two));
        // Seen from the piece that both belong to.
        const bool areAlike = one.back == two.back || (one.isCrack() && one.front == two.front);
        const bool areOpposite = one.isCrack() && (one.back == two.front || one.front == two.back);
        return (areAlike && cosine < -kFold) || (areOpposite && cosine > kFold);
    };
    for (std::size_t k = 0; k < change.added.size(); ++k)
        for (std::size_t i = 0; i < 3; ++i) {
            const SharedTriangle& triangle = change.added[k];
            const std::uint32_t a = triangle.nodes[i], b = triangle.nodes[(i + 1) % 3];
            for (const std::uint32_t t : triangles.at(a))
                if (triangles[t].has(b) && std::find(change.removed.begin(), change.removed.end(), t) == change.removed.end() &&
                    lieUpon(triangle, triangles[t]))
                    return true;
            for (std::size_t other = k + 1; other < change.added.size(); ++other)
                if (change.added[other].has(a) && change.added[other].has(b) && lieUpon(triangle, change.added[other]))
                    return true;
        }
    return false;
}

}  // namespace sunder::geometry
