// Instances under one tree: a ray is turned into the frame of each solid whose box it enters.
#include "render/scene.h"

namespace sunder::render {

namespace {

constexpr std::uint32_t kSolidsPerLeaf = 2;

Bounds localBounds(const Solid& solid) {
    switch (solid.type) {
        case SolidType::Sphere: return expand({Vec3{}, Vec3{}}, solid.size.x);
        case SolidType::Box: return {-solid.size, solid.size};
        case SolidType::Capsule: {
            const Vec3 high{solid.size.x, solid.size.y + solid.size.x, solid.size.x};
            return {-high, high};
        }
        case SolidType::Cylinder: {
            const Vec3 high{solid.size.x, solid.size.y, solid.size.x};
            return {-high, high};
        }
        case SolidType::Triangles: return solid.surface->bounds();
    }
    return {};
}

Bounds transformed(const Bounds& local, const Mat3& rotation, const Vec3& position) {
    const Vec3 middle = position + rotation * center(local);
    const Vec3 half = (local.high - local.low) * Real(0.5);
    const Vec3 reach{dot(abs(rotation.row0), half), dot(abs(rotation.row1), half), dot(abs(rotation.row2), half)};
    return {middle - reach, middle + reach};
}

Real intersectSolid(SolidType type, const Vec3& size, const Vec3& origin, const Vec3& direction) {
    switch (type) {
        case SolidType::Sphere: return intersectSphere(size.x, origin, direction);
        case SolidType::Box: return intersectBox(size, origin, direction);
        case SolidType::Capsule: return intersectCapsule(size.x, size.y, origin, direction);
        case SolidType::Cylinder: return intersectCylinder(size.x, size.y, origin, direction);
        case SolidType::Triangles: break;
    }
    return kInfinity;
}

}  // namespace

void RenderScene::clear() {
    instances_.clear();
    surfaces_.clear();
    looks_.clear();
    bounds_.clear();
}

void RenderScene::add(const Solid& solid, const Pose& worldFromSolid, const Look& look) {
    if (solid.surface && solid.surface->empty())
        return;
    const Mat3 rotation = toMatrix(worldFromSolid.orientation);
    instances_.push_back({rotation, worldFromSolid.position, solid.size, solid.surface.get(), solid.type});
    if (solid.surface)
        surfaces_.push_back(solid.surface);
    looks_.push_back(look);
    bounds_.push_back(transformed(localBounds(solid), rotation, worldFromSolid.position));
}

void RenderScene::build() { tree_ = geometry::StaticTree(bounds_, kSolidsPerLeaf); }

bool RenderScene::nearest(const Ray& ray, Hit& hit) const {
    Ray walked = ray;
    bool found = false;
    std::uint32_t feature = 0;
    walk(tree_, walked, [&](std::uint32_t item, Ray& r) {
        const Instance& instance = instances_[item];
        const Vec3 origin = transposeTimes(instance.worldFromLocal, r.origin - instance.position);
        const Vec3 direction = transposeTimes(instance.worldFromLocal, r.direction);
        const Real distance = instance.type == SolidType::Triangles
                                  ? instance.surface->intersect(origin, direction, r.limit, feature)
                                  : intersectSolid(instance.type, instance.size, origin, direction);
        if (distance < r.limit) {
            r.limit = distance;
            hit.instance = item;
            hit.feature = feature;
            found = true;
        }
        return false;
    });
    hit.distance = found ? walked.limit : kInfinity;
    return found;
}

bool RenderScene::intersect(const Ray& ray, Hit& hit) const {
    if (!nearest(ray, hit))
        return false;
    const Instance& instance = instances_[hit.instance];
    hit.point = ray.origin + ray.direction * hit.distance;
    const Vec3 local = transposeTimes(instance.worldFromLocal, hit.point - instance.position);
    SurfaceNormals normals;
    switch (instance.type) {
        case SolidType::Sphere: normals = capsuleNormals(0, local); break;
        case SolidType::Box: normals = boxNormals(instance.size, local); break;
        case SolidType::Capsule: normals = capsuleNormals(instance.size.y, local); break;
        case SolidType::Cylinder: normals = cylinderNormals(instance.size.x, instance.size.y, local); break;
        case SolidType::Triangles: normals = instance.surface->normals(hit.feature, local); break;
    }
    hit.normal = instance.worldFromLocal * normals.geometric;
    hit.shadingNormal = instance.worldFromLocal * normals.shading;
    if (dot(hit.normal, ray.direction) > 0) {
        hit.normal = -hit.normal;
        hit.shadingNormal = -hit.shadingNormal;
    }
    return true;
}

bool RenderScene::occluded(const Ray& ray) const {
    Ray walked = ray;
    return walk(tree_, walked, [&](std::uint32_t item, const Ray& r) {
        const Instance& instance = instances_[item];
        if (looks_[item].opacity < 1)  // what can be seen through casts no shadow
            return false;
        const Vec3 origin = transposeTimes(instance.worldFromLocal, r.origin - instance.position);
        const Vec3 direction = transposeTimes(instance.worldFromLocal, r.direction);
        return instance.type == SolidType::Triangles
                   ? instance.surface->occludes(origin, direction, r.limit)
                   : intersectSolid(instance.type, instance.size, origin, direction) < r.limit;
    });
}

}  // namespace sunder::render
