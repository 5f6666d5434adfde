// The motion of every body of a recording, gathered for formats that want it body by body.
#pragma once

#include <array>
#include <vector>

#include "render/palette.h"
#include "sunder/scene/exports.h"

namespace sunder::scene {

// Poses of a track while it is there. Frames at either end in which it does not move are left out but for one, so a body that
// never moves has a single pose.
struct TrackMotion {
    int firstFrame = 0;
    std::vector<Pose> poses;  // neighbouring quaternions lie on the same side
    bool moves() const { return poses.size() > 1; }
};

// A deforming surface at a frame, in the body's frame.
struct ShapeKey {
    using Triple = std::array<float, 3>;
    int frame = 0;
    std::vector<Triple> positions, normals;
};
// A deforming body between two changes of its triangles, drawn in frames firstFrame <= frame < endFrame. Between keys it goes
// straight from one to the next; frames in which it stays have none but at their ends. The first key is at firstFrame.
struct ShapeStretch {
    std::uint32_t surface = 0;
    int firstFrame = 0, endFrame = 0;
    std::vector<ShapeKey> keys;
};

// Beyond this many bytes of keys only every n-th frame is one, with the least n that stays below.
inline constexpr std::uint64_t kMostShapeBytes = std::uint64_t(512) << 20;

struct Motions {
    std::vector<TrackMotion> tracks;
    std::vector<std::vector<ShapeStretch>> shapes;  // by track; none of rigid bodies
    int shapeInterval = 1;                          // frames from key to key while a surface moves
    std::vector<render::Look> looks;
    bool finished = false;  // false: progress asked to end
};
Motions gatherMotions(Recording& recording, const ExportProgress& progress, std::uint64_t mostShapeBytes = kMostShapeBytes);

// The surface of a stretch, triangles in order of slots, with the vertices of a key.
Surface surfaceAt(const Recording& recording, const ShapeStretch& stretch, const ShapeKey& key);

// Bodies that broke, by track, each with itself and all that it became: pieces, their pieces, and so on.
std::vector<std::pair<std::uint32_t, std::vector<std::uint32_t>>> piecesBySource(const Recording& recording);

// Name of a material in exports: that of the scene's material or, where the body has none, "surface" or "fracture".
std::string materialName(const Recording& recording, const render::Look& look, bool isInside);
// Name of a material where the body's mesh may have brought some: where the scene names none, what is inside has the name of
// the mesh's first material and "inside".
std::string innerNameOf(const Recording& recording, const render::Look& look, bool isInside, const MeshMaterials* ofMesh);
// Faces that a fracture opened shine as little as this.
inline constexpr Real kInnerGloss = Real(0.15);
// Roughness in glTF and USD. Bodies without a material have one of two, so that few are needed.
double roughnessOf(Real gloss, bool isNamed);

// A name in which only letters, digits and _ are left.
std::string plainName(const std::string& name);

}  // namespace sunder::scene
