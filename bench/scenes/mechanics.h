// Energy and momentum of a world of boxes, in double, from what the public interface tells: poses, velocities, masses.
#pragma once

#include <cmath>

#include "scenes/parts.h"

namespace sunder::scenes {

struct Vector {
    double x = 0, y = 0, z = 0;

    friend Vector operator+(const Vector& a, const Vector& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
    friend Vector operator-(const Vector& a, const Vector& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
    friend Vector operator*(const Vector& a, double s) { return {a.x * s, a.y * s, a.z * s}; }
    friend double dot(const Vector& a, const Vector& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
    friend Vector cross(const Vector& a, const Vector& b) {
        return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    }
    friend double length(const Vector& a) { return std::sqrt(dot(a, a)); }
};

inline Vector toVector(const Vec3& v) { return {double(v.x), double(v.y), double(v.z)}; }

// The body's axes in world space.
struct Axes {
    Vector x, y, z;

    Vector toWorld(const Vector& v) const { return x * v.x + y * v.y + z * v.z; }
    Vector toBody(const Vector& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
};

inline Axes axesOf(const Quat& q) {
    const double n = 1 / std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    const double x = q.x * n, y = q.y * n, z = q.z * n, w = q.w * n;
    return {{1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)},
            {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)},
            {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)}};
}

struct Mechanics {
    double kinetic = 0, potential = 0;     // J; heights from y = 0
    Vector linear, angular;                // kg m/s; kg m^2/s about the origin
    double linearSum = 0, angularSum = 0;  // of the bodies' magnitudes

    double energy() const { return kinetic + potential; }
};

// A box as its engine tells of it; x is where its centre is.
struct MovingBox {
    double mass;
    Vector halfExtents, x, v;
    Axes axes;
    Vector w;  // rad/s, world axes
};

// gravity points down.
inline void add(Mechanics& sum, const MovingBox& box, double gravity) {
    const double m = box.mass;
    const Vector &h = box.halfExtents, &x = box.x, &v = box.v;
    const Vector w = box.axes.toBody(box.w);
    const Vector spin{m / 3 * (h.y * h.y + h.z * h.z) * w.x, m / 3 * (h.x * h.x + h.z * h.z) * w.y,
                      m / 3 * (h.x * h.x + h.y * h.y) * w.z};
    const Vector orbital = cross(x, v * m), own = box.axes.toWorld(spin);
    sum.kinetic += 0.5 * m * dot(v, v) + 0.5 * dot(spin, w);
    sum.potential += m * gravity * x.y;
    sum.linear = sum.linear + v * m;
    sum.angular = sum.angular + orbital + own;
    sum.linearSum += m * length(v);
    sum.angularSum += length(orbital) + length(own);
}

inline Mechanics mechanicsOf(const BoxScene& scene) {
    Mechanics sum;
    const World& world = scene.world;
    for (const BoxRecord& box : scene.moving)
        add(sum,
            {.mass = world.mass(box.id),
             .halfExtents = toVector(box.halfExtents),
             .x = toVector(world.position(box.id)),
             .v = toVector(world.velocity(box.id)),
             .axes = axesOf(world.orientation(box.id)),
             .w = toVector(world.angularVelocity(box.id))},
            -double(world.gravity().y));
    return sum;
}

}  // namespace sunder::scenes
