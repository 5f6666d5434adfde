#include "world/breaking/energy/energise_pieces.h"

#include <algorithm>
#include <cmath>

#include "fracture/prescored/piece_energy.h"
#include "world/commit/pieces/make_pieces.h"
#include "world/sleep/wake.h"

namespace sunder::world {

namespace {

// One partner of the blow at its point.
struct Partner {
    Vec3 velocity, angularVelocity, arm;
    Real inverseMass = 0;
    Sym3 inverseInertia;

    Vec3 velocityAtPoint() const { return velocity + cross(angularVelocity, arm); }
    Real response(const Vec3& n) const {
        const Vec3 turn = cross(arm, n);
        return inverseMass + dot(turn, inverseInertia * turn);
    }
    Vec3 gained(const Vec3& impulse) const { return impulse * inverseMass; }
    Vec3 turnGained(const Vec3& impulse) const { return inverseInertia * cross(arm, impulse); }
};

Sym3 inverseInertiaOf(const Body& body) { return rotateDiagonal(toMatrix(body.orientation), body.inversePrincipalInertia); }

Partner strikerOf(const Body& body, const WorldPoint& point) {
    Partner partner;
    if (body.motion == Motion::Static)
        return partner;
    partner.velocity = body.velocity;
    partner.angularVelocity = body.angularVelocity;
    partner.arm = point - body.center;
    if (body.motion == Motion::Dynamic && !body.quarantined) {
        partner.inverseMass = body.inverseMass;
        partner.inverseInertia = inverseInertiaOf(body);
    }
    return partner;
}

Partner struckOf(const BrokenBody& broken) {
    Partner partner{broken.velocity, broken.angularVelocity, broken.point - broken.center, 0, {}};
    if (broken.isDynamic) {
        partner.inverseMass = broken.inverseMass;
        partner.inverseInertia = broken.inverseInertia;
    }
    return partner;
}

// m^2: the area of the cracks, with body and pieces taken for cubes: half of the surface that the pieces have more than the
// body.
double crackArea(const WorldState& world, const BrokenBody& broken, const std::vector<std::uint32_t>& slots) {
    constexpr double kFacesOfCube = 6;
    double volume = 0, faces = 0;
    for (const std::uint32_t slot : slots)
        volume += world.bodies[slot].shape->massProperties.volume;
    for (const std::uint32_t slot : slots)
        faces += powerOf(Real(std::min(world.bodies[slot].shape->massProperties.volume / volume, 1.0)), Real(2) / 3);
    return kFacesOfCube / 2 * double(broken.face) * std::max(faces - 1, 0.0);
}

fracture::EnergisedPiece pieceOf(const Body& body, const WorldPoint& point) {
    const Sym3 inertia = rotateDiagonal(toMatrix(body.orientation), body.principalInertia);
    return {double(body.mass),
            toDouble(body.center - point),
            {double(inertia.xx), double(inertia.yy), double(inertia.zz), double(inertia.xy), double(inertia.xz),
             double(inertia.yz)}};
}

// Impulse of the blow, and what the pieces get of it.
struct Share {
    double stored = 0, given = 0, impulse = 0;
};
Share shareOf(const BrokenBody& broken, double closing, double K, double toCracks) {
    Share share;
    const double lambda = std::min(double(broken.threshold), closing / K);
    share.stored = std::max(lambda * lambda * K / 2 - toCracks, 0.0);
    share.given = double(broken.alpha) * share.stored;
    const double root = closing * closing - 2 * K * share.given;
    share.impulse = root > 0 ? std::min(2 * share.given / (closing + std::sqrt(root)), lambda) : lambda;
    return share;
}

}  // namespace

BrokenBody brokenBody(const Body& body, const BreakRequest& request) {
    BrokenBody broken;
    const Prescored* method = std::get_if<Prescored>(&body.fracture->def.method);
    if (!method || !(method->alpha > 0))
        return broken;
    broken.alpha = method->alpha;
    broken.threshold = thresholdOf(body);
    broken.toughness = body.material.toughness;
    broken.face = body.fracture->face;
    broken.radius = body.shape->boundingRadius;
    broken.isDynamic = body.motion == Motion::Dynamic;
    broken.point = userPosition(body) + rotate(userOrientation(body), request.point);
    broken.center = body.center;
    broken.outward = rotate(userOrientation(body), request.normal);
    broken.velocity = body.velocity;
    broken.angularVelocity = body.angularVelocity;
    broken.inverseMass = body.inverseMass;
    broken.inverseInertia = inverseInertiaOf(body);
    return broken;
}

void energisePieces(WorldState& world, const BrokenBody& broken, std::uint32_t striker,
                    const std::vector<std::uint32_t>& slots) {
    if (!(broken.alpha > 0) || !world.bodies[striker].alive)
        return;
    const Partner from = strikerOf(world.bodies[striker], broken.point), to = struckOf(broken);
    const Vec3 inward = -broken.outward;
    const double closing = double(dot(from.velocityAtPoint() - to.velocityAtPoint(), inward));
    const double K = double(from.response(inward)) + double(to.response(inward));
    if (!(closing > 0) || !(K > 0))
        return;
    const Share share = shareOf(broken, closing, K, double(broken.toughness) * crackArea(world, broken, slots));
    std::vector<fracture::EnergisedPiece> pieces;
    std::vector<std::uint32_t> moving;
    for (const std::uint32_t slot : slots)
        if (world.bodies[slot].motion == Motion::Dynamic) {
            pieces.push_back(pieceOf(world.bodies[slot], broken.point));
            moving.push_back(slot);
        }
    const std::vector<fracture::Motion> motions =
        fracture::motionOfBlow(pieces, double(broken.radius), share.given, broken.isDynamic);
    if (motions.empty())
        return;
    const Vec3 impulse = inward * Real(share.impulse);
    const Vec3 gained = to.gained(impulse), turnGained = to.turnGained(impulse);
    for (std::size_t i = 0; i < moving.size(); ++i) {
        Body& body = world.bodies[moving[i]];
        body.velocity += toReal(motions[i].velocity) + gained + cross(turnGained, body.center - broken.center);
        body.angularVelocity += toReal(motions[i].angularVelocity) + turnGained;
    }
    Body& other = world.bodies[striker];
    other.velocity += from.gained(-impulse);
    other.angularVelocity += from.turnGained(-impulse);
    if (other.motion == Motion::Dynamic)
        wakeBody(world, striker);
    world.stepStats.storedEnergy += share.stored;
    world.stepStats.releasedEnergy += share.given;
}

}  // namespace sunder::world
