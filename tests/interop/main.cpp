// Writes the recording of the export tests, its GLB and USD, and the poses that a reader must find, for interop_test.py.
//   interop_recording FOLDER
#include <cstdio>

#include "scene/recording_for_tests.h"
#include "sunder/scene/exports.h"

namespace sunder {
namespace {

constexpr int kSampled[] = {0, 1, 5, 12, 13, 14, 20, 26, 27, 39};

std::string expectation() {
    std::string text = "{\"frame_rate\": 30, \"frames\": [";
    char line[512];
    for (const int frame : kSampled) {
        std::snprintf(line, sizeof line, "%s\n {\"frame\": %d, \"bodies\": [", frame == 0 ? "" : ",", frame);
        text += line;
        for (std::uint32_t track = 0; track < 5; ++track) {
            const Pose pose = FormulaRun::pose(track, frame);
            const Vec3& p = pose.position;
            const Quat& q = pose.orientation;
            std::snprintf(line, sizeof line,
                          "%s\n  {\"track\": %u, \"visible\": %s, \"position\": [%.9g, %.9g, %.9g], \"orientation\": [%.9g, "
                          "%.9g, %.9g, %.9g]}",
                          track == 0 ? "" : ",", track, FormulaRun::isThere(track, frame) ? "true" : "false", double(p.x),
                          double(p.y), double(p.z), double(q.x), double(q.y), double(q.z), double(q.w));
            text += line;
        }
        text += "]}";
    }
    return text + "]}\n";
}

}  // namespace
}  // namespace sunder

int main(int argc, char** argv) {
    if (argc != 2)
        return 1;
    const std::filesystem::path folder = argv[1];
    std::filesystem::create_directories(folder);
    sunder::FormulaRun{}.write(folder / "run.sunder");
    sunder::Recording recording = sunder::Recording::open(folder / "run.sunder");
    sunder::writeGlb(recording, folder / "run.glb");
    sunder::writeUsda(recording, folder / "run.usda");
    std::FILE* file = std::fopen((folder / "expected.json").c_str(), "w");
    if (file == nullptr)
        return 1;
    std::fputs(sunder::expectation().c_str(), file);
    return std::fclose(file);
}
