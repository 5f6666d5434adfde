#include "geometry/look/look_source.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/none.h"
#include "core/union_find.h"
#include "geometry/level_set/closest_point.h"
#include "geometry/look/texture_coordinates.h"
#include "geometry/look/vertex_splitter.h"
#include "geometry/vertex_weld.h"

namespace sunder::geometry {
namespace {

constexpr Real kRepeat = 1;  // m for one repeat of projected textures
// Coordinates on the two sides of an edge that differ by more are a seam: a hundredth of a texel of a 16k texture.
constexpr float kSameTexel = 1e-6f;
// Texture coordinates, and steps of 255 of a colour: two maps that differ by no more are one map, up to rounding.
constexpr double kSameMap = 2e-5, kSameColor = 2;
// A triangle that faces the other way counts only where none that faces this way is within so many times its distance: thin
// sheets have two sides.
constexpr double kFarSide = 4;

TextureCoordinate coordinateOf(const MeshLook& look, std::uint32_t triangle, std::size_t corner) {
    const auto& at = look.textureCoordinates[triangle][corner];
    return {at[0], at[1]};
}

std::uint16_t materialOf(const MeshLook& look, std::uint32_t triangle) {
    return look.materialOf.empty() ? std::uint16_t(0) : look.materialOf[triangle];
}

}  // namespace

VertexColor blend(const std::array<VertexColor, 3>& colors, const std::array<double, 3>& weights) {
    VertexColor result;
    for (std::size_t i = 0; i < result.size(); ++i) {
        double sum = 0.5;
        for (std::size_t corner = 0; corner < 3; ++corner)
            sum += weights[corner] * colors[corner][i];
        result[i] = std::uint8_t(std::clamp(std::floor(sum), 0.0, 255.0));
    }
    return result;
}

bool fits(const MeshLook& look, std::size_t triangles) {
    const auto isRight = [&](const auto& list) { return list.empty() || list.size() == triangles; };
    const std::size_t most = look.materials ? look.materials->size() : 0;
    return isRight(look.textureCoordinates) && isRight(look.colors) && isRight(look.materialOf) && most < 0xfffe &&
           std::all_of(look.materialOf.begin(), look.materialOf.end(),
                       [&](std::uint16_t number) { return number == 0 || number < most; });
}

void takeLook(SurfaceMesh& surface, const MeshLook& look, std::span<const SourceCorners> sources) {
    VertexSplitter splitter(surface, !look.colors.empty());
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        const AxisProjection projection(surface, surface.triangles[t], kRepeat);
        const SourceCorners& source = sources[t];
        for (std::size_t i = 0; i < 3; ++i) {
            std::uint32_t& vertex = surface.triangles[t][i];
            CornerLook corner;
            corner.at = look.textureCoordinates.empty() ? projection.at(surface.positions[vertex])
                                                        : coordinateOf(look, source.triangle, source.corners[i]);
            if (!look.colors.empty())
                corner.color = look.colors[source.triangle][source.corners[i]];
            splitter.set(vertex, corner);
        }
        surface.slots[t] = DrawnSurface::slotOfMaterial(materialOf(look, source.triangle));
    }
}

bool continuesLook(const SurfaceMesh& surface, std::uint32_t first, std::uint32_t second) {
    if (surface.slots[first] != surface.slots[second])
        return false;
    const auto& from = surface.triangles[first];
    const auto at = [&](std::uint32_t vertex) { return toDouble(surface.positions[vertex]); };
    const std::array<Vec3d, 3> corners{at(from[0]), at(from[1]), at(from[2])};
    for (const std::uint32_t vertex : surface.triangles[second]) {
        const std::array<double, 3> weights = planeWeights(at(vertex), corners[0], corners[1], corners[2]);
        double u = 0, v = 0;
        std::array<double, 4> color{};
        for (std::size_t i = 0; i < 3; ++i) {
            if (!surface.textureCoordinates.empty()) {
                u += weights[i] * double(surface.textureCoordinates[from[i]].u);
                v += weights[i] * double(surface.textureCoordinates[from[i]].v);
            }
            for (std::size_t k = 0; k < 4 && !surface.colors.empty(); ++k)
                color[k] += weights[i] * double(surface.colors[from[i]][k]);
        }
        if (!surface.textureCoordinates.empty()) {
            const TextureCoordinate& own = surface.textureCoordinates[vertex];
            if (std::fabs(u - double(own.u)) > kSameMap || std::fabs(v - double(own.v)) > kSameMap)
                return false;
        }
        for (std::size_t k = 0; k < 4 && !surface.colors.empty(); ++k)
            if (std::fabs(color[k] - double(surface.colors[vertex][k])) > kSameColor)
                return false;
    }
    return true;
}

LookSource::LookSource(const Mesh& mesh, const TriangleMesh& tree) : mesh_(mesh), tree_(tree) { findCharts(); }

// Whether coordinates or colours of two triangles of the tree differ at a vertex that they share, or their materials do.
bool LookSource::isSeam(std::uint32_t a, std::uint32_t b) const {
    const MeshLook& look = *mesh_.look;
    const std::uint32_t p = tree_.sourceIndex(a), q = tree_.sourceIndex(b);
    if (materialOf(look, p) != materialOf(look, q))
        return true;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t k = 0; k < 3; ++k) {
            if (mesh_.vertices[mesh_.triangles[p][i]] != mesh_.vertices[mesh_.triangles[q][k]])
                continue;
            if (!look.textureCoordinates.empty()) {
                const TextureCoordinate x = coordinateOf(look, p, i), y = coordinateOf(look, q, k);
                if (std::fabs(x.u - y.u) > kSameTexel || std::fabs(x.v - y.v) > kSameTexel)
                    return true;
            }
            if (!look.colors.empty() && look.colors[p][i] != look.colors[q][k])
                return true;
        }
    return false;
}

// Triangles that hang together by edges which are no seams.
void LookSource::findCharts() {
    struct Side {
        std::uint32_t low, high, triangle;
    };
    const std::vector<std::uint32_t> first = weldVertices(mesh_.vertices, 0);
    std::vector<Side> sides;
    for (std::uint32_t t = 0; t < tree_.triangles().size(); ++t) {
        const auto& v = tree_.triangles()[t].vertices;
        for (std::size_t i = 0; i < 3; ++i) {
            const std::uint32_t a = first[v[i]], b = first[v[(i + 1) % 3]];
            sides.push_back({std::min(a, b), std::max(a, b), t});
        }
    }
    std::sort(sides.begin(), sides.end(), [](const Side& x, const Side& y) {
        return x.low != y.low ? x.low < y.low : (x.high != y.high ? x.high < y.high : x.triangle < y.triangle);
    });
    UnionFind charts(tree_.triangles().size());
    for (std::size_t i = 1; i < sides.size(); ++i)
        if (sides[i].low == sides[i - 1].low && sides[i].high == sides[i - 1].high &&
            !isSeam(sides[i].triangle, sides[i - 1].triangle))
            charts.join(sides[i].triangle, sides[i - 1].triangle);
    for (std::uint32_t t = 0; t < tree_.triangles().size(); ++t)
        charts_.push_back(charts.root(t));
}

namespace {

// Finds the triangle of a mesh that is nearest to a point.
class NearestTriangle {
public:
    explicit NearestTriangle(const TriangleMesh& tree) : tree_(tree) {}

    std::array<Vec3d, 3> cornersOf(std::uint32_t triangle) const {
        const auto& [a, b, c] = tree_.triangles()[triangle].vertices;
        return {toDouble(tree_.vertices()[a]), toDouble(tree_.vertices()[b]), toDouble(tree_.vertices()[c])};
    }

    // Of those that `counts` allows.
    template <class Counts>
    std::uint32_t find(const Vec3& p, double limit, double& squared, const Counts& counts) const {
        std::uint32_t best = kNone;
        squared = limit;
        const auto key = [&](const Bounds& box) { return double(squaredDistance(box, p)); };
        tree_.nearest(limit, key, [&](std::uint32_t t) {
            if (!counts(t))
                return squared;
            const auto [a, b, c] = cornersOf(t);
            const double distance = closestPoint(toDouble(p), a, b, c).squaredDistance;
            if (distance < squared || (distance == squared && t < best)) {
                squared = distance;
                best = t;
            }
            return squared;
        });
        return best;
    }

    // Facing the same way, if such a one is about as near.
    std::uint32_t facing(const Vec3& p, const Vec3& normal) const {
        double any = 0, same = 0;
        const std::uint32_t nearest = find(p, double(kInfinity), any, [](std::uint32_t) { return true; });
        if (nearest == kNone || dot(tree_.normal(nearest), normal) > 0)
            return nearest;
        const std::uint32_t other = find(p, kFarSide * kFarSide * any + double(std::numeric_limits<float>::min()), same,
                                         [&](std::uint32_t t) { return dot(tree_.normal(t), normal) > 0; });
        return other == kNone ? nearest : other;
    }

private:
    const TriangleMesh& tree_;
};

}  // namespace

void LookSource::carry(SurfaceMesh& surface) const {
    const MeshLook& look = *mesh_.look;
    const NearestTriangle nearest(tree_);
    VertexSplitter splitter(surface, !look.colors.empty());
    std::map<std::pair<std::uint32_t, std::uint32_t>, CornerLook> known;  // by point and chart
    const auto lookAt = [&](const Vec3& p, std::uint32_t chart) {
        CornerLook corner;
        double squared = 0;
        const std::uint32_t found =
            nearest.find(p, double(kInfinity), squared, [&](std::uint32_t t) { return charts_[t] == chart; });
        const auto [a, b, c] = nearest.cornersOf(found);
        const std::array<double, 3> weights = planeWeights(toDouble(p), a, b, c);
        const std::uint32_t source = tree_.sourceIndex(found);
        double u = 0, v = 0;
        for (std::size_t i = 0; i < 3 && !look.textureCoordinates.empty(); ++i) {
            const TextureCoordinate at = coordinateOf(look, source, i);
            u += weights[i] * double(at.u);
            v += weights[i] * double(at.v);
        }
        corner.at = {float(u), float(v)};
        if (!look.colors.empty())
            corner.color = blend(look.colors[source], weights);
        return corner;
    };
    for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
        auto& triangle = surface.triangles[t];
        const Vec3 a = surface.positions[triangle[0]], b = surface.positions[triangle[1]], c = surface.positions[triangle[2]];
        const AxisProjection projection(surface, triangle, kRepeat);
        const std::uint32_t found =
            surface.slots[t] == DrawnSurface::kOldSurface ? nearest.facing((a + b + c) / 3, cross(b - a, c - a)) : kNone;
        if (found != kNone)
            surface.slots[t] = DrawnSurface::slotOfMaterial(materialOf(look, tree_.sourceIndex(found)));
        for (std::uint32_t& vertex : triangle) {
            const Vec3 p = surface.positions[vertex];
            CornerLook corner;
            if (found != kNone) {
                const auto [entry, isNew] = known.try_emplace({surface.points[vertex], charts_[found]});
                if (isNew)
                    entry->second = lookAt(p, charts_[found]);
                corner = entry->second;
            }
            if (found == kNone || look.textureCoordinates.empty())
                corner.at = projection.at(p);
            splitter.set(vertex, corner);
        }
    }
}

}  // namespace sunder::geometry
