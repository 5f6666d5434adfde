#include "world/breaking/given_loads.h"

#include <algorithm>

#include "sunder/steppers.h"
#include "world/breaking/bond_loads.h"
#include "world/record/body_mass.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

// A stepper without bonds would never clear the list of given loads, so nothing is added to it.
bool isFelt(const WorldState& world, const Body& body) {
    return body.bonds && abilitiesOf(world.def.stepper).bonds && !body.quarantined &&
           (body.motion == Motion::Dynamic || body.motion == Motion::Static);
}

GivenLoad& givenTo(BodyBonds& bonds, std::uint32_t piece) {
    const auto place = std::lower_bound(bonds.given.begin(), bonds.given.end(), piece,
                                        [](const GivenLoad& load, std::uint32_t number) { return load.piece < number; });
    if (place != bonds.given.end() && place->piece == piece)
        return *place;
    GivenLoad load;
    load.piece = piece;
    return *bonds.given.insert(place, load);
}

Vec3 centerOf(const BondedPieces& pieces, std::uint32_t piece) { return toReal(pieces.graph->pieces()[piece].center); }

// A given load in world axes, its moments about a point of the body's frame.
struct GivenSum {
    Vec3 impulse, angularImpulse, force, torque;
};
GivenSum sumAbout(const Body& body, const GivenLoad& given, const Vec3& about) {
    const Quat orientation = userOrientation(body);
    const Vec3 arm = centerOf(*body.bonds->pieces, given.piece) - about;
    return {rotate(orientation, given.impulse), rotate(orientation, given.angularImpulse + cross(arm, given.impulse)),
            rotate(orientation, given.force), rotate(orientation, given.torque + cross(arm, given.force))};
}

// The piece that a force or impulse acts on, with the vector and its moment in body axes.
struct Place {
    GivenLoad& given;
    Vec3 vector, moment;  // about the centre of the piece
};
Place placeOf(Body& body, const Vec3& vector, const WorldPoint& point) {
    const BondedPieces& pieces = piecesOf(body);
    const Quat orientation = userOrientation(body);
    const Vec3 place = inverseRotate(orientation, point - userPosition(body)), local = inverseRotate(orientation, vector);
    const std::uint32_t piece = pieceAt(pieces, place);
    return {givenTo(*body.bonds, piece), local, cross(place - centerOf(pieces, piece), local)};
}

}  // namespace

void giveImpulse(const WorldState& world, Body& body, const Vec3& impulse, const WorldPoint& point) {
    if (!isFelt(world, body))
        return;
    const Place place = placeOf(body, impulse, point);
    place.given.impulse += place.vector;
    place.given.angularImpulse += place.moment;
}

void giveForce(const WorldState& world, Body& body, const Vec3& force, const WorldPoint& point) {
    if (!isFelt(world, body))
        return;
    const Place place = placeOf(body, force, point);
    place.given.force += place.vector;
    place.given.torque += place.moment;
}

void giveBlast(const WorldState& world, Body& body, const Vec3& impulse, const OnBall& onBall) {
    if (!isFelt(world, body))
        return;
    const BondedPieces& pieces = piecesOf(body);
    const Quat orientation = userOrientation(body);
    std::vector<Vec3> shares;
    Vec3 sum;
    for (std::uint32_t i = 0; i < pieces.bounds.size(); ++i) {
        const Real radius = length(pieces.bounds[i].high - pieces.bounds[i].low) / 2;
        shares.push_back(onBall(userPosition(body) + rotate(orientation, centerOf(pieces, i)), radius));
        sum += shares.back();
    }
    // Scaled so that the shares add up, along the blast, to the impulse on the whole body.
    const Real along = dot(sum, impulse);
    if (!(along > 0))
        return;
    for (std::uint32_t i = 0; i < shares.size(); ++i)
        if (const Vec3 share = shares[i] * (lengthSquared(impulse) / along); !(share == Vec3{}))
            givenTo(*body.bonds, i).impulse += inverseRotate(orientation, share);
}

void takeGiven(Body& body) {
    for (const GivenLoad& given : body.bonds->given) {
        const GivenSum sum = sumAbout(body, given, body.bodyFromPrincipal.position);
        push(body, -sum.impulse);
        turn(body, -sum.angularImpulse);
    }
}

void handGiven(WorldState& world, const Body& body, const std::vector<std::uint32_t>& componentOf,
               const std::vector<std::uint32_t>& slots) {
    for (const GivenLoad& given : body.bonds->given) {
        Body& component = world.bodies[slots[componentOf[given.piece]]];
        if (component.motion != Motion::Dynamic)
            continue;
        const Vec3 center = inverseRotate(userOrientation(body), component.center - userPosition(body));
        const GivenSum sum = sumAbout(body, given, center);
        push(component, sum.impulse);
        turn(component, sum.angularImpulse);
        component.force += sum.force;
        component.torque += sum.torque;
    }
}

void endGiven(BodyBonds& bonds, bool isLast) {
    if (isLast)
        return bonds.given.clear();
    for (GivenLoad& given : bonds.given)
        given.impulse = given.angularImpulse = {};
}

}  // namespace sunder::world
