// Bullet 3 with its default solver and margins; 10 iterations is its default. A step is one step, whatever its length.
#include "peers/engine.h"

#if SUNDER_HAS_BULLET
#include <btBulletDynamicsCommon.h>

#include <cmath>
#endif

namespace sunder::peers {

#if SUNDER_HAS_BULLET

namespace {

btVector3 toBullet(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
Vec3 fromBullet(const btVector3& v) { return {Real(v.x()), Real(v.y()), Real(v.z())}; }

// A shape, and what it refers to but does not own.
struct ShapeOwner {
    std::vector<std::unique_ptr<btCollisionShape>> parts;
    std::unique_ptr<btTriangleMesh> triangles;
    std::unique_ptr<btCollisionShape> shape;
};

std::unique_ptr<btCollisionShape> makeMesh(const Mesh& mesh, ShapeOwner& owner) {
    owner.triangles = std::make_unique<btTriangleMesh>();
    for (const Vec3& vertex : mesh.vertices)
        owner.triangles->findOrAddVertex(toBullet(vertex), false);
    for (const std::array<std::uint32_t, 3>& t : mesh.triangles)
        owner.triangles->addTriangleIndices(int(t[0]), int(t[1]), int(t[2]));
    return std::make_unique<btBvhTriangleMeshShape>(owner.triangles.get(), true);
}

std::unique_ptr<btCollisionShape> makeShape(const Shape& shape, const Vec3& massCenter, ShapeOwner& owner);

std::unique_ptr<btCollisionShape> makeCompound(const Compound& compound, const Vec3& massCenter, ShapeOwner& owner) {
    auto result = std::make_unique<btCompoundShape>();
    for (const CompoundChild& child : compound.children) {
        owner.parts.push_back(makeShape(child.shape, {}, owner));
        if (owner.parts.back() == nullptr)
            return nullptr;
        const Quat& q = child.orientation;
        result->addChildShape(btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                                          toBullet(child.position) - toBullet(massCenter)),
                              owner.parts.back().get());
    }
    return result;
}

// Nothing for shapes that no scene of the benchmark has. Bullet's bodies lie about their centre of mass, so a hull's points
// are moved there.
std::unique_ptr<btCollisionShape> makeShape(const Shape& shape, const Vec3& massCenter, ShapeOwner& owner) {
    if (const Sphere* sphere = std::get_if<Sphere>(&shape))
        return std::make_unique<btSphereShape>(btScalar(sphere->radius));
    if (const Box* box = std::get_if<Box>(&shape))
        return std::make_unique<btBoxShape>(toBullet(box->halfExtents));
    if (const Capsule* capsule = std::get_if<Capsule>(&shape))
        return std::make_unique<btCapsuleShape>(btScalar(capsule->radius), btScalar(2 * capsule->halfHeight));
    if (const Mesh* mesh = std::get_if<Mesh>(&shape))
        return makeMesh(*mesh, owner);
    if (const Compound* compound = std::get_if<Compound>(&shape))
        return makeCompound(*compound, massCenter, owner);
    if (const Hull* hull = std::get_if<Hull>(&shape)) {
        auto result = std::make_unique<btConvexHullShape>();
        for (const Vec3& point : hull->points)
            result->addPoint(toBullet(point) - toBullet(massCenter), false);
        result->recalcLocalAabb();
        return result;
    }
    return nullptr;
}

class BulletEngine final : public Engine {
public:
    explicit BulletEngine(const SceneSetup& setup) : massCenters_(setup.massCenters) {
        world_.setGravity(toBullet(setup.gravity));
        world_.getSolverInfo().m_numIterations = 10;
        for (std::size_t i = 0; i < setup.bodies.size(); ++i)
            complete_ = addBody(setup.bodies[i], setup.massCenters[i]) && complete_;
        for (const JointDef& joint : setup.joints)
            complete_ = complete_ && addJoint(joint);
    }
    ~BulletEngine() override {
        for (const std::unique_ptr<btTypedConstraint>& joint : joints_)
            world_.removeConstraint(joint.get());
        for (const std::unique_ptr<btRigidBody>& body : bodies_)
            world_.removeRigidBody(body.get());
    }
    BulletEngine(const BulletEngine&) = delete;
    BulletEngine& operator=(const BulletEngine&) = delete;

    bool complete() const { return complete_; }

    void step(Real seconds) override { world_.stepSimulation(btScalar(seconds), 0); }
    BodyState state(std::size_t body) const override {
        const btRigidBody& rigid = *bodies_[body];
        const btTransform& pose = rigid.getWorldTransform();
        const btQuaternion turn = pose.getRotation();
        return {fromBullet(pose * -toBullet(massCenters_[body])),
                {Real(turn.x()), Real(turn.y()), Real(turn.z()), Real(turn.w())},
                fromBullet(rigid.getLinearVelocity()),
                fromBullet(rigid.getAngularVelocity())};
    }
    int contacts() const override {
        int count = 0;
        for (int i = 0; i < dispatcher_.getNumManifolds(); ++i)
            count += dispatcher_.getInternalManifoldPointer()[i]->getNumContacts();
        return count;
    }

private:
    bool addBody(const BodyDef& def, const Vec3& massCenter) {
        ShapeOwner owner;
        owner.shape = makeShape(def.shape, massCenter, owner);
        if (owner.shape == nullptr)
            return false;
        btCollisionShape* shape = owner.shape.get();
        const btScalar mass = btScalar(def.mass.value_or(0));
        btVector3 inertia(0, 0, 0);
        if (mass > 0)
            shape->calculateLocalInertia(mass, inertia);
        btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, shape, inertia);
        const Quat& q = def.orientation;
        const btTransform frame(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                                toBullet(def.position));
        info.m_startWorldTransform = btTransform(frame.getBasis(), frame * toBullet(massCenter));
        // Bullet multiplies the two coefficients of a contact.
        info.m_friction = btScalar(std::sqrt(def.material.friction));
        info.m_restitution = btScalar(def.material.restitution);
        bodies_.push_back(std::make_unique<btRigidBody>(info));
        shapes_.push_back(std::move(owner));
        btRigidBody& body = *bodies_.back();
        body.setLinearVelocity(toBullet(def.velocity));
        body.setAngularVelocity(toBullet(def.angularVelocity));
        if (mass > 0)
            body.setActivationState(DISABLE_DEACTIVATION);
        if (def.mask == 0xffffffffu)
            world_.addRigidBody(&body);
        else
            world_.addRigidBody(&body, int(def.layer), int(def.mask));
        return true;
    }
    // Balls, hinges and cones between two bodies.
    bool addJoint(const JointDef& joint) {
        if (joint.a.isNull() || joint.b.isNull())
            return false;
        btRigidBody &a = *bodies_[joint.a.index], &b = *bodies_[joint.b.index];
        const btTransform intoA = a.getWorldTransform().inverse(), intoB = b.getWorldTransform().inverse();
        const btVector3 anchor = toBullet(joint.anchor), axis = toBullet(joint.axis).normalized();
        btVector3 across, third;
        btPlaneSpace1(axis, across, third);
        switch (joint.type) {
            case JointType::Ball:
                joints_.push_back(std::make_unique<btPoint2PointConstraint>(a, b, intoA * anchor, intoB * anchor));
                break;
            case JointType::Hinge: {  // about the frame's z
                const btTransform frame(btMatrix3x3(across.x(), third.x(), axis.x(), across.y(), third.y(), axis.y(),
                                                    across.z(), third.z(), axis.z()),
                                        anchor);
                auto hinge = std::make_unique<btHingeConstraint>(a, b, intoA * frame, intoB * frame);
                if (joint.limits)  // its angle is that of A against B
                    hinge->setLimit(btScalar(-joint.limits->high), btScalar(-joint.limits->low));
                joints_.push_back(std::move(hinge));
                break;
            }
            case JointType::ConeTwist: {  // about the frame's x
                const btTransform frame(btMatrix3x3(axis.x(), across.x(), third.x(), axis.y(), across.y(), third.y(), axis.z(),
                                                    across.z(), third.z()),
                                        anchor);
                auto cone = std::make_unique<btConeTwistConstraint>(a, b, intoA * frame, intoB * frame);
                const btScalar swing = btScalar(joint.cone.value_or(Real(1e30)));
                cone->setLimit(swing, swing, btScalar(joint.limits ? joint.limits->high : Real(1e30)));
                joints_.push_back(std::move(cone));
                break;
            }
            default: return false;
        }
        world_.addConstraint(joints_.back().get(), !joint.collideConnected);
        return true;
    }

    btDefaultCollisionConfiguration configuration_;
    mutable btCollisionDispatcher dispatcher_{&configuration_};
    btDbvtBroadphase broadPhase_;
    btSequentialImpulseConstraintSolver solver_;
    btDiscreteDynamicsWorld world_{&dispatcher_, &broadPhase_, &solver_, &configuration_};
    std::vector<ShapeOwner> shapes_;
    std::vector<std::unique_ptr<btRigidBody>> bodies_;
    std::vector<std::unique_ptr<btTypedConstraint>> joints_;
    std::vector<Vec3> massCenters_;
    bool complete_ = true;
};

}  // namespace

std::unique_ptr<Engine> makeBullet(const SceneSetup& setup) {
    auto engine = std::make_unique<BulletEngine>(setup);
    return engine->complete() ? std::move(engine) : nullptr;
}

#else

std::unique_ptr<Engine> makeBullet(const SceneSetup&) { return nullptr; }

#endif

}  // namespace sunder::peers
