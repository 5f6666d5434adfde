// Wavefront OBJ: vertices (with the colours that some programs write behind them), texture coordinates, faces, and of its MTL
// file the names, colours and pictures of materials; everything else is ignored. Read by hand rather than by a library, because
// a bad number must be an error with its line, not a zero.
#include <algorithm>
#include <map>

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
    // Three more numbers are a colour, one is a weight of curves.
    std::array<double, 4> color{1, 1, 1, 1};
    std::size_t given = 0;
    while (given < 3 && parseNumber(takeWord(words), color[given]))
        ++given;
    if (given == 3)
        builder.colorVertex(color);
}

// A texture coordinate; v counts from the lower edge of the picture.
std::array<float, 2> readCoordinate(std::string_view words, const Place& place, const MeshBuilder& builder) {
    std::array<double, 2> at{};
    for (double& coordinate : at) {
        const std::string_view word = takeWord(words);
        if (word.empty() && &coordinate != at.data())
            break;  // of a one-dimensional texture
        if (!parseNumber(word, coordinate))
            builder.fail(place, quotedText(word) + " is not a number (a texture coordinate has two)");
    }
    return {float(at[0]), float(1 - at[1])};
}

// Collects faces with the material that was last named.
class FaceReader {
public:
    // Faces before the first material have one without a name, where others have any.
    FaceReader(MeshBuilder& builder, bool hasMaterials) : builder_(builder) {
        if (hasMaterials)
            add({});
    }

    std::vector<std::array<float, 2>> coordinates;  // all of the file so far

    void useMaterial(std::string_view name) {
        const auto known = numberOf_.find(std::string(name));
        if (known != numberOf_.end()) {
            material_ = known->second;
            return;
        }
        MeshMaterial material;
        material.name = name;
        add(std::move(material));
    }
    // What the MTL file says, for faces that follow. A file that is not there is no fault: the names are in the OBJ.
    void readLibrary(const std::string& name);

    // Corners are v, v/vt, v//vn or v/vt/vn; v and vt count from 1, or back from the last where negative.
    void readFace(std::string_view words, const Place& place) {
        corners_.clear();
        mapped_.clear();
        bool isMapped = true;
        const std::int64_t count = std::int64_t(builder_.vertexCount()), known = std::int64_t(coordinates.size());
        for (std::string_view word = takeWord(words); !word.empty() && word[0] != '#'; word = takeWord(words)) {
            std::int64_t index = 0, at = 0;
            if (!parseInteger(word.substr(0, word.find('/')), index) || index == 0 || index < -count)
                builder_.fail(place,
                              quotedText(word) + " is not a vertex (1 or more, or -1 down to -" + std::to_string(count) + ")");
            corners_.push_back(index > 0 ? index - 1 : count + index);
            std::string_view rest = word.substr(std::min(word.find('/'), word.size()));
            rest.remove_prefix(rest.empty() ? 0 : 1);
            const bool isGood = parseInteger(rest.substr(0, rest.find('/')), at) && at != 0 && at >= -known && at <= known;
            isMapped = isMapped && isGood;
            if (isMapped)
                mapped_.push_back(coordinates[std::size_t(at > 0 ? at - 1 : known + at)]);
        }
        CornerLooks looks;
        if (isMapped)
            looks.coordinates = mapped_;
        looks.material = material_;
        builder_.addPolygon(corners_, place, looks);
    }

private:
    void add(MeshMaterial material) {
        const std::string name = material.name;
        material_ = numberOf_[name] = builder_.addMaterial(std::move(material));
    }

    MeshBuilder& builder_;
    std::vector<std::int64_t> corners_;
    std::vector<std::array<float, 2>> mapped_;
    std::map<std::string, std::uint16_t> numberOf_;
    std::uint16_t material_ = 0;
};

void FaceReader::readLibrary(const std::string& name) {
    const std::filesystem::path relative(name), path = builder_.file().parent_path() / relative;
    std::error_code error;
    if (numberOf_.empty() || relative.is_absolute() || std::find(relative.begin(), relative.end(), "..") != relative.end() ||
        !std::filesystem::is_regular_file(path, error) || std::filesystem::file_size(path, error) == 0)
        return;
    const std::string text = readFile(path);
    std::string_view rest = text;
    MeshMaterial material;
    const std::uint16_t before = material_;
    const auto finish = [&] {
        if (!material.name.empty() && !numberOf_.contains(material.name))
            add(std::move(material));
        material = {};
    };
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view words = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        const std::string_view keyword = takeWord(words);
        double number = 0;
        if (keyword == "newmtl") {
            finish();
            material.name = takeWord(words);
        } else if (keyword == "Kd") {
            for (std::size_t i = 0; i < 3; ++i)
                if (parseNumber(takeWord(words), number))
                    material.color[i] = float(number);
        } else if (keyword == "d" && parseNumber(takeWord(words), number)) {
            material.color[3] = float(number);
            material.alphaMode = number < 1 ? AlphaMode::Blend : AlphaMode::Opaque;
        } else if (keyword == "map_Kd") {
            // The name comes after options, each with its arguments; names with blanks are not known.
            std::string_view last;
            for (std::string_view word = takeWord(words); !word.empty(); word = takeWord(words))
                last = word;
            if (auto image = loadImage(builder_.file(), std::string(last))) {
                MeshTexture texture;
                texture.image = std::move(image);
                material.textures = {texture};
            }
        }
    }
    finish();
    material_ = before;
}

}  // namespace

void readObj(const std::string& text, MeshBuilder& builder) {
    std::string_view rest = text;
    FaceReader faces(builder, text.find("usemtl ") != std::string::npos);
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
        else if (keyword == "vt")
            faces.coordinates.push_back(readCoordinate(words, place, builder));
        else if (keyword == "f")
            faces.readFace(words, place);
        else if (keyword == "usemtl")
            faces.useMaterial(takeWord(words));
        else if (keyword == "mtllib")
            faces.readLibrary(std::string(takeWord(words)));
        else if (keyword == (hasObjects ? "o" : "g"))
            builder.beginObject(takeWord(words));
        joined.clear();
    }
}

}  // namespace sunder::scene
