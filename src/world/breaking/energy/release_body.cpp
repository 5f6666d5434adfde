#include "world/breaking/energy/release_body.h"

namespace sunder::world {

fracture::ReleaseBody releaseBody(const Body* body, const WorldPoint& point) {
    fracture::ReleaseBody out;
    if (!body || body->motion == Motion::Static)
        return out;
    out.velocity = toDouble(body->velocity);
    out.angularVelocity = toDouble(body->angularVelocity);
    out.arm = toDouble(point) - toDouble(body->center);
    if (body->motion != Motion::Dynamic || body->quarantined)
        return out;
    out.inverseMass = double(body->inverseMass);
    // R diag(1 / I) R^T in double, from the axes of the orientation.
    const Mat3 R = toMatrix(body->orientation);
    const Vec3& I = body->inversePrincipalInertia;
    const auto entry = [&](const Vec3& a, const Vec3& b) {
        return double(a.x) * b.x * I.x + double(a.y) * b.y * I.y + double(a.z) * b.z * I.z;
    };
    const double inverse[6] = {entry(R.row0, R.row0), entry(R.row1, R.row1), entry(R.row2, R.row2),
                               entry(R.row0, R.row1), entry(R.row0, R.row2), entry(R.row1, R.row2)};
    for (int i = 0; i < 6; ++i)
        out.inverseInertia[i] = inverse[i];
    return out;
}

}  // namespace sunder::world
