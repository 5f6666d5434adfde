// What the page has to know of a mesh before it makes a body of it. See playground.h.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "playground.h"
#include "sunder/scene/mesh_files.h"

namespace sunder::web {

std::string meshInfo(const std::string& path) {
    const Mesh mesh = loadMesh(path);
    if (mesh.vertices.empty())
        throw Error(path + ": has no triangles");
    Vec3 low = mesh.vertices.front(), high = low;
    for (const Vec3& v : mesh.vertices) {
        low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
        high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
    }
    const MeshReport report = checkClosed(mesh);
    return nlohmann::json{{"ok", true},
                          {"low", {low.x, low.y, low.z}},
                          {"high", {high.x, high.y, high.z}},
                          {"triangles", mesh.triangles.size()},
                          {"closed", report.isClosed() && !report.insideOut}}
        .dump();
}

}  // namespace sunder::web
