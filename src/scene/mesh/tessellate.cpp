// Shapes as drawn solids, and as triangles.
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "collision/built_shape.h"
#include "geometry/convex_hull.h"
#include "geometry/surface/corner_normals.h"
#include "math/quat.h"
#include "scene/mesh/mesh_files.h"
#include "sunder/scene/surface.h"

namespace sunder {

namespace {

constexpr int kAround = 36, kQuarter = 9;  // facets of a circle, and from pole to equator

using Color = std::array<std::uint8_t, 4>;

struct SlottedTriangle {
    std::array<std::uint32_t, 3> corners;
    std::uint16_t slot = 0;
};

// Collects the solids of a shape in the body's frame.
struct Tessellator {
    std::vector<Vec3> positions, normals;
    std::vector<std::array<float, 2>> coordinates;
    std::vector<Color> colors;
    std::vector<SlottedTriangle> triangles;
    std::shared_ptr<const MeshMaterials> materials;
    Pose bodyFromSolid;
    bool hasCoordinates = false, hasColors = false;

    std::uint32_t vertex(const Vec3& position, const Vec3& normal, const std::array<float, 2>& coordinate = {0, 0},
                         const Color& color = scene::kWhite) {
        positions.push_back(transformPoint(bodyFromSolid, position));
        normals.push_back(rotate(bodyFromSolid.orientation, normal));
        coordinates.push_back(coordinate);
        colors.push_back(color);
        return std::uint32_t(positions.size() - 1);
    }
    void triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint16_t slot = 0) {
        if (positions[a] != positions[b] && positions[b] != positions[c] && positions[c] != positions[a])
            triangles.push_back({{a, b, c}, slot});
    }

    // A flat convex face, counter-clockwise from outside.
    void face(const std::vector<Vec3>& loop, const Vec3& normal) {
        std::vector<std::uint32_t> corners;
        for (const Vec3& point : loop)
            corners.push_back(vertex(point, normal));
        for (std::size_t i = 1; i + 1 < corners.size(); ++i)
            triangle(corners[0], corners[i], corners[i + 1]);
    }

    struct Ring {
        Real radius, height;
        Real normalOut, normalUp;
    };
    // A surface of revolution about y through rings from the top down.
    void revolve(const std::vector<Ring>& rings) {
        const auto first = std::uint32_t(positions.size());
        for (const Ring& ring : rings)
            for (int i = 0; i <= kAround; ++i) {
                const Real angle = 2 * kPi * Real(i % kAround) / Real(kAround);
                const Real x = std::cos(angle), z = std::sin(angle);
                vertex({ring.radius * x, ring.height, ring.radius * z},
                       {ring.normalOut * x, ring.normalUp, ring.normalOut * z});
            }
        for (std::uint32_t row = 0; row + 1 < rings.size(); ++row)
            for (std::uint32_t i = 0; i < kAround; ++i) {
                const std::uint32_t a = first + row * (kAround + 1) + i, b = a + kAround + 1;
                triangle(a, a + 1, b);
                triangle(a + 1, b + 1, b);
            }
    }

    void operator()(const Sphere& sphere) { operator()(Capsule{sphere.radius, 0}); }
    void operator()(const Capsule& capsule) {
        std::vector<Ring> rings;
        for (const int side : {1, -1})
            for (int i = 0; i <= kQuarter; ++i) {
                if (side < 0 && i == 0 && capsule.halfHeight == 0)
                    continue;  // the equator is there already
                const Real angle = (side > 0 ? Real(i) : Real(kQuarter - i)) / Real(kQuarter) * kPi / 2;
                const bool pole = side > 0 ? i == 0 : i == kQuarter;
                const Real out = pole ? 0 : std::sin(angle), up = Real(side) * std::cos(angle);
                rings.push_back({capsule.radius * out, Real(side) * capsule.halfHeight + capsule.radius * up, out, up});
            }
        revolve(rings);
    }
    void operator()(const Cylinder& c) {
        revolve({{c.radius, c.halfHeight, 1, 0}, {c.radius, -c.halfHeight, 1, 0}});
        for (const int side : {1, -1}) {
            std::vector<Vec3> rim;
            for (int i = 0; i < kAround; ++i) {
                const Real angle = Real(-side) * 2 * kPi * Real(i) / Real(kAround);
                rim.push_back({c.radius * std::cos(angle), Real(side) * c.halfHeight, c.radius * std::sin(angle)});
            }
            face(rim, {0, Real(side), 0});
        }
    }
    void operator()(const Box& box) { polyhedron(geometry::boxPolyhedron(box.halfExtents)); }
    void operator()(const Hull& hull) { polyhedron(geometry::buildConvexHull(hull.points).hull); }
    void polyhedron(const geometry::Polyhedron& hull) {
        std::vector<Vec3> loop;
        for (const auto& f : hull.faces) {
            loop.clear();
            for (int i = 0; i < f.vertexCount; ++i)
                loop.push_back(hull.vertices[hull.faceVertices[f.firstIndex + i]]);
            face(loop, f.normal);
        }
    }
    void operator()(const Mesh& mesh) {
        const auto cornerNormals = geometry::cornerNormals(mesh.vertices, mesh.triangles);
        const MeshLook none, &look = mesh.look ? *mesh.look : none;
        hasCoordinates = hasCoordinates || !look.textureCoordinates.empty();
        hasColors = hasColors || !look.colors.empty();
        if (look.materials)
            materials = look.materials;
        // Corners of one vertex that look the same share a vertex.
        std::map<std::tuple<std::uint32_t, std::array<Real, 3>, std::array<float, 2>, Color>, std::uint32_t> known;
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            std::uint32_t corners[3];
            for (int k = 0; k < 3; ++k) {
                const std::uint32_t v = mesh.triangles[i][k];
                const Vec3& n = cornerNormals[i][k];
                const std::array<float, 2> at =
                    look.textureCoordinates.empty() ? std::array<float, 2>{} : look.textureCoordinates[i][k];
                const Color color = look.colors.empty() ? scene::kWhite : look.colors[i][k];
                const auto [entry, isNew] = known.try_emplace({v, {n.x, n.y, n.z}, at, color}, 0);
                if (isNew)
                    entry->second = vertex(mesh.vertices[v], n, at, color);
                corners[k] = entry->second;
            }
            triangle(corners[0], corners[1], corners[2],
                     DrawnSurface::slotOfMaterial(look.materialOf.empty() ? std::uint16_t(0) : look.materialOf[i]));
        }
    }
    void operator()(const Surface& surface) {
        const auto first = std::uint32_t(positions.size());
        const bool mapped = !surface.textureCoordinates.empty();
        hasCoordinates = hasCoordinates || mapped;
        hasColors = hasColors || !surface.colors.empty();
        if (surface.materials)
            materials = surface.materials;
        for (std::size_t i = 0; i < surface.positions.size(); ++i)
            vertex(surface.positions[i], surface.normals[i],
                   mapped ? surface.textureCoordinates[i] : std::array<float, 2>{0, 0},
                   surface.colors.empty() ? scene::kWhite : surface.colors[i]);
        const SurfaceRange whole{0, std::uint32_t(surface.triangles.size()), 0};
        for (const SurfaceRange& range : surface.ranges.empty() ? std::vector{whole} : surface.ranges)
            for (std::uint32_t i = 0; i < range.triangleCount; ++i) {
                const auto& t = surface.triangles[range.firstTriangle + i];
                triangle(first + t[0], first + t[1], first + t[2], range.slot);
            }
    }
};

// The faces of a level set, those that a fracture laid open last.
DrawnSolid solidOf(const LevelSet& levelSet) {
    DrawnSurface drawn = drawnSurface(levelSet);
    if (drawn.triangles.empty())
        return surfaceMesh(levelSet);
    Surface surface{std::move(drawn.positions), std::move(drawn.normals),  std::move(drawn.textureCoordinates), {}, {},
                    std::move(drawn.colors),    std::move(drawn.materials)};
    for (const std::uint16_t slot : std::set<std::uint16_t>(drawn.slots.begin(), drawn.slots.end())) {
        const auto first = std::uint32_t(surface.triangles.size());
        for (std::size_t i = 0; i < drawn.triangles.size(); ++i)
            if (drawn.slots[i] == slot)
                surface.triangles.push_back(drawn.triangles[i]);
        if (const auto count = std::uint32_t(surface.triangles.size()) - first; count > 0)
            surface.ranges.push_back({first, count, slot});
    }
    return surface;
}

void addSolids(const Shape& shape, const Pose& bodyFromShape, DrawnShape& drawn) {
    if (const auto* compound = std::get_if<Compound>(&shape)) {
        for (const CompoundChild& child : compound->children)
            addSolids(child.shape, bodyFromShape * Pose{child.position, normalize(child.orientation)}, drawn);
    } else if (const auto* shared = std::get_if<SharedShape>(&shape)) {
        if (*shared)
            addSolids((*shared)->definition, bodyFromShape, drawn);
    } else if (const auto* levelSet = std::get_if<LevelSet>(&shape)) {
        drawn.solids.push_back({bodyFromShape, solidOf(*levelSet)});
    } else if (const auto* field = std::get_if<HeightField>(&shape)) {
        drawn.solids.push_back({bodyFromShape, meshOf(*field)});
    } else if (const auto* shell = std::get_if<Shell>(&shape)) {
        drawn.solids.push_back({bodyFromShape, meshOf(*shell)});
    } else if (const auto* mesh = std::get_if<Mesh>(&shape); mesh && mesh->look) {
        drawn.solids.push_back({bodyFromShape, tessellate(DrawnShape{{{Pose{}, *mesh}}})});
    } else {
        std::visit(
            [&](const auto& solid) {
                if constexpr (requires { DrawnSolid(solid); })
                    drawn.solids.push_back({bodyFromShape, solid});
            },
            shape);
    }
}

}  // namespace

DrawnShape drawnShape(const Shape& shape) {
    DrawnShape drawn;
    addSolids(shape, {}, drawn);
    return drawn;
}

Surface tessellate(const DrawnShape& shape) {
    Tessellator all;
    for (const PlacedSolid& placed : shape.solids) {
        all.bodyFromSolid = placed.bodyFromSolid;
        std::visit(all, placed.solid);
    }
    std::stable_sort(all.triangles.begin(), all.triangles.end(),
                     [](const SlottedTriangle& a, const SlottedTriangle& b) { return a.slot < b.slot; });
    Surface surface{std::move(all.positions), std::move(all.normals), {}, {}, {}};
    surface.materials = std::move(all.materials);
    if (all.hasColors)
        surface.colors = std::move(all.colors);
    if (all.hasCoordinates)
        surface.textureCoordinates = std::move(all.coordinates);
    for (const SlottedTriangle& t : all.triangles) {
        if (surface.ranges.empty() || surface.ranges.back().slot != t.slot)
            surface.ranges.push_back({std::uint32_t(surface.triangles.size()), 0, t.slot});
        ++surface.ranges.back().triangleCount;
        surface.triangles.push_back(t.corners);
    }
    return surface;
}

std::vector<Vec3> meanNormals(const Surface& surface, std::span<const Vec3> positions) {
    std::vector<Vec3> normals(positions.size(), Vec3{0, 0, 0});
    for (const auto& t : surface.triangles) {
        const Vec3 area = cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
        for (const std::uint32_t corner : t)
            normals[corner] += area;
    }
    for (Vec3& normal : normals)
        normal = normalizeOr(normal, {0, 1, 0});
    return normals;
}

}  // namespace sunder
