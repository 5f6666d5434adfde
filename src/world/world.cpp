// The public class as a whole: bodies come and go, the step, settings, queries, events, snapshots. Every method checks handles
// and arguments, and calls the functions of the rooms.
#include "sunder/world.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/fitted.h"
#include "core/stopwatch.h"
#include "world/commit/bodies.h"
#include "world/flesh/dust.h"
#include "world/flesh/holds.h"
#include "world/persist/snapshot.h"
#include "world/persist/state_hash.h"
#include "world/query/debug_draw.h"
#include "world/query/measure.h"
#include "world/query/queries.h"
#include "world/step/steppers.h"
#include "world/world_impl.h"

namespace sunder {

namespace {

// s: far beyond any use, and short enough that the number of substeps fits an int.
constexpr Real kLongestStep = 60;

}  // namespace

void SUNDER_PRECISION_TAG() {}

World::World(const WorldDef& def, TaskRunner* tasks) : impl_(std::make_unique<Impl>()) {
    refuse(validate(def), "world definition:");
    world::WorldState& state = impl_->state;
    state.def = def;
    if (tasks == nullptr) {
        state.host.ownTasks = makeTaskRunner(def.threads);
        tasks = state.host.ownTasks.get();
    }
    state.tasks = tasks;
}

World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

namespace {

// The bodies that hold a deformable one, in the order of DeformableDef::attached.
std::vector<BodyId> findHolders(const World& world, const BodyDef& def, std::vector<std::string>& problems) {
    std::vector<BodyId> holders;
    for (std::size_t i = 0; def.deformable && i < def.deformable->attached.size(); ++i) {
        const std::string path = "deformable.attached[" + std::to_string(i) + "].body: '";
        const std::string& name = def.deformable->attached[i].body;
        holders.push_back(world.find(name));
        if (holders.back().isNull())
            problems.push_back(path + name + "' is not allowed (the name of a body that was added before)");
        else if (world.deformable(holders.back()))
            problems.push_back(path + name + "' is not allowed (it deforms; a rigid body)");
    }
    return holders;
}

}  // namespace

BodyId World::addBody(const BodyDef& def) {
    std::vector<std::string> problems = validate(def);
    if (def.bonds && !abilitiesOf(impl_->state.def.stepper).bonds)
        problems.push_back("bonds: they need the stepper " + world::steppersWith(&StepperAbilities::bonds) +
                           ", this world has " + std::string(world::entryOf(impl_->state.def.stepper).name));
    if (!world::hasRoom(impl_->state.bodies, impl_->state.roster))
        problems.push_back("there are " + std::to_string(world::kMostAdded) + " bodies already: no more are allowed");
    const std::vector<BodyId> holders = findHolders(*this, def, problems);
    refuse(problems, "body '" + def.name + "':");
    world::BuiltBody built = world::buildBody(def);
    impl_->record<&World::addBody>(def);
    const std::uint32_t slot = world::commitAdd(impl_->state, def, std::move(built));
    for (std::size_t i = 0; i < holders.size(); ++i)
        world::holdNodes(impl_->state, slot, def.deformable->attached[i], holders[i]);
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
    state.events.collisions.clear();
    state.sleep.events.clear();
    state.events.joints.clear();
    state.breaking.events.clear();
    state.breaking.tears.clear();
    state.breaking.dentEvents.clear();
    state.overloads.bondEvents.clear();
    if (dt == 0)
        return;
    const Stopwatch stepTime;
    state.stepStats = {};
    reserveFitted(state.bodies, state.bodies.size());  // a restored world may be smaller
    state.solve.solver.memory().fit();
    world::stepBy(world::entryOf(state.def.stepper), state, dt);
    world::flyDust(state, dt);
    state.stepStats.stepMs = stepTime.milliseconds();
    if (impl_->recorder)
        impl_->recorder->stepped(world::hashState(state));
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
    impl_->state.host.contactFilter = std::move(filter);
    world::filterPairs(impl_->state);
}
void World::setPreSolve(PreSolve preSolve) {
    impl_->state.host.preSolve = std::move(preSolve);
    world::wakeAll(impl_->state);
}
const WorldDef& World::settings() const { return impl_->state.def; }
void World::setSettings(const WorldDef& settings) {
    refuse(validate(settings), "world definition:");
    world::WorldState& state = impl_->state;
    if (!abilitiesOf(settings.stepper).joints && state.joints.size() > state.jointRoster.freeSlots.size())
        throw Error("stepper: joints need " + world::steppersWith(&StepperAbilities::joints) + ", and this world has some");
    if (!abilitiesOf(settings.stepper).bonds && !state.roster.bonded.empty())
        throw Error("stepper: bonds need " + world::steppersWith(&StepperAbilities::bonds) + ", and this world has some");
    impl_->record<&World::setSettings>(settings);
    world::wakeAll(state);
    if (settings.stepper != state.def.stepper)
        state.clock.pace.substep = 0;  // impulses of another stepper are no first guess
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
std::span<const CollisionEvent> World::collisionEvents() const { return impl_->state.events.collisions; }
std::span<const SleepEvent> World::sleepEvents() const { return impl_->state.sleep.events; }
std::span<const BreakEvent> World::breakEvents() const { return impl_->state.breaking.events; }
std::span<const TearEvent> World::tearEvents() const { return impl_->state.breaking.tears; }
std::span<const DustGrain> World::dust() const { return impl_->state.breaking.dust; }
std::span<const DentEvent> World::dentEvents() const { return impl_->state.breaking.dentEvents; }
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
