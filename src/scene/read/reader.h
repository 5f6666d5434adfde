// From JSON to definitions, driven by describe.h. Everything wrong is reported with its path; reading goes on after it.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "scene/read/generator_definitions.h"
#include "scene/text/json.h"
#include "scene/text/problems.h"
#include "scene/text/scene_files.h"
#include "sunder/scene/scene.h"

namespace sunder::scene {

using Names = std::vector<std::string_view>;

// A lambda in its place in the concept crashes clang 14.
struct AnyField {
    void operator()(const FieldInfo&, auto&&) const {}
};
template <class T>
concept DescribedStruct = std::is_class_v<T> && requires(T& value) {
    visitFields(value, AnyField{});
};

class Reader {
public:
    // Ready materials that bodies name join the scene's.
    Reader(Problems& problems, SceneFiles& files, std::vector<SceneMaterial>& materials)
        : problems_(problems), files_(files), materials_(materials) {}

    Problems& problems() { return problems_; }
    // The scene's patterns, by which bodies refer to them; those that are used get built.
    void usePatterns(std::vector<ScenePattern>& patterns) { patterns_ = &patterns; }
    void readPattern(const Json& json, const Path& path, ScenePattern& out);

    // False, with a problem reported, where the value is not an object.
    bool isObject(const Json& json, const Path& path);
    // False where there is no such list; a problem is reported where it is something else.
    bool isArray(const Json& json, const Path& path);
    void checkKeys(const Json& json, const Path& path, const Names& known);

    // Reads every described field that the object gives; the caller checks the keys.
    template <class T>
    void readFields(const Json& json, const Path& path, T& out) {
        visitFields(out, [&](const FieldInfo& info, auto&& member) {
            const auto found = json.find(std::string(info.name));
            const Path fieldPath = path / info.name;
            if (found != json.end())
                read(*found, fieldPath, info, member);
            else if (info.required)
                missing(fieldPath, info);
        });
    }
    // Reads a whole object: its keys are the described ones and the extra ones.
    template <class T>
    void readObject(const Json& json, const Path& path, T& out, std::initializer_list<std::string_view> extraKeys = {}) {
        if (!isObject(json, path))
            return;
        checkKeys(json, path, withNamesOf<T>(extraKeys));
        readFields(json, path, out);
    }
    // Bonds of the scored mesh or solid that was read last; empties them.
    std::vector<sunder::Bond> takeScoredBonds() { return std::exchange(scoredBonds_, {}); }
    // Reads rotation_degrees in place of orientation, where the object has it.
    void readRotation(const Json& json, const Path& path, Quat& out);

    template <class T>
    static Names withNamesOf(Names names, const T& value = {}) {
        visitFields(value, [&](const FieldInfo& info, auto&&) { names.push_back(info.name); });
        return names;
    }

    void read(const Json& json, const Path& path, const FieldInfo& info, Real& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, int& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, std::uint32_t& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, std::uint64_t& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, bool& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, std::string& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Vec3& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Quat& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Interval& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, std::uint8_t& lockedAxes);
    void read(const Json& json, const Path& path, const FieldInfo& info, Mechanisms& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Material& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Shape& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Camera& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Keyframe& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, CompoundChild& out);
    template <std::size_t Count>
    void read(const Json& json, const Path& path, const FieldInfo& info, std::array<std::uint32_t, Count>& corners) {
        if (!isList(json, path, info, Count))
            return;
        for (std::size_t i = 0; i < Count; ++i)
            read(json[i], path[i], info, corners[i]);
    }
    void read(const Json& json, const Path& path, const FieldInfo& info, DeformableDef& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, const StepperChoice<WorldDef>& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, FractureDef& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, const MethodChoice<FractureDef>& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, PerAxis& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Counts& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, Widths& out);
    void read(const Json& json, const Path& path, const FieldInfo& info, WallCount& out);

    void read(const Json& json, const Path& path, const FieldInfo& info, SharedPattern& out);
    // Any other described struct.
    template <DescribedStruct T>
    void read(const Json& json, const Path& path, const FieldInfo&, T& out) {
        readObject(json, path, out);
    }
    template <class T>
    void read(const Json& json, const Path& path, const FieldInfo& info, std::optional<T>& out) {
        read(json, path, info, out.emplace());
    }
    template <class T>
    void read(const Json& json, const Path& path, const FieldInfo& info, std::vector<T>& out) {
        if (!isArray(json, path))
            return;
        out.resize(json.size());
        for (std::size_t i = 0; i < json.size(); ++i)
            read(json[i], path[i], info, out[i]);
    }
    template <class E>
    requires std::is_enum_v<E>
    void read(const Json& json, const Path& path, const FieldInfo& info, E& out) {
        Names names;
        for (const EnumName<E>& entry : enumNames(E{})) {
            names.push_back(entry.name);
            if (json.is_string() && json.get_ref<const std::string&>() == entry.name) {
                out = entry.value;
                return;
            }
        }
        refuseName(json, path, info, names);
    }

private:
    void missing(const Path& path, const FieldInfo& info);
    void refuseName(const Json& json, const Path& path, const FieldInfo& info, const Names& names);
    template <class E, class Take>
    void readNames(const Json& json, const Path& path, std::span<const EnumName<E>> entries, Take&& take);
    bool isList(const Json& json, const Path& path, const FieldInfo& info, std::size_t size);
    bool integer(const Json& json, const Path& path, const FieldInfo& info, std::uint64_t most, std::uint64_t& out);
    void readDrawnPattern(const Json& json, const Path& path, ScenePattern& out);
    void readHull(const Json& json, const Path& path, Hull& out);
    void readMesh(const Json& json, const Path& path, Mesh& out);
    void readLevelSet(const Json& json, const Path& path, LevelSet& out);
    void readNumbers(const Json& json, const Path& path, SceneFiles::Numbers& out);
    void readShell(const Json& json, const Path& path, Shell& out);
    void readHeightField(const Json& json, const Path& path, HeightField& out);
    void readScoredMesh(const Json& json, const Path& path, Compound& out);
    void readScoredSolid(const Json& json, const Path& path, Compound& out);
    template <class Def>
    void readPieces(const Json& json, const Path& path, Shape& out);
    bool readMeshFile(const Json& json, const Path& path, std::string_view key, Mesh& out);
    template <class S>
    void readRound(const Json& json, const Path& path, Shape& out);

    Problems& problems_;
    SceneFiles& files_;
    std::vector<SceneMaterial>& materials_;
    std::vector<ScenePattern>* patterns_ = nullptr;
    std::vector<sunder::Bond> scoredBonds_;  // of the scored mesh or solid that was read last
};

// The children of a wall and an arch (scene/read/pieces.cpp).
Compound piecesOf(const BrickWallDef& def);
Compound piecesOf(const ArchDef& def);

// Points spread evenly over a sphere.
Hull randomHull(const RandomHullDef& def, std::uint64_t salt);

}  // namespace sunder::scene
