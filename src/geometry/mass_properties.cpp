#include "geometry/mass_properties.h"

#include "math/eigen.h"
#include "math/trigonometry.h"
#include "math/vec3d.h"

namespace sunder::geometry {

namespace {

// Share of the trace: a smaller product of inertia is rounding of the input's coordinates, not a tilt of the axes.
constexpr double kDiagonalTolerance = 4 * double(kEpsilon);

using Matrix = std::array<std::array<double, 3>, 3>;

// In double, because a rotation rounded to float would tilt and scale the inertia.
Matrix rotationMatrix(const Quat& q) {
    double x = q.x, y = q.y, z = q.z, w = q.w;
    const double inverse = 1 / std::sqrt(x * x + y * y + z * z + w * w);
    x *= inverse, y *= inverse, z *= inverse, w *= inverse;
    return {{{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
             {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
             {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}}};
}

// Inertia of a point of the given mass at d.
std::array<double, 6> pointInertia(double mass, const Vec3d& d) {
    return {mass * (d.y * d.y + d.z * d.z),
            mass * (d.x * d.x + d.z * d.z),
            mass * (d.x * d.x + d.y * d.y),
            -mass * d.x * d.y,
            -mass * d.x * d.z,
            -mass * d.y * d.z};
}

MassProperties aboutOrigin(double volume, double xx, double yy, double zz) { return {volume, {}, {xx, yy, zz, 0, 0, 0}}; }

Vec3d midpointOfBounds(std::span<const Vec3> vertices) {
    Vec3 low = vertices[0], high = vertices[0];
    for (const Vec3& v : vertices) {
        low = min(low, v);
        high = max(high, v);
    }
    return (toDouble(low) + toDouble(high)) * 0.5;
}

}  // namespace

MassProperties sphereMass(double radius) {
    const double volume = 4 * kPiDouble / 3 * radius * radius * radius;
    const double moment = 0.4 * volume * radius * radius;
    return aboutOrigin(volume, moment, moment, moment);
}

MassProperties boxMass(const Vec3& halfExtents) {
    const auto [a, b, c] = toDouble(halfExtents);
    const double volume = 8 * a * b * c;
    return aboutOrigin(volume, volume / 3 * (b * b + c * c), volume / 3 * (a * a + c * c), volume / 3 * (a * a + b * b));
}

MassProperties cylinderMass(double radius, double halfHeight) {
    const double rr = radius * radius;
    const double volume = 2 * kPiDouble * rr * halfHeight;
    const double across = volume * (rr / 4 + halfHeight * halfHeight / 3);
    return aboutOrigin(volume, across, volume * rr / 2, across);
}

MassProperties capsuleMass(double radius, double halfHeight) {
    const MassProperties cylinder = cylinderMass(radius, halfHeight);
    const MassProperties ball = sphereMass(radius);
    // A hemisphere's centre is 3/8 r from its flat side: moving both by h adds m (h^2 + 2 h 3/8 r).
    const double moved = ball.volume * halfHeight * (halfHeight + 0.75 * radius);
    const double across = cylinder.inertia[0] + ball.inertia[0] + moved;
    return aboutOrigin(cylinder.volume + ball.volume, across, cylinder.inertia[1] + ball.inertia[1], across);
}

MassProperties meshMass(std::span<const Vec3> vertices, std::span<const std::array<std::uint32_t, 3>> triangles) {
    if (vertices.empty() || triangles.empty())
        return {};
    // Each triangle spans a tetrahedron with the reference point; one near the solid keeps the terms small.
    const Vec3d reference = midpointOfBounds(vertices);
    double six = 0;                  // 6 volume
    Vec3d first;                     // 24 integral of x
    std::array<double, 6> second{};  // 120 integral of x x^T: xx yy zz xy xz yz
    for (const auto& triangle : triangles) {
        const Vec3d a = toDouble(vertices[triangle[0]]) - reference, b = toDouble(vertices[triangle[1]]) - reference,
                    c = toDouble(vertices[triangle[2]]) - reference;
        const double determinant = dot(a, cross(b, c));
        const Vec3d sum = a + b + c;
        six += determinant;
        first = first + sum * determinant;
        const auto add = [&](int entry, double Vec3d::*i, double Vec3d::*j) {
            second[entry] += determinant * (a.*i * a.*j + b.*i * b.*j + c.*i * c.*j + sum.*i * sum.*j);
        };
        add(0, &Vec3d::x, &Vec3d::x);
        add(1, &Vec3d::y, &Vec3d::y);
        add(2, &Vec3d::z, &Vec3d::z);
        add(3, &Vec3d::x, &Vec3d::y);
        add(4, &Vec3d::x, &Vec3d::z);
        add(5, &Vec3d::y, &Vec3d::z);
    }
    if (six == 0)
        return {};
    const double volume = six / 6;
    const Vec3d offset = first * (1 / (4 * six));
    for (double& entry : second)
        entry /= 120;
    const std::array<double, 6> aboutReference = {
        second[1] + second[2], second[0] + second[2], second[0] + second[1], -second[3], -second[4], -second[5]};
    const std::array<double, 6> shift = pointInertia(volume, offset);
    const Vec3d center = reference + offset;
    MassProperties result{volume, {center.x, center.y, center.z}, {}};
    for (int i = 0; i < 6; ++i)
        result.inertia[i] = aboutReference[i] - shift[i];
    return result;
}

MassProperties transformed(const MassProperties& solid, const Pose& outerFromSolid) {
    const Matrix R = rotationMatrix(outerFromSolid.orientation);
    const auto& s = solid.inertia;
    const Matrix I{{{s[0], s[3], s[4]}, {s[3], s[1], s[5]}, {s[4], s[5], s[2]}}};
    const auto rotated = [&](int i, int j) {
        double sum = 0;
        for (int k = 0; k < 3; ++k)
            for (int l = 0; l < 3; ++l)
                sum += R[i][k] * I[k][l] * R[j][l];
        return sum;
    };
    MassProperties result{solid.volume,
                          {outerFromSolid.position.x, outerFromSolid.position.y, outerFromSolid.position.z},
                          {rotated(0, 0), rotated(1, 1), rotated(2, 2), rotated(0, 1), rotated(0, 2), rotated(1, 2)}};
    for (int i = 0; i < 3; ++i)
        for (int k = 0; k < 3; ++k)
            result.center[i] += R[i][k] * solid.center[k];
    return result;
}

MassProperties combined(std::span<const MassProperties> solids) {
    MassProperties result;
    for (const MassProperties& solid : solids) {
        result.volume += solid.volume;
        for (int i = 0; i < 3; ++i)
            result.center[i] += solid.volume * solid.center[i];
    }
    if (result.volume == 0)
        return {};
    for (double& coordinate : result.center)
        coordinate /= result.volume;
    for (const MassProperties& solid : solids) {
        const Vec3d d{solid.center[0] - result.center[0], solid.center[1] - result.center[1],
                      solid.center[2] - result.center[2]};
        const std::array<double, 6> shift = pointInertia(solid.volume, d);
        for (int i = 0; i < 6; ++i)
            result.inertia[i] += solid.inertia[i] + shift[i];
    }
    return result;
}

PrincipalAxes principalAxes(const std::array<double, 6>& inertia) {
    std::array<double, 6> cleaned = inertia;
    const double negligible = kDiagonalTolerance * (inertia[0] + inertia[1] + inertia[2]);
    for (int i = 3; i < 6; ++i)
        if (std::fabs(cleaned[i]) <= negligible)
            cleaned[i] = 0;
    const SymmetricEigen eigen = symmetricEigen(cleaned);
    const auto& v = eigen.vectors;
    PrincipalAxes result{{}, eigen.values};
    if (cleaned[3] != 0 || cleaned[4] != 0 || cleaned[5] != 0)
        result.bodyFromPrincipal = toQuat({{Real(v[0][0]), Real(v[0][1]), Real(v[0][2])},
                                           {Real(v[1][0]), Real(v[1][1]), Real(v[1][2])},
                                           {Real(v[2][0]), Real(v[2][1]), Real(v[2][2])}});
    return result;
}

}  // namespace sunder::geometry
