// The current place in the scene file, and the list of problems found.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "scene/text/json.h"
#include "sunder/scene/scene.h"

namespace sunder::scene {

// A JSON path as a chain of frames on the stack; its text is made only for messages.
class Path {
public:
    Path() = default;
    Path operator/(std::string_view key) const { return {this, key, -1}; }
    Path operator[](std::size_t index) const { return {this, {}, static_cast<long>(index)}; }
    std::string text() const;

private:
    Path(const Path* parent, std::string_view key, long index) : parent_(parent), key_(key), index_(index) {}
    const Path* parent_ = nullptr;
    std::string_view key_;
    long index_ = -1;
};

class Problems {
public:
    explicit Problems(std::string file) : file_(std::move(file)) {}

    void add(const Path& path, const std::string& message) { addAt(path.text(), {}, message); }
    // "VALUE is not allowed (ALLOWED)".
    void refuse(const Path& path, const Json& value, const std::string& allowed);
    void addAt(const std::string& path, const std::string& value, const std::string& message);
    void unknown(const Path& path, std::string_view name, const char* what, const std::vector<std::string_view>& known);

    std::size_t count() const { return list_.size() + dropped_; }
    // Adds a last line that says how many more there were.
    std::vector<SceneProblem> take();

private:
    std::string file_;
    std::vector<SceneProblem> list_;
    std::size_t dropped_ = 0;
};

// The known name with the fewest edits, or "" where none is near.
std::string_view nearestName(std::string_view name, const std::vector<std::string_view>& known);
// "a, b, c", cut after a dozen.
std::string listText(const std::vector<std::string_view>& names);

}  // namespace sunder::scene
