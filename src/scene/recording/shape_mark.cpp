// See shape_mark.h.
#include "scene/recording/shape_mark.h"

#include "collision/built_shape.h"
#include "collision/level_set/sampled_solid.h"
#include "core/hash.h"

namespace sunder::scene {

namespace {

struct Marker {
    ShapeMark& mark;
    void points(const std::vector<Vec3>& list) const {
        mark.data = list.data();
        mark.size = list.size();
        if (!list.empty())
            mark.numbers = {list.front().x, list.front().y, list.front().z, list.back().x, list.back().y, list.back().z};
    }
    void operator()(const Sphere& s) const { mark.numbers[0] = s.radius; }
    void operator()(const Box& b) const { mark.numbers = {b.halfExtents.x, b.halfExtents.y, b.halfExtents.z}; }
    void operator()(const Capsule& c) const { mark.numbers = {c.radius, c.halfHeight}; }
    void operator()(const Cylinder& c) const { mark.numbers = {c.radius, c.halfHeight}; }
    void operator()(const Hull& h) const { points(h.points); }
    void operator()(const Mesh& m) const { points(m.vertices); }
    void operator()(const HeightField& h) const {
        mark.data = h.heights.data();
        mark.size = h.heights.size();
        mark.numbers[0] = h.spacing;
    }
    void operator()(const Shell& s) const { points(s.vertices); }
    void operator()(const Compound& c) const {
        mark.data = c.children.data();
        mark.size = c.children.size();
    }
    void operator()(const LevelSet& l) const { mark.data = l.sampled.get(); }
    void operator()(const SharedShape& s) const { mark.data = s.get(); }
};

struct ShapeHasher {
    Hasher& hasher;
    void operator()(const Sphere& s) const { hasher.addBits(s); }
    void operator()(const Box& b) const { hasher.addBits(b); }
    void operator()(const Capsule& c) const { hasher.addBits(c); }
    void operator()(const Cylinder& c) const { hasher.addBits(c); }
    void operator()(const Hull& h) const { list(h.points); }
    void operator()(const Mesh& m) const {
        list(m.vertices);
        list(m.triangles);
        look(m.look);
    }
    void operator()(const HeightField& h) const {
        hasher.addBits(h.spacing);
        hasher.add(h.columns);
        list(h.heights);
        list(h.holes);
    }
    void operator()(const Shell& s) const {
        hasher.addBits(s.thickness);
        list(s.vertices);
        list(s.triangles);
    }
    void operator()(const Compound& c) const {
        hasher.add(c.children.size());
        for (const CompoundChild& child : c.children) {
            hasher.addBits(child.position);
            hasher.addBits(child.orientation);
            hasher.add(hashOf(child.shape));
        }
    }
    void operator()(const LevelSet& l) const {
        if (l.sampled) {
            hasher.addBits(l.sampled->field.grid.origin);
            hasher.addBits(l.sampled->field.grid.cell);
            hasher.addBits(l.sampled->field.step);
            list(l.sampled->field.values);
            if (l.sampled->source)
                look(std::get<Mesh>(l.sampled->source->definition).look);
            return;
        }
        hasher.addBits(l.cell);
        list(std::vector<std::uint32_t>(l.resolution.begin(), l.resolution.end()));
        (*this)(Compound{l.parts});
    }
    void operator()(const SharedShape& s) const {
        if (s)
            hasher.add(hashOf(s->definition));
    }
    // By address: shapes of one mesh share it. The hash holds within a run.
    void look(const std::shared_ptr<const MeshLook>& shared) const {
        hasher.add(std::uint64_t(reinterpret_cast<std::uintptr_t>(shared.get())));
    }
    template <class T>
    void list(const std::vector<T>& items) const {
        hasher.add(items.size());
        for (const T& item : items)
            hasher.addBits(item);
    }
};

}  // namespace

ShapeMark markOf(const Shape& shape) {
    ShapeMark mark;
    mark.type = shape.index();
    std::visit(Marker{mark}, shape);
    return mark;
}

std::uint64_t hashOf(const Shape& shape) {
    Hasher hasher;
    hasher.add(shape.index());
    std::visit(ShapeHasher{hasher}, shape);
    return hasher.value();
}

}  // namespace sunder::scene
