// The `bodies` list of a scene file: bodies as written, and generators expanded into theirs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scene/read/reader.h"

namespace sunder::scene {

// A body as a generator's starting point: read and checked once, then copied.
struct BodyTemplate {
    BodyDef def;         // with its shape built
    Shape writtenShape;  // as it was before
    std::string materialName;
    std::optional<RandomHullDef> randomHull;  // a pile draws a new hull for each copy
};

class BodyReader {
public:
    BodyReader(Reader& reader, Scene& scene) : reader_(reader), scene_(scene) {}

    void readBodies(const Json& list, const Path& path);

    Reader& reader() { return reader_; }
    // Empty, with problems reported, where the body is not valid.
    std::optional<BodyTemplate> readTemplate(const Json& json, const Path& path);
    // Built once per distinct shape. Null, with a problem reported, where the shape cannot be built.
    SharedShape build(const Shape& shape, const Path& path, const std::string& cutAsked = {});
    // False, with a problem reported, where the scene would have too many bodies.
    bool hasRoom(double count, const Path& path);
    // A body that joins later.
    void readLate(const Json& json, const Path& path);
    // The name must still be free.
    void add(BodyDef def, const std::string& materialName, const Path& path);

private:
    SharedShape builtShape(BodyDef& def, std::string text, const Path& path);
    bool canBeCut(const Shape& shape, const std::string& text);
    void readJoined(const Json& json, const Path& path);
    // Messages of validate() and buildShape() start with the name of the field.
    void addMessage(const Path& path, const std::string& message);
    void takeName(const std::string& name, const Path& path);
    void nameTheNameless();
    void noteRepairs(const BuiltShape& shape, const Path& path);

    Reader& reader_;
    Scene& scene_;
    std::map<std::string, SharedShape> shapes_;   // by their text
    std::map<std::string, std::string> namedAt_;  // path of the body with that name
};

// Expands the generator of an element of `bodies`; false where it is a plain body.
bool readGenerator(BodyReader& bodies, const Json& json, const Path& path);

// Names of generators, the keys of a generator besides its own, and the definitions of all, for the schema.
inline constexpr std::string_view kGeneratorNames[] = {"repeat", "pyramid", "wall", "stack", "pile", "pit"};

}  // namespace sunder::scene
