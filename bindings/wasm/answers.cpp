// See answers.h.
#include "answers.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace sunder::web {

using Json = nlohmann::ordered_json;

std::string failure(const std::vector<SceneProblem>& problems) {
    Json list = Json::array();
    for (const SceneProblem& problem : problems)
        list.push_back(problem.text());
    return Json{{"ok", false}, {"problems", list}}.dump(-1, ' ', false, Json::error_handler_t::replace);
}

SceneOptions optionsFor(std::string_view settings, const std::string& folder) {
    SceneOptions options;
    options.fileName = "scene";
    options.folder = folder;
    for (std::size_t start = 0; start < settings.size();) {
        const std::size_t end = std::min(settings.find('\n', start), settings.size());
        if (end > start)
            options.sets.emplace_back(settings.substr(start, end - start));
        start = end + 1;
    }
    return options;
}

}  // namespace sunder::web
