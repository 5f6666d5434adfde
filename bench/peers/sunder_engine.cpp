// Ours, with its default settings but for sleeping.
#include "peers/engine.h"

namespace sunder::peers {

namespace {

class SunderEngine final : public Engine {
public:
    SunderEngine(const SceneSetup& setup, int threads) : world_(settings(setup, threads)) {
        for (const BodyDef& def : setup.bodies)
            bodies_.push_back(world_.addBody(def));
        for (JointDef joint : setup.joints) {
            for (BodyId* body : {&joint.a, &joint.b})
                if (!body->isNull())
                    *body = bodies_[body->index];
            world_.addJoint(joint);
        }
    }

    void step(Real seconds) override { world_.step(seconds); }
    BodyState state(std::size_t body) const override {
        const BodyId id = bodies_[body];
        return {world_.position(id), world_.orientation(id), world_.velocity(id), world_.angularVelocity(id)};
    }
    int contacts() const override { return world_.stats().contacts; }
    Stages stages() const override {
        const WorldStats stats = world_.stats();
        return {{"broad_phase", stats.broadPhaseMs}, {"collide", stats.collideMs}, {"solve", stats.solveMs}};
    }

private:
    static WorldDef settings(const SceneSetup& setup, int threads) {
        WorldDef def;
        def.gravity = setup.gravity;
        def.sleeping = setup.sleeping;
        def.threads = threads;
        return def;
    }

    World world_;
    std::vector<BodyId> bodies_;
};

}  // namespace

std::unique_ptr<Engine> makeSunder(const SceneSetup& setup, int threads) {
    return std::make_unique<SunderEngine>(setup, threads);
}

}  // namespace sunder::peers
