// The JSON Schema of scene files, made from the descriptions that also read them.
#include "scene/read/body_reader.h"
#include "sunder/scene/pattern_files.h"
#include "sunder/scene/scene.h"

namespace sunder {

namespace scene {

namespace {

Json reference(const char* name) { return {{"$ref", std::string("#/$defs/") + name}}; }

Json listOf(Json items) { return {{"type", "array"}, {"items", std::move(items)}}; }

Json listOf(Json items, int size) {
    return {{"type", "array"}, {"items", std::move(items)}, {"minItems", size}, {"maxItems", size}};
}

Json number(const FieldInfo& info, const char* type = "number") {
    Json schema = {{"type", type}};
    if (info.low != -kUnbounded)
        schema[info.lowExcluded ? "exclusiveMinimum" : "minimum"] = info.low;
    if (info.high != kUnbounded)
        schema["maximum"] = info.high;
    return schema;
}

template <class E>
Json names(std::span<const EnumName<E>> entries) {
    Json list = Json::array();
    for (const EnumName<E>& entry : entries)
        list.push_back(entry.name);
    return {{"enum", list}};
}

template <class T>
Json object();

// The schema of one field by its type.
struct FieldSchema {
    Json operator()(const FieldInfo& info, const Real&) { return number(info); }
    Json operator()(const FieldInfo& info, const int&) { return number(info, "integer"); }
    Json operator()(const FieldInfo& info, const std::uint32_t&) { return number(info, "integer"); }
    Json operator()(const FieldInfo& info, const std::uint64_t&) { return number(info, "integer"); }
    Json operator()(const FieldInfo&, const bool&) { return {{"type", "boolean"}}; }
    Json operator()(const FieldInfo&, const std::string&) { return {{"type", "string"}}; }
    Json operator()(const FieldInfo& info, const Vec3&) { return listOf(number(info), 3); }
    Json operator()(const FieldInfo& info, const Interval&) { return listOf(number(info), 2); }
    Json operator()(const FieldInfo&, const Quat&) { return listOf({{"type", "number"}}, 4); }
    template <std::size_t Count>
    Json operator()(const FieldInfo& info, const std::array<std::uint32_t, Count>&) {
        return listOf(number(info, "integer"), int(Count));
    }
    Json operator()(const FieldInfo&, const DeformableDef&) {
        Json deformable = object<DeformableDef>();
        deformable["properties"]["file"] = {{"type", "string"}};
        return deformable;
    }
    Json operator()(const FieldInfo&, const std::uint8_t&) {
        return listOf(names(std::span<const EnumName<LockedAxis>>(kLockedAxisNames)));
    }
    Json operator()(const FieldInfo&, const Mechanisms&) {
        return listOf(names(std::span<const EnumName<Mechanism>>(kMechanismNames)));
    }
    Json operator()(const FieldInfo&, const Shape&) { return reference("shape"); }
    Json operator()(const FieldInfo&, const Material&) {
        return {{"anyOf", Json::array({Json{{"type", "string"}}, reference("material")})}};
    }
    Json operator()(const FieldInfo&, const SharedPattern&) { return {{"type", "string"}}; }
    Json operator()(const FieldInfo&, const Keyframe&) { return reference("keyframe"); }
    Json operator()(const FieldInfo&, const CompoundChild&) { return reference("child"); }
    Json operator()(const FieldInfo&, const Camera&) { return object<Camera>(); }
    Json operator()(const FieldInfo&, const StepperChoice<WorldDef>&) {
        Json frameRate = object<FrameRateOptions>(), impulse = object<ImpulseOptions>(), damped = object<DampedOptions>(),
             timewarp = object<TimewarpOptions>();
        frameRate["properties"]["type"] = {{"const", "frame_rate"}};
        impulse["properties"]["type"] = {{"const", "impulse"}};
        impulse["required"] = {"type"};
        damped["properties"]["type"] = {{"const", "damped"}};
        damped["required"] = {"type"};
        timewarp["properties"]["type"] = {{"enum", {"timewarp", "timewarp_safer"}}};
        timewarp["required"] = {"type"};
        return {{"anyOf", {names(enumNames(Stepper{})), frameRate, impulse, damped, timewarp}}};
    }
    // One object for each method; the first is the one that a file means if it names none.
    Json operator()(const FieldInfo&, const FractureDef&);
    Json operator()(const FieldInfo&, const MethodChoice<FractureDef>& choice) {
        return {{"enum", Json::array({choice.name()})}};
    }
    Json operator()(const FieldInfo& info, const PerAxis&) { return {{"anyOf", {number(info), listOf(number(info), 3)}}}; }
    Json operator()(const FieldInfo& info, const Widths&) { return {{"anyOf", {number(info), listOf(number(info), 2)}}}; }
    Json operator()(const FieldInfo& info, const Counts&) {
        return {{"anyOf", {number(info, "integer"), listOf(number(info, "integer"), 3)}}};
    }
    Json operator()(const FieldInfo& info, const WallCount&) { return listOf(number(info, "integer"), 2); }
    template <class T>
    Json operator()(const FieldInfo& info, const std::optional<T>&) {
        return (*this)(info, T{});
    }
    template <class T>
    Json operator()(const FieldInfo& info, const std::vector<T>&) {
        return listOf((*this)(info, T{}));
    }
    template <DescribedStruct T>
    Json operator()(const FieldInfo&, const T&) {
        return object<T>();
    }
    template <class E>
    requires std::is_enum_v<E> Json operator()(const FieldInfo&, const E&) { return names(enumNames(E{})); }
};

template <class T>
void addSchemaFields(Json& schema, T value = {}) {
    visitFields(value, [&](const FieldInfo& info, auto&& member) {
        Json field = FieldSchema{}(info, member);
        std::string text(info.doc);
        if (!info.unit.empty())
            text += (text.empty() ? "in " : "; ") + std::string(info.unit);
        field["description"] = text;
        schema["properties"][std::string(info.name)] = field;
        if (info.required)
            schema["required"].push_back(std::string(info.name));
    });
}

Json emptyObject() { return {{"type", "object"}, {"additionalProperties", false}, {"properties", Json::object()}}; }

template <class T>
Json object() {
    Json schema = emptyObject();
    addSchemaFields<T>(schema);
    return schema;
}

Json FieldSchema::operator()(const FieldInfo&, const FractureDef&) {
    Json list = Json::array();
    FractureDef def;
    for (std::size_t i = 0; holdAlternative(def.method, i); ++i) {
        Json schema = emptyObject();
        addSchemaFields(schema, def);
        if (i > 0)
            schema["required"].push_back("method");
        else
            schema.erase("required");  // a ready material brings its pattern
        list.push_back(std::move(schema));
    }
    return list.size() == 1 ? list[0] : Json{{"anyOf", list}};
}

template <class S>
Json shape(const char* type) {
    Json schema = object<S>();
    schema["properties"]["type"] = {{"const", type}};
    schema["required"].push_back("type");
    return schema;
}

template <class T>
Json withRotation() {
    Json schema = object<T>();
    schema["properties"]["rotation_degrees"] = object<RotationDef>();
    return schema;
}

Json shapes() {
    const Json axis = {{"const", "y"}}, file = {{"type", "string"}};
    const Json scale = FieldSchema{}({.low = 0, .high = kMaxSize, .lowExcluded = true}, PerAxis{});
    Json capsule = shape<Capsule>("capsule"), cylinder = shape<Cylinder>("cylinder");
    capsule["properties"]["axis"] = axis;
    cylinder["properties"]["axis"] = axis;
    Json hull = shape<Hull>("hull"), mesh = shape<Mesh>("mesh");
    hull["properties"]["mesh"] = file;
    hull["properties"]["scale"] = scale;
    hull["properties"]["random"] = object<RandomHullDef>();
    mesh["properties"]["file"] = file;
    mesh["properties"]["scale"] = scale;
    Json levelSet = shape<LevelSet>("level_set");
    levelSet["properties"]["file"] = file;
    levelSet["properties"]["scale"] = scale;
    levelSet["properties"]["solid"] = reference("shape");
    Json heights = shape<HeightField>("height_field");
    heights["properties"]["file"] = file;
    addSchemaFields<HeightRange>(heights);
    Json shell = shape<Shell>("shell");
    shell["properties"]["file"] = file;
    shell["properties"]["scale"] = scale;
    Json scored = shape<ScoredMeshDef>("scored_mesh");
    scored["properties"]["file"] = file;
    scored["properties"]["scale"] = scale;
    scored["required"].push_back("file");
    Json scoredSolid = shape<ScoredSolidShapeDef>("scored_solid");
    scoredSolid["properties"]["file"] = file;
    scoredSolid["properties"]["scale"] = scale;
    scoredSolid["properties"]["solid"] = reference("shape");
    return {{"oneOf",
             {shape<Sphere>("sphere"), shape<Box>("box"), capsule, cylinder, hull, mesh, shape<Compound>("compound"), levelSet,
              heights, shell, shape<BrickWallDef>("brick_wall"), shape<ArchDef>("arch"), scored, scoredSolid}}};
}

template <class Def>
Json generator(const char* kind) {
    Json schema = emptyObject();
    Json& properties = schema["properties"];
    properties[kind] = object<Def>();
    properties["name"] = {{"type", "string"}, {"description", "bodies are called name_0, name_1, ..."}};
    properties["position"] = FieldSchema{}({.low = -kMaxPosition, .high = kMaxPosition}, Vec3{});
    properties["orientation"] = FieldSchema{}({}, Quat{});
    properties["rotation_degrees"] = object<RotationDef>();
    schema["required"] = {kind};
    if (std::is_same_v<Def, PitDef>)
        properties["material"] = FieldSchema{}({}, Material{});
    else
        properties["body"] = reference("body");
    if (std::is_same_v<Def, PileDef>)
        properties["bodies"] = listOf(reference("body"));
    else if (!std::is_same_v<Def, PitDef>)
        schema["required"].push_back("body");
    return schema;
}

template <std::size_t... kinds>
Json patterns(std::index_sequence<kinds...>) {
    Json list = Json::array();
    const auto add = [&](Json schema, std::string_view type) {
        addSchemaFields<PatternDef>(schema);
        schema["properties"]["type"] = {{"const", type}};
        if (!schema["properties"].contains("pieces"))
            schema["properties"]["pieces"] = number({.low = 1, .high = 1e6}, "integer");
        schema["required"].push_back("type");
        list.push_back(std::move(schema));
    };
    (add(object<std::variant_alternative_t<kinds, PatternKind>>(), kPatternTypes[kinds]), ...);
    Json drawn = object<DrawnPatternDef>();
    drawn["properties"]["type"] = {{"const", "drawn"}};
    drawn["required"].push_back("type");
    drawn["oneOf"] = {{{"required", {"file"}}}, {{"required", {"svg"}}}};
    list.push_back(std::move(drawn));
    return {{"oneOf", list}};
}

Json root() {
    Json schema = emptyObject();
    schema["required"] = {"sunder", "bodies"};
    Json& properties = schema["properties"];
    properties["$schema"] = {{"type", "string"}};
    properties["sunder"] = {{"const", 1}, {"description", "version of the format"}};
    addSchemaFields<Scene>(schema);
    addSchemaFields<WorldDef>(schema);
    Json material = object<Material>();
    addSchemaFields<MaterialLook>(material);
    material["properties"]["like"] = {{"type", "string"},
                                      {"description", "a ready material, of which only the keys given here differ"}};
    properties["materials"] = {
        {"type", "object"},
        {"additionalProperties",
         {{"oneOf", {std::move(material), {{"type", "string"}, {"description", "the name of a ready material"}}}}}}};
    properties["patterns"] = {{"type", "object"},
                              {"additionalProperties", patterns(std::make_index_sequence<std::variant_size_v<PatternKind>>())}};
    properties["bodies"] = listOf(
        {{"oneOf",
          {reference("body"), generator<RepeatDef>("repeat"), generator<PyramidDef>("pyramid"), generator<WallDef>("wall"),
           generator<StackDef>("stack"), generator<PileDef>("pile"), generator<PitDef>("pit")}}});
    properties["joints"] = listOf(object<SceneJoint>());
    properties["events"] = listOf(object<SceneEvent>());
    return schema;
}

}  // namespace

}  // namespace scene

std::string sceneSchema() {
    using namespace scene;
    Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                   {"title", "Sunder scene, version 1"},
                   {"description", "SI units, y up, right-handed; quaternions are x, y, z, w"}};
    schema.update(root());
    schema["$defs"] = {{"material", object<Material>()},
                       {"shape", shapes()},
                       {"child", withRotation<CompoundChild>()},
                       {"keyframe", withRotation<Keyframe>()},
                       {"body", withRotation<BodyDef>()}};
    schema["$defs"]["body"]["properties"]["joined"] = {
        {"type", "boolean"},
        {"description",
         "the pieces of a bonded body are bodies of their own, with joints at the corners of the faces they share"}};
    schema["$defs"]["body"]["properties"]["joins_at"] = {{"type", "number"},
                                                         {"minimum", 0},
                                                         {"maximum", 1e6},
                                                         {"description", "s: the body joins the scene then, not at its start"}};
    return schema.dump(2) + "\n";
}

}  // namespace sunder
