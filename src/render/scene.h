// The renderer's scene: solids with poses and looks, under one tree. Independent of worlds.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "math/quat.h"
#include "render/palette.h"
#include "render/ray_walk.h"
#include "render/triangles.h"

namespace sunder::render {

enum class SolidType : std::uint8_t { Sphere, Box, Capsule, Cylinder, Triangles };

struct Solid {
    SolidType type = SolidType::Sphere;
    Vec3 size;  // box: half extents; else radius in x, half height in y
    std::shared_ptr<const TriangleSurface> surface;
};

struct Hit {
    Real distance = kInfinity;
    std::uint32_t instance = 0;
    std::uint32_t feature = 0;  // the triangle, where the solid has triangles
    Vec3 point;
    Vec3 normal, shadingNormal;  // world, unit, towards the ray's origin
};

class RenderScene {
public:
    void clear();
    void add(const Solid& solid, const Pose& worldFromSolid, const Look& look);
    // To be called after the last add() and before the first ray.
    void build();

    std::size_t size() const { return instances_.size(); }
    const Look& look(std::uint32_t instance) const { return looks_[instance]; }
    bool isFractured(const Hit& hit) const {
        const TriangleSurface* surface = instances_[hit.instance].surface;
        return surface != nullptr && surface->isFractured(hit.feature);
    }
    Vec3 albedo(const Hit& hit) const {
        const Look& look = looks_[hit.instance];
        const TriangleSurface* surface = instances_[hit.instance].surface;
        const std::optional<Vec3> own = surface != nullptr ? surface->albedo(hit.feature, localPoint(hit)) : std::nullopt;
        return own ? *own : isFractured(hit) ? look.opened : look.albedo;
    }
    // In the solid's own frame.
    Vec3 localPoint(const Hit& hit) const {
        const Instance& instance = instances_[hit.instance];
        return transposeTimes(instance.worldFromLocal, hit.point - instance.position);
    }
    std::span<const Bounds> bounds() const { return bounds_; }

    // False where nothing is hit.
    bool intersect(const Ray& ray, Hit& hit) const;
    // Only which instance is hit and at what distance, without normals.
    bool nearest(const Ray& ray, Hit& hit) const;
    bool occluded(const Ray& ray) const;

private:
    struct Instance {
        Mat3 worldFromLocal;
        Vec3 position;
        Vec3 size;
        const TriangleSurface* surface = nullptr;
        SolidType type = SolidType::Sphere;
    };
    std::vector<Instance> instances_;
    std::vector<std::shared_ptr<const TriangleSurface>> surfaces_;  // keeps alive the surfaces that instances point to
    std::vector<Look> looks_;
    std::vector<Bounds> bounds_;
    geometry::StaticTree tree_;
};

}  // namespace sunder::render
