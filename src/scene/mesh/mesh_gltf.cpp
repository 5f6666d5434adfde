// glTF 2.0 and GLB: the triangles of the default scene, each mesh placed by its node. tinygltf parses; what it does not check
// (nesting, indices, buffer ranges, file names) is checked here.
#include <tiny_gltf.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "scene/mesh/gltf_materials.h"
#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

namespace {

namespace fs = std::filesystem;

// tinygltf parses JSON recursively; no sound file nests deeper than a dozen levels.
constexpr int kMaxNesting = 64;
// Nodes may place one mesh many times; a larger total is a mistake.
constexpr std::size_t kMaxTotalCorners = 60'000'000;

using Matrix = std::array<double, 16>;  // by columns, as in the file
constexpr Matrix kIdentity = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};

Matrix multiply(const Matrix& a, const Matrix& b) {
    Matrix product{};
    for (std::size_t column = 0; column < 4; ++column)
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t k = 0; k < 4; ++k)
                product[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return product;
}

std::array<double, 3> transform(const Matrix& m, const std::array<double, 3>& p) {
    std::array<double, 3> result;
    for (std::size_t row = 0; row < 3; ++row)
        result[row] = m[row] * p[0] + m[4 + row] * p[1] + m[8 + row] * p[2] + m[12 + row];
    return result;
}

double determinant(const Matrix& m) {
    return m[0] * (m[5] * m[10] - m[9] * m[6]) - m[4] * (m[1] * m[10] - m[9] * m[2]) + m[8] * (m[1] * m[6] - m[5] * m[2]);
}

Matrix localMatrix(const tinygltf::Node& node) {
    Matrix m = kIdentity;
    if (node.matrix.size() == 16) {
        std::copy(node.matrix.begin(), node.matrix.end(), m.begin());
        return m;
    }
    if (node.rotation.size() == 4) {
        double x = node.rotation[0], y = node.rotation[1], z = node.rotation[2], w = node.rotation[3];
        const double squared = x * x + y * y + z * z + w * w;
        const double inverse = squared > 0 ? 1 / std::sqrt(squared) : 0;
        x *= inverse, y *= inverse, z *= inverse, w *= inverse;
        m = {1 - 2 * (y * y + z * z),
             2 * (x * y + w * z),
             2 * (x * z - w * y),
             0,
             2 * (x * y - w * z),
             1 - 2 * (x * x + z * z),
             2 * (y * z + w * x),
             0,
             2 * (x * z + w * y),
             2 * (y * z - w * x),
             1 - 2 * (x * x + y * y),
             0,
             0,
             0,
             0,
             1};
    }
    if (node.scale.size() == 3)
        for (std::size_t i = 0; i < 12; ++i)
            m[i] *= node.scale[i / 4];
    if (node.translation.size() == 3)
        for (std::size_t row = 0; row < 3; ++row)
            m[12 + row] = node.translation[row];
    return m;
}

// Files that a buffer may name: inside the folder of the file, links followed.
struct Folder {
    fs::path path;
    std::string refused;

    // Empty where the name leads out of the folder.
    fs::path resolve(const std::string& name) {
        const fs::path relative(name);
        bool leaves = relative.is_absolute() || name.find(':') != std::string::npos || name.find('\\') != std::string::npos;
        for (const fs::path& part : relative)
            leaves = leaves || part == "..";
        std::error_code error;
        const fs::path base = fs::weakly_canonical(path, error), full = fs::weakly_canonical(path / relative, error);
        leaves = leaves || error || std::mismatch(base.begin(), base.end(), full.begin(), full.end()).first != base.end();
        if (leaves)
            refused = name;
        return leaves ? fs::path() : full;
    }
};

bool fileExists(const std::string& name, void* folder) {
    std::error_code error;
    const fs::path path = static_cast<Folder*>(folder)->resolve(name);
    return !path.empty() && fs::is_regular_file(path, error);
}

std::string keepPath(const std::string& name, void*) { return name; }

bool readBuffer(std::vector<unsigned char>* out, std::string* error, const std::string& name, void* folder) {
    const fs::path path = static_cast<Folder*>(folder)->resolve(name);
    std::ifstream stream(path, std::ios::binary);
    if (path.empty() || !stream) {
        *error += "cannot read " + quotedText(name);
        return false;
    }
    out->assign(std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>());
    return true;
}

bool writeNothing(std::string*, const std::string&, const std::vector<unsigned char>&, void*) { return false; }

// Images are kept as they are, not decoded.
bool keepImage(tinygltf::Image* image, const int, std::string*, std::string*, int, int, const unsigned char* bytes, int size,
               void*) {
    image->image.assign(bytes, bytes + std::max(size, 0));
    return true;
}

void checkNesting(std::string_view json, const MeshBuilder& builder) {
    int depth = 0;
    bool inString = false;
    for (std::size_t i = 0; i < json.size(); ++i) {
        const char c = json[i];
        if (inString) {
            i += c == '\\' ? 1 : 0;
            inString = c != '"';
        } else if (c == '"') {
            inString = true;
        } else if (c == '[' || c == '{') {
            if (++depth > kMaxNesting)
                builder.fail({"byte", i}, "brackets nested deeper than " + std::to_string(kMaxNesting));
        } else if (c == ']' || c == '}') {
            --depth;
        }
    }
}

std::string_view jsonChunk(std::string_view glb) {
    constexpr std::size_t kLengthAt = 12, kStart = 20;
    if (glb.size() < kStart)
        return {};
    return glb.substr(kStart, ByteCursor(glb, kLengthAt, false).read<std::uint32_t>());
}

tinygltf::Model parse(const std::string& data, const MeshBuilder& builder) {
    tinygltf::TinyGLTF loader;
    Folder folder{builder.file().has_parent_path() ? builder.file().parent_path() : fs::path("."), {}};
    loader.SetFsCallbacks({&fileExists, &keepPath, &readBuffer, &writeNothing, &folder});
    loader.SetImageLoader(&keepImage, nullptr);
    tinygltf::Model model;
    std::string error, warning;
    bool good = false;
    try {
        if (data.compare(0, 4, "glTF") == 0) {
            // tinygltf's check of the second chunk forgets its 8 bytes of header: the padding keeps it inside our memory.
            const std::string padded = data + std::string(16, '\0');
            checkNesting(jsonChunk(data), builder);
            good = loader.LoadBinaryFromMemory(&model, &error, &warning, reinterpret_cast<const unsigned char*>(padded.data()),
                                               unsigned(data.size()), "");
        } else {
            checkNesting(data, builder);
            good = loader.LoadASCIIFromString(&model, &error, &warning, data.data(), unsigned(data.size()), "");
        }
    } catch (const Error&) {
        throw;
    } catch (const std::exception& exception) {
        error = exception.what();
    }
    if (!good && !folder.refused.empty())
        builder.fail("buffer " + quotedText(folder.refused) +
                     " is not allowed (a relative name inside the folder of the file)");
    if (!good) {
        while (!error.empty() && error.back() == '\n')
            error.pop_back();
        builder.fail("is not a glTF 2.0 file: " + (error.empty() ? std::string("it cannot be parsed") : error));
    }
    for (const std::string& extension : model.extensionsRequired)
        builder.fail("requires the extension " + quotedText(extension) + ", which is not supported");
    return model;
}

class SceneReader {
public:
    SceneReader(const tinygltf::Model& model, MeshBuilder& builder)
        : model_(model), builder_(builder), visited_(model.nodes.size()), looks_(model, builder) {}

    void read() {
        if (model_.scenes.empty()) {
            for (const tinygltf::Mesh& mesh : model_.meshes) {
                builder_.beginObject(mesh.name);
                readMesh(mesh, kIdentity);
            }
            return;
        }
        const std::size_t scene = model_.defaultScene >= 0 ? std::size_t(model_.defaultScene) : 0;
        if (scene >= model_.scenes.size())
            builder_.fail("scene " + std::to_string(scene) + " does not exist");
        std::vector<std::pair<int, Matrix>> stack;  // nodes to place, with their parent's matrix
        push(stack, model_.scenes[scene].nodes, kIdentity);
        while (!stack.empty()) {
            const auto [index, worldFromParent] = stack.back();
            stack.pop_back();
            const tinygltf::Node& node = at(model_.nodes, index, "node");
            // The specification wants a tree; this also ends cycles.
            if (visited_[std::size_t(index)])
                builder_.fail("node " + std::to_string(index) + " has two parents");
            visited_[std::size_t(index)] = true;
            const Matrix worldFromNode = multiply(worldFromParent, localMatrix(node));
            if (node.mesh >= 0) {
                const tinygltf::Mesh& mesh = at(model_.meshes, node.mesh, "mesh");
                builder_.beginObject(node.name.empty() ? mesh.name : node.name);
                readMesh(mesh, worldFromNode);
            }
            push(stack, node.children, worldFromNode);
        }
    }

private:
    // In reverse, so that the first is taken first.
    static void push(std::vector<std::pair<int, Matrix>>& stack, const std::vector<int>& nodes, const Matrix& worldFromParent) {
        for (auto node = nodes.rbegin(); node != nodes.rend(); ++node)
            stack.push_back({*node, worldFromParent});
    }

    template <class Item>
    const Item& at(const std::vector<Item>& items, int index, const char* what) const {
        if (index < 0 || std::size_t(index) >= items.size())
            builder_.fail(std::string(what) + " " + std::to_string(index) + " does not exist (there are " +
                          std::to_string(items.size()) + ")");
        return items[std::size_t(index)];
    }

    // The elements of an accessor, one run of bytes per element; its whole range has been checked.
    struct Elements {
        ByteCursor at(std::size_t i) const { return ByteCursor(bytes, i * stride, false); }
        std::string_view bytes;
        std::size_t stride = 0, count = 0;
    };

    Elements elements(const tinygltf::Accessor& accessor, std::size_t elementSize) const {
        if (accessor.sparse.isSparse || accessor.bufferView < 0)
            builder_.fail("sparse accessors are not supported");
        const tinygltf::BufferView& view = at(model_.bufferViews, accessor.bufferView, "buffer view");
        const tinygltf::Buffer& buffer = at(model_.buffers, view.buffer, "buffer");
        const std::size_t stride = view.byteStride > 0 ? view.byteStride : elementSize;
        const std::size_t size = buffer.data.size();
        const bool viewFits = view.byteOffset <= size && view.byteLength <= size - view.byteOffset;
        const std::size_t room = viewFits && accessor.byteOffset <= view.byteLength ? view.byteLength - accessor.byteOffset : 0;
        // count - 1 strides and one element must fit; written without a product that could overflow.
        const bool fits = accessor.count == 0 || (room >= elementSize && (accessor.count - 1) <= (room - elementSize) / stride);
        if (!fits)
            builder_.fail("an accessor of " + std::to_string(accessor.count) + " elements does not fit into its buffer of " +
                          std::to_string(size) + " bytes");
        const char* bytes = reinterpret_cast<const char*>(buffer.data.data()) + view.byteOffset + accessor.byteOffset;
        return {std::string_view(bytes, room), stride, accessor.count};
    }

    std::size_t readPositions(const tinygltf::Accessor& accessor, const Matrix& worldFromNode) {
        if (accessor.type != TINYGLTF_TYPE_VEC3 || accessor.componentType != TINYGLTF_COMPONENT_TYPE_FLOAT)
            builder_.fail("positions must be vectors of three floats");
        const Elements positions = elements(accessor, 3 * sizeof(float));
        for (std::size_t i = 0; i < positions.count; ++i) {
            ByteCursor cursor = positions.at(i);
            std::array<double, 3> position;
            for (double& coordinate : position)
                coordinate = cursor.read<float>();
            builder_.addVertex(transform(worldFromNode, position), {"position", i});
        }
        return positions.count;
    }

    std::vector<std::uint32_t> readIndices(const tinygltf::Primitive& primitive, std::size_t vertexCount) const {
        std::vector<std::uint32_t> indices;
        if (primitive.indices < 0) {
            for (std::size_t i = 0; i < vertexCount; ++i)
                indices.push_back(std::uint32_t(i));
            return indices;
        }
        const tinygltf::Accessor& accessor = at(model_.accessors, primitive.indices, "accessor");
        const int type = accessor.componentType;
        const std::size_t size = type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE    ? 1
                                 : type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 2
                                 : type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT   ? 4
                                                                                  : 0;
        if (size == 0 || accessor.type != TINYGLTF_TYPE_SCALAR)
            builder_.fail("indices must be unsigned integers");
        const Elements values = elements(accessor, size);
        for (std::size_t i = 0; i < values.count; ++i) {
            ByteCursor cursor = values.at(i);
            const std::uint32_t index = size == 1   ? cursor.read<std::uint8_t>()
                                        : size == 2 ? cursor.read<std::uint16_t>()
                                                    : cursor.read<std::uint32_t>();
            if (index >= vertexCount)
                builder_.fail({"index", i}, std::to_string(index) + " is not allowed (there are " +
                                                std::to_string(vertexCount) + " positions)");
            indices.push_back(index);
        }
        return indices;
    }

    // Floats, or whole numbers that stand for 0 to 1.
    static double readShare(ByteCursor& cursor, int type) {
        switch (type) {
            case TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE: return cursor.read<std::uint8_t>() / 255.0;
            case TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT: return cursor.read<std::uint16_t>() / 65535.0;
            default: return double(cursor.read<float>());
        }
    }

    // An attribute of `axes` numbers per vertex. False where the primitive has none, or one of another form: a mesh without it
    // is still a mesh.
    bool readAttribute(const tinygltf::Primitive& primitive, const std::string& name, std::size_t least, std::size_t most,
                       std::size_t count, std::vector<std::array<double, 4>>& out) const {
        const auto found = primitive.attributes.find(name);
        if (found == primitive.attributes.end())
            return false;
        const tinygltf::Accessor& accessor = at(model_.accessors, found->second, "accessor");
        const int type = accessor.componentType;
        const std::size_t size = type == TINYGLTF_COMPONENT_TYPE_FLOAT            ? 4
                                 : type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE  ? 1
                                 : type == TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT ? 2
                                                                                  : 0;
        const auto axes = std::size_t(std::max(tinygltf::GetNumComponentsInType(std::uint32_t(accessor.type)), 0));
        if (size == 0 || axes < least || axes > most || accessor.count != count || accessor.sparse.isSparse ||
            accessor.bufferView < 0)
            return false;
        const Elements values = elements(accessor, axes * size);
        out.assign(count, {1, 1, 1, 1});
        for (std::size_t i = 0; i < count; ++i) {
            ByteCursor cursor = values.at(i);
            for (std::size_t axis = 0; axis < axes; ++axis)
                out[i][axis] = readShare(cursor, type);
            if (!std::all_of(out[i].begin(), out[i].end(), [](double x) { return std::isfinite(x); }))
                return false;
        }
        return true;
    }

    void readLooks(const tinygltf::Primitive& primitive, std::size_t count) {
        coordinates_.clear();
        colors_.clear();
        std::vector<std::array<double, 4>> values;
        if (readAttribute(primitive, looks_.coordinateSet(primitive.material), 2, 2, count, values))
            for (const auto& at : values)
                coordinates_.push_back({float(at[0]), float(at[1])});
        if (readAttribute(primitive, "COLOR_0", 3, 4, count, values))
            for (const auto& color : values) {
                auto& made = colors_.emplace_back();
                for (std::size_t i = 0; i < 4; ++i)
                    made[i] = std::uint8_t(std::lround(std::clamp(color[i], 0.0, 1.0) * 255));
            }
        const bool hasMaterials = !model_.materials.empty();
        material_ = hasMaterials ? looks_.materialOf(primitive.material) : std::uint16_t(0);
    }

    void readMesh(const tinygltf::Mesh& mesh, const Matrix& worldFromNode) {
        for (const tinygltf::Primitive& primitive : mesh.primitives) {
            const int mode = primitive.mode < 0 ? TINYGLTF_MODE_TRIANGLES : primitive.mode;
            const auto positions = primitive.attributes.find("POSITION");
            if (mode < TINYGLTF_MODE_TRIANGLES || positions == primitive.attributes.end())
                continue;  // points and lines
            const std::int64_t base = std::int64_t(builder_.vertexCount());
            const std::size_t count = readPositions(at(model_.accessors, positions->second, "accessor"), worldFromNode);
            readLooks(primitive, count);
            addTriangles(readIndices(primitive, count), mode, base, determinant(worldFromNode) < 0);
            if (std::max(builder_.cornerCount(), builder_.vertexCount()) > kMaxTotalCorners)
                builder_.fail("has more than " + std::to_string(kMaxTotalCorners) + " vertices or corners of triangles");
        }
    }

    void addTriangles(const std::vector<std::uint32_t>& indices, int mode, std::int64_t base, bool mirrored) {
        const std::size_t step = mode == TINYGLTF_MODE_TRIANGLES ? 3 : 1;
        for (std::size_t i = 0; i + 2 < indices.size(); i += step) {
            std::array<std::int64_t, 3> corners = {indices[i], indices[i + 1], indices[i + 2]};
            if (mode == TINYGLTF_MODE_TRIANGLE_FAN)
                corners[0] = indices[0];
            // Every other triangle of a strip has opposite orientation, and a mirroring node reverses all.
            if ((mode == TINYGLTF_MODE_TRIANGLE_STRIP && i % 2 == 1) != mirrored)
                std::swap(corners[1], corners[2]);
            std::array<std::array<float, 2>, 3> coordinates;
            std::array<std::array<std::uint8_t, 4>, 3> colors;
            CornerLooks looks;
            looks.material = material_;
            for (std::size_t k = 0; k < 3; ++k) {
                if (!coordinates_.empty())
                    coordinates[k] = coordinates_[std::size_t(corners[k])];
                if (!colors_.empty())
                    colors[k] = colors_[std::size_t(corners[k])];
                corners[k] += base;
            }
            if (!coordinates_.empty())
                looks.coordinates = coordinates;
            if (!colors_.empty())
                looks.colors = colors;
            builder_.addPolygon(corners, {"triangle", i / step}, looks);
        }
    }

    const tinygltf::Model& model_;
    MeshBuilder& builder_;
    std::vector<bool> visited_;
    GltfMaterials looks_;
    // Texture coordinates, colours and material of the primitive that is being read; by vertex, or empty.
    std::vector<std::array<float, 2>> coordinates_;
    std::vector<std::array<std::uint8_t, 4>> colors_;
    std::uint16_t material_ = 0;
};

}  // namespace

void readGltf(const std::string& data, MeshBuilder& builder) {
    const tinygltf::Model model = parse(data, builder);
    SceneReader(model, builder).read();
}

}  // namespace sunder::scene
