// A solid as a level set: its distance field, the particles on its surface that collide, and its mass. Never changed once made,
// and shared by pointer.
//   [GBF03] 2, [Su09] 4.1
#pragma once

#include <memory>
#include <string>

#include "geometry/level_set/cut_nodes.h"
#include "geometry/level_set/level_set.h"
#include "geometry/mass_properties.h"
#include "geometry/surface/surface_mesh.h"
#include "geometry/surface/surface_particles.h"
#include "sunder/shapes.h"

namespace sunder {

class SampledSolid {
public:
    geometry::LevelSet16 field;            // in the frame of the shape; its border is outside
    geometry::SurfaceParticles particles;  // those that collide: all of the surface's, or thinned
    geometry::MassProperties mass;         // for density 1
    geometry::CutNodes cutNodes;           // of a piece
    Vec3 textureOrigin;                    // origin of its frame in the frame of the body that it broke off
    // Drawn in place of the field's surface, in the frame of the body that the piece broke off; may be null.
    std::shared_ptr<const geometry::SurfaceMesh> surface;
    // The mesh that it, or the body it broke off, was sampled from, in that body's frame, where the mesh has a look; else null.
    SharedShape source;
    std::string repairs;  // repairs of the mesh it was sampled from, in words; not part of a world's state
};

namespace collision {

// Solids with more particles are thinned to this number, corners and edges last.
inline constexpr std::size_t kMostParticles = 4096;
// Limit for a piece of a fracture, of which there may be thousands.
inline constexpr std::size_t kMostPieceParticles = 512;
// A piece with no more particles than this on its whole surface keeps all of them.
inline constexpr std::size_t kMostOfSmallPiece = 1500;

// Thins to kMostParticles.
geometry::SurfaceParticles fewEnough(geometry::SurfaceParticles particles, const Vec3& center);
// Thins the particles of a piece. Faces of many cells need few, because pieces meet others with corners and edges: one per 4^3
// cells on faces, all on edges and at tips, half as dense where that is still too many; plus all that its convex hull needs, so
// that it lies on flat ground as its whole surface would. A small piece keeps all: it may be coarse among fine ones, whose
// particles find it only where its own do not. center: of mass, in the frame of the particles.
geometry::SurfaceParticles fewOfPiece(geometry::SurfaceParticles particles, const geometry::LevelSet16& field,
                                      const Vec3& center);

// Whether its tables fit together, so that a shape may be built from untrusted bytes.
bool isSound(const SampledSolid& solid);

// The particles of a field, thinned to kMostParticles. Empty where nothing is inside.
geometry::SurfaceParticles contactParticles(const geometry::LevelSet16& field, const Vec3& center);

}  // namespace collision

}  // namespace sunder
