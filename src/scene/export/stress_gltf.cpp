// Maps of stress or strain as a binary glTF: vertex colours for viewers, the tensions or strains themselves for programs.
#include <algorithm>

#include "scene/export/glb_builder.h"
#include "scene/picture/stress_colours.h"
#include "sunder/scene/output_file.h"
#include "sunder/scene/stress_picture.h"

namespace sunder {

namespace {

using scene::Json;

// Without the vertices that no triangle has, which lie within the body: some programs drop them, and colours of others would
// move.
StressMap surfaceOf(const StressMap& map) {
    constexpr std::uint32_t kUnused = 0xffffffffu;
    std::vector<std::uint32_t> numbers(map.vertices.size(), kUnused);
    for (const auto& triangle : map.triangles)
        for (const std::uint32_t corner : triangle)
            numbers[corner] = 0;
    StressMap surface = map;
    surface.vertices.clear();
    surface.tensions.clear();
    for (std::size_t i = 0; i < numbers.size(); ++i)
        if (numbers[i] != kUnused) {
            numbers[i] = std::uint32_t(surface.vertices.size());
            surface.vertices.push_back(map.vertices[i]);
            surface.tensions.push_back(map.tensions[i]);
        }
    for (auto& triangle : surface.triangles)
        for (std::uint32_t& corner : triangle)
            corner = numbers[corner];
    return surface;
}

class StressGlb {
public:
    explicit StressGlb(bool isStrain) : isStrain_(isStrain) {}
    void add(const StressMap& map, const std::string& name) {
        Vec3 low = map.vertices.front(), high = low;
        Real least = map.tensions.front(), most = least;
        for (std::size_t i = 0; i < map.vertices.size(); ++i) {
            const Vec3& p = map.vertices[i];
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            least = std::min(least, map.tensions[i]);
            most = std::max(most, map.tensions[i]);
        }
        const std::size_t count = map.vertices.size();
        Json attributes;
        begin();
        for (const Vec3& p : map.vertices)
            append({p.x, p.y, p.z});
        attributes["POSITION"] = end(count, "VEC3", scene::kFloat, scene::kVertices, numbers(low), numbers(high));
        begin();
        for (const Real tension : map.tensions) {
            const Vec3 colour = scene::stressColour(tension / map.strength);
            append({colour.x, colour.y, colour.z});
        }
        attributes["COLOR_0"] = end(count, "VEC3", scene::kFloat, scene::kVertices);
        begin();
        for (const Real tension : map.tensions)
            append({tension});
        attributes[isStrain_ ? "_STRAIN" : "_TENSION"] =
            end(count, "SCALAR", scene::kFloat, scene::kVertices, Json::array({float(least)}), Json::array({float(most)}));
        begin();
        for (const auto& triangle : map.triangles)
            for (const std::uint32_t corner : triangle)
                data_.append(reinterpret_cast<const char*>(&corner), sizeof corner);
        const int indices = end(3 * map.triangles.size(), "SCALAR", scene::kUnsignedInt, kElements);
        meshes_.push_back({{"name", name},
                           {"primitives", Json::array({{{"attributes", attributes}, {"indices", indices}, {"material", 0}}})}});
        const Pose& pose = map.worldFromBody;
        const Quat& q = pose.orientation;
        nodes_.push_back({{"name", name},
                          {"mesh", meshes_.size() - 1},
                          {"translation", numbers(pose.position)},
                          {"rotation", {float(q.x), float(q.y), float(q.z), float(q.w)}},
                          {"extras", extrasOf(map)}});
    }

    std::string build() {
        Json root, all = Json::array();
        for (std::size_t i = 0; i < nodes_.size(); ++i)
            all.push_back(i);
        root["asset"] = {{"version", "2.0"}, {"generator", std::string("Sunder ") + SUNDER_VERSION}};
        root["scene"] = 0;
        root["scenes"] = Json::array({{{"name", isStrain_ ? "strain" : "stress"}, {"nodes", std::move(all)}}});
        root["nodes"] = std::move(nodes_);
        root["meshes"] = std::move(meshes_);
        root["materials"] = Json::array({{{"name", isStrain_ ? "strain" : "tension over strength"},
                                          {"pbrMetallicRoughness", {{"metallicFactor", 0}, {"roughnessFactor", 1}}},
                                          {"doubleSided", true}}});
        root["accessors"] = std::move(accessors_);
        root["bufferViews"] = std::move(views_);
        root["buffers"] = Json::array({{{"byteLength", data_.size()}}});
        return scene::packGlb(root.dump(-1, ' ', false, Json::error_handler_t::replace), std::move(data_));
    }

private:
    static constexpr int kElements = 34963;

    Json extrasOf(const StressMap& map) const {
        if (isStrain_)
            return {{"most_strain", map.strength}};
        return {{"strength", map.strength},
                {"worst_tension", map.worstTension},
                {"worst_place", numbers(map.worst)},
                {"element", map.element}};
    }
    static Json numbers(const Vec3& v) { return {float(v.x), float(v.y), float(v.z)}; }
    void begin() { start_ = data_.size(); }
    void append(std::initializer_list<Real> values) {
        for (const Real value : values) {
            const auto number = float(value);
            data_.append(reinterpret_cast<const char*>(&number), sizeof number);
        }
    }
    // Closes the view and returns its accessor.
    int end(std::size_t count, const char* shape, int type, int target, Json low = {}, Json high = {}) {
        views_.push_back({{"buffer", 0}, {"byteOffset", start_}, {"byteLength", data_.size() - start_}, {"target", target}});
        Json accessor{{"bufferView", views_.size() - 1}, {"componentType", type}, {"count", count}, {"type", shape}};
        if (!low.is_null()) {
            accessor["min"] = std::move(low);
            accessor["max"] = std::move(high);
        }
        accessors_.push_back(std::move(accessor));
        return int(accessors_.size() - 1);
    }

    Json nodes_ = Json::array(), meshes_ = Json::array(), accessors_ = Json::array(), views_ = Json::array();
    std::string data_;
    std::size_t start_ = 0;
    bool isStrain_;
};

void writeMaps(const std::vector<StressMap>& maps, const std::vector<std::string>& names, const std::filesystem::path& path,
               bool isStrain) {
    StressGlb glb(isStrain);
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (!maps[i].triangles.empty())
            glb.add(surfaceOf(maps[i]), i < names.size() ? names[i] : "");
    OutputFile file(path);
    file.write(glb.build());
    file.commit();
}

}  // namespace

void writeStressGlb(const std::vector<StressMap>& maps, const std::vector<std::string>& names,
                    const std::filesystem::path& path) {
    writeMaps(maps, names, path, false);
}

void writeStrainGlb(const std::vector<StressMap>& maps, const std::vector<std::string>& names,
                    const std::filesystem::path& path) {
    std::vector<StressMap> strained;
    std::vector<std::string> namesOfThem;
    for (std::size_t i = 0; i < maps.size(); ++i)
        if (!maps[i].strains.empty()) {
            strained.push_back(maps[i]);
            namesOfThem.push_back(i < names.size() ? names[i] : "");
        }
    writeMaps(strainMaps(std::move(strained)), namesOfThem, path, true);
}

}  // namespace sunder
