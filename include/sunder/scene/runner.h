// Runs a scene frame by frame and writes its state as the lines of --stats and --trace.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sunder/scene/blows.h"
#include "sunder/scene/scene.h"
#include "sunder/stress_map.h"
#include "sunder/world.h"

namespace sunder {

class SceneRunner {
public:
    // tasks may be null: the world then uses scene.world.threads threads of its own. log: see World::record.
    explicit SceneRunner(const Scene& scene, TaskRunner* tasks = nullptr, CallLog* log = nullptr);

    void stepFrame();
    // Returns the world to a moment of this run and counts frames from there; ids of a trace keep counting up.
    void rewind(const Checkpoint& checkpoint, int frame);

    int frame() const { return frame_; }  // 0 before the first
    double time() const { return static_cast<double>(frame_) / static_cast<double>(frameRate_); }
    World& world() { return world_; }
    const World& world() const { return world_; }
    // Of the last frame: wall time (ms), and messages about bodies that were taken out.
    double stepMs() const { return stepMs_; }
    const std::vector<std::string>& errors() const { return errors_; }
    // Bodies that broke in the last frame, in the order of the breaks.
    const std::vector<BreakEvent>& broken() const { return broken_; }
    // From now on blows() lists the blows that bodies bore in the steps of the last frame.
    void watchBlows() { watchesBlows_ = true; }
    const std::vector<Blow>& blows() const { return blows_.blows(); }

    // The stress of every rigid body that was tried for cracks or dents in the last frame, whatever step of it that was in: of
    // each the hardest blow.
    const std::vector<StressMap>& stressMaps() const { return stressMaps_; }

    // One line each, including the line end.
    std::string statsLine() const;
    std::string traceLine();

private:
    // Ids of a trace count up from 0 in the order in which bodies appear; the id of a removed body is not reused.
    struct TraceId {
        std::uint32_t generation = 0xffffffffu;
        std::uint64_t id = 0;
        std::uint64_t parent = kNoTraceId;
    };
    static constexpr std::uint64_t kNoTraceId = ~std::uint64_t(0);
    TraceId& traceId(BodyId body);
    std::string breaksText() const;
    void noteBreaks();
    void noteStress();
    void doEvents();

    Real frameRate_ = 30;
    int stepsPerFrame_ = 1;
    World world_;
    int frame_ = 0;
    double stepMs_ = 0;
    double maxPenetration_ = 0;
    int breaks_ = 0, rewinds_ = 0;                  // in the last frame
    double storedEnergy_ = 0, releasedEnergy_ = 0;  // J, in the last frame
    std::vector<std::string> errors_;
    std::vector<BreakEvent> broken_;
    std::vector<std::uint64_t> brokenIds_;  // in traces, of the bodies of broken_
    std::vector<StressMap> stressMaps_;
    BlowMeter blows_;
    bool watchesBlows_ = false;
    int stressSolves_ = 0, stressIterations_ = 0, crackedElements_ = 0, dents_ = 0;  // in the last frame
    std::vector<TraceId> traceIds_;                                                  // by slot
    std::uint64_t nextTraceId_ = 0;
    std::vector<SceneEvent> events_;  // by time
    std::size_t nextEvent_ = 0;
};

}  // namespace sunder
