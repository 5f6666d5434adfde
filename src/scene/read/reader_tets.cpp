// Deformable bodies of scene files whose tetrahedra stand in a file: "deformable": { "file": "bar.node" }.
#include "scene/read/reader.h"
#include "sunder/scene/tet_files.h"

namespace sunder::scene {

void Reader::read(const Json& json, const Path& path, const FieldInfo&, DeformableDef& out) {
    readObject(json, path, out, {"file"});
    const auto found = json.is_object() ? json.find("file") : json.end();
    if (found == json.end())
        return;
    const Path filePath = path / "file";
    if (json.contains("nodes") || json.contains("tets"))
        return problems_.add(filePath, "is not allowed beside nodes and tets (one or the other)");
    if (!found->is_string())
        return problems_.refuse(filePath, *found, "the name of a .node or .ele file of TetGen");
    const auto refuse = [&](const std::string& problem) {
        problems_.addAt(filePath.text(), shortText(*found), shortText(*found) + ": " + problem);
    };
    const auto file = files_.resolve(found->get<std::string>());
    if (const std::string* problem = std::get_if<std::string>(&file))
        return refuse(*problem);
    try {
        TetFile tets = loadTets(std::get<std::filesystem::path>(file));
        out.nodes = std::move(tets.nodes);
        out.tets = std::move(tets.tets);
    } catch (const Error& error) {
        refuse(error.what());
    }
}

}  // namespace sunder::scene
