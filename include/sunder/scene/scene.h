// Scene files: reading, checking and writing them. The format is JSON, version 1; `sunder schema` prints its JSON Schema.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/describe.h"
#include "sunder/scene/render.h"

namespace sunder {

// How bodies of a material look in pictures and exports.
struct MaterialLook {
    std::optional<Vec3> color{};       // linear red, green, blue, 0 to 1; else one of Sunder's
    std::optional<Vec3> innerColor{};  // of faces that a fracture opened; else paler than the outside
    std::string innerName{};           // of their material in exports; else "NAME inside"
    Real gloss = 1;                    // 0 to 1: strength of highlights
    Real opacity = 1;                  // 0 to 1; below 1 it can be seen through
    bool isGiven() const { return color || innerColor || !innerName.empty() || gloss != 1 || opacity != 1; }
};

struct SceneMaterial {
    std::string name;
    Material material;
    MaterialLook look{};
};

// Materials that bodies may name without the scene defining them, each with a pattern of the same name.
struct ReadyMaterial {
    std::string_view name;
    SceneMaterial material;
    std::string_view pattern;  // as in a scene file
};
const std::vector<ReadyMaterial>& readyMaterials();
const ReadyMaterial* findReadyMaterial(std::string_view name);  // null where there is none

struct ScenePattern {
    std::string name;
    PatternDef def;
    SharedPattern built;  // set where a body uses the pattern
};
// "radial", "voronoi", "wood", "slabs", "brick", "shells", in the order of PatternKind.
inline constexpr std::string_view kPatternTypes[] = {"radial", "voronoi", "wood", "slabs", "brick", "shells"};

// An action on the world at a given time. Exactly one of the three is set.
struct ExplodeEvent {
    Vec3 at;
    Real impulse = 0, radius = 1;
};
struct BreakBodyEvent {
    std::string body;
    Vec3 at, normal{0, 1, 0};
    Real impulse = 0;
};
struct CutEvent {
    std::string body;
    Vec3 at, normal{0, 1, 0};
};
struct SceneEvent {
    Real time = 0;  // s: before the step that begins then
    std::optional<ExplodeEvent> explode;
    std::optional<BreakBodyEvent> breakBody;
    std::optional<CutEvent> cut;
    std::optional<BodyDef> add{};  // of the runner: scene files have Scene::lateBodies
};

// A body that is not there from the start: "joins_at" in scene files.
struct LateBody {
    Real time = 0;  // s: before the step that begins then
    BodyDef def;
    std::string material;  // its name, or ""
};

// A joint with its bodies by name; "" is the world. The handles in `def` are not set.
struct SceneJoint {
    JointDef def;
    std::string a, b;
};

struct Scene {
    std::string name;
    std::string description;  // one line
    std::string figure;       // of the paper that the scene re-creates
    Real frameRate = 30;      // Hz
    int stepsPerFrame = 1;
    int frames = 120;
    WorldDef world;
    std::optional<Camera> camera;
    std::vector<SceneMaterial> materials;
    std::vector<ScenePattern> patterns;
    std::vector<BodyDef> bodies;       // generators expanded; every body has a unique name
    std::vector<LateBody> lateBodies;  // names are unique among them and `bodies`
    std::vector<SceneEvent> events;
    std::vector<std::string> bodyMaterials;  // for each body the name of its material, or ""
    std::vector<SceneJoint> joints;
    std::vector<std::string> notes;  // repairs of meshes: "bodies[2].shape: 3 open edges (closed by winding number)"
};

// One fault of a scene file, with its place: "wall.json: bodies[3].mass: -1 is not allowed (above 0 kg)".
struct SceneProblem {
    std::string file;
    std::string path;     // JSON path, or "line 3, column 7" where the text is not JSON
    std::string value;    // as written, shortened; may be empty
    std::string message;  // includes the value and what is allowed
    std::string text() const;
};

struct SceneOptions {
    std::vector<std::string> sets;                      // "KEY=VALUE", applied before the scene is checked
    std::vector<std::filesystem::path> allowedFolders;  // folders besides the scene's own in which its files may be
    std::filesystem::path assets;                       // bundled files, used where the scene's folder has none of that name
    std::string fileName = "scene";                     // of a scene given as text, for messages
    std::filesystem::path folder;                       // of a scene given as text; empty: it may name no files
};

// Either a scene, or all its faults.
struct SceneResult {
    std::optional<Scene> scene;
    std::vector<SceneProblem> problems;
    explicit operator bool() const { return scene.has_value(); }
};

SceneResult loadScene(const std::filesystem::path& file, const SceneOptions& options = {});
SceneResult parseScene(std::string_view text, const SceneOptions& options = {});

// A file that loads to an equal scene; generators are written as the bodies they made.
std::string writeScene(const Scene& scene);

// JSON Schema (draft 2020-12) of scene files, for editors.
std::string sceneSchema();

constexpr FieldInfo placeInfo(std::string_view name, std::string_view doc) {
    return {.name = name, .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .required = true, .doc = doc};
}

template <MaybeConst<MaterialLook> L, class Visit>
void visitFields(L& l, Visit&& visit) {
    visit(FieldInfo{.name = "color", .low = 0, .high = 1, .doc = "linear red, green and blue; else one of Sunder's"}, l.color);
    visit(FieldInfo{.name = "inner_color", .low = 0, .high = 1, .doc = "of faces that a fracture opened; else paler"},
          l.innerColor);
    visit(FieldInfo{.name = "inner_name", .doc = "of their material in exports; else the material's name and \"inside\""},
          l.innerName);
    visit(FieldInfo{.name = "gloss", .low = 0, .high = 1, .doc = "strength of highlights"}, l.gloss);
    visit(FieldInfo{.name = "opacity", .low = 0, .high = 1, .doc = "below 1 it can be seen through"}, l.opacity);
}

template <MaybeConst<ExplodeEvent> E, class Visit>
void visitFields(E& e, Visit&& visit) {
    visit(placeInfo("at", "world"), e.at);
    visit(FieldInfo{.name = "impulse", .unit = "N s", .low = 0, .high = 1e15, .required = true, .doc = "of the explosion"},
          e.impulse);
    visit(FieldInfo{.name = "radius",
                    .unit = "m",
                    .low = 0,
                    .high = kMaxSize,
                    .lowExcluded = true,
                    .required = true,
                    .doc = "nothing is felt beyond it"},
          e.radius);
}

template <MaybeConst<BreakBodyEvent> E, class Visit>
void visitFields(E& e, Visit&& visit) {
    visit(FieldInfo{.name = "body", .required = true, .doc = "its name"}, e.body);
    visit(placeInfo("at", "where it is hit, world"), e.at);
    visit(FieldInfo{.name = "normal", .doc = "of its surface, outward, world"}, e.normal);
    visit(FieldInfo{.name = "impulse", .unit = "N s", .low = 0, .high = 1e15, .doc = "that its pieces are given"}, e.impulse);
}

template <MaybeConst<CutEvent> E, class Visit>
void visitFields(E& e, Visit&& visit) {
    visit(FieldInfo{.name = "body", .required = true, .doc = "its name"}, e.body);
    visit(placeInfo("at", "a point of the plane, world"), e.at);
    visit(FieldInfo{.name = "normal", .doc = "of the plane, world"}, e.normal);
}

template <MaybeConst<SceneEvent> E, class Visit>
void visitFields(E& e, Visit&& visit) {
    visit(FieldInfo{.name = "time", .unit = "s", .low = 0, .high = 1e6, .required = true, .doc = "since the start"}, e.time);
    visit(FieldInfo{.name = "explode", .doc = "pushes and breaks what is near"}, e.explode);
    visit(FieldInfo{.name = "break", .doc = "breaks a body, whatever its threshold"}, e.breakBody);
    visit(FieldInfo{.name = "cut", .doc = "cuts a body along a plane"}, e.cut);
}

template <MaybeConst<SceneJoint> J, class Visit>
void visitFields(J& j, Visit&& visit) {
    visit(FieldInfo{.name = "a", .doc = "the name of a body; the world where it is not given"}, j.a);
    visit(FieldInfo{.name = "b", .doc = "the name of a body; the world where it is not given"}, j.b);
    visitFields(j.def, visit);
}

template <MaybeConst<Camera> C, class Visit>
void visitFields(C& c, Visit&& visit) {
    visit(FieldInfo{.name = "position", .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .doc = "of the eye"},
          c.position);
    visit(FieldInfo{.name = "target", .unit = "m", .low = -kMaxPosition, .high = kMaxPosition, .doc = "looked at"}, c.target);
    visit(FieldInfo{.name = "fov_degrees", .unit = "degrees", .low = 1, .high = 170, .doc = "angle of the picture's height"},
          c.fovDegrees);
}

template <MaybeConst<Scene> S, class Visit>
void visitFields(S& s, Visit&& visit) {
    visit(FieldInfo{.name = "name", .doc = "of the scene"}, s.name);
    visit(FieldInfo{.name = "description", .doc = "one line, shown by `sunder list`"}, s.description);
    visit(FieldInfo{.name = "figure", .doc = "of the paper that the scene re-creates"}, s.figure);
    visit(FieldInfo{.name = "frame_rate", .unit = "Hz", .low = 0, .high = 1e5, .lowExcluded = true, .doc = "frames per second"},
          s.frameRate);
    visit(FieldInfo{.name = "steps_per_frame", .low = 1, .high = 10000, .doc = "equal steps that make a frame"},
          s.stepsPerFrame);
    visit(FieldInfo{.name = "frames", .low = 0, .high = 1e7, .doc = "how many to simulate"}, s.frames);
    visit(FieldInfo{.name = "camera", .doc = "from where pictures are taken"}, s.camera);
}

}  // namespace sunder
