#include "geometry/surface/split_normals.h"

#include <utility>

namespace sunder::geometry {
namespace {

struct Face {
    std::uint32_t triangle;
    Vec3 area, normal;  // along the normal; unit, or zero where the triangle is flat
};

struct Group {
    Vec3 seed, sum;
    std::uint32_t vertex;
};

// Per sharp point the corners of the faces that meet in it, in the order of the triangles.
struct CornerLists {
    std::vector<Face> faces;
    std::vector<std::uint32_t> sharpPoints;  // ascending
    std::vector<std::uint32_t> first;        // per sharp point, and one more
    std::vector<std::uint32_t> corners;      // 4 face + corner; entry 0 collects those of other points
    std::vector<std::uint32_t> next;         // per point; scratch
};

// Written in place: copying a whole item would wait for its fields.
void measureFace(const SurfaceMesh& mesh, std::uint32_t triangle, Face& face) {
    const auto [a, b, c] = mesh.triangles[triangle];
    const Vec3 p = mesh.positions[a];
    face.triangle = triangle;
    face.area = cross(mesh.positions[b] - p, mesh.positions[c] - p);
    face.normal = normalizeOr(face.area, {});
}

// Branch-free per corner: whether a point is sharp is as good as random.
void listCorners(const SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp, std::span<const std::uint32_t> sharpTriangles,
                 CornerLists& lists) {
    std::vector<std::uint32_t>& next = lists.next;
    next.assign(isSharp.size(), 0);
    for (const std::uint32_t t : sharpTriangles)
        for (const std::uint32_t point : mesh.triangles[t])
            next[point] += isSharp[point];
    lists.sharpPoints.resize(isSharp.size() + 1);
    std::size_t count = 0;
    for (std::uint32_t point = 0; point < isSharp.size(); ++point) {
        lists.sharpPoints[count] = point;
        count += isSharp[point];
    }
    lists.sharpPoints.resize(count);
    lists.first.resize(count + 1);
    std::uint32_t sum = 1;  // other points stay at 0
    for (std::size_t i = 0; i < count; ++i) {
        lists.first[i] = sum;
        sum += std::exchange(next[lists.sharpPoints[i]], sum);
    }
    lists.first[count] = sum;
    lists.corners.resize(sum);
    lists.faces.resize(sharpTriangles.size());
    for (std::uint32_t face = 0; face < sharpTriangles.size(); ++face) {
        const std::uint32_t t = sharpTriangles[face];
        measureFace(mesh, t, lists.faces[face]);
        for (std::uint32_t corner = 0; corner < 3; ++corner) {
            const std::uint32_t point = mesh.triangles[t][corner];
            lists.corners[next[point]] = 4 * face + corner;
            next[point] += isSharp[point];
        }
    }
}

// The first group whose seed is near enough; groups.size() where none is.
std::size_t groupOf(const std::vector<Group>& groups, const Vec3& normal) {
    std::size_t found = groups.size();
    for (std::size_t i = groups.size(); i-- > 0;)
        found = dot(groups[i].seed, normal) < kSharpCosine ? found : i;
    return found;
}

}  // namespace

void splitNormals(SurfaceMesh& mesh, std::span<const std::uint8_t> isSharp, std::span<const std::uint32_t> sharpTriangles) {
    thread_local CornerLists lists;  // kept to reuse its memory
    thread_local std::vector<Group> groups;
    listCorners(mesh, isSharp, sharpTriangles, lists);
    for (std::size_t number = 0; number < lists.sharpPoints.size(); ++number) {
        const std::uint32_t point = lists.sharpPoints[number];
        groups.clear();
        for (std::uint32_t i = lists.first[number]; i < lists.first[number + 1]; ++i) {
            const Face& face = lists.faces[lists.corners[i] / 4];
            const Vec3 normal = face.normal == Vec3{} ? mesh.normals[point] : face.normal;
            const std::size_t group = groupOf(groups, normal);
            if (group == groups.size()) {
                std::uint32_t vertex = point;
                if (group > 0) {
                    vertex = std::uint32_t(mesh.positions.size());
                    const Vec3 position = mesh.positions[point];
                    mesh.positions.push_back(position);
                    mesh.normals.push_back(normal);
                    mesh.points.push_back(point);
                }
                groups.push_back({normal, {}, vertex});
            }
            groups[group].sum += face.area;
            mesh.triangles[face.triangle][lists.corners[i] % 4] = groups[group].vertex;
        }
        for (const Group& group : groups)
            mesh.normals[group.vertex] = normalizeOr(group.sum, group.seed);
    }
}

}  // namespace sunder::geometry
