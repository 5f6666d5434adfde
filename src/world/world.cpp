// The public class: checks handles and arguments, and calls the functions of the rooms.
#include "sunder/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/fitted.h"
#include "core/stopwatch.h"
#include "sunder/describe.h"
#include "world/breaking/blasts.h"
#include "world/breaking/bond_loads.h"
#include "world/breaking/breaking.h"
#include "world/breaking/given_loads.h"
#include "world/commit/bodies.h"
#include "world/commit/joints.h"
#include "world/persist/recorder.h"
#include "world/persist/snapshot.h"
#include "world/persist/state_hash.h"
#include "world/query/debug_draw.h"
#include "world/query/joint_state.h"
#include "world/query/measure.h"
#include "world/query/queries.h"
#include "world/record/body_mass.h"
#include "world/record/bonded_pieces.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"
#include "world/state/proxies.h"
#include "world/state/state.h"
#include "world/step/steppers.h"

namespace sunder {

using world::Body;

struct World::Impl {
    world::WorldState state;
    std::unique_ptr<world::Recorder> recorder;

    // Called by every method that changes the world: after it has checked its arguments and built what they need, and before it
    // changes anything. Nothing may fail after it, because the log already has the call and a replay would fail too.
    template <auto method, class... Arguments>
    void record(const Arguments&... arguments) {
        if (recorder)
            recorder->call<method>(arguments...);
    }
    // record for a method that changes one body.
    template <auto method, class... Arguments>
    Body& change(BodyId body, const Arguments&... arguments) {
        Body& changed = get(body);
        record<method>(body, arguments...);
        return changed;
    }

    // record for a change that concerns what touches the body: sleepers around it wake.
    template <auto method, class... Arguments>
    Body& disturb(BodyId body, const Arguments&... arguments) {
        Body& changed = change<method>(body, arguments...);
        world::wakeAround(state, body.index);
        return changed;
    }
    // record for a change of the body's own motion: only the body wakes, since a kinematic one wakes others by moving.
    template <auto method, class... Arguments>
    Body& drive(BodyId body, const Arguments&... arguments) {
        Body& changed = change<method>(body, arguments...);
        world::wakeBody(state, body.index);
        return changed;
    }

    // The same for one field of a joint: refused where the definition with it would be; what stays as it is wakes nobody.
    template <auto method, class Value>
    void changeField(JointId joint, Value JointDef::*field, const Value& value);

    world::Joint& get(JointId id) {
        if (!world::isAlive(state, id))
            throw Error("joint handle " + std::to_string(id.index) + "/" + std::to_string(id.generation) +
                        " is not valid: the joint was removed, broke or was never added");
        return state.joints[id.index];
    }
    Body& get(BodyId id) { return state.bodies[slot(id)]; }
    std::uint32_t slot(BodyId id) const {
        if (!world::isAlive(state, id))
            throw Error("body handle " + std::to_string(id.index) + "/" + std::to_string(id.generation) +
                        " is not valid: the body was removed or never added");
        return id.index;
    }
};

namespace {

// s: far beyond any use, and short enough that the number of substeps fits an int.
constexpr Real kLongestStep = 60;

void refuse(const std::vector<std::string>& problems, const std::string& what) {
    if (problems.empty())
        return;
    std::string message = what;
    for (const std::string& problem : problems)
        message += "\n  " + problem;
    throw Error(message);
}

void requireFinite(const Vec3& v, const char* what) {
    if (!isFinite(v))
        throw Error(std::string(what) + " is not finite");
}

void requirePosition(const Vec3& v) {
    const auto isNear = [](Real x) { return std::fabs(x) <= Real(kMaxPosition); };
    if (!isNear(v.x) || !isNear(v.y) || !isNear(v.z))
        throw Error("position is not allowed (-" + numberText(kMaxPosition) + " to " + numberText(kMaxPosition) + " m)");
}

Quat requireRotation(const Quat& q) {
    if (!isFinite(q) || !(dot(q, q) > 0))
        throw Error("orientation is not a rotation: it must be finite and not zero");
    return normalize(q);
}

void requireSolid(Motion motion, bool isMesh) {
    if (motion == Motion::Dynamic && isMesh)
        throw Error("shape: a mesh is not allowed for a dynamic body (static or kinematic; or use a hull or compound)");
}

}  // namespace

template <auto method, class Value>
void World::Impl::changeField(JointId joint, Value JointDef::*field, const Value& value) {
    JointDef def = get(joint).def;
    def.*field = value;
    refuse(validate(def), "joint '" + def.name + "':");
    record<method>(joint, value);
    if (!(get(joint).def.*field == value))
        world::commitChangeJoint(state, joint.index, def);
}

void SUNDER_PRECISION_TAG() {}

World::World(const WorldDef& def, TaskRunner* tasks) : impl_(std::make_unique<Impl>()) {
    refuse(validate(def), "world definition:");
    world::WorldState& state = impl_->state;
    state.def = def;
    if (tasks == nullptr) {
        state.ownTasks = makeTaskRunner(def.threads);
        tasks = state.ownTasks.get();
    }
    state.tasks = tasks;
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

BodyId World::addBody(const BodyDef& def) {
    std::vector<std::string> problems = validate(def);
    if (def.bonds && !abilitiesOf(impl_->state.def.stepper).bonds)
        problems.push_back("bonds: they need the stepper frame_rate, this world has " +
                           std::string(world::entryOf(impl_->state.def.stepper).name));
    if (!world::hasRoom(impl_->state.bodies, impl_->state.roster))
        problems.push_back("there are " + std::to_string(world::kMostAdded) + " bodies already: no more are allowed");
    refuse(problems, "body '" + def.name + "':");
    world::BuiltBody built = world::buildBody(def);
    impl_->record<&World::addBody>(def);
    const std::uint32_t slot = world::commitAdd(impl_->state, def, std::move(built));
    return {slot, impl_->state.bodies[slot].generation};
}

bool World::removeBody(BodyId body) {
    if (!isValid(body))
        return false;
    impl_->record<&World::removeBody>(body);
    world::commitRemove(impl_->state, body.index);
    return true;
}

bool World::isValid(BodyId body) const { return world::isAlive(impl_->state, body); }

std::vector<BodyId> World::bodies() const {
    std::vector<BodyId> ids;
    const auto& bodies = impl_->state.bodies;
    for (std::uint32_t slot = 0; slot < bodies.size(); ++slot)
        if (bodies[slot].alive)
            ids.push_back({slot, bodies[slot].generation});
    std::sort(ids.begin(), ids.end(), [&](BodyId a, BodyId b) { return bodies[a.index].serial < bodies[b.index].serial; });
    return ids;
}

void World::step(Real dt) {
    if (!(dt >= 0 && dt <= kLongestStep))
        throw Error("step: dt = " + std::to_string(dt) + " is not allowed (0 to 60 s)");
    impl_->record<&World::step>(dt);
    world::WorldState& state = impl_->state;
    clearFitted(state.events.contacts);
    state.events.errors.clear();
    state.sleep.events.clear();
    state.events.joints.clear();
    state.breaking.events.clear();
    state.overloads.bondEvents.clear();
    if (dt == 0)
        return;
    const Stopwatch stepTime;
    state.stepStats = {};
    reserveFitted(state.bodies, state.bodies.size());  // a restored world may be smaller
    state.solve.solver.memory().fit();
    world::stepBy(world::entryOf(state.def.stepper), state, dt);
    state.stepStats.stepMs = stepTime.milliseconds();
    if (impl_->recorder)
        impl_->recorder->stepped(world::hashState(state));
}

Vec3 World::position(BodyId body) const { return toVec3(world::userPosition(impl_->get(body))); }
Quat World::orientation(BodyId body) const { return world::userOrientation(impl_->get(body)); }
Vec3 World::centerOfMass(BodyId body) const { return toVec3(impl_->get(body).center); }
Vec3 World::velocity(BodyId body) const { return impl_->get(body).velocity; }
Vec3 World::angularVelocity(BodyId body) const { return impl_->get(body).angularVelocity; }
Vec3 World::velocityAt(BodyId body, const Vec3& point) const {
    const Body& record = impl_->get(body);
    return record.velocity + cross(record.angularVelocity, toWorldPoint(point) - record.center);
}
Vec3 World::localCenterOfMass(BodyId body) const { return impl_->get(body).bodyFromPrincipal.position; }
Real World::mass(BodyId body) const { return impl_->get(body).mass; }
Motion World::motion(BodyId body) const { return impl_->get(body).motion; }
const std::string& World::name(BodyId body) const { return impl_->get(body).name; }
const Material& World::material(BodyId body) const { return impl_->get(body).material; }
const Shape& World::shape(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.shapeAsGiven ? *record.shapeAsGiven : record.shape->definition;
}
std::uint64_t World::userData(BodyId body) const { return impl_->get(body).userData; }
bool World::isAwake(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.motion != Motion::Static && !world::isAsleep(record);
}
std::uint32_t World::layer(BodyId body) const { return impl_->get(body).layer; }
std::uint32_t World::mask(BodyId body) const { return impl_->get(body).mask; }
std::uint8_t World::lockedAxes(BodyId body) const { return impl_->get(body).lockedAxes; }
Real World::linearDamping(BodyId body) const { return impl_->get(body).linearDamping; }
Real World::angularDamping(BodyId body) const { return impl_->get(body).angularDamping; }
Real World::gravityFactor(BodyId body) const { return impl_->get(body).gravityFactor; }
Vec3 World::surfaceVelocity(BodyId body) const { return impl_->get(body).surfaceVelocity; }
bool World::isSensor(BodyId body) const { return impl_->get(body).sensor; }
bool World::allowsSleep(BodyId body) const { return impl_->get(body).allowSleep; }
Real World::sleepFactor(BodyId body) const { return impl_->get(body).sleepFactor; }
const FractureDef* World::fracture(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.fracture ? &record.fracture->def : nullptr;
}
Vec3 World::force(BodyId body) const { return impl_->get(body).force; }
Vec3 World::torque(BodyId body) const { return impl_->get(body).torque; }
std::optional<Pose> World::target(BodyId body) const { return impl_->get(body).target; }
std::span<const Keyframe> World::keyframes(BodyId body) const { return impl_->get(body).keyframes; }

BodyId World::find(std::string_view name) const {
    for (const BodyId id : bodies())
        if (impl_->state.bodies[id.index].name == name)
            return id;
    return {};
}

void World::setPose(BodyId id, const Vec3& position, const Quat& orientation) {
    requirePosition(position);
    const Quat rotation = requireRotation(orientation);
    Body& body = impl_->change<&World::setPose>(id, position, orientation);
    const WorldPoint center = body.center;
    const Quat turned = body.orientation;
    world::placeBody(body, toWorldPoint(position), rotation);
    // A static or kinematic body that is put where it already is wakes nobody.
    if (body.motion == Motion::Dynamic || !(body.center == center) || !(body.orientation == turned))
        world::wakeAround(impl_->state, id.index);
    world::refreshProxies(impl_->state.broadPhase, body);
}
void World::setVelocity(BodyId body, const Vec3& velocity) {
    requireFinite(velocity, "velocity");
    if (Body& record = impl_->drive<&World::setVelocity>(body, velocity); record.motion != Motion::Static)
        record.velocity = velocity;
}
void World::setAngularVelocity(BodyId body, const Vec3& angularVelocity) {
    requireFinite(angularVelocity, "angular velocity");
    if (Body& record = impl_->drive<&World::setAngularVelocity>(body, angularVelocity); record.motion != Motion::Static)
        record.angularVelocity = angularVelocity;
}
void World::setMaterial(BodyId body, const Material& material) {
    refuse(validate(material), "material:");
    Body& record = impl_->disturb<&World::setMaterial>(body, material);
    record.material = material;
    world::updateMass(record);
}
void World::setMotion(BodyId body, Motion motion) {
    if (motion > Motion::Dynamic)
        throw Error("motion: " + std::to_string(int(motion)) + " is not allowed (static, kinematic, dynamic)");
    requireSolid(motion, impl_->get(body).shape->type == ShapeType::Mesh);
    impl_->disturb<&World::setMotion>(body, motion);
    world::commitMotion(impl_->state, body.index, motion);
}
void World::setShape(BodyId body, const Shape& shape) {
    refuse(validate(shape), "shape:");
    const SharedShape* shared = std::get_if<SharedShape>(&shape);
    requireSolid(impl_->get(body).motion,
                 shared ? (*shared)->type == ShapeType::Mesh
                        : std::holds_alternative<Mesh>(shape) || std::holds_alternative<HeightField>(shape));
    world::BuiltBody built = world::buildBody(impl_->get(body), shape);
    impl_->disturb<&World::setShape>(body, shape);
    world::commitShape(impl_->state, body.index, std::move(built));
}
void World::setCenterOfMass(BodyId body, const Vec3& centerInBody) {
    requireFinite(centerInBody, "centre of mass");
    Body& record = impl_->disturb<&World::setCenterOfMass>(body, centerInBody);
    record.centerOverride = centerInBody;
    world::updateMass(record);
}
void World::setLockedAxes(BodyId body, std::uint8_t lockedAxes) {
    impl_->drive<&World::setLockedAxes>(body, lockedAxes).lockedAxes = lockedAxes & 63;
}
void World::setDamping(BodyId body, Real linear, Real angular) {
    if (!(linear >= 0) || !(angular >= 0) || !std::isfinite(linear) || !std::isfinite(angular))
        throw Error("damping must be finite, 0 or more");
    Body& record = impl_->drive<&World::setDamping>(body, linear, angular);
    record.linearDamping = linear;
    record.angularDamping = angular;
}
void World::setGravityFactor(BodyId body, Real factor) {
    if (!std::isfinite(factor))
        throw Error("gravity factor is not finite");
    impl_->drive<&World::setGravityFactor>(body, factor).gravityFactor = factor;
}
void World::setSurfaceVelocity(BodyId body, const Vec3& velocityInBody) {
    requireFinite(velocityInBody, "surface velocity");
    impl_->disturb<&World::setSurfaceVelocity>(body, velocityInBody).surfaceVelocity = velocityInBody;
}
void World::setFilter(BodyId body, std::uint32_t layer, std::uint32_t mask) {
    Body& record = impl_->disturb<&World::setFilter>(body, layer, mask);
    record.layer = layer;
    impl_->state.roster.layersInUse |= layer;
    record.mask = mask;
    world::forgetPairs(impl_->state, body.index);
}
void World::setUserData(BodyId body, std::uint64_t userData) {
    impl_->change<&World::setUserData>(body, userData).userData = userData;
}
void World::setAllowSleep(BodyId body, bool allowSleep) {
    impl_->drive<&World::setAllowSleep>(body, allowSleep).allowSleep = allowSleep;
}
void World::setSleepFactor(BodyId body, Real factor) {
    if (!(factor > 0) || !std::isfinite(factor))
        throw Error("sleep factor: " + numberText(factor) + " is not allowed (above 0, finite)");
    impl_->drive<&World::setSleepFactor>(body, factor).sleepFactor = factor;
}
void World::setSensor(BodyId body, bool sensor) {
    if (const Body& record = impl_->get(body); sensor && (record.fracture || record.bonds))
        throw Error("setSensor: body '" + record.name + "' can break, and a sensor feels no impulses");
    if (impl_->disturb<&World::setSensor>(body, sensor).sensor == sensor)
        return;
    impl_->get(body).sensor = sensor;
    impl_->state.roster.hasSensors = impl_->state.roster.hasSensors || sensor;
    world::forgetPairs(impl_->state, body.index);
}
void World::setFracture(BodyId body, const std::optional<FractureDef>& fracture) {
    const Body& record = impl_->get(body);
    BodyDef like{.shape = record.shape, .motion = record.motion, .material = record.material, .sensor = record.sensor};
    like.fracture = fracture;
    std::vector<std::string> problems = fracture ? validate(like) : std::vector<std::string>{};
    if (fracture && record.bonds)
        problems.push_back("fracture: a body has either bonds or a fracture");
    refuse(problems, "body '" + record.name + "':");
    world::BuiltBody built = world::buildBody(record, fracture ? &*fracture : nullptr);
    impl_->disturb<&World::setFracture>(body, fracture);
    world::commitFracture(impl_->state, body.index, std::move(built));
}
void World::wake(BodyId body) { impl_->disturb<&World::wake>(body); }

void World::addForce(BodyId body, const Vec3& force) {
    requireFinite(force, "force");
    impl_->drive<&World::addForce>(body, force).force += force;
}
void World::addForceAt(BodyId body, const Vec3& force, const Vec3& point) {
    requireFinite(force, "force");
    requireFinite(point, "point");
    Body& record = impl_->drive<&World::addForceAt>(body, force, point);
    record.force += force;
    record.torque += cross(toWorldPoint(point) - record.center, force);
    world::giveForce(impl_->state, record, force, toWorldPoint(point));
}
void World::addTorque(BodyId body, const Vec3& torque) {
    requireFinite(torque, "torque");
    impl_->drive<&World::addTorque>(body, torque).torque += torque;
}
void World::addImpulse(BodyId body, const Vec3& impulse) {
    requireFinite(impulse, "impulse");
    world::push(impl_->drive<&World::addImpulse>(body, impulse), impulse);
}
void World::addImpulseAt(BodyId body, const Vec3& impulse, const Vec3& point) {
    requireFinite(impulse, "impulse");
    requireFinite(point, "point");
    Body& record = impl_->drive<&World::addImpulseAt>(body, impulse, point);
    world::push(record, impulse);
    world::turn(record, cross(toWorldPoint(point) - record.center, impulse));
    world::giveImpulse(impl_->state, record, impulse, toWorldPoint(point));
}
void World::addAngularImpulse(BodyId body, const Vec3& angularImpulse) {
    requireFinite(angularImpulse, "angular impulse");
    world::turn(impl_->drive<&World::addAngularImpulse>(body, angularImpulse), angularImpulse);
}

void World::moveTo(BodyId body, const Vec3& position, const Quat& orientation) {
    requirePosition(position);
    const Quat rotation = requireRotation(orientation);
    if (const Body& record = impl_->get(body); record.motion != Motion::Kinematic)
        throw Error("moveTo: body '" + record.name + "' is not kinematic");
    impl_->change<&World::moveTo>(body, position, orientation).target = Pose{position, rotation};
}

JointId World::addJoint(const JointDef& def) {
    std::vector<std::string> problems = validate(def);
    const auto body = [&](const char* side, BodyId id) {
        if (!id.isNull() && !isValid(id))
            problems.push_back(std::string(side) + ": body handle " + std::to_string(id.index) + "/" +
                               std::to_string(id.generation) + " is not valid");
        return !id.isNull() && isValid(id) && motion(id) == Motion::Dynamic;
    };
    const bool aMoves = body("a", def.a), bMoves = body("b", def.b);
    if (def.a == def.b)
        problems.push_back("b: is the same as a (a joint needs two bodies, one of which may be the world)");
    else if (problems.empty() && !aMoves && !bMoves)
        problems.push_back("b: neither a nor b is dynamic (the joint would hold nothing)");
    if (!abilitiesOf(impl_->state.def.stepper).joints)
        problems.push_back("stepper: joints need frame_rate, this world has " +
                           std::string(world::entryOf(impl_->state.def.stepper).name));
    refuse(problems, "joint '" + def.name + "':");
    impl_->record<&World::addJoint>(def);
    const std::uint32_t slot = world::commitAddJoint(impl_->state, def);
    return {slot, impl_->state.joints[slot].generation};
}
bool World::removeJoint(JointId joint) {
    if (!isValidJoint(joint))
        return false;
    impl_->record<&World::removeJoint>(joint);
    world::commitRemoveJoint(impl_->state, joint.index);
    return true;
}
void World::changeJoint(JointId joint, const JointDef& def) {
    const JointDef& before = impl_->get(joint).def;
    std::vector<std::string> problems = validate(def);
    if (def.type != before.type)
        problems.push_back("type: a joint keeps its type (remove it and add another)");
    refuse(problems, "joint '" + before.name + "':");
    impl_->record<&World::changeJoint>(joint, def);
    world::commitChangeJoint(impl_->state, joint.index, def);
}
void World::setSpringRest(JointId joint, Real rest) {
    impl_->changeField<&World::setSpringRest>(joint, &JointDef::springRest, rest);
}
void World::setSpringRotation(JointId joint, const Quat& rotation) {
    impl_->changeField<&World::setSpringRotation>(joint, &JointDef::springRotation, rotation);
}
void World::setMotorSpeed(JointId joint, Real speed) {
    impl_->changeField<&World::setMotorSpeed>(joint, &JointDef::motorSpeed, speed);
}
void World::setMotorVelocity(JointId joint, const Vec3& velocity) {
    impl_->changeField<&World::setMotorVelocity>(joint, &JointDef::motorVelocity, velocity);
}
void World::setSteering(JointId joint, Real angle) {
    impl_->changeField<&World::setSteering>(joint, &JointDef::steering, angle);
}
bool World::isValidJoint(JointId joint) const { return world::isAlive(impl_->state, joint); }
std::vector<JointId> World::joints() const {
    std::vector<JointId> ids;
    const auto& joints = impl_->state.joints;
    for (std::uint32_t slot = 0; slot < joints.size(); ++slot)
        if (joints[slot].alive)
            ids.push_back({slot, joints[slot].generation});
    std::sort(ids.begin(), ids.end(), [&](JointId a, JointId b) { return joints[a.index].serial < joints[b.index].serial; });
    return ids;
}
const JointDef& World::joint(JointId joint) const { return impl_->get(joint).def; }
JointState World::jointState(JointId joint) const { return world::stateOf(impl_->state.bodies, impl_->get(joint)); }
JointId World::findJoint(std::string_view name) const {
    for (const JointId id : joints())
        if (impl_->state.joints[id.index].def.name == name)
            return id;
    return {};
}

namespace {

world::BreakRequest requestOf(const Body& body, BodyId id, const Vec3& point, const Vec3& normal) {
    const Quat orientation = world::userOrientation(body);
    world::BreakRequest request;
    request.body = id;
    request.point = inverseRotate(orientation, toWorldPoint(point) - world::userPosition(body));
    request.normal = inverseRotate(orientation, normalizeOr(normal, {0, 1, 0}));
    return request;
}

void requireBreakable(const Body& body, const Vec3& point, const Vec3& normal, const char* call) {
    requireFinite(point, "point");
    if (!isFinite(normal) || !(lengthSquared(normal) > 0))
        throw Error(std::string(call) + ": the normal must be finite and not zero");
    if (!body.fracture)
        throw Error(std::string(call) + ": body '" + body.name + "' has no fracture");
}

}  // namespace

void World::breakBody(BodyId id, const Vec3& point, const Vec3& normal, Real impulse) {
    requireBreakable(impl_->get(id), point, normal, "breakBody");
    if (!(impulse >= 0) || !std::isfinite(impulse))
        throw Error("breakBody: the impulse must be finite, 0 or more");
    const Body& body = impl_->disturb<&World::breakBody>(id, point, normal, impulse);
    world::BreakRequest request = requestOf(body, id, point, normal);
    request.impulse = request.push = impulse;
    impl_->state.breaking.waiting.push_back(request);
}
void World::cut(BodyId id, const Vec3& point, const Vec3& normal) {
    requireBreakable(impl_->get(id), point, normal, "cut");
    const Body& body = impl_->disturb<&World::cut>(id, point, normal);
    world::BreakRequest request = requestOf(body, id, point, normal);
    request.kind = world::BreakRequest::Kind::Plane;
    impl_->state.breaking.waiting.push_back(request);
}
void World::explode(const Vec3& point, Real impulse, Real radius, bool shielded) {
    requireFinite(point, "point");
    if (!(impulse >= 0) || !std::isfinite(impulse) || !(radius > 0) || !std::isfinite(radius))
        throw Error("explode: the impulse must be 0 or more and the radius above 0, both finite");
    impl_->record<&World::explode>(point, impulse, radius, shielded);
    impl_->state.breaking.explosions.push_back({point, impulse, radius, shielded});
}

const BondsDef* World::bonds(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.bonds ? &record.bonds->def : nullptr;
}
std::vector<BondLoad> World::bondLoads(BodyId body) const { return world::bondLoadsOf(impl_->state, impl_->get(body)); }
BodyId World::parent(BodyId body) const { return impl_->get(body).parent; }
Real World::damage(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.fracture ? record.fracture->damage : Real(0);
}
Real World::drawnScale(BodyId body) const { return world::drawnScale(impl_->state, impl_->slot(body)); }
DrawnSurface World::surface(BodyId body) const {
    const Body& record = impl_->get(body);
    const SharedShape& solid = record.fracture ? record.fracture->solid : record.shape;
    const LevelSet* levelSet = std::get_if<LevelSet>(&solid->definition);
    return levelSet ? drawnSurface(*levelSet) : DrawnSurface{};
}

std::optional<VertexView> World::vertices(BodyId body) const {
    const Body& record = impl_->get(body);
    if (!record.vertices)
        return std::nullopt;
    return VertexView{record.vertices->positions, record.vertices->velocities, record.vertices->triangles,
                      record.vertices->revision};
}

Vec3 World::gravity() const { return impl_->state.def.gravity; }
void World::setGravity(const Vec3& gravity) {
    requireFinite(gravity, "gravity");
    impl_->record<&World::setGravity>(gravity);
    if (!(impl_->state.def.gravity == gravity))
        world::wakeAll(impl_->state);
    impl_->state.def.gravity = gravity;
}
void World::setContactFilter(ContactFilter filter) {
    impl_->state.contactFilter = std::move(filter);
    world::filterPairs(impl_->state);
}
void World::setPreSolve(PreSolve preSolve) {
    impl_->state.preSolve = std::move(preSolve);
    world::wakeAll(impl_->state);
}
const WorldDef& World::settings() const { return impl_->state.def; }
void World::setSettings(const WorldDef& settings) {
    refuse(validate(settings), "world definition:");
    world::WorldState& state = impl_->state;
    if (!abilitiesOf(settings.stepper).joints && state.joints.size() > state.jointRoster.freeSlots.size())
        throw Error("stepper: joints need frame_rate, and this world has some");
    impl_->record<&World::setSettings>(settings);
    world::wakeAll(state);
    if (settings.stepper != state.def.stepper)
        state.pace.substep = 0;  // impulses of another stepper are no first guess
    const int threads = state.def.threads;
    state.def = settings;
    state.def.threads = threads;
}

std::optional<RayHit> World::castRay(const Ray& ray, const QueryFilter& filter) const {
    return world::castRay(impl_->state, ray, filter);
}
void World::castRayAll(const Ray& ray, std::vector<RayHit>& hits, const QueryFilter& filter) const {
    world::castRayAll(impl_->state, ray, filter, hits);
}
std::optional<ShapeHit> World::castShape(const ShapeCast& cast, const QueryFilter& filter) const {
    return world::castShape(impl_->state, cast, filter);
}
void World::castShapeAll(const ShapeCast& cast, std::vector<ShapeHit>& hits, const QueryFilter& filter) const {
    world::castShapeAll(impl_->state, cast, filter, hits);
}
void World::overlap(const PlacedShape& shape, std::vector<BodyId>& bodies, const QueryFilter& filter) const {
    world::findOverlaps(impl_->state, shape, filter, bodies);
}
std::optional<PointHit> World::closestPoint(const WorldPoint& point, Real maxDistance, const QueryFilter& filter) const {
    return world::closestPoint(impl_->state, point, maxDistance, filter);
}
void World::closestPointAll(const WorldPoint& point, Real maxDistance, std::vector<PointHit>& hits,
                            const QueryFilter& filter) const {
    world::closestPointAll(impl_->state, point, maxDistance, filter, hits);
}
PointHit World::closestPointOn(BodyId body, const WorldPoint& point) const {
    return world::closestPointOn(impl_->state, impl_->slot(body), point);
}

std::span<const ContactEvent> World::contactEvents() const { return impl_->state.events.contacts; }
std::span<const SleepEvent> World::sleepEvents() const { return impl_->state.sleep.events; }
std::span<const BreakEvent> World::breakEvents() const { return impl_->state.breaking.events; }
std::span<const BondEvent> World::bondEvents() const { return impl_->state.overloads.bondEvents; }
std::span<const ErrorEvent> World::errorEvents() const { return impl_->state.events.errors; }
std::span<const JointEvent> World::jointEvents() const { return impl_->state.events.joints; }
WorldStats World::stats() const { return world::measure(impl_->state); }
std::uint64_t World::hash() const { return world::hashState(impl_->state); }
void World::debugDraw(DebugDraw& draw) const { world::drawWorld(impl_->state, draw); }

std::vector<std::byte> World::snapshot() const { return world::takeSnapshot(impl_->state); }
void World::restore(std::span<const std::byte> snapshot) {
    world::restoreSnapshot(impl_->state, snapshot);
    if (impl_->recorder)
        impl_->record<&World::restore>(std::vector<std::byte>(snapshot.begin(), snapshot.end()));
}

Checkpoint World::checkpoint() const {
    Checkpoint checkpoint;
    checkpoint.state_ = world::takeState(impl_->state, checkpoint.shapes_);
    return checkpoint;
}
void World::rewind(const Checkpoint& checkpoint) {
    if (checkpoint.state_.empty())
        throw Error("rewind: the checkpoint is empty");
    world::restoreState(impl_->state, checkpoint.state_, checkpoint.shapes_);
    if (impl_->recorder)
        impl_->record<&World::restore>(snapshot());
}

void World::record(CallLog* log) {
    impl_->recorder.reset();
    if (log)
        impl_->recorder = std::make_unique<world::Recorder>(*log, impl_->state.def.threads, snapshot());
}

}  // namespace sunder
