// Shapes of scene files: { "type": "box", "half_extents": [...] } and so on; hulls and meshes may come from files.
#include "core/random.h"
#include "math/vec3.h"
#include "scene/read/reader.h"
#include "sunder/scored_solid.h"

namespace sunder::scene {

namespace {

const Names kShapeTypes = {"sphere",    "box",          "capsule", "cylinder",   "hull", "mesh",        "compound",
                           "level_set", "height_field", "shell",   "brick_wall", "arch", "scored_mesh", "scored_solid"};

}  // namespace

// Sphere, box, capsule, cylinder. A file may state the axis for clarity; it must be y.
template <class S>
void Reader::readRound(const Json& json, const Path& path, Shape& out) {
    constexpr bool kHasAxis = std::is_same_v<S, Capsule> || std::is_same_v<S, Cylinder>;
    S& shape = out.emplace<S>();
    checkKeys(json, path, withNamesOf<S>(kHasAxis ? Names{"type", "axis"} : Names{"type"}));
    readFields(json, path, shape);
    if (kHasAxis && json.contains("axis") && json["axis"] != "y")
        problems_.refuse(path / "axis", json["axis"], "\"y\"; orientation turns the body");
}

template <class Def>
void Reader::readPieces(const Json& json, const Path& path, Shape& out) {
    const std::size_t before = problems_.count();
    Def def;
    readObject(json, path, def, {"type"});
    if (problems_.count() == before)
        out = piecesOf(def);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, Shape& out) {
    if (!isObject(json, path))
        return;
    const Path typePath = path / "type";
    const auto found = json.find("type");
    if (found == json.end()) {
        problems_.add(typePath, "is missing (one of " + listText(kShapeTypes) + ")");
        return;
    }
    const std::string type = found->is_string() ? found->get<std::string>() : std::string();
    if (type == "sphere")
        readRound<Sphere>(json, path, out);
    else if (type == "box")
        readRound<Box>(json, path, out);
    else if (type == "capsule")
        readRound<Capsule>(json, path, out);
    else if (type == "cylinder")
        readRound<Cylinder>(json, path, out);
    else if (type == "hull")
        readHull(json, path, out.emplace<Hull>());
    else if (type == "mesh")
        readMesh(json, path, out.emplace<Mesh>());
    else if (type == "compound")
        readObject(json, path, out.emplace<Compound>(), {"type"});
    else if (type == "level_set")
        readLevelSet(json, path, out.emplace<LevelSet>());
    else if (type == "height_field")
        readHeightField(json, path, out.emplace<HeightField>());
    else if (type == "scored_mesh")
        readScoredMesh(json, path, out.emplace<Compound>());
    else if (type == "scored_solid")
        readScoredSolid(json, path, out.emplace<Compound>());
    else if (type == "brick_wall")
        readPieces<BrickWallDef>(json, path, out);
    else if (type == "arch")
        readPieces<ArchDef>(json, path, out);
    else if (type == "shell")
        readShell(json, path, out.emplace<Shell>());
    else
        refuseName(*found, typePath, {.name = "shape type"}, kShapeTypes);
}

void Reader::read(const Json& json, const Path& path, const FieldInfo&, CompoundChild& out) {
    readObject(json, path, out, {"rotation_degrees"});
    readRotation(json, path, out.orientation);
}

// Reads the mesh of the file that `key` names, times "scale". False where there is no such key.
bool Reader::readMeshFile(const Json& json, const Path& path, std::string_view key, Mesh& out) {
    const Path keyPath = path / key;
    const auto found = json.find(std::string(key));
    PerAxis scale{{1, 1, 1}, true};
    if (json.contains("scale"))
        read(json["scale"], path / "scale", {.name = "scale", .low = 0, .high = kMaxSize, .lowExcluded = true}, scale);
    if (found == json.end())
        return false;
    if (!found->is_string()) {
        problems_.refuse(keyPath, *found, "the name of a mesh file");
        return true;
    }
    const SceneFiles::MeshResult result = files_.mesh(found->get<std::string>());
    if (const std::string* problem = std::get_if<std::string>(&result)) {
        problems_.addAt(keyPath.text(), shortText(*found), shortText(*found) + ": " + *problem);
        return true;
    }
    out = *std::get<std::shared_ptr<const Mesh>>(result);
    for (Vec3& vertex : out.vertices)
        vertex = multiply(vertex, scale.value);
    return true;
}

void Reader::readHull(const Json& json, const Path& path, Hull& out) {
    checkKeys(json, path, {"type", "points", "mesh", "scale", "random"});
    if (json.contains("points") + json.contains("mesh") + json.contains("random") != 1) {
        problems_.add(path, "a hull needs one of points (a list), mesh (the name of a file) and random (count, radius, seed)");
        return;
    }
    Mesh mesh;
    if (readMeshFile(json, path, "mesh", mesh)) {
        out.points = std::move(mesh.vertices);
    } else if (json.contains("random")) {
        RandomHullDef def;
        readObject(json["random"], path / "random", def);
        out = randomHull(def, 0);
    } else {
        readFields(json, path, out);
    }
}

void Reader::readMesh(const Json& json, const Path& path, Mesh& out) {
    checkKeys(json, path, {"type", "file", "scale", "vertices", "triangles"});
    const bool inlined = json.contains("vertices") && json.contains("triangles");
    if (json.contains("file") == (json.contains("vertices") || json.contains("triangles")) ||
        (!json.contains("file") && !inlined)) {
        problems_.add(path, "a mesh needs file (the name of a file), or vertices and triangles");
        return;
    }
    if (readMeshFile(json, path, "file", out))
        return;
    readFields(json, path, out);
    for (std::size_t i = 0; i < out.triangles.size(); ++i)
        for (std::size_t corner = 0; corner < 3; ++corner)
            if (out.triangles[i][corner] >= out.vertices.size())
                problems_.refuse((path / "triangles")[i], json["triangles"][i],
                                 "three vertices below " + std::to_string(out.vertices.size()));
}

void Reader::readShell(const Json& json, const Path& path, Shell& out) {
    const std::size_t before = problems_.count();
    checkKeys(json, path, withNamesOf<Shell>({"type", "file", "scale"}));
    if (json.contains("file") == (json.contains("vertices") || json.contains("triangles")) ||
        (!json.contains("file") && !(json.contains("vertices") && json.contains("triangles")))) {
        problems_.add(path, "a shell needs file (the name of a mesh), or vertices and triangles");
        return;
    }
    Mesh mesh;
    if (readMeshFile(json, path, "file", mesh)) {
        out.vertices = std::move(mesh.vertices);
        out.triangles = std::move(mesh.triangles);
    }
    readFields(json, path, out);
    if (problems_.count() != before)
        return;
    for (const std::string& message : validate(Shape(out))) {
        const std::size_t colon = message.find(": ");
        problems_.addAt(path.text() + "." + message.substr(0, colon), {}, message.substr(colon + 2));
    }
}

// The solid is a mesh file, one shape, or the union of several.
void Reader::readLevelSet(const Json& json, const Path& path, LevelSet& out) {
    checkKeys(json, path, withNamesOf<LevelSet>({"type", "file", "scale", "solid"}));
    if (json.contains("file") + json.contains("solid") + json.contains("parts") != 1) {
        problems_.add(path, "a level set needs one of file (a closed mesh), solid (a shape) and parts (a list of them)");
        return;
    }
    Mesh mesh;
    if (readMeshFile(json, path, "file", mesh))
        out.parts.push_back({std::move(mesh), {}, {}});
    else if (json.contains("solid"))
        read(json["solid"], path / "solid", {.name = "solid"}, out.parts.emplace_back().shape);
    readFields(json, path, out);
    if (json.contains("cell") == json.contains("resolution"))
        problems_.add(path, "a level set needs either cell (a size in m) or resolution (nodes along x, y and z)");
}

// Heights are in the scene, or in a file of 16-bit numbers.
void Reader::readNumbers(const Json& json, const Path& path, SceneFiles::Numbers& out) {
    std::string name;
    const std::size_t before = problems_.count();
    read(json, path, {.name = "file"}, name);
    if (problems_.count() != before)
        return;
    auto found = files_.numbers(name);
    if (const std::string* problem = std::get_if<std::string>(&found))
        problems_.addAt(path.text(), shortText(json), shortText(json) + ": " + *problem);
    else
        out = std::get<SceneFiles::Numbers>(std::move(found));
}

void Reader::readHeightField(const Json& json, const Path& path, HeightField& out) {
    const std::size_t before = problems_.count();
    checkKeys(json, path, withNamesOf<HeightRange>(withNamesOf<HeightField>({"type", "file"})));
    if (json.contains("file") == json.contains("heights"))
        problems_.add(path,
                      "a height field needs either heights (a list) or file (a PNG, or 16-bit numbers, the lower byte first)");
    SceneFiles::Numbers numbers;
    if (json.contains("file"))
        readNumbers(json["file"], path / "file", numbers);
    if (problems_.count() != before)
        return;
    Json whole = json;
    if (numbers.columns != 0 && !json.contains("columns"))
        whole["columns"] = numbers.columns;
    readFields(whole, path, out);
    HeightRange range;
    readFields(json, path, range);
    if (numbers.columns != 0 && out.columns != numbers.columns)
        problems_.refuse(path / "columns", whole["columns"],
                         "it may be left out, " + shortText(json["file"]) + " has " + std::to_string(numbers.columns));
    if (problems_.count() != before)
        return;
    for (const std::uint16_t number : numbers.values)
        out.heights.push_back(range.low + (range.high - range.low) * Real(number) / 65535);
    for (const std::string& message : validate(Shape(out))) {
        const std::size_t colon = message.find(": ");
        problems_.addAt(path.text() + "." + message.substr(0, colon), {}, message.substr(colon + 2));
    }
}

// Reads the pieces; their bonds are kept for the body whose shape this is.
void Reader::readScoredMesh(const Json& json, const Path& path, Compound& out) {
    const std::size_t before = problems_.count();
    checkKeys(json, path, withNamesOf<ScoredMeshDef>({"type", "file", "scale"}));
    ScoredMeshDef def;
    readFields(json, path, def);
    ScoredSolidDef solid;
    if (!readMeshFile(json, path, "file", solid.mesh))
        problems_.add(path / "file", "is missing (the name of a closed mesh)");
    if (problems_.count() != before)
        return;
    solid.cell = def.cell;
    solid.thickness = def.thickness;
    solid.pieces = def.pieces;
    solid.seed = def.seed;
    try {
        ScoredSolid scored = scoreSolid(solid);
        out = std::move(scored.pieces);
        scoredBonds_ = std::move(scored.bonds);
    } catch (const Error& error) {
        const std::string message = error.what();
        const std::size_t colon = message.find(": ");
        const std::string field = message.substr(0, colon);
        problems_.add(path / (field == "mesh" ? "file" : field), message.substr(colon + 2));
    }
}

// A mesh or shape that one of the scene's patterns scores (readScoredMesh: by flood fill).
void Reader::readScoredSolid(const Json& json, const Path& path, Compound& out) {
    const std::size_t before = problems_.count();
    checkKeys(json, path, withNamesOf<ScoredSolidShapeDef>({"type", "file", "scale", "solid"}));
    if (json.contains("file") + json.contains("solid") != 1) {
        problems_.add(path, "a scored solid needs one of file (a closed mesh) and solid (a shape)");
        return;
    }
    ScoredPatternDef solid;
    Mesh mesh;
    if (readMeshFile(json, path, "file", mesh))
        solid.shape = std::move(mesh);
    else
        read(json["solid"], path / "solid", {.name = "solid"}, solid.shape);
    ScoredSolidShapeDef def;
    readFields(json, path, def);
    if (problems_.count() != before)
        return;
    if (!def.pattern) {  // patterns are not built after an earlier problem, which alone is reported
        out.children.push_back({Box{}, {}, {}});
        return;
    }
    solid.cell = def.cell;
    solid.pattern = def.pattern;
    solid.center = def.center;
    solid.normal = def.normal;
    solid.scale = def.scale;
    solid.smallest = def.smallest;
    solid.mostPieces = def.mostPieces;
    try {
        ScoredPattern scored = scoreByPattern(solid);
        out = std::move(scored.pieces);
        scoredBonds_ = std::move(scored.bonds);
    } catch (const Error& error) {
        const std::string message = error.what();
        const std::size_t colon = message.find(": ");
        std::string field = message.substr(0, colon);
        const std::string whole = json.contains("file") ? "file" : "solid";
        if (field.starts_with("shape"))
            field = json.contains("file") ? whole : whole + field.substr(std::string_view("shape").size());
        problems_.add(path / (field == "scale" ? "pattern_scale" : field), message.substr(colon + 2));
    }
}

Hull randomHull(const RandomHullDef& def, std::uint64_t salt) {
    core::Random random(core::Random(def.seed).bits() ^ core::Random(~salt).bits());
    Hull hull;
    while (hull.points.size() < static_cast<std::size_t>(def.count)) {
        const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1);
        const double squared = x * x + y * y + z * z;
        // Points of the ball, projected to its surface, are uniform over directions; those near the centre lose digits.
        if (squared > 1 || squared < 1e-4)
            continue;
        const double scale = double(def.radius) / std::sqrt(squared);
        hull.points.push_back({Real(x * scale), Real(y * scale), Real(z * scale)});
    }
    return hull;
}

}  // namespace sunder::scene
