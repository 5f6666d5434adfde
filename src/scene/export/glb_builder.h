// Builds a binary glTF: gltf.cpp makes bodies that have a pose, gltf_moving.cpp those whose vertices move.
#pragma once

#include <map>
#include <string>
#include <tuple>

#include "scene/export/motion.h"
#include "scene/text/json.h"

namespace sunder::scene {

// glTF's numbers for component types and for the target of a buffer view.
inline constexpr int kUnsignedInt = 5125, kFloat = 5126;
inline constexpr int kVertices = 34962;

// The file of a glTF and the one buffer that it has.
std::string packGlb(std::string json, std::string data);

class GlbBuilder {
public:
    GlbBuilder(Recording& recording, const Motions& motions) : recording_(recording), motions_(motions) {}
    std::string build();

private:
    int addView(int target);  // begins a view: data appended from now on is in it
    void closeView();
    template <class T>
    void append(T value) {
        data_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void appendVector(const Vec3& v) {
        append(float(v.x));
        append(float(v.y));
        append(float(v.z));
    }
    int addAccessor(int view, std::size_t offset, int type, std::size_t count, const char* shape, Json low = {},
                    Json high = {});

    struct Vertices {
        Json attributes;
        std::vector<int> indices;  // accessor of each slot's triangles
        std::vector<std::uint16_t> slots;
        std::shared_ptr<const MeshMaterials> materials;
    };
    Vertices addVertices(const Surface& surface);
    const Vertices& verticesOf(std::uint32_t surface);

    Json primitivesOf(const Vertices& vertices, const render::Look& look);
    int meshOf(std::uint32_t surface, const render::Look& look);
    // What the mesh brought, or the look of the body.
    int materialOf(const render::Look& look, std::uint16_t slot, const std::shared_ptr<const MeshMaterials>& ofMesh);
    int materialOf(const render::Look& look, bool isInside, const std::string& name);
    int materialOf(const MeshMaterial& material);
    int textureOf(const MeshTexture& texture);
    int imageOf(const std::shared_ptr<const MeshImage>& image);
    // The name, or the name and a number where it was given before.
    std::string freshName(const std::string& name);
    // A node for each body that broke, with itself and all its pieces as children.
    void addGroups();
    void addNode(std::uint32_t track);
    void addCamera();
    int timesOf(int first, std::size_t count);
    void animate(int node, std::uint32_t track);
    void addChannel(int node, const char* path, int input, int output, const char* interpolation);
    // Animates the scale, 0 while the body is not there; no channel for bodies that are always there.
    void hide(int node, int firstFrame, int endFrame);
    int motionNumbers(std::span<const float> numbers, const char* shape);
    int motionTimes(const std::vector<int>& frames);

    // Adds the children of a body's node: each is the mesh of some keys of a stretch.
    void addShapes(int parent, std::uint32_t track);
    void addShape(int parent, const ShapeStretch& stretch, std::size_t first, std::size_t last, int endFrame,
                  const render::Look& look);
    int addDisplacement(const std::vector<ShapeKey::Triple>& base, const std::vector<ShapeKey::Triple>& moved);
    int addSparse(std::span<const std::uint32_t> places, std::span<const ShapeKey::Triple> displacements, Json low, Json high);
    void weigh(int node, std::span<const ShapeKey> keys);

    using MaterialKey = std::tuple<Real, Real, Real, Real, Real, std::string>;
    using MeshKey = std::tuple<std::uint32_t, Real, Real, Real, Real, std::uint32_t>;

    Recording& recording_;
    const Motions& motions_;
    Json nodes_ = Json::array(), meshes_ = Json::array(), materials_ = Json::array(), accessors_ = Json::array(),
         views_ = Json::array(), channels_ = Json::array(), samplers_ = Json::array(), textures_ = Json::array(),
         images_ = Json::array(), textureSamplers_ = Json::array();
    Json camera_;
    std::string data_;
    std::map<std::uint32_t, Vertices> vertices_;
    std::map<MeshKey, int> meshOf_;
    std::map<MaterialKey, int> materialOf_;
    std::map<const MeshMaterial*, int> meshMaterials_;  // for look-up only, as those below; surfaces of the recording keep them
    std::map<std::pair<int, int>, int> textureOf_;      // by image and sampler
    std::map<const MeshImage*, int> imageOf_;
    std::map<std::pair<int, std::size_t>, int> timesOf_;
    std::vector<bool> isChild_;  // by node
    std::map<std::uint32_t, int> nodeOfTrack_;
    std::map<std::string, int> materialNames_;  // how often each was given
    int timeView_ = -1, motionView_ = -1;
    std::string motion_;  // data of the animation's values, kept apart to stand in one view
};

// Times are rounded down to float: a viewer that computes the time of a frame in double must not fall just before a key.
float gltfTime(int frame, double frameRate);

}  // namespace sunder::scene
