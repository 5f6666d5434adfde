#include "geometry/cells/rough_complex.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/none.h"

namespace sunder::geometry {
namespace {

constexpr int kMostEdgeHalvings = 10;

// Halves all edges longer than the size. A triangle becomes as many as its halved edges ask for.
bool halveEdges(CellComplex& complex, double size) {
    std::vector<std::uint32_t> middles(complex.edges.size(), kNone);
    bool any = false;
    for (std::size_t i = 0; i < complex.edges.size(); ++i) {
        const Vec3d a = complex.points[complex.edges[i].from], b = complex.points[complex.edges[i].to];
        if (length(b - a) <= size)
            continue;
        middles[i] = std::uint32_t(complex.points.size());
        complex.points.push_back((a + b) * 0.5);
        any = true;
    }
    std::vector<CellComplex::Face> faces;
    for (std::size_t f = 0; f < complex.faces.size(); ++f) {
        const CellComplex::Face& face = complex.faces[f];
        const auto add = [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            faces.push_back(face);
            faces.back().points = {a, b, c};
        };
        std::uint32_t p[3], m[3];
        int halved = 0, first = 0;
        for (int i = 0; i < 3; ++i)
            halved += middles[complex.faceEdges[f][std::size_t(i)]] != kNone;
        // Turned so that with one halved edge it is the first, with two the last is whole.
        const auto isHalved = [&](int i) { return middles[complex.faceEdges[f][std::size_t(i % 3)]] != kNone; };
        while ((halved == 1 && !isHalved(first)) || (halved == 2 && isHalved(first + 2)))
            ++first;
        for (int i = 0; i < 3; ++i) {
            p[i] = face.points[std::size_t((first + i) % 3)];
            m[i] = middles[complex.faceEdges[f][std::size_t((first + i) % 3)]];
        }
        if (halved == 0)
            add(p[0], p[1], p[2]);
        if (halved == 1)
            add(p[0], m[0], p[2]), add(m[0], p[1], p[2]);
        if (halved == 2)
            add(m[0], p[1], m[1]), add(p[0], m[0], m[1]), add(p[0], m[1], p[2]);
        if (halved == 3)
            add(p[0], m[0], m[2]), add(m[0], p[1], m[1]), add(m[2], m[1], p[2]), add(m[0], m[1], m[2]);
    }
    complex.faces = std::move(faces);
    return any;
}

Vec3d normalOf(const CellComplex::Face& face, const std::vector<Vec3d>& points) {
    const Vec3d &a = points[face.points[0]], &b = points[face.points[1]], &c = points[face.points[2]];
    return normalizeOr(cross(b - a, c - a), face.normal);
}

}  // namespace

void sortByPlanes(CellComplex& complex) {
    struct Use {
        std::uint32_t from, to, face, side;
        double turn;  // grows with the angle, 0 to 4
    };
    std::vector<Use> uses;
    for (std::uint32_t face = 0; face < complex.faces.size(); ++face)
        for (std::uint32_t side = 0; side < 3; ++side) {
            const std::uint32_t a = complex.faces[face].points[side], b = complex.faces[face].points[(side + 1) % 3];
            Use use{std::min(a, b), std::max(a, b), face, side, 0};
            const Vec3d axis = normalizeOr(complex.points[use.to] - complex.points[use.from], {1, 0, 0});
            const Vec3d u = anyPerpendicular(axis), v = cross(axis, u);
            const Vec3d away = cross(complex.faces[face].normal, complex.points[b] - complex.points[a]);
            const double x = dot(away, u), y = dot(away, v), sum = std::fabs(x) + std::fabs(y);
            const double share = sum > 0 ? y / sum : 0;
            use.turn = x < 0 ? 2 - share : (y < 0 ? 4 + share : share);
            uses.push_back(use);
        }
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
        return std::tie(a.from, a.to, a.turn, a.face) < std::tie(b.from, b.to, b.turn, b.face);
    });
    std::vector<CellComplex::EdgeUse> ordered;
    for (std::uint32_t i = 0; i < uses.size(); ++i)
        ordered.push_back({uses[i].from, uses[i].to, i, uses[i].face, uses[i].side});
    complex.setEdges(std::move(ordered));
}

void roughenComplex(CellComplex& complex, double size, const std::function<Vec3d(const Vec3d&)>& moved) {
    for (int round = 0; round < kMostEdgeHalvings && halveEdges(complex, size); ++round)
        sortByPlanes(complex);
    std::vector<Vec3d> target;
    for (const Vec3d& p : complex.points)
        target.push_back(moved(p));
    // Cosine between a face and what becomes of it below which its corners are moved only half as far.
    constexpr double kSteepest = 0.3;
    constexpr int kMostHalvings = 6;
    for (int i = 0; i < kMostHalvings; ++i) {
        std::vector<std::uint8_t> isSteep(complex.points.size());
        for (const CellComplex::Face& face : complex.faces)
            if (dot(normalOf(face, target), face.normal) < kSteepest)
                for (const std::uint32_t point : face.points)
                    isSteep[point] = 1;
        for (std::size_t p = 0; p < target.size(); ++p)
            if (isSteep[p])
                target[p] = (target[p] + complex.points[p]) * 0.5;
    }
    complex.points = std::move(target);
    for (std::uint32_t i = 0; i < complex.faces.size(); ++i) {
        complex.faces[i].group = i;
        complex.faces[i].normal = normalOf(complex.faces[i], complex.points);
    }
}

}  // namespace sunder::geometry
