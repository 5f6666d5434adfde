// What the playground page does with a world: run a scene, rewind it, pull at it, add to it, record it, or play a recording.
// exports.cpp gives it to JavaScript.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sunder/scene/filters.h"
#include "sunder/scene/recording.h"
#include "sunder/scene/runner.h"
#include "sunder/stress_map.h"
#include "surfaces.h"

namespace sunder::web {

// How a body is drawn beside its surface.
enum class BodyState : std::uint8_t { Static, Kinematic, Awake, Asleep };

// Numbers of a body in the list that the page reads.
struct ListedBody {
    std::uint32_t index = 0, generation = 0;  // its handle, or its track in a recording and 0
    std::uint32_t surface = 0;
    std::uint32_t kind = 0;  // the same for bodies whose names differ by their numbers alone
    std::uint32_t variant = 0;
    std::uint32_t look = kNoLook;  // number of its material in looks()
};

// A body whose vertices move: the surface it is drawn with, which is its own, and how many vertices that has.
struct ListedMover {
    std::uint32_t surface = 0, vertices = 0;
};

// What a blow found in a body, or what a deformable body bears now.
struct ListedStress {
    float body = -1;  // its place in the list; -1 where it has broken since
    float vertices = 0, triangles = 0;
    float strength = 0, worst = 0;                   // Pa
    std::array<float, 7> pose{0, 0, 0, 0, 0, 0, 1};  // when it was struck
};

class Playground {
public:
    // Scenes loaded from now on step on so many threads; the hashes are the same for any number.
    void useThreads(int threads);
    int threads() const { return tasks_ ? tasks_->concurrency() : 1; }

    // Both return JSON: {"ok": true, ...} or {"ok": false, "problems": [...]}, in which case nothing has changed. Settings
    // are lines of KEY=VALUE as of --set; files that the scene names are looked up in folder.
    std::string load(std::string_view text, std::string_view settings, const std::string& folder);
    std::string openRecording(const std::string& path);
    // Settings of the world and of materials take effect at once. The same results as load(); the text is that of the scene.
    std::string change(std::string_view text, std::string_view settings);

    bool hasScene() const { return runner_ != nullptr; }
    int frame() const;
    void stepFrame();

    // Goes to the nearest kept frame at or before the one asked for and returns its number. Later frames are forgotten once
    // something else happens. Of a recording: goes there.
    int goTo(int frame);
    int firstKeptFrame() const { return kept_.empty() ? 0 : kept_.front().frame; }
    int lastKeptFrame() const;

    // Runs a small world of its own that breaks, so that the first break of the scene is not slow; says how many bodies it
    // ended with.
    int warmUp() const;

    // Bodies of a scene given as text join the world. The same results as load().
    std::string add(std::string_view text, const std::string& folder);
    // The first body along a ray as JSON {"body": index in the list, "point": [...], "dynamic": ...}, or {}.
    std::string pick(const Vec3& origin, const Vec3& displacement) const;
    // A damped spring pulls this point of a dynamic body; of one that deforms, its node that is nearest to the point goes
    // there.
    bool grab(int body, const Vec3& point);
    void pullTo(const Vec3& target) { grabTarget_ = target; }
    void release() {
        grabbed_ = {};
        heldNodes_.clear();
    }
    // The engine's own explosion, which also breaks what it can; its impulse gives what is near about this speed.
    void explode(const Vec3& at, Real speed, Real radius);
    // In two, along a plane; as any break it happens within the next frame.
    void cut(int body, const Vec3& point, const Vec3& normal);

    // Records every frame from now on into a file.
    void startRecording(const std::string& path);
    void stopRecording();

    // The engine's own description of what may be set, with the scene's values, as JSON.
    std::string settings() const;
    std::string hash() const;
    const std::vector<double>& stats();  // in the order of kStatNames
    // Touching points of the last step, eight numbers each: point, normal, separation, impulse.
    const std::vector<float>& contacts();
    const std::vector<float>& lastContacts() const { return contacts_; }
    // What holds bodies together, kLinkNumbers each: three points of a line from body to body (the middle one is where it
    // holds), the force in N, and the part of its strength that it bears, or -1 where it cannot break.
    const std::vector<float>& links();
    const std::vector<float>& lastLinks() const { return links_; }
    // Distances (m) to the nearest body that is not static, negative inside it, at corner + i * right + k * up; beyond
    // `farthest` that number. Row by row.
    const std::vector<float>& slice(const Vec3& corner, const Vec3& right, const Vec3& up, int columns, int rows,
                                    Real farthest);

    // The last blow on every body that cracks by stress, for half a second where it broke the body, and deformable bodies as
    // they are. Vertices are four numbers each, of all bodies in turn: place in the body's frame, tension over strength.
    const std::vector<ListedStress>& stress();
    const std::vector<ListedStress>& lastStress() const { return stress_; }
    const std::vector<float>& stressVertices() const { return stressVertices_; }
    const std::vector<std::uint32_t>& stressTriangles() const { return stressTriangles_; }

    // The list of bodies; its revision changes whenever any of them comes, goes or changes its shape.
    void listBodies();
    std::uint32_t revision() const { return revision_; }
    const std::vector<ListedBody>& bodies() const { return bodies_; }
    const std::vector<float>& poses() const { return poses_; }  // seven numbers each: position, orientation
    const std::vector<BodyState>& states() const { return states_; }
    SurfaceCache& surfaces() { return surfaces_; }
    // Materials of the scene as they are drawn, as JSON: linear colours, null where they are the page's to choose.
    std::string looks() const;

    // From now on bodies are shown where a filter has them that hides trembling [Egan03] 5.5; the world itself is as it was.
    void useFilter(const std::optional<PoseFilter>& filter);

    // Bodies whose vertices move, in the order of the list, and where the vertices of all of them are, each in its body's
    // frame, one body after another.
    const std::vector<ListedMover>& movers() const { return movers_; }
    const std::vector<float>& moverPositions() const { return moverPositions_; }
    const std::vector<float>& moverNormals() const { return moverNormals_; }
    // Who knows the surfaces of deforming bodies in place of the world itself. Recordings know their own.
    void useMovingSurfaces(MovingSurfaceSource source) { movingSurfaces_ = std::move(source); }

private:
    struct Kept {
        int frame;
        Checkpoint checkpoint;
    };

    using BodyKey = std::pair<std::uint32_t, std::uint32_t>;

    void noteMaterials();
    void noteMaterials(const Scene& scene);
    // A piece has material and colour of what it broke off. Returns its variant.
    std::uint32_t inherit(BodyId body);
    void beginPoses();
    void appendPose(const ListedBody& body, const Pose& pose, bool isRigid);
    void endPoses();
    void applySettings();
    void keep();
    void forgetLater();
    void pull();
    void pullNode();
    void letNodesGo();
    void listRecording();
    void publish(std::vector<ListedBody>& found);
    // The number of the body's own surface; made where its triangles are new.
    std::uint32_t addMover(std::uint32_t index, std::uint32_t generation, std::uint64_t revision, const Surface& surface,
                           std::span<const Vec3> positions, std::span<const Vec3> normals);
    std::uint32_t surfaceOf(BodyId body, const ListedBody* known);
    void clearMovers();
    void keepBlows();
    void listStress(const StressMap& map);
    std::uint32_t kindOf(const std::string& name);

    std::unique_ptr<TaskRunner> tasks_;
    Scene scene_;
    std::unique_ptr<SceneRunner> runner_;
    // Of every body that was ever seen: its place in the scene's list of materials, and its variant. Of bodies that no other
    // broke into, by name.
    std::map<BodyKey, std::size_t> materialOf_;
    std::map<BodyKey, std::uint32_t> variantOf_;
    std::map<std::string, std::size_t> materialOfName_;
    int changedAt_ = -1;          // the frame in which settings were last changed, -1 where they are as loaded
    bool settingsStale_ = false;  // the world went back to before that
    std::deque<Kept> kept_;
    std::size_t keptBytes_ = 0;
    std::optional<Recording> recording_;
    std::unique_ptr<RunRecorder> recorder_;

    BodyId grabbed_{};
    Vec3 grabPoint_{};  // in the body's frame
    struct HeldNode {
        BodyId body{};
        std::uint32_t node = 0;
    };
    std::vector<HeldNode> heldNodes_;  // one; where it has torn, one on each side
    Vec3 heldPlace_{};                 // m: where they are pinned while a frame is stepped
    Vec3 grabTarget_{};

    SurfaceCache surfaces_;
    std::map<std::string, std::uint32_t> kinds_;  // numbered as they were first seen
    std::vector<ListedBody> bodies_;
    std::vector<float> poses_;
    std::vector<BodyState> states_;
    std::optional<PoseFilter> filter_;
    std::optional<LivePoseFilter> livePoses_;
    static constexpr int kNoFrame = -2;
    int filteredFrame_ = kNoFrame;                  // the last one that was listed
    std::map<std::uint64_t, Pose> shown_, listed_;  // by body: of that frame, and of the one that is being listed
    MovingSurfaceSource movingSurfaces_;            // in place of ownSurfaces_
    WorldSurfaces ownSurfaces_;
    std::map<std::tuple<std::uint32_t, std::uint32_t, std::uint64_t>, std::uint32_t> moverSurfaces_;  // by body and revision
    std::vector<ListedMover> movers_;
    std::vector<float> moverPositions_, moverNormals_;
    std::uint32_t revision_ = 0;
    std::vector<double> stats_;
    std::vector<float> contacts_, links_, slice_;

    struct Blow {
        int frame = 0;
        StressMap map;
    };
    std::vector<Blow> blows_;  // of each body its last
    std::vector<ListedStress> stress_;
    std::vector<float> stressVertices_;
    std::vector<std::uint32_t> stressTriangles_;
};

inline constexpr int kLinkNumbers = 11;

// Extent of a mesh file and whether it is closed, as JSON.
std::string meshInfo(const std::string& path);

inline constexpr std::array<std::string_view, 20> kStatNames = {
    "frame",          "time",           "bodies",           "awake",          "asleep",          "contacts",
    "manifolds",      "kinetic_energy", "potential_energy", "elastic_energy", "max_penetration", "step_ms",
    "solve_ms",       "collide_ms",     "broad_phase_ms",   "momentum_x",     "momentum_y",      "momentum_z",
    "guarded_energy", "kept_bytes"};

}  // namespace sunder::web
