// See problems.h.
#include "scene/text/problems.h"

#include <algorithm>
#include <numeric>

namespace sunder {

std::string SceneProblem::text() const { return file + ": " + (path.empty() ? "" : path + ": ") + message; }

}  // namespace sunder

namespace sunder::scene {

namespace {

// Enough to be useful and still readable.
constexpr std::size_t kMostProblems = 100;

// Edits (insert, delete, replace, swap of neighbours) that turn a into b.
int editDistance(std::string_view a, std::string_view b) {
    std::vector<int> beforeLast(b.size() + 1), last(b.size() + 1), current(b.size() + 1);
    std::iota(last.begin(), last.end(), 0);
    for (std::size_t i = 1; i <= a.size(); ++i) {
        current[0] = static_cast<int>(i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                current[j] = std::min(current[j], beforeLast[j - 2] + 1);
        }
        std::swap(beforeLast, last);
        std::swap(last, current);
    }
    return last[b.size()];
}

}  // namespace

std::string Path::text() const {
    if (!parent_)
        return {};
    const std::string before = parent_->text();
    if (index_ >= 0)
        return before + "[" + std::to_string(index_) + "]";
    return before.empty() ? std::string(key_) : before + "." + std::string(key_);
}

void Problems::refuse(const Path& path, const Json& value, const std::string& allowed) {
    const std::string text = shortText(value);
    addAt(path.text(), text, text + " is not allowed (" + allowed + ")");
}

void Problems::addAt(const std::string& path, const std::string& value, const std::string& message) {
    if (list_.size() >= kMostProblems)
        ++dropped_;
    else
        list_.push_back({file_, path, value, message});
}

void Problems::unknown(const Path& path, std::string_view name, const char* what, const std::vector<std::string_view>& known) {
    const std::string quoted = shortText(Json(name));
    const std::string_view nearest = nearestName(name, known);
    std::string message = std::string("unknown ") + what + " " + quoted;
    if (!nearest.empty())
        message += "; did you mean \"" + std::string(nearest) + "\"?";
    message += known.empty() ? " (there are none)" : " (known: " + listText(known) + ")";
    addAt(path.text(), quoted, message);
}

std::vector<SceneProblem> Problems::take() {
    if (dropped_ > 0)
        list_.push_back({file_, {}, {}, "and " + std::to_string(dropped_) + " more problems"});
    dropped_ = 0;
    return std::move(list_);
}

std::string_view nearestName(std::string_view name, const std::vector<std::string_view>& known) {
    constexpr std::size_t kLongestName = 64;
    if (name.size() > kLongestName)
        return {};
    std::string_view nearest;
    // Up to a third of the letters may be wrong; a name and a piece of it ("extents", "half_extents") are near as well.
    int fewest = std::max<int>(2, static_cast<int>(name.size()) / 3) + 1;
    for (const std::string_view candidate : known) {
        if (candidate.size() > kLongestName)
            continue;
        const int edits = editDistance(name, candidate);
        if (edits < fewest && edits < static_cast<int>(candidate.size())) {
            fewest = edits;
            nearest = candidate;
        }
    }
    if (nearest.empty() && name.size() >= 3)
        for (const std::string_view candidate : known)
            if (candidate.find(name) != std::string_view::npos || name.find(candidate) != std::string_view::npos)
                return candidate;
    return nearest;
}

std::string listText(const std::vector<std::string_view>& names) {
    constexpr std::size_t kShown = 40;
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i)
        text += (i > 0 ? ", " : "") + std::string(names[i]);
    return names.size() > kShown ? text + ", ..." : text;
}

}  // namespace sunder::scene
