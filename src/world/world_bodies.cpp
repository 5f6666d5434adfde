// The public class: one body, read, changed, driven and broken.
#include <cmath>

#include "sunder/describe.h"
#include "world/breaking/blasts.h"
#include "world/breaking/bond_loads.h"
#include "world/breaking/breaking.h"
#include "world/breaking/given_loads.h"
#include "world/commit/bodies.h"
#include "world/query/queries.h"
#include "world/record/body_mass.h"
#include "world/record/bonded_pieces.h"
#include "world/state/proxies.h"
#include "world/world_impl.h"

namespace sunder {

using world::Body;

namespace {

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
    if (const auto& solid = impl_->get(body).solid)
        refuse(world::complaintsAbout(material, solid->def), "material:");
    Body& record = impl_->disturb<&World::setMaterial>(body, material);
    if (record.solid) {
        world::changeMaterial(*record.solid, *record.shape, record.material, material);
        record.massOverride = record.solid->model->mass;
    }
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

namespace {

world::BreakRequest requestOf(const Body& body, BodyId id, const Vec3& point, const Vec3& normal) {
    const Quat orientation = world::userOrientation(body);
    world::BreakRequest request;
    request.body = id;
    request.point = inverseRotate(orientation, toWorldPoint(point) - world::userPosition(body));
    request.normal = inverseRotate(orientation, normalizeOr(normal, {0, 1, 0}));
    return request;
}

void requirePlane(const Vec3& point, const Vec3& normal, const char* call) {
    requireFinite(point, "point");
    if (!isFinite(normal) || !(lengthSquared(normal) > 0))
        throw Error(std::string(call) + ": the normal must be finite and not zero");
}

void requireBreakable(const Body& body, const char* call) {
    if (!body.fracture)
        throw Error(std::string(call) + ": body '" + body.name + "' has no fracture");
}

}  // namespace

void World::breakBody(BodyId id, const Vec3& point, const Vec3& normal, Real impulse) {
    requirePlane(point, normal, "breakBody");
    requireBreakable(impl_->get(id), "breakBody");
    if (!(impulse >= 0) || !std::isfinite(impulse))
        throw Error("breakBody: the impulse must be finite, 0 or more");
    const Body& body = impl_->disturb<&World::breakBody>(id, point, normal, impulse);
    world::BreakRequest request = requestOf(body, id, point, normal);
    request.impulse = request.push = impulse;
    impl_->state.breaking.waiting.push_back(request);
}
void World::cut(BodyId id, const Vec3& point, const Vec3& normal) {
    requirePlane(point, normal, "cut");
    if (!impl_->get(id).solid)
        requireBreakable(impl_->get(id), "cut");
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

const DeformableDef* World::deformable(BodyId body) const {
    const Body& record = impl_->get(body);
    return record.solid ? &record.solid->def : nullptr;
}

}  // namespace sunder
