// Deforming bodies in a GLB: morph targets, which Blender and three.js read as they are.
//
// A body's node carries its pose; its shapes are children. A shape is a mesh with the vertices of one key and, for each key
// after it, a morph target that leads there. Weights go straight from key to key: target i alone has weight 1 at key i. A new
// child begins where the triangles change, and after every kMostTargets keys: viewers keep all targets of a mesh in memory at
// once, WebGL promises no more than 256, and the weights are keys x targets numbers. Only one child is seen at a time, as
// bodies that are not there are hidden. Targets in which few vertices move are sparse.
#include <algorithm>

#include "scene/export/glb_builder.h"

namespace sunder::scene {

namespace {

constexpr std::size_t kMostTargets = 64;  // per child; see above

Json bound(const ShapeKey::Triple& v) { return {v[0], v[1], v[2]}; }

}  // namespace

void GlbBuilder::addShapes(int parent, std::uint32_t track) {
    for (const ShapeStretch& stretch : motions_.shapes[track]) {
        const std::size_t count = stretch.keys.size();
        // The key at which one child ends is the first of the next.
        for (std::size_t first = 0; first == 0 || first + 1 < count; first += kMostTargets) {
            const std::size_t last = std::min(first + kMostTargets, count - 1);
            const int endFrame = last + 1 < count ? stretch.keys[last].frame : stretch.endFrame;
            addShape(parent, stretch, first, last, endFrame, motions_.looks[track]);
        }
    }
}

void GlbBuilder::addShape(int parent, const ShapeStretch& stretch, std::size_t first, std::size_t last, int endFrame,
                          const render::Look& look) {
    const std::span<const ShapeKey> keys = std::span(stretch.keys).subspan(first, last - first + 1);
    const Vertices vertices = addVertices(surfaceAt(recording_, stretch, keys[0]));
    if (vertices.indices.empty())
        return;
    Json targets = Json::array();
    for (std::size_t i = 1; i < keys.size(); ++i) {
        const int position = addDisplacement(keys[0].positions, keys[i].positions);
        targets.push_back({{"POSITION", position}, {"NORMAL", addDisplacement(keys[0].normals, keys[i].normals)}});
    }
    Json primitives = primitivesOf(vertices, look), mesh{{"name", "surface " + std::to_string(stretch.surface)}};
    if (!targets.empty()) {
        for (Json& primitive : primitives)
            primitive["targets"] = targets;
        mesh["weights"] = std::vector<int>(targets.size(), 0);
    }
    mesh["primitives"] = std::move(primitives);
    const int node = int(nodes_.size());
    nodes_.push_back({{"name", nodes_[parent]["name"].get<std::string>() + " from frame " + std::to_string(keys[0].frame)},
                      {"mesh", meshes_.size()},
                      {"extras", {{"shape_of_track", nodes_[parent]["extras"]["track"]}}}});
    meshes_.push_back(std::move(mesh));
    isChild_.push_back(true);
    nodes_[parent]["children"].push_back(node);
    if (keys[0].frame > 0)
        nodes_[node]["scale"] = {0, 0, 0};
    hide(node, keys[0].frame, endFrame);
    if (keys.size() > 1)
        weigh(node, keys);
}

void GlbBuilder::weigh(int node, std::span<const ShapeKey> keys) {
    std::vector<int> frames;
    std::vector<float> weights(keys.size() * (keys.size() - 1), 0);
    for (std::size_t i = 0; i < keys.size(); ++i) {
        frames.push_back(keys[i].frame);
        if (i > 0)
            weights[i * (keys.size() - 1) + i - 1] = 1;
    }
    const int times = motionTimes(frames);
    addChannel(node, "weights", times, motionNumbers(weights, "SCALAR"), "LINEAR");
}

int GlbBuilder::addDisplacement(const std::vector<ShapeKey::Triple>& base, const std::vector<ShapeKey::Triple>& moved) {
    std::vector<ShapeKey::Triple> displacements(base.size());
    std::vector<std::uint32_t> places;  // of vertices that move
    for (std::size_t i = 0; i < base.size(); ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            displacements[i][axis] = moved[i][axis] - base[i][axis];
        if (displacements[i] != ShapeKey::Triple{})
            places.push_back(std::uint32_t(i));
    }
    if (places.empty())
        places.push_back(0);  // a sparse accessor may not be empty
    ShapeKey::Triple low = displacements[0], high = low;
    for (const ShapeKey::Triple& d : displacements)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            low[axis] = std::min(low[axis], d[axis]);
            high[axis] = std::max(high[axis], d[axis]);
        }
    const std::size_t sparseBytes = places.size() * (sizeof(std::uint32_t) + sizeof(ShapeKey::Triple));
    if (sparseBytes < displacements.size() * sizeof(ShapeKey::Triple))
        return addSparse(places, displacements, bound(low), bound(high));
    const int view = addView(kVertices);
    data_.append(reinterpret_cast<const char*>(displacements.data()), displacements.size() * sizeof(ShapeKey::Triple));
    closeView();
    return addAccessor(view, 0, kFloat, displacements.size(), "VEC3", bound(low), bound(high));
}

int GlbBuilder::addSparse(std::span<const std::uint32_t> places, std::span<const ShapeKey::Triple> displacements, Json low,
                          Json high) {
    const int indices = addView(0);
    for (const std::uint32_t place : places)
        append(place);
    closeView();
    const int values = addView(0);
    for (const std::uint32_t place : places)
        for (const float x : displacements[place])
            append(x);
    closeView();
    accessors_.push_back({{"componentType", kFloat},
                          {"count", displacements.size()},
                          {"type", "VEC3"},
                          {"min", std::move(low)},
                          {"max", std::move(high)},
                          {"sparse",
                           {{"count", places.size()},
                            {"indices", {{"bufferView", indices}, {"componentType", kUnsignedInt}}},
                            {"values", {{"bufferView", values}}}}}});
    return int(accessors_.size() - 1);
}

}  // namespace sunder::scene
