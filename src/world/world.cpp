// The public face: checks handles and arguments, hands over to the files beside it.
#include "sunder/world.h"

#include <algorithm>
#include <cmath>

#include "core/stopwatch.h"
#include "world/bodies.h"
#include "world/debug_draw.h"
#include "world/frame_rate_stepper.h"
#include "world/impulse_stepper.h"
#include "world/measure.h"
#include "world/state.h"

namespace sunder {

using world::Body;

struct World::Impl {
    world::WorldState state;

    Body& get(BodyId id) { return state.bodies[slot(id)]; }
    std::uint32_t slot(BodyId id) const {
        if (id.index >= state.bodies.size() || !state.bodies[id.index].alive ||
            state.bodies[id.index].generation != id.generation)
            throw Error("body handle " + std::to_string(id.index) + "/" + std::to_string(id.generation) +
                        " is not valid: the body was removed or never added");
        return id.index;
    }
};

namespace {

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

Quat requireRotation(const Quat& q) {
    if (!isFinite(q) || !(dot(q, q) > 0))
        throw Error("orientation is not a rotation: it must be finite and not zero");
    return normalize(q);
}

}  // namespace

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
    refuse(validate(def), "body '" + def.name + "':");
    const std::uint32_t slot = world::commitAdd(impl_->state, def);
    return {slot, impl_->state.bodies[slot].generation};
}

bool World::removeBody(BodyId body) {
    if (!isValid(body))
        return false;
    world::commitRemove(impl_->state, body.index);
    return true;
}

bool World::isValid(BodyId body) const {
    const auto& bodies = impl_->state.bodies;
    return body.index < bodies.size() && bodies[body.index].alive && bodies[body.index].generation == body.generation;
}

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
    if (!(dt >= 0) || !std::isfinite(dt))
        throw Error("step: dt = " + std::to_string(dt) + " is not allowed (finite, 0 or more)");
    world::WorldState& state = impl_->state;
    state.contactEvents.clear();
    state.errorEvents.clear();
    if (dt == 0)
        return;
    const Stopwatch stepTime;
    state.stepStats = {};
    switch (state.def.stepper) {
        case Stepper::FrameRate: world::stepFrameRate(state, dt); break;
        case Stepper::Impulse: world::stepImpulse(state, dt); break;
    }
    state.stepStats.stepMs = stepTime.milliseconds();
}

Vec3 World::position(BodyId body) const { return toVec3(world::userPosition(impl_->get(body))); }
Quat World::orientation(BodyId body) const { return world::userOrientation(impl_->get(body)); }
Vec3 World::centerOfMass(BodyId body) const { return toVec3(impl_->get(body).center); }
Vec3 World::velocity(BodyId body) const { return impl_->get(body).velocity; }
Vec3 World::angularVelocity(BodyId body) const { return impl_->get(body).angularVelocity; }
Real World::mass(BodyId body) const { return impl_->get(body).mass; }
Motion World::motion(BodyId body) const { return impl_->get(body).motion; }
const std::string& World::name(BodyId body) const { return impl_->get(body).name; }
const Material& World::material(BodyId body) const { return impl_->get(body).material; }
const Shape& World::shape(BodyId body) const { return impl_->get(body).shapeDefinition; }
std::uint64_t World::userData(BodyId body) const { return impl_->get(body).userData; }

BodyId World::find(std::string_view name) const {
    for (const BodyId id : bodies())
        if (impl_->state.bodies[id.index].name == name)
            return id;
    return {};
}

void World::setPose(BodyId id, const Vec3& position, const Quat& orientation) {
    requireFinite(position, "position");
    Body& body = impl_->get(id);
    world::placeBody(body, toWorldPoint(position), requireRotation(orientation));
    world::refreshProxy(impl_->state, body);
}
void World::setVelocity(BodyId body, const Vec3& velocity) {
    requireFinite(velocity, "velocity");
    if (Body& record = impl_->get(body); record.motion != Motion::Static)
        record.velocity = velocity;
}
void World::setAngularVelocity(BodyId body, const Vec3& angularVelocity) {
    requireFinite(angularVelocity, "angular velocity");
    if (Body& record = impl_->get(body); record.motion != Motion::Static)
        record.angularVelocity = angularVelocity;
}
void World::setMaterial(BodyId body, const Material& material) {
    refuse(validate(material), "material:");
    impl_->get(body).material = material;
    world::updateMass(impl_->get(body));
}
void World::setMotion(BodyId body, Motion motion) { world::commitMotion(impl_->state, impl_->slot(body), motion); }
void World::setShape(BodyId body, const Shape& shape) {
    refuse(validate(shape), "shape:");
    world::commitShape(impl_->state, impl_->slot(body), shape);
}
void World::setCenterOfMass(BodyId body, const Vec3& centerInBody) {
    requireFinite(centerInBody, "centre of mass");
    impl_->get(body).centerOverride = centerInBody;
    world::updateMass(impl_->get(body));
}
void World::setLockedAxes(BodyId body, std::uint8_t lockedAxes) { impl_->get(body).lockedAxes = lockedAxes & 63; }
void World::setDamping(BodyId body, Real linear, Real angular) {
    if (!(linear >= 0) || !(angular >= 0) || !std::isfinite(linear) || !std::isfinite(angular))
        throw Error("damping must be finite, 0 or more");
    impl_->get(body).linearDamping = linear;
    impl_->get(body).angularDamping = angular;
}
void World::setGravityFactor(BodyId body, Real factor) {
    if (!std::isfinite(factor))
        throw Error("gravity factor is not finite");
    impl_->get(body).gravityFactor = factor;
}
void World::setSurfaceVelocity(BodyId body, const Vec3& velocityInBody) {
    requireFinite(velocityInBody, "surface velocity");
    impl_->get(body).surfaceVelocity = velocityInBody;
}
void World::setFilter(BodyId body, std::uint32_t layer, std::uint32_t mask) {
    Body& record = impl_->get(body);
    record.layer = layer;
    record.mask = mask;
    world::forgetPairs(impl_->state, body.index);
}
void World::setUserData(BodyId body, std::uint64_t userData) { impl_->get(body).userData = userData; }

void World::addForce(BodyId body, const Vec3& force) {
    requireFinite(force, "force");
    impl_->get(body).force += force;
}
void World::addForceAt(BodyId body, const Vec3& force, const Vec3& point) {
    requireFinite(force, "force");
    requireFinite(point, "point");
    Body& record = impl_->get(body);
    record.force += force;
    record.torque += cross(toWorldPoint(point) - record.center, force);
}
void World::addTorque(BodyId body, const Vec3& torque) {
    requireFinite(torque, "torque");
    impl_->get(body).torque += torque;
}
void World::addImpulse(BodyId body, const Vec3& impulse) {
    requireFinite(impulse, "impulse");
    Body& record = impl_->get(body);
    record.velocity += impulse * record.inverseMass;
}
void World::addImpulseAt(BodyId body, const Vec3& impulse, const Vec3& point) {
    requireFinite(point, "point");
    addImpulse(body, impulse);
    addAngularImpulse(body, cross(toWorldPoint(point) - impl_->get(body).center, impulse));
}
void World::addAngularImpulse(BodyId body, const Vec3& angularImpulse) {
    requireFinite(angularImpulse, "angular impulse");
    Body& record = impl_->get(body);
    const Vec3 local = multiply(record.inversePrincipalInertia, inverseRotate(record.orientation, angularImpulse));
    record.angularVelocity += rotate(record.orientation, local);
}

void World::moveTo(BodyId body, const Vec3& position, const Quat& orientation) {
    requireFinite(position, "position");
    Body& record = impl_->get(body);
    if (record.motion != Motion::Kinematic)
        throw Error("moveTo: body '" + record.name + "' is not kinematic");
    record.target = Pose{position, requireRotation(orientation)};
}

Vec3 World::gravity() const { return impl_->state.def.gravity; }
void World::setGravity(const Vec3& gravity) {
    requireFinite(gravity, "gravity");
    impl_->state.def.gravity = gravity;
}
const WorldDef& World::settings() const { return impl_->state.def; }

std::span<const ContactEvent> World::contactEvents() const { return impl_->state.contactEvents; }
std::span<const ErrorEvent> World::errorEvents() const { return impl_->state.errorEvents; }
WorldStats World::stats() const { return world::measure(impl_->state); }
std::uint64_t World::hash() const { return world::hashState(impl_->state); }
void World::debugDraw(DebugDraw& draw) const { world::drawWorld(impl_->state, draw); }

}  // namespace sunder
