// What the public class holds, and what its files share.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sunder/world.h"
#include "world/commit/joints.h"
#include "world/persist/recorder.h"
#include "world/sleep/wake.h"
#include "world/state/handles.h"
#include "world/state/state.h"

namespace sunder {

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
    world::Body& change(BodyId body, const Arguments&... arguments) {
        world::Body& changed = get(body);
        record<method>(body, arguments...);
        return changed;
    }

    // record for a change that concerns what touches the body: sleepers around it wake.
    template <auto method, class... Arguments>
    world::Body& disturb(BodyId body, const Arguments&... arguments) {
        world::Body& changed = change<method>(body, arguments...);
        world::wakeAround(state, body.index);
        return changed;
    }
    // record for a change of the body's own motion: only the body wakes, since a kinematic one wakes others by moving.
    template <auto method, class... Arguments>
    world::Body& drive(BodyId body, const Arguments&... arguments) {
        world::Body& changed = change<method>(body, arguments...);
        world::wakeBody(state, body.index);
        return changed;
    }

    // record for one field of a joint: refused where the definition with it would be; what stays as it is wakes nobody.
    template <auto method, class Value>
    void changeField(JointId joint, Value JointDef::*field, const Value& value);

    world::Joint& get(JointId id) {
        if (!world::isAlive(state, id))
            throw Error("joint handle " + std::to_string(id.index) + "/" + std::to_string(id.generation) +
                        " is not valid: the joint was removed, broke or was never added");
        return state.joints[id.index];
    }
    world::Body& get(BodyId id) { return state.bodies[slot(id)]; }
    std::uint32_t slot(BodyId id) const {
        if (!world::isAlive(state, id))
            throw Error("body handle " + std::to_string(id.index) + "/" + std::to_string(id.generation) +
                        " is not valid: the body was removed or never added");
        return id.index;
    }
};

// Throws an Error that lists all problems, if there are any.
inline void refuse(const std::vector<std::string>& problems, const std::string& what) {
    if (problems.empty())
        return;
    std::string message = what;
    for (const std::string& problem : problems)
        message += "\n  " + problem;
    throw Error(message);
}

inline void requireFinite(const Vec3& v, const char* what) {
    if (!isFinite(v))
        throw Error(std::string(what) + " is not finite");
}

template <auto method, class Value>
void World::Impl::changeField(JointId joint, Value JointDef::*field, const Value& value) {
    JointDef def = get(joint).def;
    def.*field = value;
    refuse(validate(def), "joint '" + def.name + "':");
    record<method>(joint, value);
    if (!(get(joint).def.*field == value))
        world::commitChangeJoint(state, joint.index, def);
}

}  // namespace sunder
