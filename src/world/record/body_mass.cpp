#include "world/record/body_mass.h"

namespace sunder::world {

void updateMass(Body& body) {
    const geometry::MassProperties& unit = body.shape->massProperties;
    const Quat userFrame = userOrientation(body);
    const WorldPoint userOrigin = userPosition(body);
    const WorldPoint oldCenter = body.center;

    const Vec3 shapeCenter{Real(unit.center[0]), Real(unit.center[1]), Real(unit.center[2])};
    body.bodyFromPrincipal = {body.centerOverride.value_or(shapeCenter), {}};
    body.mass = body.inverseMass = 0;
    body.principalInertia = body.inversePrincipalInertia = {};
    if (body.motion == Motion::Dynamic) {
        const double mass = body.massOverride ? double(*body.massOverride) : double(body.material.density) * unit.volume;
        const double density = mass / unit.volume;
        body.mass = Real(mass);
        body.inverseMass = Real(1 / mass);
        if (body.inertiaOverride) {
            body.principalInertia = *body.inertiaOverride;
        } else {
            std::array<double, 6> inertia = unit.inertia;
            // By the theorem of parallel axes, for a centre that was set by a call.
            const Vec3 shift = body.bodyFromPrincipal.position - shapeCenter;
            const double x = shift.x, y = shift.y, z = shift.z, v = unit.volume;
            inertia[0] += v * (y * y + z * z);
            inertia[1] += v * (x * x + z * z);
            inertia[2] += v * (x * x + y * y);
            inertia[3] -= v * x * y;
            inertia[4] -= v * x * z;
            inertia[5] -= v * y * z;
            const geometry::PrincipalAxes axes = geometry::principalAxes(inertia);
            body.bodyFromPrincipal.orientation = axes.bodyFromPrincipal;
            body.principalInertia = {Real(axes.moments[0] * density), Real(axes.moments[1] * density),
                                     Real(axes.moments[2] * density)};
        }
        body.inversePrincipalInertia = {1 / body.principalInertia.x, 1 / body.principalInertia.y, 1 / body.principalInertia.z};
    }
    if (body.bonds) {
        BodyBonds& bonds = *body.bonds;
        bonds.young = bonds.def.young.value_or(body.material.young);
        bonds.poisson = bonds.def.poisson.value_or(body.material.poisson);
        bonds.pieces.reset();
        bonds.isKnown = false;
    }
    placeBody(body, userOrigin, userFrame);
    body.velocity += cross(body.angularVelocity, body.center - oldCenter);
}

void placeBody(Body& body, const WorldPoint& position, const Quat& orientation) {
    body.orientation = orientation * body.bodyFromPrincipal.orientation;
    body.center = position + rotate(orientation, body.bodyFromPrincipal.position);
}

void push(Body& body, const Vec3& impulse) { body.velocity += impulse * body.inverseMass; }

void turn(Body& body, const Vec3& angularImpulse) {
    const Vec3 local = multiply(body.inversePrincipalInertia, inverseRotate(body.orientation, angularImpulse));
    body.angularVelocity += rotate(body.orientation, local);
}

}  // namespace sunder::world
