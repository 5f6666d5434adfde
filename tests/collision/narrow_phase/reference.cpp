#include "collision/narrow_phase/reference.h"

#include <algorithm>
#include <cmath>

namespace sunder::testing {
namespace {

constexpr int kSamples = 1500;
constexpr int kSearches = 6;
constexpr int kSearchSteps = 500;

Vec3d scaled(const Vec3d& a) {
    const double l = length(a);
    return l > 1e-12 ? a * (1 / l) : Vec3d{};
}

const std::vector<Vec3d>& sphereSamples() {
    static const std::vector<Vec3d> samples = [] {
        std::vector<Vec3d> points;
        for (int i = 0; i < kSamples; ++i) {
            const double y = 1 - (2 * i + 1.0) / kSamples, angle = i * 2.399963229728653;
            const double r = std::sqrt(1 - y * y);
            points.push_back({r * std::cos(angle), y, r * std::sin(angle)});
        }
        return points;
    }();
    return samples;
}

}  // namespace

ReferenceShape::ReferenceShape(const BuiltShape& shape, const Pose& pose) : shape_(shape), origin_(toDouble(pose.position)) {
    // The turn of a unit quaternion, normalised in double.
    double x = pose.orientation.x, y = pose.orientation.y, z = pose.orientation.z, w = pose.orientation.w;
    const double l = std::sqrt(x * x + y * y + z * z + w * w);
    x /= l, y /= l, z /= l, w /= l;
    axes_[0] = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
    axes_[1] = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
    axes_[2] = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
    const auto turn = [&](const Vec3d& v) { return toOuter(v) - origin_; };
    if (shape.type == ShapeType::Capsule || shape.type == ShapeType::Cylinder)
        edges_.push_back(axes_[1]);
    if (shape.type == ShapeType::Cylinder)
        normals_ = {axes_[1], axes_[1] * -1};
    if (shape.type == ShapeType::Box || shape.type == ShapeType::Hull) {
        for (const auto& face : shape.polyhedron.faces)
            normals_.push_back(scaled(turn(toDouble(face.normal))));
        for (const auto& edge : shape.polyhedron.edges)
            edges_.push_back(scaled(
                turn(toDouble(shape.polyhedron.vertices[edge.vertex1]) - toDouble(shape.polyhedron.vertices[edge.vertex0]))));
    }
}

Vec3d ReferenceShape::toInner(const Vec3d& outer) const {
    const Vec3d d = outer - origin_;
    return {dot(axes_[0], d), dot(axes_[1], d), dot(axes_[2], d)};
}

Vec3d ReferenceShape::toOuter(const Vec3d& inner) const {
    return origin_ + axes_[0] * inner.x + axes_[1] * inner.y + axes_[2] * inner.z;
}

Vec3d ReferenceShape::support(const Vec3d& direction) const {
    const Vec3d d{dot(axes_[0], direction), dot(axes_[1], direction), dot(axes_[2], direction)};
    const double r = shape_.radius, h = shape_.halfHeight;
    switch (shape_.type) {
        case ShapeType::Sphere: return origin_ + scaled(direction) * r;
        case ShapeType::Capsule: return toOuter(Vec3d{0, d.y < 0 ? -h : h, 0} + scaled(d) * r);
        case ShapeType::Cylinder: {
            const Vec3d across = scaled({d.x, 0, d.z}) * r;
            return toOuter({across.x, d.y < 0 ? -h : h, across.z});
        }
        default: break;
    }
    Vec3d best;
    double reach = -1e300;
    for (const Vec3& v : shape_.polyhedron.vertices) {
        const Vec3d p = toDouble(v);
        if (dot(p, d) > reach) {
            reach = dot(p, d);
            best = p;
        }
    }
    return toOuter(best);
}

double ReferenceShape::surfaceResidual(const Vec3& point) const {
    const Vec3d p = toInner(toDouble(point));
    const double r = shape_.radius, h = shape_.halfHeight;
    switch (shape_.type) {
        case ShapeType::Sphere: return length(p) - r;
        case ShapeType::Capsule: return length(p - Vec3d{0, std::clamp(p.y, -h, h), 0}) - r;
        case ShapeType::Cylinder: return std::max(std::sqrt(p.x * p.x + p.z * p.z) - r, std::fabs(p.y) - h);
        default: break;
    }
    double residual = -1e300;
    for (const auto& face : shape_.polyhedron.faces)
        residual = std::max(residual, dot(toDouble(face.normal), p) - double(face.offset));
    return residual;
}

double separationAlong(const ReferenceShape& a, const ReferenceShape& b, const Vec3d& normal) {
    return dot(normal, b.support(normal * -1) - a.support(normal));
}

double largestSeparation(const ReferenceShape& a, const ReferenceShape& b, RandomPoints& random) {
    std::vector<std::pair<double, Vec3d>> candidates;
    const auto add = [&](const Vec3d& n) {
        if (length(n) > 0.5)
            candidates.emplace_back(separationAlong(a, b, n), n);
    };
    for (const Vec3d& n : a.faceNormals())
        add(n);
    for (const Vec3d& n : b.faceNormals())
        add(n * -1);
    for (const Vec3d& e : a.edges())
        for (const Vec3d& f : b.edges()) {
            add(scaled(cross(e, f)));
            add(scaled(cross(f, e)));
        }
    for (const Vec3d& n : sphereSamples())
        add(n);
    add(scaled(b.center() - a.center()));
    const int searches = std::min<int>(kSearches, int(candidates.size()));
    std::partial_sort(candidates.begin(), candidates.begin() + searches, candidates.end(),
                      [](const auto& p, const auto& q) { return p.first > q.first; });
    double best = candidates[0].first;
    for (int i = 0; i < searches; ++i) {
        auto [value, n] = candidates[i];
        double radius = 0.1;
        for (int step = 0; step < kSearchSteps && radius > 1e-9; ++step) {
            const Vec3d trial = scaled(n + toDouble(random.inBall()) * radius);
            const double trialValue = separationAlong(a, b, trial);
            if (trialValue > value) {
                value = trialValue;
                n = trial;
                radius *= 1.5;
            } else {
                radius *= 0.93;
            }
        }
        best = std::max(best, value);
    }
    return best;
}

}  // namespace sunder::testing
