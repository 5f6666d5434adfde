// Wavefront OBJ: vertices and faces; everything else is ignored. Read by hand rather than by a library, because a bad number
// must be an error with its line, not a zero.
#include <algorithm>

#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

namespace {

void readVertex(std::string_view words, const Place& place, MeshBuilder& builder) {
    std::array<double, 3> position{};
    for (double& coordinate : position) {
        const std::string_view word = takeWord(words);
        if (!parseNumber(word, coordinate))
            builder.fail(place, quotedText(word) + " is not a number (a vertex has three)");
    }
    builder.addVertex(position, place);
}

// Corners are v, v/vt, v//vn or v/vt/vn; v counts from 1, or back from the last vertex where negative.
void readFace(std::string_view words, const Place& place, MeshBuilder& builder, std::vector<std::int64_t>& corners) {
    corners.clear();
    const std::int64_t count = std::int64_t(builder.vertexCount());
    for (std::string_view word = takeWord(words); !word.empty() && word[0] != '#'; word = takeWord(words)) {
        std::int64_t index = 0;
        if (!parseInteger(word.substr(0, word.find('/')), index) || index == 0 || index < -count)
            builder.fail(place,
                         quotedText(word) + " is not a vertex (1 or more, or -1 down to -" + std::to_string(count) + ")");
        corners.push_back(index > 0 ? index - 1 : count + index);
    }
    builder.addPolygon(corners, place);
}

}  // namespace

void readObj(const std::string& text, MeshBuilder& builder) {
    std::string_view rest = text;
    std::vector<std::int64_t> corners;
    // Objects; in a file without, groups.
    const bool hasObjects = text.starts_with("o ") || text.find("\no ") != std::string::npos;
    std::string joined;  // a line that ends in a backslash, joined with the next
    for (std::size_t line = 1; !rest.empty(); ++line) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view words = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const Place place{"line", line};
        if (words.find('\0') != std::string_view::npos)
            builder.fail(place, "is not text");
        while (!words.empty() && words.back() == '\r')
            words.remove_suffix(1);
        if (!words.empty() && words.back() == '\\') {
            joined.append(words.substr(0, words.size() - 1)).push_back(' ');
            continue;
        }
        if (!joined.empty()) {
            joined.append(words);
            words = joined;
        }
        const std::string_view keyword = takeWord(words);
        if (keyword == "v")
            readVertex(words, place, builder);
        else if (keyword == "f")
            readFace(words, place, builder, corners);
        else if (keyword == (hasObjects ? "o" : "g"))
            builder.beginObject(takeWord(words));
        joined.clear();
    }
}

}  // namespace sunder::scene
