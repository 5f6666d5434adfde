// Writes GLB and USD of a recording, and the poses that a reader must find, for interop_test.py: of the recording that the
// export tests make, whose poses are known without it, or of one that is given.
//   interop_recording FOLDER [RECORDING]
// Without a recording it also writes FOLDER/moving: a body whose vertices move, with the places where they must be found.
#include <cstdio>

#include "scene/moving_for_tests.h"
#include "sunder/scene/exports.h"

namespace sunder {
namespace {

constexpr int kSampled[] = {0, 1, 5, 12, 13, 14, 20, 26, 27, 39};

// What one body of a frame should be; the frames are those of kSampled, or ten of the recording.
struct Expected {
    std::uint32_t track = 0;
    bool visible = false;
    Pose pose;
    std::vector<Vec3> vertices{};  // in the world; of deforming bodies
};

std::string listOf(const std::vector<Vec3>& vertices) {
    std::string text;
    char line[128];
    for (const Vec3& v : vertices) {
        std::snprintf(line, sizeof line, "%s[%.9g, %.9g, %.9g]", text.empty() ? "" : ", ", double(v.x), double(v.y),
                      double(v.z));
        text += line;
    }
    return "[" + text + "]";
}

template <class Bodies>
std::string expectation(double frameRate, const std::vector<int>& frames, const Bodies& bodiesAt) {
    char line[512];
    std::snprintf(line, sizeof line, "{\"frame_rate\": %g, \"frames\": [", frameRate);
    std::string text = line;
    for (const int frame : frames) {
        std::snprintf(line, sizeof line, "%s\n {\"frame\": %d, \"bodies\": [", frame == frames.front() ? "" : ",", frame);
        text += line;
        const char* comma = "";
        for (const Expected& body : bodiesAt(frame)) {
            const Vec3& p = body.pose.position;
            const Quat& q = body.pose.orientation;
            std::snprintf(line, sizeof line,
                          "%s\n  {\"track\": %u, \"visible\": %s, \"position\": [%.9g, %.9g, %.9g], \"orientation\": [%.9g, "
                          "%.9g, %.9g, %.9g]",
                          comma, body.track, body.visible ? "true" : "false", double(p.x), double(p.y), double(p.z),
                          double(q.x), double(q.y), double(q.z), double(q.w));
            text += line;
            if (!body.vertices.empty())
                text += ", \"vertices\": " + listOf(body.vertices);
            text += "}";
            comma = ",";
        }
        text += "]}";
    }
    return text + "]}\n";
}

std::string expectationOfFormula() {
    return expectation(30, {std::begin(kSampled), std::end(kSampled)}, [](int frame) {
        std::vector<Expected> bodies;
        for (std::uint32_t track = 0; track < 5; ++track)
            bodies.push_back({track, FormulaRun::isThere(track, frame), FormulaRun::pose(track, frame)});
        return bodies;
    });
}

std::string expectationOfWave(const WavingRun& run) {
    return expectation(30, {0, 1, 8, 16, 17, 18, 25, 30, 39}, [&](int frame) {
        std::vector<Expected> bodies;
        for (std::uint32_t track = 0; track < 3; ++track)
            bodies.push_back({track, true, WavingRun::pose(track, frame)});
        for (const Vec3& p : run.cube.positions(frame))
            bodies[1].vertices.push_back(transformPoint(bodies[1].pose, p));
        return bodies;
    });
}

std::string expectationOf(Recording& recording) {
    std::vector<int> frames;
    for (int i = 0; i < 10; ++i)
        frames.push_back(i * (recording.frameCount() - 1) / 9);
    return expectation(recording.info().frameRate, frames, [&](int frame) {
        recording.seek(frame);
        std::vector<Expected> bodies(recording.tracks().size());
        for (std::size_t i = 0; i < bodies.size(); ++i)
            bodies[i].track = std::uint32_t(i);
        for (std::size_t i = 0; i < recording.living().size(); ++i) {
            Expected& body = bodies[recording.living()[i]];
            body.visible = true;
            body.pose = recording.poses()[i];
        }
        return bodies;
    });
}

int writeExports(const std::filesystem::path& recordingFile, const std::filesystem::path& folder, std::string expected = {}) {
    Recording recording = Recording::open(recordingFile);
    writeGlb(recording, folder / "run.glb");
    writeUsda(recording, folder / "run.usda");
    if (expected.empty())
        expected = expectationOf(recording);
    std::FILE* output = std::fopen((folder / "expected.json").c_str(), "w");
    if (output == nullptr)
        return 1;
    std::fputs(expected.c_str(), output);
    return std::fclose(output);
}

}  // namespace
}  // namespace sunder

int main(int argc, char** argv) {
    using namespace sunder;
    if (argc != 2 && argc != 3)
        return 1;
    const std::filesystem::path folder = argv[1], moving = folder / "moving";
    std::filesystem::create_directories(folder);
    if (argc == 3)
        return writeExports(argv[2], folder);
    FormulaRun{}.write(folder / "run.sunder");
    std::filesystem::create_directories(moving);
    WavingRun run;
    run.cube = WavingCube(3);
    run.write(moving / "run.sunder");
    return writeExports(folder / "run.sunder", folder, expectationOfFormula()) +
           writeExports(moving / "run.sunder", moving, expectationOfWave(run));
}
