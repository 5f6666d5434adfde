// ODE with its QuickStep solver at the library's defaults (20 iterations). Hulls are left out: its convex shape wants faces,
// and its contacts between two of them are not meant for piles.
#include "peers/engine.h"

#if SUNDER_HAS_ODE
#include <ode/ode.h>

#include <cmath>
#endif

namespace sunder::peers {

#if SUNDER_HAS_ODE

namespace {

constexpr int kMostContactsPerPair = 8;  // what two boxes can have

Vec3 fromOde(const dReal* v) { return {Real(v[0]), Real(v[1]), Real(v[2])}; }

// ODE is opened by the first world and stays open.
void openLibrary() {
    static const bool opened = [] {
        dInitODE2(0);
        dSetMessageHandler([](int, const char*, va_list) {});  // it prints a line for every step that did not go well
        return true;
    }();
    static_cast<void>(opened);
}

class OdeEngine final : public Engine {
public:
    explicit OdeEngine(const SceneSetup& setup) {
        openLibrary();
        world_ = dWorldCreate();
        space_ = dSweepAndPruneSpaceCreate(nullptr, dSAP_AXES_XZY);
        group_ = dJointGroupCreate(0);
        dWorldSetGravity(world_, setup.gravity.x, setup.gravity.y, setup.gravity.z);
        for (const BodyDef& def : setup.bodies)
            complete_ = addBody(def) && complete_;
    }
    ~OdeEngine() override {
        dJointGroupDestroy(group_);
        dSpaceDestroy(space_);
        dWorldDestroy(world_);
    }
    OdeEngine(const OdeEngine&) = delete;
    OdeEngine& operator=(const OdeEngine&) = delete;

    bool complete() const { return complete_; }

    void step(Real seconds) override {
        contacts_ = 0;
        dSpaceCollide(space_, this, &OdeEngine::collide);
        dWorldQuickStep(world_, seconds);
        dJointGroupEmpty(group_);
    }
    BodyState state(std::size_t body) const override {
        const dBodyID rigid = dGeomGetBody(geoms_[body]);
        dQuaternion turn;
        dGeomGetQuaternion(geoms_[body], turn);
        const Quat orientation{Real(turn[1]), Real(turn[2]), Real(turn[3]), Real(turn[0])};
        const Vec3 position = fromOde(dGeomGetPosition(geoms_[body]));
        if (rigid == nullptr)
            return {position, orientation, {}, {}};
        return {position, orientation, fromOde(dBodyGetLinearVel(rigid)), fromOde(dBodyGetAngularVel(rigid))};
    }
    int contacts() const override { return contacts_; }

private:
    static void collide(void* data, dGeomID a, dGeomID b) { static_cast<OdeEngine*>(data)->addContacts(a, b); }

    void addContacts(dGeomID a, dGeomID b) {
        const dBodyID bodyA = dGeomGetBody(a), bodyB = dGeomGetBody(b);
        if (bodyA == nullptr && bodyB == nullptr)
            return;
        dContact contacts[kMostContactsPerPair];
        const int count = dCollide(a, b, kMostContactsPerPair, &contacts[0].geom, sizeof(dContact));
        for (int i = 0; i < count; ++i) {
            contacts[i].surface.mode = dContactApprox1;  // friction in proportion to the normal force
            contacts[i].surface.mu = std::sqrt(friction(a) * friction(b));
            dJointAttach(dJointCreateContact(world_, group_, &contacts[i]), bodyA, bodyB);
        }
        contacts_ += count;
    }

    double friction(dGeomID geom) const { return frictions_[reinterpret_cast<std::size_t>(dGeomGetData(geom))]; }

    bool addBody(const BodyDef& def) {
        const Sphere* sphere = std::get_if<Sphere>(&def.shape);
        const Box* box = std::get_if<Box>(&def.shape);
        if (sphere == nullptr && box == nullptr)
            return false;
        const Vec3 size = box != nullptr ? box->halfExtents : Vec3{};
        const dGeomID geom =
            box != nullptr ? dCreateBox(space_, 2 * size.x, 2 * size.y, 2 * size.z) : dCreateSphere(space_, sphere->radius);
        if (def.mass) {
            const dBodyID body = dBodyCreate(world_);
            dMass mass;
            if (box != nullptr)
                dMassSetBoxTotal(&mass, *def.mass, 2 * size.x, 2 * size.y, 2 * size.z);
            else
                dMassSetSphereTotal(&mass, *def.mass, sphere->radius);
            dBodySetMass(body, &mass);
            dGeomSetBody(geom, body);
            dBodySetLinearVel(body, def.velocity.x, def.velocity.y, def.velocity.z);
            dBodySetAngularVel(body, def.angularVelocity.x, def.angularVelocity.y, def.angularVelocity.z);
        }
        const Quat& q = def.orientation;
        const dQuaternion turn{q.w, q.x, q.y, q.z};
        dGeomSetPosition(geom, def.position.x, def.position.y, def.position.z);
        dGeomSetQuaternion(geom, turn);
        dGeomSetData(geom, reinterpret_cast<void*>(geoms_.size()));
        geoms_.push_back(geom);
        frictions_.push_back(def.material.friction);
        return true;
    }

    dWorldID world_ = nullptr;
    dSpaceID space_ = nullptr;
    dJointGroupID group_ = nullptr;
    std::vector<dGeomID> geoms_;
    std::vector<double> frictions_;
    int contacts_ = 0;
    bool complete_ = true;
};

}  // namespace

std::unique_ptr<Engine> makeOde(const SceneSetup& setup) {
    auto engine = std::make_unique<OdeEngine>(setup);
    return engine->complete() ? std::move(engine) : nullptr;
}

#else

std::unique_ptr<Engine> makeOde(const SceneSetup&) { return nullptr; }

#endif

}  // namespace sunder::peers
