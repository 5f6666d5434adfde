// Bad scene files: each must be refused with a message that names the file, the place, the value and what is allowed.
// That the command line then exits with 1 is tested with the command line.
#include <string>

#include "bars/bars.h"

#if SUNDER_HAS_SCENE

#include "sunder/scene/scene.h"

namespace sunder::bars {

namespace {

struct BadFile {
    const char* what;
    std::string text;
    std::vector<std::string> mentioned;  // by one of the messages
};

std::vector<BadFile> badFiles() {
    const std::string head = R"({"sunder": 1, "bodies": [{"name": "a", "shape": {"type": "sphere", "radius": 1}, )";
    return {
        {"a value out of range", head + R"("mass": -1}]})", {"bad.json", "bodies[0].mass", "-1", "0"}},
        {"an unknown key, with the nearest known", head + R"("velocty": [0, 0, 0]}]})", {"bad.json", "velocty", "velocity"}},
        {"NaN", head + R"("mass": NaN}]})", {"bad.json", "line 1"}},
        {"200,000 nested brackets", std::string(200000, '['), {"bad.json"}},
        {"a truncated file", head, {"bad.json", "line 1"}},
        {"a binary file",
         std::string("\x7f"
                     "ELF\x02\x01\x00\x00\xff\xfe\x80",
                     11),
         {"bad.json", "line 1"}},
    };
}

}  // namespace

void badSceneFiles(Table& table) {
    table.begin("files", "bad scene files are refused, with messages that help");
    SceneOptions options;
    options.fileName = "bad.json";
    for (const BadFile& file : badFiles()) {
        const SceneResult result = parseScene(file.text, options);
        std::string shown = result ? "accepted" : "refused without a message";
        bool helps = false;
        for (const SceneProblem& problem : result.problems) {
            bool all = true;
            for (const std::string& word : file.mentioned)
                all = all && problem.text().find(word) != std::string::npos;
            if (all || !helps)
                shown = problem.text();
            helps = helps || all;
        }
        constexpr std::size_t kShown = 70;  // characters: the whole message can list every known key
        table.check(file.what, "refused, place named", shown.size() > kShown ? shown.substr(0, kShown) + "..." : shown,
                    !result && helps);
    }
}

}  // namespace sunder::bars

#else

namespace sunder::bars {

void badSceneFiles(Table& table) {
    table.begin("files", "bad scene files are refused, with messages that help");
    table.note("not measured", "built without scene files");
}

}  // namespace sunder::bars

#endif
