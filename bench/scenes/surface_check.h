// What is wrong with the drawn surfaces of pieces, from what a user gets of them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "sunder/shapes.h"

namespace sunder::scenes {

struct SurfaceFaults {
    std::size_t reversed = 0;    // triangles of the old surface that face against its normals
    std::size_t folded = 0;      // edges at which the surface turns back upon itself, by all but kFold of half a turn
    std::size_t openEdges = 0;   // edges with more triangles one way than the other
    std::size_t shortEdges = 0;  // of cracks: below a quarter of a cell, and of the mesh's own edges there
    std::size_t crackTriangles = 0, polygonTriangles = 0;  // in crack faces; that flat polygons of their outlines would have
    std::size_t triangles = 0;
    double volume = 0;   // m^3
    double oldArea = 0;  // m^2: of the old surface in the pieces
    double reversedArea = 0;
};

namespace surface_check {

struct Point {
    double x = 0, y = 0, z = 0;
};
inline Point operator+(const Point& a, const Point& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Point operator-(const Point& a, const Point& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Point operator*(const Point& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
inline Point cross(const Point& a, const Point& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline double dot(const Point& a, const Point& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double length(const Point& a) { return std::sqrt(dot(a, a)); }
inline Point at(const Vec3& p) { return {double(p.x), double(p.y), double(p.z)}; }

// Cosine beyond which two triangles at an edge lie upon each other: sharper than the edges of shards, 2.5 degrees.
constexpr double kFold = 0.999;
// Cosine below which two crack triangles are of different polygons: corners that were joined bend a face a little.
constexpr double kFlat = 0.999;
// Height of a triangle over its longest side below which its normal is rounding.
constexpr double kThin = 3e-6;
constexpr double kShortest = 0.25;  // cells

using Key = std::array<Real, 3>;
inline Key keyOf(const Vec3& p) { return {p.x, p.y, p.z}; }

struct Facet {
    Point normal;  // unit; zero where the triangle has none
    double area = 0;
};

inline Facet facetOf(const DrawnSurface& surface, const std::array<std::uint32_t, 3>& t) {
    const Point a = at(surface.positions[t[0]]), b = at(surface.positions[t[1]]), c = at(surface.positions[t[2]]);
    const Point n = cross(b - a, c - a);
    const double size = length(n), longest = std::max({length(b - a), length(c - b), length(a - c)});
    if (!(size > kThin * longest * longest))
        return {{}, 0.5 * size};
    return {n * (1 / size), 0.5 * size};
}

struct Use {
    Key from, to;  // from < to
    std::uint32_t triangle;
    bool isForward;
};

inline std::vector<Use> edgesOf(const DrawnSurface& surface) {
    std::vector<Use> uses;
    for (std::uint32_t t = 0; t < surface.triangles.size(); ++t)
        for (std::size_t i = 0; i < 3; ++i) {
            const Key a = keyOf(surface.positions[surface.triangles[t][i]]);
            const Key b = keyOf(surface.positions[surface.triangles[t][(i + 1) % 3]]);
            if (a != b)
                uses.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::sort(uses.begin(), uses.end(), [](const Use& a, const Use& b) {
        return std::tie(a.from, a.to, a.triangle) < std::tie(b.from, b.to, b.triangle);
    });
    return uses;
}

// How many triangles the outlines of flat groups of crack triangles need.
class Polygons {
public:
    explicit Polygons(std::size_t triangles) : group_(triangles) { std::iota(group_.begin(), group_.end(), 0u); }
    void join(std::uint32_t a, std::uint32_t b) { group_[root(a)] = root(b); }
    std::uint32_t root(std::uint32_t i) {
        while (group_[i] != i)
            i = group_[i] = group_[group_[i]];
        return i;
    }
    void addOutline(std::uint32_t triangle, const Key& from, const Key& to) {
        auto& ends = outlines_[root(triangle)];
        ends[from].push_back(to);
        ends[to].push_back(from);
    }
    std::size_t triangles() const {
        std::size_t sum = 0;
        for (const auto& [group, ends] : outlines_) {
            std::size_t corners = 0;
            for (const auto& [point, others] : ends)
                corners += others.size() != 2 || !isStraight(point, others[0], others[1]);
            sum += corners > 3 ? corners - 2 : 1;
        }
        return sum;
    }

private:
    static bool isStraight(const Key& p, const Key& a, const Key& b) {
        const Point u{double(a[0]) - p[0], double(a[1]) - p[1], double(a[2]) - p[2]};
        const Point v{double(b[0]) - p[0], double(b[1]) - p[1], double(b[2]) - p[2]};
        return dot(u, v) < 0 && length(cross(u, v)) <= 1e-3 * length(u) * length(v);
    }
    std::vector<std::uint32_t> group_;
    std::map<std::uint32_t, std::map<Key, std::vector<Key>>> outlines_;
};

}  // namespace surface_check

inline double volumeOf(const DrawnSurface& surface) {
    double sum = 0;
    for (const auto& [a, b, c] : surface.triangles)
        sum += dot(surface_check::at(surface.positions[a]),
                   cross(surface_check::at(surface.positions[b]), surface_check::at(surface.positions[c])));
    return sum / 6;
}

inline double areaOf(const DrawnSurface& surface) {
    double sum = 0;
    for (const auto& t : surface.triangles)
        sum += surface_check::facetOf(surface, t).area;
    return sum;
}

// Sums over the pieces of a body whose surface was `whole`, in its frame or any other that is turned the same way; cell: of the
// grid on which it broke (m).
class SurfaceChecker {
public:
    SurfaceChecker(const DrawnSurface& whole, double cell);
    // offset: from the piece's frame to that of the whole.
    void add(const DrawnSurface& piece, const Vec3& offset);
    const SurfaceFaults& faults() const { return faults_; }

private:
    double meshEdgeAt(const surface_check::Point& p) const;
    void checkTriangles(const DrawnSurface& piece);
    void checkEdges(const DrawnSurface& piece, const Vec3& offset);

    const DrawnSurface& whole_;
    double cell_, bin_ = 1;
    std::vector<std::pair<std::array<int, 3>, std::uint32_t>> bins_;  // triangles of the whole by the boxes they meet; sorted
    SurfaceFaults faults_;
};

inline SurfaceChecker::SurfaceChecker(const DrawnSurface& whole, double cell) : whole_(whole), cell_(cell) {
    double sum = 0;
    for (const auto& [a, b, c] : whole.triangles)
        sum += length(surface_check::at(whole.positions[a]) - surface_check::at(whole.positions[b]));
    surface_check::Point low{1e300, 1e300, 1e300}, high{-1e300, -1e300, -1e300};
    for (const Vec3& p : whole.positions) {
        low = {std::min(low.x, double(p.x)), std::min(low.y, double(p.y)), std::min(low.z, double(p.z))};
        high = {std::max(high.x, double(p.x)), std::max(high.y, double(p.y)), std::max(high.z, double(p.z))};
    }
    // At most some 100 boxes along a side.
    bin_ = std::max(sum / double(std::max<std::size_t>(1, whole.triangles.size())), 0.01 * length(high - low));
    for (std::uint32_t t = 0; t < whole.triangles.size(); ++t) {
        const auto& [a, b, c] = whole.triangles[t];
        const surface_check::Point p = surface_check::at(whole.positions[a]), q = surface_check::at(whole.positions[b]),
                                   r = surface_check::at(whole.positions[c]);
        const double slack = 1e-6 * length(high - low);
        const auto from = [&](double u, double v, double w) { return int(std::floor((std::min({u, v, w}) - slack) / bin_)); };
        const auto to = [&](double u, double v, double w) { return int(std::floor((std::max({u, v, w}) + slack) / bin_)); };
        for (int z = from(p.z, q.z, r.z); z <= to(p.z, q.z, r.z); ++z)
            for (int y = from(p.y, q.y, r.y); y <= to(p.y, q.y, r.y); ++y)
                for (int x = from(p.x, q.x, r.x); x <= to(p.x, q.x, r.x); ++x)
                    bins_.push_back({{x, y, z}, t});
    }
    std::sort(bins_.begin(), bins_.end());
}

// The shortest edge of the mesh's triangles at this point of its surface; infinite where there is none.
inline double SurfaceChecker::meshEdgeAt(const surface_check::Point& p) const {
    const std::array<int, 3> box{int(std::floor(p.x / bin_)), int(std::floor(p.y / bin_)), int(std::floor(p.z / bin_))};
    double shortest = INFINITY;
    for (auto it = std::lower_bound(bins_.begin(), bins_.end(), std::pair(box, 0u)); it != bins_.end() && it->first == box;
         ++it) {
        const auto& t = whole_.triangles[it->second];
        const surface_check::Point a = surface_check::at(whole_.positions[t[0]]), b = surface_check::at(whole_.positions[t[1]]),
                                   c = surface_check::at(whole_.positions[t[2]]);
        const surface_check::Point n = cross(b - a, c - a);
        const double size = length(n), edge = std::min({length(b - a), length(c - b), length(a - c)});
        // Points are rounded twice: by their piece's frame, and on the way back.
        const double slack = 1e-3 * size;
        if (size > 0 && std::fabs(dot(n, p - a)) <= 1e-3 * size * std::sqrt(size) &&
            dot(cross(b - a, p - a), n) >= -slack * size && dot(cross(c - b, p - b), n) >= -slack * size &&
            dot(cross(a - c, p - c), n) >= -slack * size)
            shortest = std::min(shortest, edge);
    }
    return shortest;
}

inline void SurfaceChecker::add(const DrawnSurface& piece, const Vec3& offset) {
    faults_.volume += volumeOf(piece);
    faults_.triangles += piece.triangles.size();
    checkTriangles(piece);
    checkEdges(piece, offset);
}

inline void SurfaceChecker::checkTriangles(const DrawnSurface& piece) {
    for (std::size_t t = 0; t < piece.triangles.size(); ++t) {
        if (piece.slots[t] != DrawnSurface::kOldSurface) {
            ++faults_.crackTriangles;
            continue;
        }
        const auto& [a, b, c] = piece.triangles[t];
        const surface_check::Facet facet = surface_check::facetOf(piece, piece.triangles[t]);
        faults_.oldArea += facet.area;
        const surface_check::Point normal =
            surface_check::at(piece.normals[a]) + surface_check::at(piece.normals[b]) + surface_check::at(piece.normals[c]);
        if (dot(facet.normal, normal) < 0) {
            ++faults_.reversed;
            faults_.reversedArea += facet.area;
        }
    }
}

inline void SurfaceChecker::checkEdges(const DrawnSurface& piece, const Vec3& offset) {
    const std::vector<surface_check::Use> uses = surface_check::edgesOf(piece);
    std::vector<surface_check::Facet> facets;
    for (const auto& t : piece.triangles)
        facets.push_back(surface_check::facetOf(piece, t));
    const auto isCrack = [&](const surface_check::Use& use) { return piece.slots[use.triangle] != DrawnSurface::kOldSurface; };
    surface_check::Polygons polygons(piece.triangles.size());
    const auto forEachEdge = [&](auto&& visit) {
        for (std::size_t i = 0, end = 0; i < uses.size(); i = end) {
            for (end = i; end < uses.size() && uses[end].from == uses[i].from && uses[end].to == uses[i].to;)
                ++end;
            visit(i, end);
        }
    };
    forEachEdge([&](std::size_t i, std::size_t end) {
        int balance = 0;
        bool anyCrack = false, anyOld = false;
        for (std::size_t k = i; k < end; ++k) {
            balance += uses[k].isForward ? 1 : -1;
            anyCrack |= isCrack(uses[k]);
            anyOld |= !isCrack(uses[k]);
        }
        faults_.openEdges += balance != 0;
        const surface_check::Point from{double(uses[i].from[0]), double(uses[i].from[1]), double(uses[i].from[2])};
        const surface_check::Point to{double(uses[i].to[0]), double(uses[i].to[1]), double(uses[i].to[2])};
        const double size = length(to - from);
        if (anyCrack && size < surface_check::kShortest * cell_) {
            // Within a crack, between two corners of its rim, what the mesh has at both counts.
            const auto meshEdge = [&](const surface_check::Point& p) { return meshEdgeAt(p + surface_check::at(offset)); };
            const double one = meshEdge(from), two = meshEdge(to);
            const bool isRim = !std::isinf(one) && !std::isinf(two);
            const double own = anyOld ? meshEdge((from + to) * 0.5) : isRim ? std::min(one, two) : INFINITY;
            faults_.shortEdges += size < surface_check::kShortest * own;
        }
        if (end - i != 2)
            return;
        const surface_check::Facet &a = facets[uses[i].triangle], &b = facets[uses[i + 1].triangle];
        const double cosine = dot(a.normal, b.normal);
        faults_.folded += cosine < -surface_check::kFold && isCrack(uses[i]) == isCrack(uses[i + 1]);
        if (isCrack(uses[i]) && isCrack(uses[i + 1]) && (cosine > surface_check::kFlat || cosine == 0))
            polygons.join(uses[i].triangle, uses[i + 1].triangle);
    });
    forEachEdge([&](std::size_t i, std::size_t end) {
        if (end - i == 2 && isCrack(uses[i]) && isCrack(uses[i + 1]) &&
            polygons.root(uses[i].triangle) == polygons.root(uses[i + 1].triangle))
            return;
        for (std::size_t k = i; k < end; ++k)
            if (isCrack(uses[k]))
                polygons.addOutline(uses[k].triangle, uses[k].from, uses[k].to);
    });
    faults_.polygonTriangles += polygons.triangles();
}

}  // namespace sunder::scenes
