#include "geometry/pieces/fold_check.h"

#include <algorithm>
#include <tuple>

namespace sunder::geometry {
namespace {

// Cosine beyond which two triangles lie upon each other: 2.5 degrees, sharper than shards are.
constexpr double kFold = 0.999;
// Height over longest side squared below which a normal is rounding.
constexpr double kThin = 3e-6;

// Zero where the triangle is a needle.
Vec3d normalOf(const std::array<Vec3d, 3>& p) {
    const Vec3d n = cross(p[1] - p[0], p[2] - p[0]);
    const double longest =
        std::max({dot(p[1] - p[0], p[1] - p[0]), dot(p[2] - p[1], p[2] - p[1]), dot(p[0] - p[2], p[0] - p[2])});
    return length(n) > kThin * longest ? normalizeOr(n, {}) : Vec3d{};
}

}  // namespace

void addFaultyNodes(const Fragments& fragments, std::span<const PieceTriangle> piece, std::vector<std::uint32_t>& nodes) {
    struct Side {
        std::uint32_t low, high, triangle;
    };
    std::vector<Vec3d> normals;
    std::vector<Side> sides;
    const auto fault = [&](const PieceTriangle& triangle) {
        nodes.insert(nodes.end(), triangle.nodes.begin(), triangle.nodes.end());
    };
    for (std::uint32_t t = 0; t < piece.size(); ++t) {
        std::array<Vec3d, 3> corners;
        for (std::size_t i = 0; i < 3; ++i) {
            corners[i] = toDouble(toReal(fragments.nodes[piece[t].nodes[i]]));
            const std::uint32_t a = piece[t].nodes[i], b = piece[t].nodes[(i + 1) % 3];
            sides.push_back({std::min(a, b), std::max(a, b), t});
        }
        normals.push_back(normalOf(corners));
        if (piece[t].source == PieceTriangle::kCrack)
            continue;
        const auto& [a, b, c] = fragments.surface.triangles[piece[t].source];
        const std::vector<Vec3d>& p = fragments.surface.points;
        if (dot(normals.back(), cross(p[b] - p[a], p[c] - p[a])) < 0)
            fault(piece[t]);
    }
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
        return std::tie(x.low, x.high, x.triangle) < std::tie(y.low, y.high, y.triangle);
    });
    for (std::size_t i = 0, end = 0; i < sides.size(); i = end) {
        for (end = i; end < sides.size() && sides[end].low == sides[i].low && sides[end].high == sides[i].high;)
            ++end;
        if (end - i != 2)
            continue;
        const PieceTriangle &one = piece[sides[i].triangle], &two = piece[sides[i + 1].triangle];
        const bool areAlike = (one.source == PieceTriangle::kCrack) == (two.source == PieceTriangle::kCrack);
        if (areAlike && dot(normals[sides[i].triangle], normals[sides[i + 1].triangle]) < -kFold) {
            fault(one);
            fault(two);
        }
    }
}

}  // namespace sunder::geometry
