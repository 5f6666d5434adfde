// See sunder/joined_pieces.h.
//   [Li18] 4   constraints at the vertices of faces that two pieces share
#include "sunder/joined_pieces.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "collision/built_shape.h"
#include "math/eigen.h"
#include "math/quat.h"
#include "math/vec3d.h"

namespace sunder {

namespace {

constexpr int kInterfaceCorners = 4;

// The corners of the rectangle with the area and the second moments of the bond's face: half widths a with I = A a^2 / 3.
std::vector<Vec3> cornersOf(const Bond& bond) {
    const Vec3 &m = bond.secondMoments, &p = bond.secondProducts;
    const Vec3 normal = normalizeOr(bond.normal, {0, 1, 0});
    std::vector<Vec3> corners;
    Vec3 u = anyPerpendicular(normal), v = cross(normal, u);
    Real halfU = std::sqrt(bond.area) / 2, halfV = halfU;
    if (m.x + m.y + m.z > 0) {
        const SymmetricEigen eigen =
            symmetricEigen({double(m.x), double(m.y), double(m.z), double(p.x), double(p.y), double(p.z)});
        const auto column = [&](int i) {
            return Vec3{Real(eigen.vectors[0][i]), Real(eigen.vectors[1][i]), Real(eigen.vectors[2][i])};
        };
        // The direction with the least second moment is that of the normal, unless the face is bent.
        int along = 0;
        for (int i = 1; i < 3; ++i)
            if (std::fabs(dot(column(i), normal)) > std::fabs(dot(column(along), normal)))
                along = i;
        const auto half = [&](int i) { return Real(std::sqrt(3 * std::max(eigen.values[i], 0.0) / double(bond.area))); };
        u = column((along + 1) % 3);
        v = column((along + 2) % 3);
        halfU = half((along + 1) % 3);
        halfV = half((along + 2) % 3);
    }
    for (const Real i : {Real(-1), Real(1)})
        for (const Real j : {Real(-1), Real(1)})
            corners.push_back(bond.point + u * (halfU * i) + v * (halfV * j));
    return corners;
}

BodyDef pieceOf(const BodyDef& body, const CompoundChild& child, std::size_t number, double shareOfMass) {
    BodyDef piece = body;
    piece.bonds.reset();
    piece.name = body.name.empty() ? std::string() : body.name + "_" + std::to_string(number);
    piece.shape = child.shape;
    const Quat q = normalize(body.orientation);
    const Vec3 offset = rotate(q, child.position);
    piece.position = body.position + offset;
    piece.orientation = q * normalize(child.orientation);
    piece.velocity = body.velocity + cross(body.angularVelocity, offset);
    if (body.mass)
        piece.mass = Real(double(*body.mass) * shareOfMass);
    return piece;
}

JointDef jointAt(const BodyDef& body, const Bond& bond, const Vec3& corner, double distance) {
    const BondsDef& bonds = *body.bonds;
    const Real share = bond.area / kInterfaceCorners;
    JointDef def;
    def.type = JointType::Ball;
    def.anchor = body.position + rotate(normalize(body.orientation), corner);
    def.stiffness = bonds.young.value_or(body.material.young) * share / Real(distance);
    def.breakForce = std::min(bonds.strength.tension, bonds.strength.shear) * bond.strength * share;
    def.breakImpulse = *def.breakForce * bonds.strength.impactTime;
    def.breakInterval = bonds.breakInterval;
    def.alpha = bonds.alpha;
    if (bonds.yield < 1)
        def.yieldForce = *def.breakForce * bonds.yield;
    def.ductility = bonds.ductility;
    return def;
}

}  // namespace

JoinedPieces joinPieces(const BodyDef& body) {
    const Compound* compound = std::get_if<Compound>(&body.shape);
    if (!compound || !body.bonds)
        throw Error("bonds: only the pieces of a bonded compound can be joined");
    if (body.motion != Motion::Dynamic)
        throw Error("motion: only the pieces of a dynamic body can be joined");
    JoinedPieces joined;
    double volume = 0;
    std::vector<double> volumes;
    for (const CompoundChild& child : compound->children) {
        volumes.push_back(buildShape(child.shape)->massProperties.volume);
        volume += volumes.back();
    }
    for (std::size_t i = 0; i < compound->children.size(); ++i)
        joined.bodies.push_back(pieceOf(body, compound->children[i], i, volumes[i] / volume));
    const std::vector<Bond> bonds = body.bonds->bonds.empty() ? findBonds(*compound) : body.bonds->bonds;
    for (const Bond& bond : bonds) {
        if (bond.a >= joined.bodies.size() || bond.b >= joined.bodies.size() || bond.a == bond.b)
            throw Error("bonds: pieces " + std::to_string(bond.a) + " and " + std::to_string(bond.b) +
                        " are not two of the body's " + std::to_string(joined.bodies.size()));
        const double distance = length(joined.bodies[bond.a].position - joined.bodies[bond.b].position);
        for (const Vec3& corner : cornersOf(bond))
            joined.joints.push_back({bond.a, bond.b, jointAt(body, bond, corner, distance)});
    }
    return joined;
}

}  // namespace sunder
