// The public class: joints.
#include <algorithm>

#include "world/query/joint_state.h"
#include "world/step/steppers.h"
#include "world/world_impl.h"

namespace sunder {

namespace {

// Of a deformable body: whether the joint can hold it, and lies in it or no farther off than one of its cells.
void checkFlesh(const world::Body& body, const JointDef& def, bool isB, std::vector<std::string>& problems) {
    if (!body.solid)
        return;
    problems = world::complaintsAboutFlesh(def);
    const Vec3 anchor = isB ? def.anchorB.value_or(def.anchor) : def.anchor;
    const Quat turn = world::userOrientation(body);
    const Real outside = world::distanceOutside(body, inverseRotate(turn, toWorldPoint(anchor) - world::userPosition(body)));
    if (const Real cell = world::modelOf(*body.solid, *body.shape).cell; outside > cell)
        problems.push_back(std::string(isB && def.anchorB ? "anchor_b" : "anchor") + ": " + numberText(outside) +
                           " m outside of the deformable body '" + body.name + "' is not allowed (at most one of its cells, " +
                           numberText(cell) + " m)");
}

}  // namespace

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
    for (const bool isB : {false, true})
        if (const BodyId id = isB ? def.b : def.a; problems.empty() && !id.isNull())
            checkFlesh(impl_->state.bodies[id.index], def, isB, problems);
    if (!abilitiesOf(impl_->state.def.stepper).joints)
        problems.push_back("stepper: joints need " + world::steppersWith(&StepperAbilities::joints) + ", this world has " +
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
    if (world::fleshOf(impl_->state.fleshJoints, joint.index) && problems.empty())
        problems = world::complaintsAboutFlesh(def);
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
JointState World::jointState(JointId joint) const {
    return world::stateOf(impl_->state.bodies, impl_->get(joint), world::fleshOf(impl_->state.fleshJoints, joint.index));
}
JointId World::findJoint(std::string_view name) const {
    for (const JointId id : joints())
        if (impl_->state.joints[id.index].def.name == name)
            return id;
    return {};
}

}  // namespace sunder
