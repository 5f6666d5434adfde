// The world: bodies, and a step that moves them. The rest of the public API is its input and output.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sunder/contacts.h"
#include "sunder/debug_draw.h"
#include "sunder/definitions.h"
#include "sunder/events.h"
#include "sunder/joints.h"
#include "sunder/queries.h"
#include "sunder/replay.h"
#include "sunder/snapshot.h"
#include "sunder/tasks.h"
#include "sunder/types.h"

namespace sunder {

void SUNDER_PRECISION_TAG();

// Sums over dynamic bodies in double, and counts, at the end of the last step.
struct WorldStats {
    std::uint64_t step = 0;
    double time = 0;   // s
    int bodies = 0;    // all, static ones included
    int awake = 0;     // dynamic and kinematic bodies that are simulated
    int asleep = 0;    // dynamic bodies asleep; contacts, pairs and energies below include theirs
    int contacts = 0;  // touching contact points
    int manifolds = 0;
    int joints = 0;
    int pieces = 0;                         // bodies that broke off others
    int bonds = 0;                          // of bonded bodies, unbroken
    int breaks = 0;                         // bodies, joints and bonds broken in the last step
    int waitingBreaks = 0;                  // breaks that the limits on pieces have put off
    int pairs = 0;                          // pairs whose bounds overlap
    double kineticEnergy = 0;               // J
    double potentialEnergy = 0;             // J, -m g.x from the origin
    double elasticEnergy = 0;               // J, of deformable bodies and joints
    double linearMomentum[3] = {0, 0, 0};   // kg m/s
    double angularMomentum[3] = {0, 0, 0};  // kg m^2/s, about the origin
    double maxPenetration = 0;              // m, deepest contact point seen by the solver
    int searches = 0;                       // searches for contacts in the step: more than one where it was violent
    int passesPerContact = 0;               // solver passes over each contact point in the step
    int pairLooks = 0;                      // pairs whose surfaces were searched for contacts; the others were known
    int wakeLooks = 0;                      // walks through the tree of bounds for sleepers that a thrown body may reach
    std::int64_t manifoldPasses = 0;        // solver passes in the step, summed over the manifolds that did not wait
    int clampedImpulses = 0;                // contacts whose impulse the energy clamp scaled or dropped
    int collisions = 0;                     // that Stepper::Timewarp resolved one by one
    int cutCollisions = 0;                  // that it left to contact, because there were too many
    int missedCollisions = 0;               // that Stepper::TimewarpSafer found beside another one
    int stableBodies = 0;                   // geometrically stable ones, which Stepper::Damped looks for
    int analyticPoints = 0;                 // contact points whose forces pivoting found, where a stepper's `analytic` is on
    int analyticFallbacks = 0;              // groups of bodies that it left to passes: too large, or it failed
    double analyticResidual = 0;            // worst violation of the contact conditions, of the largest velocity or impulse
    int guardedIslands = 0;                 // islands whose energy the guard reduced
    double guardedEnergy = 0;               // J taken out by the guard
    int rewinds = 0;                        // how often the step was solved again for joints and bonds
    int loadSolves = 0;                     // solves of bond graphs
    int stressSolves = 0;                   // of bodies that crack by stress: how often a stress was found in the step
    int stressIterations = 0;               // of those solves together
    int crackedElements = 0;                // tetrahedra that cracks entered in the step
    int dents = 0;                          // that blows left in the step
    double storedEnergy = 0;                // J, of joints and bonds broken in the step
    double releasedEnergy = 0;              // J actually added by releases
    double releasedMomentum = 0;            // kg m/s added by releases of the form `paper`; otherwise rounding
    double solveMs = 0, collideMs = 0, broadPhaseMs = 0, breakMs = 0, stepMs = 0;  // wall time; not part of the hash
};

// The vertices of a body that deforms, as they are until the world changes.
struct VertexView {
    std::span<const Vec3> positions, velocities;              // m, m/s, in the body's frame
    std::span<const std::array<std::uint32_t, 3>> triangles;  // of its surface, counter-clockwise from outside
    std::uint64_t revision = 0;                               // another number whenever the triangles are others
};

// A node of a deformable body that stays at a place of the world, or at a point of another body.
struct NodePin {
    std::uint32_t node = 0;
    WorldPoint place;  // m
};
struct NodeHold {
    std::uint32_t node = 0;
    BodyId body;
    Vec3 point;  // m, in that body's frame
};
struct NodeForce {
    std::uint32_t node = 0;
    Vec3 force;  // N, world
};

// Splinters as they are drawn now.
struct SplinterView {
    std::vector<Vec3> positions;                              // m, in the body's frame
    std::span<const std::array<std::uint32_t, 3>> triangles;  // counter-clockwise from outside
    std::span<const std::uint32_t> splinterOf;                // per position: its splinter
    std::uint64_t revision = 0;                               // another number whenever the triangles are others
};

class World {
public:
    explicit World(const WorldDef& def = {}) : World(def, (SUNDER_PRECISION_TAG(), nullptr)) {}
    // `tasks` must outlive the world; def.threads is then ignored.
    World(const WorldDef& def, TaskRunner* tasks);
    ~World();
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // Bodies may be added, changed and removed at any time between steps.
    // Throws Error with validate()'s messages when the definition is not valid.
    BodyId addBody(const BodyDef& def);
    bool removeBody(BodyId body);  // false where the handle is stale
    bool isValid(BodyId body) const;
    std::vector<BodyId> bodies() const;  // in the order they were added

    // Advances the world by dt seconds. dt = 0 changes nothing; dt may be 0 to 60.
    void step(Real dt);

    // State. A stale handle is a programming error: it throws Error.
    Vec3 position(BodyId body) const;  // of the body's frame
    Quat orientation(BodyId body) const;
    Vec3 centerOfMass(BodyId body) const;  // world
    Vec3 velocity(BodyId body) const;      // of the centre of mass
    Vec3 angularVelocity(BodyId body) const;
    Vec3 velocityAt(BodyId body, const Vec3& point) const;  // m/s, of the body's matter at a point of the world
    Real mass(BodyId body) const;                           // 0 for static and kinematic bodies
    Vec3 localCenterOfMass(BodyId body) const;              // in the body's frame
    Motion motion(BodyId body) const;
    const std::string& name(BodyId body) const;
    const Material& material(BodyId body) const;
    const Shape& shape(BodyId body) const;
    std::uint64_t userData(BodyId body) const;
    bool isAwake(BodyId body) const;  // simulated: neither asleep nor static
    std::uint32_t layer(BodyId body) const;
    std::uint32_t mask(BodyId body) const;
    std::uint8_t lockedAxes(BodyId body) const;
    Real linearDamping(BodyId body) const;
    Real angularDamping(BodyId body) const;
    Real gravityFactor(BodyId body) const;
    Vec3 surfaceVelocity(BodyId body) const;  // body axes
    bool isSensor(BodyId body) const;
    bool allowsSleep(BodyId body) const;
    Real sleepFactor(BodyId body) const;
    const FractureDef* fracture(BodyId body) const;  // of a piece: what is left to it; null where the body cannot break
    Vec3 force(BodyId body) const;                   // N: what has been given for the next step
    Vec3 torque(BodyId body) const;                  // N m, about the centre of mass
    std::optional<Pose> target(BodyId body) const;   // see moveTo; empty where none waits
    std::span<const Keyframe> keyframes(BodyId body) const;
    BodyId find(std::string_view name) const;  // the first of that name, or a null handle

    void setPose(BodyId body, const Vec3& position, const Quat& orientation);
    void setVelocity(BodyId body, const Vec3& velocity);
    void setAngularVelocity(BodyId body, const Vec3& angularVelocity);
    void setMaterial(BodyId body, const Material& material);  // density changes the mass, velocities stay
    void setMotion(BodyId body, Motion motion);
    void setShape(BodyId body, const Shape& shape);
    void setCenterOfMass(BodyId body, const Vec3& centerInBody);  // dv = w x dc, w unchanged
    void setLockedAxes(BodyId body, std::uint8_t lockedAxes);
    void setDamping(BodyId body, Real linear, Real angular);
    void setGravityFactor(BodyId body, Real factor);
    void setSurfaceVelocity(BodyId body, const Vec3& velocityInBody);
    void setFilter(BodyId body, std::uint32_t layer, std::uint32_t mask);
    void setUserData(BodyId body, std::uint64_t userData);
    void setAllowSleep(BodyId body, bool allowSleep);
    void setSleepFactor(BodyId body, Real factor);
    void setSensor(BodyId body, bool sensor);  // throws where the body can break
    // How the body breaks from now on, without the damage of earlier blows; nullopt: it no longer does. Throws Error where
    // addBody would.
    void setFracture(BodyId body, const std::optional<FractureDef>& fracture);
    // Wakes the body with its island; the time at rest starts again. So does every change of a body, contact, the removal or
    // motion of its support, and a change of gravity. For a static body: wakes what may rest on it.
    void wake(BodyId body);

    // Forces and torques act during the next step only; impulses act at once. World axes, points in world space.
    void addForce(BodyId body, const Vec3& force);
    void addForceAt(BodyId body, const Vec3& force, const Vec3& point);
    void addTorque(BodyId body, const Vec3& torque);
    void addImpulse(BodyId body, const Vec3& impulse);
    void addImpulseAt(BodyId body, const Vec3& impulse, const Vec3& point);
    void addAngularImpulse(BodyId body, const Vec3& angularImpulse);

    // Breaks a body at the start of the next step as a blow at this point would, whatever its threshold, and gives its pieces
    // the impulse (N s) along -normal, distributed over those near the point. normal: of the body's surface, outward. Throws
    // where the body has no fracture; does nothing where no crack of the pattern runs through it.
    void breakBody(BodyId body, const Vec3& point, const Vec3& normal, Real impulse);
    // Cuts a body along the plane through the point, at the start of the next step; one that deforms, on the faces of its
    // tetrahedra. Throws where it can neither break nor deform.
    void cut(BodyId body, const Vec3& point, const Vec3& normal);
    // An explosion at the start of the next step. It distributes up to this impulse (N s): each body gets its share of all
    // directions as seen from the point, reduced with distance to zero at the radius (m). Bodies whose share exceeds their
    // threshold break first. shielded: bodies behind static or kinematic ones get the less the more these hide them, as seen
    // from the point; one that the point touches or lies in, such as the floor, hides nothing.
    void explode(const Vec3& point, Real impulse, Real radius, bool shielded = true);

    const BondsDef* bonds(BodyId body) const;  // the remaining bonds, in its frame; null where the body is not bonded
    // Mean loads of the bonds over the last tenth of a second, in their order, without blows; for a sleeper, those when it fell
    // asleep. For inspection: it solves for all bonds of the body, and not on several threads at a time.
    std::vector<BondLoad> bondLoads(BodyId body) const;
    BodyId parent(BodyId body) const;    // handle of the body it broke off, which no longer exists; null where it is no piece
    Real damage(BodyId body) const;      // 0 to 1: damage from earlier blows, see FractureDef::weakestHit; at 1 it breaks
    Real drawnScale(BodyId body) const;  // below 1 while debris shrinks away
    DrawnSurface surface(BodyId body) const;  // body frame; empty where the body is no level set and cannot break

    const DeformableDef* deformable(BodyId body) const;  // null where the body is rigid
    // Nothing for rigid bodies.
    std::optional<VertexView> vertices(BodyId body) const;
    // What a deformable body is drawn as, see DeformableDef::splinters; nothing where it has none.
    std::optional<SplinterView> splinters(BodyId body) const;
    // Nodes of a deformable body, by their number in vertices(). These throw Error for rigid bodies and where there is no such
    // node. A body that tears changes its nodes: all of its nodes' pins and holds go on with the parts.
    void setNodes(BodyId body, const std::vector<Vec3>& positions, const std::vector<Vec3>& velocities);  // body frame
    void pinNode(BodyId body, std::uint32_t node, const Vec3& place);  // it stays there; again: it moves there
    void unpinNode(BodyId body, std::uint32_t node);
    void attachNode(BodyId body, std::uint32_t node, BodyId to);  // where it is now; `to` is no deformable body
    void detachNode(BodyId body, std::uint32_t node);
    void addNodeForce(BodyId body, std::uint32_t node, const Vec3& force);  // N, world; acts during the next step only
    std::vector<NodePin> pinnedNodes(BodyId body) const;
    std::vector<NodeHold> attachedNodes(BodyId body) const;
    std::vector<NodeForce> nodeForces(BodyId body) const;  // what has been given for the next step

    // A kinematic body reaches this pose exactly at the end of the next step of length dt, and then stops.
    void moveTo(BodyId body, const Vec3& position, const Quat& orientation);

    // Joints (see joints.h) hold bodies together; removing a body removes its joints. Where it breaks, each goes on with the
    // piece that holds its anchor. Only Stepper::FrameRate solves them: with
    // other steppers this throws. Throws Error with validate()'s messages, or with what is wrong with the bodies.
    JointId addJoint(const JointDef& def);
    bool removeJoint(JointId joint);  // false where the handle is stale
    // Changes everything but the type, bodies, anchors and axes: motors, springs, limits, strengths.
    void changeJoint(JointId joint, const JointDef& def);
    // One field of the definition each. They throw where validate() would refuse it, and wake the bodies where it changes.
    void setSpringRest(JointId joint, Real rest);
    void setSpringRotation(JointId joint, const Quat& rotation);
    void setMotorSpeed(JointId joint, Real speed);
    void setMotorVelocity(JointId joint, const Vec3& velocity);
    void setSteering(JointId joint, Real angle);
    bool isValidJoint(JointId joint) const;
    std::vector<JointId> joints() const;  // in the order they were added
    const JointDef& joint(JointId joint) const;
    JointState jointState(JointId joint) const;
    JointId findJoint(std::string_view name) const;  // the first of that name, or a null handle

    Vec3 gravity() const;
    void setGravity(const Vec3& gravity);
    // See contacts.h: which bodies collide, and how. Neither is part of snapshots and logs; an empty function ends it. All
    // pairs are asked for anew and all sleepers wake.
    void setContactFilter(ContactFilter filter);
    void setPreSolve(PreSolve preSolve);
    const WorldDef& settings() const;
    // Changes all settings except threads, from the next step on; all sleepers wake. Throws Error with validate()'s messages,
    // or where the stepper cannot solve the existing joints.
    void setSettings(const WorldDef& settings);

    // Queries (see queries.h), from any number of threads between steps. The first hit is the one with the smallest fraction or
    // distance; among equals, that of the body added first. The ...All functions fill a vector with one hit per body in that
    // order.
    std::optional<RayHit> castRay(const Ray& ray, const QueryFilter& filter = {}) const;
    void castRayAll(const Ray& ray, std::vector<RayHit>& hits, const QueryFilter& filter = {}) const;
    std::optional<ShapeHit> castShape(const ShapeCast& cast, const QueryFilter& filter = {}) const;
    void castShapeAll(const ShapeCast& cast, std::vector<ShapeHit>& hits, const QueryFilter& filter = {}) const;
    // Bodies that touch or overlap the shape, in the order they were added.
    void overlap(const PlacedShape& shape, std::vector<BodyId>& bodies, const QueryFilter& filter = {}) const;
    // Bodies whose surface is at most maxDistance (m) from the point, or that hold it.
    std::optional<PointHit> closestPoint(const WorldPoint& point, Real maxDistance, const QueryFilter& filter = {}) const;
    void closestPointAll(const WorldPoint& point, Real maxDistance, std::vector<PointHit>& hits,
                         const QueryFilter& filter = {}) const;
    PointHit closestPointOn(BodyId body, const WorldPoint& point) const;  // at any distance

    // Results of the last step.
    std::span<const ContactEvent> contactEvents() const;
    std::span<const CollisionEvent> collisionEvents() const;  // of the timewarp steppers
    std::span<const SleepEvent> sleepEvents() const;
    std::span<const ErrorEvent> errorEvents() const;
    std::span<const JointEvent> jointEvents() const;
    std::span<const BreakEvent> breakEvents() const;
    std::span<const TearEvent> tearEvents() const;
    std::span<const DustGrain> dust() const;  // that is in the air, oldest first
    std::span<const DentEvent> dentEvents() const;
    std::span<const BondEvent> bondEvents() const;
    WorldStats stats() const;
    std::uint64_t hash() const;  // of the whole state that steps depend on
    void debugDraw(DebugDraw& draw) const;

    // Everything that steps depend on, and the results of the last step, as bytes for a file or another program. restore()
    // returns this world, or any other, to that state, whatever was added or removed since: handles mean what they meant then,
    // and the future is equal to the bit. It throws Error and changes nothing where the bytes are damaged, or of another
    // version or precision. The number of threads stays the world's own.
    std::vector<std::byte> snapshot() const;
    void restore(std::span<const std::byte> snapshot);
    // As snapshot and restore, but within one program and faster: shapes are shared instead of copied, and nothing is checked.
    Checkpoint checkpoint() const;
    void rewind(const Checkpoint& checkpoint);

    // Logs every call that changes the world from now on, and the hash after each step; nullptr ends it. The log must outlive
    // the recording. See replay.h.
    void record(CallLog* log);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace sunder
