// TetGen's files: a line with counts, then a line for each node or tetrahedron that begins with its number; # begins a comment.
#include "sunder/scene/tet_files.h"

#include <cmath>

#include "scene/mesh/mesh_files.h"
#include "sunder/describe.h"

namespace sunder {

namespace {

using scene::Place;

constexpr double kMostEntries = 1e7;

// Numbers of the lines of one file.
class Lines {
public:
    explicit Lines(std::filesystem::path file)
        : builder_(std::move(file)), text_(scene::readFile(builder_.file())), rest_(text_) {}

    // Goes to the next line that has a word.
    void next(const std::string& expected) {
        while (!rest_.empty()) {
            const std::size_t end = std::min(rest_.find('\n'), rest_.size());
            line_ = rest_.substr(0, end);
            rest_.remove_prefix(std::min(end + 1, rest_.size()));
            ++number_;
            line_ = line_.substr(0, line_.find('#'));
            if (line_.find_first_not_of(" \t\r") != std::string_view::npos)
                return;
        }
        builder_.fail("it ends where " + expected + " should follow");
    }
    double number(const char* what) {
        const std::string_view word = scene::takeWord(line_);
        double value = 0;
        if (!scene::parseNumber(word, value) || !std::isfinite(value))
            fail(scene::quotedText(word) + " is not allowed (" + what + ", a number)");
        return value;
    }
    std::uint32_t integer(const char* what, double low, double high) {
        const double value = number(what);
        if (value != std::floor(value) || value < low || value > high)
            fail(std::string(what) + ": " + numberText(value) + " is not allowed (an integer, " + numberText(low) + " to " +
                 numberText(high) + ")");
        return static_cast<std::uint32_t>(value);
    }
    [[noreturn]] void fail(const std::string& what) const { builder_.fail(Place{"line", number_}, what); }

private:
    scene::MeshBuilder builder_;  // for its messages
    std::string text_;
    std::string_view rest_, line_;
    std::size_t number_ = 0;
};

// Returns the number of the first node.
std::uint32_t readNodes(Lines lines, std::vector<Vec3>& nodes) {
    lines.next("the number of nodes");
    const std::uint32_t count = lines.integer("number of nodes", 4, kMostEntries);
    lines.integer("dimensions", 3, 3);
    std::uint32_t first = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        lines.next("node " + std::to_string(i + 1) + " of " + std::to_string(count));
        if (i == 0)
            first = lines.integer("number of the first node", 0, 1);
        else
            lines.integer("number of the node", first + i, first + i);
        double at[3];
        for (double& x : at)
            if (x = lines.number("a coordinate"); !(std::fabs(x) <= kMaxSize))
                lines.fail("a coordinate: " + numberText(x) + " m is not allowed (" + numberText(-kMaxSize) + " to " +
                           numberText(kMaxSize) + ")");
        nodes.push_back({Real(at[0]), Real(at[1]), Real(at[2])});
    }
    return first;
}

void readElements(Lines lines, std::uint32_t first, std::size_t nodes, std::vector<std::array<std::uint32_t, 4>>& tets) {
    lines.next("the number of tetrahedra");
    const std::uint32_t count = lines.integer("number of tetrahedra", 1, kMostEntries);
    lines.integer("nodes of a tetrahedron", 4, 10);
    for (std::uint32_t i = 0; i < count; ++i) {
        lines.next("tetrahedron " + std::to_string(i + 1) + " of " + std::to_string(count));
        lines.integer("number of the tetrahedron", first + i, first + i);
        for (std::uint32_t& corner : tets.emplace_back())
            corner = lines.integer("a node", first, double(first) + double(nodes) - 1) - first;
    }
}

double volumeOf(const TetFile& file, const std::array<std::uint32_t, 4>& tet) {
    double edge[3][3];
    const Vec3& a = file.nodes[tet[0]];
    for (std::size_t k = 0; k < 3; ++k) {
        const Vec3& b = file.nodes[tet[k + 1]];
        edge[k][0] = double(b.x) - double(a.x);
        edge[k][1] = double(b.y) - double(a.y);
        edge[k][2] = double(b.z) - double(a.z);
    }
    return ((edge[0][1] * edge[1][2] - edge[0][2] * edge[1][1]) * edge[2][0] +
            (edge[0][2] * edge[1][0] - edge[0][0] * edge[1][2]) * edge[2][1] +
            (edge[0][0] * edge[1][1] - edge[0][1] * edge[1][0]) * edge[2][2]) /
           6;
}

}  // namespace

TetFile loadTets(const std::filesystem::path& file) {
    const std::string extension = file.extension().string();
    if (extension != ".node" && extension != ".ele")
        throw Error(file.string() + ": '" + extension + "' is not known (.node or .ele, of TetGen)");
    std::filesystem::path nodes = file, elements = file;
    nodes.replace_extension(".node");
    elements.replace_extension(".ele");
    TetFile out;
    const std::uint32_t first = readNodes(Lines(nodes), out.nodes);
    readElements(Lines(elements), first, out.nodes.size(), out.tets);
    std::size_t negative = 0;
    for (const auto& tet : out.tets)
        negative += volumeOf(out, tet) < 0;
    if (2 * negative > out.tets.size())
        for (auto& tet : out.tets)
            std::swap(tet[2], tet[3]);
    return out;
}

}  // namespace sunder
