// The state that future steps depend on, struct by struct (see archive.h). A struct that gains a field does not compile until
// the field is named in the binding here; visit it too, unless every step computes it before it is used.
#pragma once

#include <tuple>

#include "world/persist/archive.h"
#include "world/state/state.h"

namespace sunder::world {

template <>
inline constexpr dynamics::AnchorMotion kLastEnumerator<dynamics::AnchorMotion> = dynamics::AnchorMotion::Stays;

template <class Archive, MaybeConst<fracture::LoadSample> S>
void visitState(Archive& archive, S& sample) {
    auto& [duration, impulse, angularImpulse, endForce, endTorque] = sample;
    archive(duration, impulse, angularImpulse, endForce, endTorque);
}

template <class Archive, MaybeConst<fracture::LoadWindow> W>
void visitState(Archive& archive, W& window) {
    auto& [recent, meanForce, meanTorque, hasBegun] = window;
    archive(recent, meanForce, meanTorque, hasBegun);
}

template <class Archive, MaybeConst<fracture::LoadReading> R>
void visitState(Archive& archive, R& reading) {
    auto& [recentForce, recentTorque, meanForce, meanTorque, blow, angularBlow, duration, isReady] = reading;
    archive(recentForce, recentTorque, meanForce, meanTorque, blow, angularBlow, duration, isReady);
}

template <class Archive, MaybeConst<PieceLoad> P>
void visitState(Archive& archive, P& load) {
    auto& [piece, window] = load;
    archive(piece, window);
}

template <class Archive, MaybeConst<KnownLoad> K>
void visitState(Archive& archive, K& load) {
    auto& [piece, reading] = load;
    archive(piece, reading);
}

template <class Archive, MaybeConst<GivenLoad> G>
void visitState(Archive& archive, G& load) {
    auto& [piece, impulse, angularImpulse, force, torque] = load;
    archive(piece, impulse, angularImpulse, force, torque);
}

template <class Archive, MaybeConst<BodyBonds> B>
void visitState(Archive& archive, B& bonds) {
    auto& [def, young, poisson, loads, given, clock, known, knownSpin, knownGravity, knownRatio, isKnown, nextBreakTime, pieces,
           earlier] = bonds;
    auto& [list, strength, youngOverride, poissonOverride, alpha, breakInterval, yield, ductility, anchored] = def;
    archive(list, strength, young, poisson, alpha, breakInterval, anchored);
    visitLater(archive, yield != 1, yield);
    archive.aside(ductility);                       // of joined pieces, which are joints
    archive.aside(youngOverride, poissonOverride);  // they act through young and poisson
    archive(loads, given, clock, known, knownSpin, knownGravity, knownRatio, isKnown, nextBreakTime);
}

template <class Archive, MaybeConst<StressLoad> L>
void visitState(Archive& archive, L& load) {
    auto& [point, force] = load;
    archive(point, force);
}

template <class Archive, MaybeConst<KeptCrack> C>
void visitState(Archive& archive, C& crack) {
    auto& [nodes, tets, distances] = crack;
    archive(nodes, tets, distances);
}

template <class Archive, MaybeConst<StressMemory> M>
void visitState(Archive& archive, M& memory) {
    auto& [cracks, borneForce, borneCenter] = memory;
    archive(cracks, borneForce, borneCenter);
}

template <class Archive, MaybeConst<BodyFracture> F>
void visitState(Archive& archive, F& fracture) {
    auto& [def, solid, alignedScale, alignedNodes, damage, face, stress] = fracture;
    archive(def, solid, alignedScale, alignedNodes, damage, face);
    // Only where it counts, so that hashes of bodies that break by a pattern remain what they were.
    if (std::holds_alternative<Stressed>(def.method))
        archive(stress);
}

template <class Archive, MaybeConst<VertexCollider> C>
void visitState(Archive& archive, C& collider) {
    auto& [vertices, proxy, swept] = collider;
    archive(vertices, proxy);
}

template <class Archive, MaybeConst<BodyVertices> V>
void visitState(Archive& archive, V& vertices) {
    auto& [positions, velocities, triangles, revision, colliders] = vertices;
    archive(positions, velocities, triangles, revision, colliders);
}

template <class Archive, MaybeConst<DeformableBody::Pin> P>
void visitState(Archive& archive, P& pin) {
    auto& [node, place] = pin;
    archive(node, place);
}

template <class Archive, MaybeConst<DeformableBody::Grip> G>
void visitState(Archive& archive, G& grip) {
    auto& [node, body, slip] = grip;
    archive(node, body, slip);
}

template <class Archive, MaybeConst<DeformableBody::Hold> H>
void visitState(Archive& archive, H& hold) {
    auto& [node, body, point] = hold;
    archive(node, body, point);
}

template <class Archive, MaybeConst<deformable::Splinter> S>
void visitState(Archive& archive, S& splinter) {
    for (auto& corner : splinter.corners)
        archive(corner);
}

template <class Archive, MaybeConst<SplinterRecord> S>
void visitState(Archive& archive, S& splinters) {
    auto& [halfExtents, shift, number, owner, trimmed, skin] = splinters;
    archive(halfExtents, shift, number, owner, trimmed);
}

template <class Archive, MaybeConst<DeformableBody::Force> F>
void visitState(Archive& archive, F& given) {
    auto& [node, force] = given;
    archive(node, force);
}

template <class Archive, MaybeConst<geometry::TetMesh> M>
void visitState(Archive& archive, M& mesh) {
    auto& [vertices, tets] = mesh;
    archive(vertices, tets);
}

// Lanes are unpacked: how many lie side by side depends on the machine.
template <class Archive, MaybeConst<DeformableBody> D>
void visitState(Archive& archive, D& solid) {
    auto& [def, material, memory, pins, holds, forces, grips, splinters, torn, load, isTearing, model] = solid;
    auto& [elastic, massDamping, stiffnessDamping, yieldStrain, creepRate, largestPlastic, plasticity, smoothing] = material;
    auto& [young, poisson, density] = elastic;
    archive(def, young, poisson, density, massDamping, stiffnessDamping, yieldStrain, creepRate, largestPlastic, smoothing,
            pins, holds, forces);
    archive.aside(splinters);
    // Only where it counts, so that hashes of other bodies remain what they were.
    if (def.staticFriction == FleshStiction::Pid)
        archive(grips);
    if (def.tears)
        archive(torn, load, isTearing);
    if constexpr (std::is_const_v<D>) {
        const TetMemory unpacked = unpack(solid);
        archive(unpacked.usesQr, unpacked.plastic);
    } else {
        plasticity = plasticityOf(def);
        TetMemory unpacked;
        archive(unpacked.usesQr, unpacked.plastic);
        pack(unpacked, solid);
    }
}

template <class Archive, MaybeConst<BodyTraits> T>
void visitState(Archive& archive, T& traits) {
    auto& [motion, shape, shapeAsGiven, material, massOverride, inertiaOverride, centerOverride, linearDamping, angularDamping,
           gravityFactor, lockedAxes, surfaceVelocity, layer, mask, sensor, allowSleep, sleepFactor, keyframes] = traits;
    archive(motion, linearDamping, angularDamping, gravityFactor, lockedAxes, surfaceVelocity, layer, mask, sensor, allowSleep,
            sleepFactor);
    archive.aside(shapeAsGiven);
    archive(shape, material, massOverride, inertiaOverride, centerOverride, keyframes);
}

template <class Archive, MaybeConst<BodyMass> M>
void visitState(Archive& archive, M& body) {
    auto& [bodyFromPrincipal, mass, inverseMass, principalInertia, inversePrincipalInertia] = body;
    archive(bodyFromPrincipal, mass, inverseMass, principalInertia, inversePrincipalInertia);
}

template <class Archive, MaybeConst<BodyMotion> M>
void visitState(Archive& archive, M& body) {
    auto& [center, orientation, velocity, angularVelocity, formerVelocity, formerAngularVelocity, force, torque, target,
           quarantined] = body;
    archive(center, orientation, velocity, angularVelocity, formerVelocity, formerAngularVelocity, force, torque, quarantined);
    archive(target);
}

template <class Archive, MaybeConst<BodyRest> R>
void visitState(Archive& archive, R& rest) {
    auto& [island, restTime, placeTime, placeCenter, meanCenter, placeOrientation, meanOrientation] = rest;
    archive(island, restTime, placeTime, placeCenter, meanCenter, placeOrientation, meanOrientation);
}

template <class Archive, MaybeConst<BodyPlaces> P>
void visitState(Archive& archive, P& places) {
    auto& [proxy, solverIndex, isFresh] = places;
    archive(proxy, solverIndex, isFresh);
}

// A body as one of its base structs, const where the body is.
template <class Part, class B>
auto& partOf(B& body) {
    return static_cast<std::conditional_t<std::is_const_v<B>, const Part, Part>&>(body);
}

template <class Archive, MaybeConst<Body> B>
void visitState(Archive& archive, B& body) {
    auto& [alive, generation, serial, name, userData, parent, birth] = partOf<BodyIdentity>(body);
    archive(alive, generation);
    if (!alive)
        return;
    archive(serial, parent, birth);
    archive.aside(userData, name);
    archive(partOf<BodyTraits>(body), partOf<BodyMass>(body), partOf<BodyMotion>(body), partOf<BodyRest>(body),
            partOf<BodyPlaces>(body), body.fracture, body.bonds, body.vertices, body.solid);
    // Of a body that cracks by stress, what its material bears steers steps.
    if (body.fracture && std::holds_alternative<Stressed>(body.fracture->def.method))
        archive(body.material.young, body.material.poisson, body.material.strength, body.material.toughness,
                body.material.yield);
    if (body.solid && body.solid->def.tears)
        archive(body.material.strength);
    struct Parts : BodyIdentity, BodyTraits, BodyMass, BodyMotion, BodyRest, BodyPlaces {
        Rare<BodyFracture> fracture;
        Rare<BodyBonds> bonds;
        Rare<BodyVertices> vertices;
        Rare<DeformableBody> solid;
    };
    static_assert(sizeof(Body) == sizeof(Parts), "a body has gained a part or a field: visit it above, and name it here");
}

template <class Archive, MaybeConst<FleshPoint> P>
void visitState(Archive& archive, P& point) {
    auto& [tet, weight] = point;
    archive(tet, weight);
}

template <class Archive, MaybeConst<JointFlesh> F>
void visitState(Archive& archive, F& flesh) {
    auto& [joint, reach, a, b] = flesh;
    archive(joint, reach, a, b);
}

template <class Archive, MaybeConst<Joint> J>
void visitState(Archive& archive, J& joint) {
    auto& [alive, traits, bodyA, bodyB, generation, serial, frameA, frameB, impulse, force, torque, spec, def, window,
           nextBreakTime, flowed] = joint;
    archive(alive, generation);
    if (!alive)
        return;
    archive(serial, frameA, frameB, impulse, force, torque, nextBreakTime);
    archive(def, window);
    visitLater(archive, flowed != 0, flowed);
}

template <class Archive, MaybeConst<FleshJointState> F>
void visitState(Archive& archive, F& joints) {
    auto& [held, loads, areLoadsNews] = joints;
    visitLater(archive, !held.empty(), held);
}

template <class Archive, MaybeConst<JointEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [kind, joint, a, b, userData, force, torque, isImpact, storedEnergy] = event;
    archive(kind, joint, a, b, userData, force, torque, isImpact, storedEnergy);
}

template <class Archive, MaybeConst<SeenPair> S>
void visitState(Archive& archive, S& seen) {
    auto& [place, turn, larger, reach, distance] = seen;
    archive(place, turn, larger, reach, distance);
}

template <class Archive, MaybeConst<ContactPair> P>
void visitState(Archive& archive, P& pair) {
    auto& [bodyA, bodyB, seen, firstManifold, manifoldCount, restDepth, load, slowLoad, childA, childB, loadedFor, touching,
           sensorTouches] = pair;
    archive(bodyA, bodyB, childA, childB, firstManifold, manifoldCount, touching, sensorTouches, restDepth, seen, load,
            slowLoad, loadedFor);
}

template <class Archive, MaybeConst<dynamics::AnchorFrame> F>
void visitState(Archive& archive, F& frame) {
    auto& [motion, center, axis, startAxis] = frame;
    archive(motion, center, axis, startAxis);
}

template <class Archive, MaybeConst<dynamics::ConstraintPoint> P>
void visitState(Archive& archive, P& point) {
    auto& [anchorA, anchorB, feature, armA, armB, separation, normalImpulse, tangentImpulse1, tangentImpulse2,
           totalNormalImpulse, totalTangentImpulse1, totalTangentImpulse2, bounceVelocity] = point;
    // bounceVelocity is left out: every substep sets it.
    archive(anchorA, anchorB, feature, armA, armB, separation, normalImpulse, tangentImpulse1, tangentImpulse2,
            totalNormalImpulse, totalTangentImpulse1, totalTangentImpulse2);
}

template <class Archive, MaybeConst<dynamics::ContactConstraint> C>
void visitState(Archive& archive, C& constraint) {
    auto& [bodyA, bodyB, id, count, clamped, age, substep, isFirm, isFlat, normal, tangent1, tangent2, frameA, frameB,
           centerOffset, pointOnB, material, angular, points] = constraint;
    auto& [key, childA, childB] = id;
    auto& [surfaceVelocity, friction, restitution, rollingFriction, spinningFriction] = material;
    auto& [rolling1, rolling2, spinning] = angular;
    // SubstepFlags are left out: every substep sets them.
    archive(bodyA, bodyB, key, childA, childB, count, clamped, age, isFirm, isFlat, normal, tangent1, tangent2, centerOffset,
            pointOnB, surfaceVelocity, friction, restitution, rollingFriction, spinningFriction, rolling1, rolling2, spinning);
    archive(frameA, frameB);
    archive.firstOf(points, count);
}

template <class Archive, MaybeConst<ContactEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [phase, a, b, sensor, point, normal, impulse, frictionImpulse, penetration] = event;
    archive(phase, a, b, sensor, point, normal, impulse, frictionImpulse, penetration);
}

template <class Archive, MaybeConst<SleepingIsland> I>
void visitState(Archive& archive, I& island) {
    auto& [bodies, pairs, constraints, substep] = island;
    archive(bodies, pairs, constraints, substep);
}

template <class Archive, MaybeConst<SleepEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, asleep] = event;
    archive(body, asleep);
}

template <class Archive, MaybeConst<SleepState> S>
void visitState(Archive& archive, S& sleep) {
    auto& [islands, freeIslands, events, nextEvents, groups, mayRest, islandOf, struck, reached, wayOf, thrown, thrownAt,
           manifolds] = sleep;
    archive(islands, freeIslands);
    archive.aside(events, nextEvents);
}

template <class Archive, MaybeConst<ErrorEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, message] = event;
    archive(body, message);
}

template <>
inline constexpr BreakRequest::Kind kLastEnumerator<BreakRequest::Kind> = BreakRequest::Kind::Loads;

template <class Archive, MaybeConst<BreakRequest> R>
void visitState(Archive& archive, R& request) {
    auto& [body, kind, point, normal, impulse, push, waitsSince, loads, energy, striker] = request;  // no striker waits
    archive(body, kind, point, normal, impulse, push, waitsSince);
    if (kind == BreakRequest::Kind::Loads)
        archive(loads, energy);
}

template <class Archive, MaybeConst<Explosion> E>
void visitState(Archive& archive, E& explosion) {
    auto& [point, impulse, radius, isShielded] = explosion;
    archive(point, impulse, radius, isShielded);
}

template <class Archive, MaybeConst<DebrisPiece> D>
void visitState(Archive& archive, D& piece) {
    auto& [body, fate, due] = piece;
    archive(body, fate, due);
}

template <class Archive, MaybeConst<BreakEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, point, normal, impulse, pieces, stress, element, rule] = event;
    archive(body, point, normal, impulse, pieces, stress, element, rule);
}

template <class Archive, MaybeConst<TornFace> F>
void visitState(Archive& archive, F& face) {
    auto& [point, normal, area] = face;
    archive(point, normal, area);
}

template <class Archive, MaybeConst<TearEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, point, normal, stress, area, faces] = event;
    archive(body, point, normal, stress, area, faces);
}

template <class Archive, MaybeConst<DustGrain> G>
void visitState(Archive& archive, G& grain) {
    auto& [position, velocity, size, age] = grain;
    archive(position, velocity, size, age);
}

template <class Archive, MaybeConst<DentEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, point, depth, stress, work] = event;
    archive(body, point, depth, stress, work);
}

template <class Archive, MaybeConst<BreakingState> B>
void visitState(Archive& archive, B& breaking) {
    auto& [waiting, explosions, debris, debrisByAge, count, anyBreakable, events, tears, dentEvents, dust, hits, dents,
           piecesMade, workDone, countBefore, aligned, knownPatterns, stressMeshes, stressOutcome, stressMaps] = breaking;
    archive(waiting, explosions, debris, debrisByAge, count, anyBreakable);
    archive.aside(events);
    archive.aside(tears, dentEvents, dust);
}

template <class Archive, MaybeConst<Release> R>
void visitState(Archive& archive, R& release) {
    auto& [a, b, pointInA, pointInB, force, torque, towardsB, stored, energy, timeLeft, seed] = release;
    archive(a, b, pointInA, pointInB, force, torque, towardsB, stored, energy, timeLeft, seed);
}

template <class Archive, MaybeConst<CollisionEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [a, b, time, speed, impulse] = event;
    archive(a, b, time, speed, impulse);
}

template <class Archive, MaybeConst<BondEvent> E>
void visitState(Archive& archive, E& event) {
    auto& [body, bond, point, force, torque, isImpact, storedEnergy] = event;
    archive(body, bond, point, force, torque, isImpact, storedEnergy);
}

template <class Archive, MaybeConst<OverloadState> O>
void visitState(Archive& archive, O& overloads) {
    auto& [releases, bondEvents, count, joints, bodies] = overloads;
    archive(releases, count);
    archive.aside(bondEvents);
}

// The counts of the last step. Its wall times are left out, because they differ from run to run.
template <class Archive, MaybeConst<WorldStats> S>
void visitState(Archive& archive, S& stats) {
    archive.aside(stats.passesPerContact, stats.clampedImpulses, stats.collisions, stats.cutCollisions, stats.missedCollisions,
                  stats.stableBodies, stats.analyticPoints, stats.analyticFallbacks, stats.analyticResidual,
                  stats.guardedIslands, stats.guardedEnergy, stats.breaks, stats.rewinds, stats.loadSolves, stats.stressSolves,
                  stats.stressIterations, stats.crackedElements, stats.dents, stats.storedEnergy, stats.releasedEnergy,
                  stats.releasedMomentum, stats.searches, stats.pairLooks, stats.wakeLooks, stats.manifoldPasses);
}

template <class Archive, MaybeConst<BodyRoster> R>
void visitState(Archive& archive, R& roster) {
    auto& [freeSlots, nextSerial, moving, bonded, deforming, hasFresh, layersInUse, hasLevelSets, hasShells, hasSensors] =
        roster;
    archive(freeSlots, nextSerial, moving, bonded, deforming, hasFresh);
}

template <class Archive, MaybeConst<JointRoster> R>
void visitState(Archive& archive, R& roster) {
    auto& [freeSlots, nextSerial, uncolliding, uncollidingKnown, due, dueKnown] = roster;
    archive(freeSlots, nextSerial);
}

template <class Archive, MaybeConst<Pace> P>
void visitState(Archive& archive, P& pace) {
    auto& [substep, parts] = pace;
    archive(substep, parts);
}

template <class Archive, MaybeConst<Clock> C>
void visitState(Archive& archive, C& clock) {
    auto& [steps, time, pace] = clock;
    archive(pace, steps, time);
}

template <class Archive, MaybeConst<EventState> E>
void visitState(Archive& archive, E& events) {
    auto& [contacts, endedContacts, joints, nextJoints, errors, collisions, scratch] = events;
    archive.aside(contacts, endedContacts, joints, nextJoints, errors, collisions);
}

// The fields of a world that persist from step to step; the others are scratch, or follow from these (see snapshot.cpp).
template <MaybeConst<WorldState> W>
auto persistentFields(W& world) {
    auto& [def, host, tasks, bodies, roster, joints, jointRoster, broadPhase, pairSet, pairs, constraints, clock, search, solve,
           sleep, breaking, overloads, events, stepStats, fleshJoints] = world;
    return std::tie(def, bodies, roster, joints, jointRoster, broadPhase, pairs, constraints, clock, sleep, breaking, overloads,
                    events, stepStats, fleshJoints);
}

template <class Archive, MaybeConst<WorldState> W>
void visitState(Archive& archive, W& world) {
    std::apply([&](auto&... fields) { archive(fields...); }, persistentFields(world));
}

}  // namespace sunder::world
