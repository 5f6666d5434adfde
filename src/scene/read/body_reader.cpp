// See body_reader.h.
#include "scene/read/body_reader.h"

#include <sstream>
#include <utility>

#include "collision/built_shape.h"
#include "sunder/joined_pieces.h"

namespace sunder::scene {

namespace {

// The body with the pattern of its ready material, where its fracture names none.
std::optional<Json> withReadyPattern(const Json& body) {
    if (!body.is_object())
        return std::nullopt;
    const auto material = body.find("material"), fracture = body.find("fracture");
    if (material == body.end() || fracture == body.end() || !material->is_string() || !fracture->is_object() ||
        fracture->contains("pattern") || fracture->value("method", "prescored") != "prescored" ||
        !findReadyMaterial(material->get<std::string>()))
        return std::nullopt;
    Json completed = body;
    completed["fracture"]["pattern"] = *material;
    return completed;
}

// Characters. Longer texts are hulls and meshes written out, which are hardly ever equal.
constexpr std::size_t kLongestCachedShape = 4096;
constexpr const char* kCut = " cut";  // behind the text of a shape that keeps its surface

// One mesh that a pattern breaks: where the file does not say how its pieces are drawn, they are cut from it.
bool isOneMesh(const BodyDef& def) {
    const LevelSet* levelSet = std::get_if<LevelSet>(&def.shape);
    return levelSet && levelSet->parts.size() == 1 && std::holds_alternative<Mesh>(levelSet->parts[0].shape) && def.fracture &&
           std::holds_alternative<Prescored>(def.fracture->method);
}

}  // namespace

void BodyReader::readBodies(const Json& list, const Path& path) {
    if (!reader_.isArray(list, path))
        return;
    for (std::size_t i = 0; i < list.size(); ++i) {
        const Path bodyPath = path[i];
        if (list[i].is_object() && readGenerator(*this, list[i], bodyPath))
            continue;
        if (!hasRoom(1, bodyPath))
            return;
        if (list[i].is_object() && list[i].contains("joins_at")) {
            readLate(list[i], bodyPath);
            continue;
        }
        if (list[i].is_object() && list[i].contains("joined")) {
            readJoined(list[i], bodyPath);
            continue;
        }
        if (const std::optional<BodyTemplate> body = readTemplate(list[i], bodyPath))
            add(body->def, body->materialName, bodyPath / "name");
    }
    nameTheNameless();
}

void BodyReader::readLate(const Json& json, const Path& path) {
    constexpr double kLastTime = 1e6;  // s, as of events
    LateBody late;
    const FieldInfo info{.name = "joins_at", .unit = "s", .low = 0, .high = kLastTime};
    reader_.read(json["joins_at"], path / "joins_at", info, late.time);
    Json plain = json;
    plain.erase("joins_at");
    const std::optional<BodyTemplate> body = readTemplate(plain, path);
    if (!body)
        return;
    if (body->def.name.empty()) {
        reader_.problems().add(path / "name", "is missing (a body that joins later has one)");
        return;
    }
    takeName(body->def.name, path / "name");
    late.def = body->def;
    late.material = body->materialName;
    scene_.lateBodies.push_back(std::move(late));
}

// A bonded body whose pieces are to be bodies of their own, with joints in place of bonds.
void BodyReader::readJoined(const Json& json, const Path& path) {
    bool isJoined = false;
    reader_.read(json["joined"], path / "joined", {}, isJoined);
    Json bonded = json;
    bonded.erase("joined");
    std::optional<BodyTemplate> body = readTemplate(bonded, path);
    if (!body)
        return;
    if (!isJoined) {
        add(body->def, body->materialName, path / "name");
        return;
    }
    if (body->def.name.empty()) {
        reader_.problems().add(path / "name", "is missing (pieces that are joined are called name_0, name_1, ...)");
        return;
    }
    body->def.shape = body->writtenShape;
    try {
        JoinedPieces pieces = joinPieces(body->def);
        if (!hasRoom(double(pieces.bodies.size()), path))
            return;
        for (std::size_t i = 0; i < pieces.joints.size(); ++i) {
            SceneJoint joint;
            joint.def = pieces.joints[i].def;
            joint.def.name = body->def.name + "_joint_" + std::to_string(i);
            joint.a = pieces.bodies[pieces.joints[i].a].name;
            joint.b = pieces.bodies[pieces.joints[i].b].name;
            scene_.joints.push_back(std::move(joint));
        }
        for (BodyDef& piece : pieces.bodies) {
            piece.shape = build(piece.shape, path / "shape");
            add(std::move(piece), body->materialName, path / "name");
        }
    } catch (const Error& error) {
        addMessage(path, error.what());
    }
}

std::optional<BodyTemplate> BodyReader::readTemplate(const Json& written, const Path& path) {
    const std::optional<Json> completed = withReadyPattern(written);
    const Json& json = completed ? *completed : written;
    const std::size_t before = reader_.problems().count();
    BodyTemplate body;
    reader_.readObject(json, path, body.def, {"rotation_degrees"});
    reader_.readRotation(json, path, body.def.orientation);
    if (reader_.problems().count() != before)
        return std::nullopt;
    if (std::vector<sunder::Bond> bonds = reader_.takeScoredBonds(); body.def.bonds && body.def.bonds->bonds.empty())
        body.def.bonds->bonds = std::move(bonds);
    if (const auto material = json.find("material"); material != json.end() && material->is_string())
        body.materialName = material->get<std::string>();
    const Json& shapeJson = json["shape"];
    if (shapeJson.contains("random"))
        reader_.readFields(shapeJson["random"], path, body.randomHull.emplace());

    const std::string text = shapeJson.dump();
    const bool maySay = json.contains("fracture") && !json["fracture"].contains("surface");
    if (maySay && isOneMesh(body.def) && canBeCut(body.def.shape, text))
        body.def.fracture->surface = FractureSurface::Cut;
    const SharedShape shape = builtShape(body.def, text, path);
    if (!shape)
        return std::nullopt;
    noteRepairs(*shape, path / "shape");
    body.writtenShape = std::exchange(body.def.shape, shape);

    for (const std::string& message : validate(body.def))
        addMessage(path, message);
    return reader_.problems().count() == before ? std::make_optional(std::move(body)) : std::nullopt;
}

// Shapes are cached by their text. path: of the body.
SharedShape BodyReader::builtShape(BodyDef& def, std::string text, const Path& path) {
    LevelSet* levelSet = std::get_if<LevelSet>(&def.shape);
    const bool isCut = levelSet && def.fracture && def.fracture->surface == FractureSurface::Cut;
    const bool isAskedByFracture = isCut && !levelSet->keepSurface;
    if (isCut) {
        levelSet->keepSurface = true;
        text += kCut;
    }
    if (const auto cached = shapes_.find(text); cached != shapes_.end())
        return cached->second;
    SharedShape shape = build(def.shape, path / "shape", isAskedByFracture ? path.text() + ".fracture.surface" : std::string());
    if (shape && text.size() <= kLongestCachedShape)
        shapes_.emplace(text, shape);
    return shape;
}

// Whether the mesh of the level set can be cut: it is closed and does not cross itself.
bool BodyReader::canBeCut(const Shape& shape, const std::string& text) {
    if (shapes_.contains(text + kCut))
        return true;
    LevelSet levelSet = std::get<LevelSet>(shape);
    levelSet.keepSurface = true;
    try {
        SharedShape built = buildShape(levelSet);
        if (text.size() <= kLongestCachedShape)
            shapes_.emplace(text + kCut, std::move(built));
        return true;
    } catch (const Error&) {
        return false;
    }
}

// cutAsked: the key by which the scene asked for a surface that can be cut, where that is not the shape's own.
SharedShape BodyReader::build(const Shape& shape, const Path& path, const std::string& cutAsked) {
    constexpr std::string_view kKeep = "keep_surface: ";
    try {
        return buildShape(shape);
    } catch (const Error& error) {
        std::istringstream lines(error.what());
        for (std::string line; std::getline(lines, line);)
            if (!cutAsked.empty() && line.starts_with(kKeep))
                reader_.problems().addAt(cutAsked, "\"cut\"", line.substr(kKeep.size()) + " (\"level_set\")");
            else
                addMessage(path, line);
        return nullptr;
    }
}

void BodyReader::noteRepairs(const BuiltShape& shape, const Path& path) {
    if (const LevelSet* levelSet = std::get_if<LevelSet>(&shape.definition))
        if (const std::string repairs = meshRepairs(*levelSet); !repairs.empty())
            scene_.notes.push_back(path.text() + ": " + repairs);
}

void BodyReader::addMessage(const Path& path, const std::string& message) {
    const std::size_t colon = message.find(": ");
    const std::string field = message.substr(0, colon);
    const bool named = colon != std::string::npos && field.find(' ') == std::string::npos;
    reader_.problems().addAt(named ? path.text() + "." + field : path.text(), {}, named ? message.substr(colon + 2) : message);
}

bool BodyReader::hasRoom(double count, const Path& path) {
    if (static_cast<double>(scene_.bodies.size()) + count <= kMaxBodies)
        return true;
    reader_.problems().add(path, "too many bodies: " + numberText(count) + " more than the " +
                                     std::to_string(scene_.bodies.size()) + " before (at most " + std::to_string(kMaxBodies) +
                                     " in a scene)");
    return false;
}

void BodyReader::takeName(const std::string& name, const Path& path) {
    const auto [place, isNew] = namedAt_.emplace(name, std::string());
    if (isNew)
        place->second = path.text();
    else
        reader_.problems().addAt(path.text(), "\"" + name + "\"",
                                 "\"" + name + "\" is taken by " + place->second + " (names are unique)");
}

void BodyReader::add(BodyDef def, const std::string& materialName, const Path& path) {
    if (!def.name.empty())
        takeName(def.name, path);
    scene_.bodies.push_back(std::move(def));
    scene_.bodyMaterials.push_back(materialName);
}

void BodyReader::nameTheNameless() {
    std::size_t next = 0;
    for (std::size_t i = 0; i < scene_.bodies.size(); ++i)
        if (scene_.bodies[i].name.empty()) {
            next = std::max(next, i);
            while (namedAt_.count("body_" + std::to_string(next)) > 0)
                ++next;
            scene_.bodies[i].name = "body_" + std::to_string(next++);
        }
}

}  // namespace sunder::scene
