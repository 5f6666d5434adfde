// What a recording of many pieces takes: bytes by part, and time beside that of the steps.
#include "bars/bars.h"

#if SUNDER_HAS_SCENE

#include <chrono>
#include <filesystem>

#include "sunder/scene/recording.h"
#include "sunder/scene/runner.h"

namespace sunder::bars {

namespace {

constexpr int kFrames = 300;

// 9,200 boxes and hulls, no two alike, that fall into a pit from all over it.
constexpr const char* kScene = R"({
  "sunder": 1, "name": "pieces", "frame_rate": 30, "frames": 300,
  "bodies": [
    { "pit": { "width": 14, "height": 8, "thickness": 1 } },
    { "pile": { "count": [20, 23, 20], "spacing": 0.62, "first": 0.8, "jitter": 0.03, "size_jitter": 0.2, "spin": 3, "turn": true, "seed": 5 },
      "name": "piece",
      "bodies": [ { "shape": { "type": "box", "half_extents": [0.2, 0.15, 0.18] } },
                  { "shape": { "type": "hull", "random": { "count": 14, "radius": 0.26, "seed": 9 } } } ] } ] })";

using Clock = std::chrono::steady_clock;

double millisecondsSince(Clock::time_point start) {
    return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

}  // namespace

void recording(Table& table) {
    table.begin("recording", "9,200 pieces fall into a pit, 300 frames at 30 Hz, one thread");
    const SceneResult result = parseScene(kScene);
    if (!result) {
        table.check("the scene", "loads", result.problems.front().text(), false);
        return;
    }
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "sunder_bars.sunder";
    SceneRunner runner(*result.scene);
    double stepMs = 0, recordMs = 0;
    RecordingSizes sizes;
    std::uint64_t lastHash = 0;
    {
        RunRecorder recorder(file, *result.scene, runner);
        recorder.record(runner, runner.statsLine());
        for (int i = 0; i < kFrames; ++i) {
            runner.stepFrame();
            stepMs += runner.stepMs();
            const std::string line = runner.statsLine();
            const Clock::time_point start = Clock::now();
            recorder.record(runner, line);
            recordMs += millisecondsSince(start);
        }
        const Clock::time_point start = Clock::now();
        recorder.finish();
        recordMs += millisecondsSince(start);
        sizes = recorder.writer().sizes();
        lastHash = runner.world().hash();
    }
    table.below("poses and events", double(sizes.poses + sizes.events) * 1e-6, 20, "MB");
    table.below("writing, of the time of the steps", 100 * recordMs / stepMs, 5, "%");
    table.note("poses, events, surfaces, the rest",
               format("%.2f, %.2f, %.2f, %.2f MB", double(sizes.poses) * 1e-6, double(sizes.events) * 1e-6,
                      double(sizes.surfaces) * 1e-6, double(sizes.tracks + sizes.stats + sizes.rest) * 1e-6));
    table.note("a frame: stepped, written", format("%.1f ms, %.2f ms", stepMs / kFrames, recordMs / kFrames));

    Recording read = Recording::open(file);
    const Clock::time_point start = Clock::now();
    for (int frame = 0; frame < read.frameCount(); ++frame)
        read.seek(frame);
    table.check("read back", "301 frames, the last hash",
                format("%d frames, %.1f ms each", read.frameCount(), millisecondsSince(start) / read.frameCount()),
                read.frameCount() == kFrames + 1 && read.hash() == lastHash);
    std::filesystem::remove(file);
}

}  // namespace sunder::bars

#else

namespace sunder::bars {

void recording(Table& table) {
    table.begin("recording", "9,200 pieces fall into a pit, 300 frames at 30 Hz, one thread");
    table.note("not measured", "built without scene files");
}

}  // namespace sunder::bars

#endif
