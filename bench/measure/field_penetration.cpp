#include "measure/field_penetration.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <variant>

#include "collision/built_shape.h"
#include "geometry/surface/surface_vertices.h"
#include "scenes/mechanics.h"

namespace sunder::measure {

namespace {

using scenes::Axes;
using scenes::Vector;

struct Solid {
    std::vector<Vector> points;  // of the whole surface, in the shape's frame
    const geometry::LevelSet16* field = nullptr;
};

struct Placed {
    BodyId id;
    const Solid* solid = nullptr;  // or a box, or a ball
    Vector halfExtents;
    double radius = 0;
    Vector position, low, high;
    Axes axes;
    bool isMoving = false;
    int touching = 0;
};

double distanceAlong(double value, double low, double high) { return std::max({low - value, value - high, 0.0}); }

// Trilinear; beyond the grid the distance to it as well.
double distanceIn(const geometry::LevelSet16& field, const Vector& p) {
    const geometry::Grid& grid = field.grid;
    const double cell = grid.cell;
    const double u[3] = {(p.x - double(grid.origin.x)) / cell, (p.y - double(grid.origin.y)) / cell,
                         (p.z - double(grid.origin.z)) / cell};
    const int nodes[3] = {grid.nodes.x, grid.nodes.y, grid.nodes.z};
    int first[3];
    double f[3], outside = 0;
    for (int i = 0; i < 3; ++i) {
        const double inside = std::clamp(u[i], 0.0, double(nodes[i] - 1));
        first[i] = std::min(int(inside), nodes[i] - 2);
        f[i] = inside - first[i];
        outside += (u[i] - inside) * (u[i] - inside);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const int x = corner & 1, y = corner >> 1 & 1, z = corner >> 2;
        const double weight = (x ? f[0] : 1 - f[0]) * (y ? f[1] : 1 - f[1]) * (z ? f[2] : 1 - f[2]);
        sum += weight * double(field.values[grid.index(first[0] + x, first[1] + y, first[2] + z)]);
    }
    sum *= double(field.step);
    return outside > 0 ? std::sqrt(sum * sum + outside * cell * cell) : sum;
}

double distanceTo(const Placed& other, const Vector& p) {
    if (other.solid)
        return distanceIn(*other.solid->field, p);
    if (other.radius > 0)
        return length(p) - other.radius;
    const Vector beyond{std::abs(p.x) - other.halfExtents.x, std::abs(p.y) - other.halfExtents.y,
                        std::abs(p.z) - other.halfExtents.z};
    const Vector out{std::max(beyond.x, 0.0), std::max(beyond.y, 0.0), std::max(beyond.z, 0.0)};
    return length(out) + std::min(0.0, std::max({beyond.x, beyond.y, beyond.z}));
}

// The least distance of a point of `own` to the other, or `most` where all are farther.
double leastDistance(const Placed& own, const Placed& other, double most) {
    double least = most;
    const Vector offset = own.position - other.position;
    const Vector ofX = other.axes.toBody(own.axes.x), ofY = other.axes.toBody(own.axes.y), ofZ = other.axes.toBody(own.axes.z),
                 at = other.axes.toBody(offset);
    for (const Vector& point : own.solid->points) {
        const Vector p = at + ofX * point.x + ofY * point.y + ofZ * point.z;
        if (other.solid) {
            const Bounds box = other.solid->field->grid.bounds();
            if (distanceAlong(p.x, box.low.x, box.high.x) + distanceAlong(p.y, box.low.y, box.high.y) +
                    distanceAlong(p.z, box.low.z, box.high.z) >
                0)
                continue;
        }
        least = std::min(least, distanceTo(other, p));
    }
    return least;
}

class Measure {
public:
    explicit Measure(const World& world) {
        for (const BodyId id : world.bodies())
            add(world, id);
        std::sort(bodies_.begin(), bodies_.end(), [](const Placed& a, const Placed& b) { return a.low.x < b.low.x; });
    }

    FieldPenetration run(double touch) {
        FieldPenetration result;
        for (std::size_t i = 0; i < bodies_.size(); ++i)
            for (std::size_t j = i + 1; j < bodies_.size() && bodies_[j].low.x <= bodies_[i].high.x; ++j)
                measurePair(bodies_[i], bodies_[j], touch, result);
        double sum = 0;
        for (const Placed& body : bodies_)
            if (body.isMoving && body.solid) {
                ++result.moving;
                result.inContact += body.touching > 0;
                sum += body.touching;
            }
        result.neighbours = result.moving > 0 ? sum / result.moving : 0;
        return result;
    }

private:
    void add(const World& world, BodyId id) {
        Placed body;
        body.id = id;
        body.position = scenes::toVector(world.position(id));
        body.axes = scenes::axesOf(world.orientation(id));
        body.isMoving = world.motion(id) == Motion::Dynamic;
        const Shape* shape = &world.shape(id);
        if (const SharedShape* shared = std::get_if<SharedShape>(shape))
            shape = &(*shared)->definition;
        Vector low, high;
        if (const LevelSet* levelSet = std::get_if<LevelSet>(shape)) {
            body.solid = &solidOf(*levelSet);
            const Bounds bounds = body.solid->field->grid.bounds();
            low = scenes::toVector(bounds.low);
            high = scenes::toVector(bounds.high);
        } else if (const Box* box = std::get_if<Box>(shape)) {
            high = body.halfExtents = scenes::toVector(box->halfExtents);
            low = high * -1;
        } else if (const Sphere* sphere = std::get_if<Sphere>(shape)) {
            body.radius = double(sphere->radius);
            high = {body.radius, body.radius, body.radius};
            low = high * -1;
        } else {
            return;
        }
        const Vector middle = body.position + body.axes.toWorld((low + high) * 0.5), half = (high - low) * 0.5;
        const auto reach = [&](double x, double y, double z) {
            return std::abs(x) * half.x + std::abs(y) * half.y + std::abs(z) * half.z;
        };
        const Axes& r = body.axes;
        const Vector extent{reach(r.x.x, r.y.x, r.z.x), reach(r.x.y, r.y.y, r.z.y), reach(r.x.z, r.y.z, r.z.z)};
        body.low = middle - extent;
        body.high = middle + extent;
        bodies_.push_back(body);
    }

    const Solid& solidOf(const LevelSet& shape) {
        const auto [entry, isNew] = solids_.try_emplace(shape.sampled.get());
        if (isNew) {
            entry->second.field = &shape.sampled->field;
            for (const geometry::SurfaceVertex& vertex : geometry::surfaceVertices(shape.sampled->field))
                entry->second.points.push_back(scenes::toVector(vertex.position));
        }
        return entry->second;
    }

    static void measurePair(Placed& a, Placed& b, double touch, FieldPenetration& result) {
        if (!(a.isMoving || b.isMoving) || !(a.solid || b.solid) || a.low.y > b.high.y || b.low.y > a.high.y ||
            a.low.z > b.high.z || b.low.z > a.high.z)
            return;
        double cell = 1e9;
        for (const Placed* body : {&a, &b})
            if (body->solid)
                cell = std::min(cell, double(body->solid->field->grid.cell));
        double least = touch * cell;
        if (a.solid)
            least = leastDistance(a, b, least);
        if (b.solid)
            least = leastDistance(b, a, least);
        if (!(least < touch * cell))
            return;
        ++result.pairs;
        ++a.touching;
        ++b.touching;
        result.largest = std::max(result.largest, -least);
        if (-least / cell > result.largestCells) {
            result.largestCells = -least / cell;
            result.a = a.id;
            result.b = b.id;
        }
    }

    std::map<const SampledSolid*, Solid> solids_;
    std::vector<Placed> bodies_;
};

}  // namespace

FieldPenetration measureFields(const World& world, double touch) { return Measure(world).run(touch); }

}  // namespace sunder::measure
