#include "geometry/level_set/mesh_repair.h"

#include <algorithm>

#include "geometry/edge_report.h"
#include "geometry/level_set/winding_number.h"
#include "geometry/vertex_weld.h"

namespace sunder::geometry {
namespace {

// Share of its longest edge squared: a triangle of less area is a needle.
constexpr double kNeedle = 1e-7;
// Share of the bounds' volume: less is no volume.
constexpr double kNoVolume = 1e-9;
constexpr std::size_t kMostForCrossings = 200'000;

Vec3d areaVector(std::span<const Vec3d> p, const TriangleIndices& t) {
    return cross(p[t[1]] - p[t[0]], p[t[2]] - p[t[0]]) * 0.5;
}

bool isNeedle(std::span<const Vec3d> p, const TriangleIndices& t) {
    double longest = 0;
    for (int i = 0; i < 3; ++i) {
        const Vec3d edge = p[t[(i + 1) % 3]] - p[t[i]];
        longest = std::max(longest, dot(edge, edge));
    }
    return !(length(areaVector(p, t)) > kNeedle * longest);
}

// Welds vertices and leaves out triangles that are none.
void takeTriangles(RepairedMesh& mesh, std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles) {
    const Vec3 extent = mesh.bounds.high - mesh.bounds.low;
    mesh.weld = weldVertices(vertices, kWeldTolerance * max(extent.x, max(extent.y, extent.z)));
    const std::vector<std::uint32_t>& weld = mesh.weld;
    for (std::uint32_t i = 0; i < weld.size(); ++i)
        mesh.report.welded += weld[i] != i;
    for (const Vec3& p : vertices)
        mesh.vertices.push_back(toDouble(p));
    for (std::uint32_t i = 0; i < triangles.size(); ++i) {
        const TriangleIndices& raw = triangles[i];
        if (std::max({raw[0], raw[1], raw[2]}) >= vertices.size()) {
            ++mesh.report.degenerate;
            continue;
        }
        const TriangleIndices t = {weld[raw[0]], weld[raw[1]], weld[raw[2]]};
        if (t[0] == t[1] || t[1] == t[2] || t[2] == t[0]) {
            ++mesh.report.degenerate;
            continue;
        }
        mesh.report.degenerate += isNeedle(mesh.vertices, t);  // kept: without it there would be a crack
        mesh.triangles.push_back(t);
        mesh.sources.push_back(i);
    }
}

// Of triangles with equal corners in equal sense the first stays.
void dropDuplicates(RepairedMesh& mesh) {
    const auto turned = [](TriangleIndices t) {
        std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
        return t;
    };
    std::vector<std::pair<TriangleIndices, std::uint32_t>> keys;
    for (std::uint32_t i = 0; i < mesh.triangles.size(); ++i)
        keys.push_back({turned(mesh.triangles[i]), i});
    std::sort(keys.begin(), keys.end());
    std::vector<std::uint8_t> isDuplicate(mesh.triangles.size());
    for (std::size_t i = 1; i < keys.size(); ++i)
        isDuplicate[keys[i].second] = keys[i].first == keys[i - 1].first;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
        if (isDuplicate[i])
            continue;
        mesh.triangles[kept] = mesh.triangles[i];
        mesh.sources[kept++] = mesh.sources[i];
    }
    mesh.report.duplicate = mesh.triangles.size() - kept;
    mesh.triangles.resize(kept);
    mesh.sources.resize(kept);
}

struct Neighbor {
    std::uint32_t triangle = 0;
    bool agrees = false;  // runs along the shared edge the other way
};

// Neighbours across edges with exactly two triangles.
std::vector<std::vector<Neighbor>> neighborsOf(std::span<const TriangleIndices> triangles) {
    struct HalfEdge {
        std::uint32_t low, high, triangle;
        bool rising;
    };
    std::vector<HalfEdge> edges;
    for (std::uint32_t t = 0; t < triangles.size(); ++t)
        for (int i = 0; i < 3; ++i) {
            const std::uint32_t a = triangles[t][i], b = triangles[t][(i + 1) % 3];
            edges.push_back({std::min(a, b), std::max(a, b), t, a < b});
        }
    std::sort(edges.begin(), edges.end(), [](const HalfEdge& a, const HalfEdge& b) {
        return a.low != b.low ? a.low < b.low : (a.high != b.high ? a.high < b.high : a.triangle < b.triangle);
    });
    std::vector<std::vector<Neighbor>> result(triangles.size());
    for (std::size_t first = 0, last = 0; first < edges.size(); first = last) {
        while (last < edges.size() && edges[last].low == edges[first].low && edges[last].high == edges[first].high)
            ++last;
        if (last - first != 2)
            continue;
        const HalfEdge &a = edges[first], &b = edges[first + 1];
        result[a.triangle].push_back({b.triangle, a.rising != b.rising});
        result[b.triangle].push_back({a.triangle, a.rising != b.rising});
    }
    return result;
}

void turn(RepairedMesh& mesh, std::size_t triangle) {
    std::swap(mesh.triangles[triangle][1], mesh.triangles[triangle][2]);
    ++mesh.report.flipped;
}

// Turns triangles until neighbours agree; of the two ways for a connected component, the one that turns less area. Returns the
// component of each triangle.
std::vector<std::uint32_t> makeConsistent(RepairedMesh& mesh, std::uint32_t& componentCount) {
    const auto neighbors = neighborsOf(mesh.triangles);
    constexpr std::uint32_t none = 0xffffffffu;
    std::vector<std::uint32_t> componentOf(mesh.triangles.size(), none), members;
    std::vector<std::uint8_t> isTurned(mesh.triangles.size());
    componentCount = 0;
    for (std::uint32_t start = 0; start < mesh.triangles.size(); ++start) {
        if (componentOf[start] != none)
            continue;
        members.assign(1, start);
        componentOf[start] = componentCount;
        double kept = 0, turned = 0;
        for (std::size_t i = 0; i < members.size(); ++i) {
            const std::uint32_t t = members[i];
            (isTurned[t] ? turned : kept) += length(areaVector(mesh.vertices, mesh.triangles[t]));
            for (const Neighbor& neighbor : neighbors[t]) {
                if (componentOf[neighbor.triangle] != none)
                    continue;
                componentOf[neighbor.triangle] = componentCount;
                isTurned[neighbor.triangle] = isTurned[t] != (neighbor.agrees ? 0 : 1);
                members.push_back(neighbor.triangle);
            }
        }
        const bool keepsStart = turned <= kept;
        for (const std::uint32_t t : members)
            if ((isTurned[t] != 0) == keepsStart)
                turn(mesh, t);
        ++componentCount;
    }
    return componentOf;
}

double signedVolume(std::span<const Vec3d> vertices, std::span<const TriangleIndices> triangles, const Vec3d& reference) {
    double six = 0;
    for (const TriangleIndices& t : triangles)
        six += dot(vertices[t[0]] - reference, cross(vertices[t[1]] - reference, vertices[t[2]] - reference));
    return six / 6;
}

// A component that faces inwards is a cavity where it lies inside the rest, and a mistake otherwise.
void turnStrayComponents(RepairedMesh& mesh, std::span<const std::uint32_t> componentOf, std::uint32_t componentCount) {
    if (componentCount < 2)
        return;
    const Vec3d reference = toDouble(center(mesh.bounds));
    std::vector<std::vector<TriangleIndices>> components(componentCount);
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        components[componentOf[t]].push_back(mesh.triangles[t]);
    for (std::uint32_t component = 0; component < componentCount; ++component) {
        if (signedVolume(mesh.vertices, components[component], reference) >= 0)
            continue;
        std::vector<TriangleIndices> others;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            if (componentOf[t] != component)
                others.push_back(mesh.triangles[t]);
        if (WindingNumber(mesh.vertices, others).isInside(mesh.vertices[components[component][0][0]]))
            continue;
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
            if (componentOf[t] == component)
                turn(mesh, t);
    }
}

std::string orient(RepairedMesh& mesh) {
    const EdgeReport edges = reportEdges(mesh.triangles);
    mesh.report.openEdges = edges.open;
    mesh.report.nonManifoldEdges = edges.nonManifold;
    std::uint32_t componentCount = 0;
    const std::vector<std::uint32_t> componentOf = makeConsistent(mesh, componentCount);
    const Vec3d extent = toDouble(mesh.bounds.high) - toDouble(mesh.bounds.low);
    const double volume = signedVolume(mesh.vertices, mesh.triangles, toDouble(center(mesh.bounds)));
    if (!(std::fabs(volume) > kNoVolume * extent.x * extent.y * extent.z))
        return "mesh: the triangles enclose no volume";
    if (volume < 0) {
        mesh.report.inverted = true;
        for (TriangleIndices& t : mesh.triangles)
            std::swap(t[1], t[2]);
    }
    turnStrayComponents(mesh, componentOf, componentCount);
    return {};
}

}  // namespace

RepairedMesh repairMesh(std::span<const Vec3> vertices, std::span<const TriangleIndices> triangles) {
    RepairedMesh mesh;
    if (vertices.empty() || triangles.empty()) {
        mesh.error = "mesh: it has " + std::to_string(vertices.size()) + " vertices and " + std::to_string(triangles.size()) +
                     " triangles; a solid needs at least 4 of each";
        return mesh;
    }
    for (std::size_t i = 0; i < vertices.size(); ++i) {
        if (!isFinite(vertices[i])) {
            mesh.error = "mesh: vertex " + std::to_string(i) + " is not finite";
            return mesh;
        }
        mesh.bounds = unite(mesh.bounds, vertices[i]);
    }
    if (!isFinite(mesh.bounds.high - mesh.bounds.low)) {
        mesh.error = "mesh: its size is beyond the range of numbers";
        return mesh;
    }
    takeTriangles(mesh, vertices, triangles);
    dropDuplicates(mesh);
    if (mesh.triangles.size() < 4) {
        mesh.error = "mesh: only " + std::to_string(mesh.triangles.size()) + " of " + std::to_string(triangles.size()) +
                     " triangles are usable; a solid needs at least 4";
        return mesh;
    }
    mesh.error = orient(mesh);
    if (!mesh.error.empty())
        return mesh;
    mesh.report.selfIntersectionsCounted = mesh.triangles.size() <= kMostForCrossings;
    if (mesh.report.selfIntersectionsCounted)
        mesh.report.selfIntersections = countSelfIntersections(mesh.vertices, mesh.triangles);
    return mesh;
}

bool MeshReport::isClean() const {
    return welded + degenerate + duplicate + openEdges + nonManifoldEdges + flipped + selfIntersections + cappedNodes == 0 &&
           !inverted;
}

std::string MeshReport::text() const {
    std::string line;
    const auto add = [&](std::size_t count, const char* what) {
        if (count > 0)
            line += (line.empty() ? "" : ", ") + std::to_string(count) + " " + what;
    };
    add(welded, "welded vertices");
    add(degenerate, "degenerate triangles");
    add(duplicate, "duplicate triangles");
    add(openEdges, "open edges (closed by winding number)");
    add(nonManifoldEdges, "edges with more than two triangles");
    add(flipped, "triangles turned to agree");
    add(selfIntersections, "crossing pairs of triangles (united)");
    add(cappedNodes, "nodes next to closed holes");
    if (inverted)
        line += std::string(line.empty() ? "" : ", ") + "the surface faced inwards and was turned";
    return line;
}

}  // namespace sunder::geometry
