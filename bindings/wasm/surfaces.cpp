// See surfaces.h.
#include "surfaces.h"

#include <cstring>

namespace sunder::web {

namespace {

// All that tells one shape from another, as bytes.
struct KeyWriter {
    std::string& key;

    template <class T>
    void value(const T& number) const {
        char bytes[sizeof(T)];
        std::memcpy(bytes, &number, sizeof(T));
        key.append(bytes, sizeof(T));
    }
    template <class T>
    void list(const std::vector<T>& items) const {
        value(std::uint32_t(items.size()));
        key.append(reinterpret_cast<const char*>(items.data()), items.size() * sizeof(T));
    }
    void children(const std::vector<CompoundChild>& items) const {
        value(std::uint32_t(items.size()));
        for (const CompoundChild& child : items) {
            value(child.position);
            value(child.orientation);
            shape(child.shape);
        }
    }
    void shape(const Shape& shape) const {
        value(std::uint8_t(shape.index()));
        std::visit(*this, shape);
    }

    void operator()(const Sphere& s) const { value(s); }
    void operator()(const Box& b) const { value(b); }
    void operator()(const Capsule& c) const { value(c); }
    void operator()(const Cylinder& c) const { value(c); }
    void operator()(const Hull& h) const { list(h.points); }
    void operator()(const Mesh& m) const {
        list(m.vertices);
        list(m.triangles);
    }
    void operator()(const HeightField& h) const {
        value(h.columns);
        value(h.spacing);
        list(h.heights);
        list(h.holes);
    }
    void operator()(const Shell& s) const {
        value(s.thickness);
        list(s.vertices);
        list(s.triangles);
    }
    void operator()(const Compound& c) const { children(c.children); }
    void operator()(const LevelSet& l) const {
        value(l.sampled.get());
        if (!l.sampled) {
            value(l.cell);
            value(l.resolution);
            children(l.parts);
        }
    }
    void operator()(const SharedShape& s) const { value(s.get()); }
};

void append(std::vector<float>& numbers, const std::vector<Vec3>& vectors) {
    numbers.reserve(vectors.size() * 3);
    for (const Vec3& v : vectors)
        numbers.insert(numbers.end(), {float(v.x), float(v.y), float(v.z)});
}

}  // namespace

std::uint32_t SurfaceCache::find(const Shape& shape) {
    std::string key;
    KeyWriter{key}.shape(shape);
    if (const auto known = numbers_.find(key); known != numbers_.end())
        return known->second;
    const std::uint32_t number = add(drawnShape(shape));
    numbers_.emplace(std::move(key), number);
    if (std::holds_alternative<LevelSet>(shape) || std::holds_alternative<SharedShape>(shape))
        held_.push_back(shape);
    return number;
}

std::uint32_t SurfaceCache::add(const DrawnShape& shape) {
    const Surface surface = tessellate(shape);
    Triangles& made = surfaces_.emplace_back();
    append(made.positions, surface.positions);
    append(made.normals, surface.normals);
    // What fractures laid open comes last.
    const SurfaceRange whole{0, std::uint32_t(surface.triangles.size()), 0};
    const std::vector<SurfaceRange> ranges = surface.ranges.empty() ? std::vector{whole} : surface.ranges;
    for (const bool isOpened : {false, true}) {
        for (const SurfaceRange& range : ranges)
            for (std::uint32_t i = 0; i < range.triangleCount; ++i)
                if (const auto& triangle = surface.triangles[range.firstTriangle + i];
                    (range.slot == DrawnSurface::kFractureSurface) == isOpened)
                    made.indices.insert(made.indices.end(), triangle.begin(), triangle.end());
        if (!isOpened)
            made.outsideIndices = std::uint32_t(made.indices.size());
    }
    return std::uint32_t(surfaces_.size() - 1);
}

void SurfaceCache::clear() {
    numbers_.clear();
    held_.clear();
    surfaces_.clear();
}

}  // namespace sunder::web
