// Recordings: what a run looked like, frame by frame, in one compact file that is written while the run goes on.
// docs/exports.md describes the format.
//
// A recording knows tracks: a body from the frame in which it appears to the one in which it is gone. Poses are rounded:
// positions to `quantum` metres per axis (an error of at most half of it), orientations to an angle of at most 6e-5 rad.
//
// A track whose body deforms has the vertices of its surface beside its pose: in every frame where they are, in the body's
// frame. Its triangles stay those of its surface until it is given another one, as when it tears.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/definitions.h"
#include "sunder/scene/check.h"
#include "sunder/scene/render.h"
#include "sunder/scene/surface.h"

namespace sunder {

class World;
class SceneRunner;
struct Scene;

inline constexpr std::uint32_t kNoTrack = 0xffffffffu;
inline constexpr double kRecordedAngleError = 6e-5;  // rad

// A material of the scene as it is drawn; what is not given is Sunder's to choose.
struct RecordedLook {
    std::string name, innerName;  // of the outside, and of faces that a fracture opened
    std::optional<Vec3> color{}, innerColor{};
    Real gloss = 1, opacity = 1;
};
inline constexpr std::uint32_t kNoLook = 0xffffffffu;

struct RecordingInfo {
    std::string name, description;  // of the scene
    double frameRate = 30;          // Hz
    int firstFrame = 0;             // of the run, in a recording of a part of it
    double quantum = 1.0 / 16384;   // m, a power of two
    int keyframeInterval = 60;      // frames that seeking may have to decode
    // Largest error per axis of the vertices of deforming bodies, as a share of their surface's extent; above 0, up to 0.1.
    double vertexTolerance = 1.0 / 65536;
    std::optional<Camera> camera;
    std::string settings;                // JSON of the scene without its bodies
    std::string command, machine;        // how to repeat the run; what it ran on
    std::vector<std::string> statNames;  // columns of every frame's stats
    std::vector<RecordedLook> looks;     // by TrackDef::look
    SceneFacts facts;                    // of the bodies before the run, and warnings about them
};

struct TrackDef {
    std::string name;
    std::uint32_t parent = kNoTrack;  // the track that broke into this one
    std::uint32_t surface = 0;
    Motion motion = Motion::Dynamic;
    std::uint32_t variant = 0;  // chooses among the colours of its kind
    bool deforms = false;       // its vertices move; its surface is one of addMovingSurface()
    std::uint32_t look = kNoLook;
    friend bool operator==(const TrackDef&, const TrackDef&) = default;
};

enum class RecordedEventType : std::uint8_t {
    Hit,      // two bodies began to touch
    Contact,  // two bodies touch; only where RecorderOptions::contacts asks for them
    Break,    // a body or joint broke
    Error,    // a body was taken out of the simulation
    Blow,     // a body bore its hardest blow so far; it has no point
};

struct RecordedEvent {
    RecordedEventType type = RecordedEventType::Hit;
    std::uint32_t a = kNoTrack, b = kNoTrack;
    Vec3 point, normal;  // m, to 1 mm; unit, to 1 degree
    float impulse = 0;   // N s
    std::string text;
};

// Bytes that each part of a recording takes.
struct RecordingSizes {
    std::uint64_t poses = 0, vertices = 0, events = 0, surfaces = 0, tracks = 0, stats = 0, thumbnails = 0, rest = 0;
};

// Where the vertices of a deforming body are in a frame.
struct MovingVertices {
    std::uint32_t track = 0;
    std::span<const Vec3> positions;  // m, in the body's frame, one per vertex of its surface
};

class RecordingWriter {
public:
    // Throws Error, naming the path, where it cannot be written. The file is readable up to the last frame at any moment.
    RecordingWriter(const std::filesystem::path& path, const RecordingInfo& info);
    ~RecordingWriter();  // a recording without a frame is removed

    std::uint32_t addSurface(const DrawnShape& shape);
    // Of a body that deforms, in its frame, at rest. Without normals it gets smooth ones. Throws Error where it has no vertices
    // or one that is not finite, or where triangles, ranges or texture coordinates do not fit them.
    std::uint32_t addMovingSurface(const Surface& surface);
    // Tracks appear and vanish with the next frame.
    std::uint32_t addTrack(const TrackDef& track);
    void endTrack(std::uint32_t track);
    // A deforming body has other triangles from the next frame on.
    void changeSurface(std::uint32_t track, std::uint32_t surface);
    // One pose per living track, in the order of tracks. Poses that are not finite leave their body where it was. Deforming
    // bodies that are not among `moving`, and vertices that are not finite, keep their shape; a surface that is new is then
    // as it was added.
    void writeFrame(std::span<const Pose> poses, std::span<const RecordedEvent> events, std::span<const double> stats,
                    std::uint64_t hash, std::span<const MovingVertices> moving = {});
    void addThumbnail(int frame, std::string_view png);
    // Writes the index and closes the file.
    void finish();

    int frameCount() const;
    const RecordingSizes& sizes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

// From this frame on the body is drawn with this surface.
struct SurfaceChange {
    int frame = 0;
    std::uint32_t surface = 0;
    friend bool operator==(const SurfaceChange&, const SurfaceChange&) = default;
};

// A body's life in a recording: it is there in frames firstFrame <= frame < endFrame.
struct RecordedTrack {
    TrackDef def;
    int firstFrame = 0, endFrame = 0;
    std::vector<SurfaceChange> changes{};  // of a deforming body, ascending
    std::uint32_t surfaceAt(int frame) const;
};

// A deforming body as it is in a frame: the triangles, slots and texture coordinates are those of its surface.
struct MovedSurface {
    std::uint32_t track = 0, surface = 0;
    std::span<const Vec3> positions;  // m, in the body's frame
    std::span<const Vec3> normals;    // unit, found from them
};

class Recording {
public:
    // Throw Error where the bytes are no recording, of another version, damaged, or cut off before the first frame ends.
    static Recording open(const std::filesystem::path& path);
    static Recording fromBytes(std::vector<std::byte> bytes, const std::string& name = "recording");
    ~Recording();
    Recording(Recording&&) noexcept;
    Recording& operator=(Recording&&) noexcept;

    const RecordingInfo& info() const;
    int frameCount() const;
    std::span<const RecordedTrack> tracks() const;
    int surfaceCount() const;
    const DrawnShape& surface(std::uint32_t number) const;
    // Not empty where the run did not finish: says up to which frame the file is whole.
    const std::string& warning() const;

    // Moves to a frame, 0 to frameCount() - 1; the rest of the interface is then about it. Throws Error where it is damaged.
    void seek(int frame);
    int frame() const;
    // Of the run: a recording of its frames 30 to 90 has 30 here where frame() is 0.
    int runFrame() const { return frame() + info().firstFrame; }
    double time() const { return runFrame() / info().frameRate; }  // s, since the run began
    // Tracks that are there, ascending, and their poses.
    std::span<const std::uint32_t> living() const;
    std::span<const Pose> poses() const;
    // The deforming ones among them, ascending; valid until the next seek().
    std::span<const MovedSurface> moved() const;
    // The surface of one of them, with its vertices where they are.
    Surface surfaceOf(const MovedSurface& moved) const;
    std::span<const RecordedEvent> events() const;
    std::span<const double> stats() const;
    std::uint64_t hash() const;

    struct Thumbnail {
        int frame = 0;
        std::string_view png;
    };
    std::vector<Thumbnail> thumbnails() const;

private:
    Recording();
    struct State;
    std::unique_ptr<State> state_;
};

// The surface of a body that deforms, as it is now. Whoever simulates the body keeps what this points at as it is until
// record() has returned.
struct MovingSurface {
    const Surface* surface = nullptr;  // triangles, slots, and the vertices at rest
    std::uint64_t revision = 0;        // another number whenever the triangles are others
    std::span<const Vec3> positions;   // m, in the body's frame, one per vertex of the surface
};
// Nothing for bodies that are rigid.
using MovingSurfaceSource = std::function<std::optional<MovingSurface>(BodyId)>;

// The deforming bodies of a world itself, for a recorder or a viewer.
class WorldSurfaces {
public:
    // Valid until the world changes or this is called again for a body with other triangles.
    std::optional<MovingSurface> find(const World& world, BodyId body);

private:
    struct Kept {
        std::uint32_t generation = 0;
        std::uint64_t revision = 0;
        Surface surface;              // as it was when it was first seen
        std::vector<Vec3> splinters;  // as they are now
    };
    std::map<std::uint32_t, Kept> kept_;  // by the body's index
};

struct RecorderOptions {
    int mostHits = 512;            // per frame: the strongest are kept
    bool contacts = false;         // every touching pair of bodies in every frame
    std::string command;           // that repeats the run
    MovingSurfaceSource moving{};  // asked for every body in every frame; none: those that deform in the world do
};

// Follows a run. Call record() once before the first frame and once after each.
class RunRecorder {
public:
    RunRecorder(const std::filesystem::path& path, const Scene& scene, const SceneRunner& runner,
                const RecorderOptions& options = {});
    ~RunRecorder();
    RunRecorder(RunRecorder&&) noexcept;

    // statsLine: runner.statsLine(), made once by a caller who has another use for it, because its hash takes time.
    void record(const SceneRunner& runner, const std::string& statsLine);
    RecordingWriter& writer();
    void finish();

private:
    struct State;
    std::unique_ptr<State> state_;
};

// Processor, threads, system and build, in one line.
std::string describeMachine(int threads);

}  // namespace sunder
