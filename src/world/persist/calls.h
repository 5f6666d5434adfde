// The calls that change a world, as a log knows them: by their place in this list and their arguments. A method records
// itself with World::Impl::record<&World::method>(arguments...); recording and replaying both go by its signature.
#pragma once

#include <span>
#include <tuple>
#include <vector>

#include "sunder/world.h"
#include "world/persist/archive.h"

namespace sunder::world {

template <auto... methods>
struct CallList {};

using Calls =
    CallList<&World::addBody, &World::removeBody, &World::step, &World::setPose, &World::setVelocity,
             &World::setAngularVelocity, &World::setMaterial, &World::setMotion, &World::setShape, &World::setCenterOfMass,
             &World::setLockedAxes, &World::setDamping, &World::setGravityFactor, &World::setSurfaceVelocity, &World::setFilter,
             &World::setUserData, &World::addForce, &World::addForceAt, &World::addTorque, &World::addImpulse,
             &World::addImpulseAt, &World::addAngularImpulse, &World::moveTo, &World::setGravity, &World::restore,
             &World::setAllowSleep, &World::wake, &World::addJoint, &World::removeJoint, &World::changeJoint, &World::breakBody,
             &World::cut, &World::explode, &World::setSettings, &World::setSleepFactor, &World::setSensor, &World::setFracture,
             &World::setSpringRest, &World::setSpringRotation, &World::setMotorSpeed, &World::setMotorVelocity,
             &World::setSteering, &World::setNodes, &World::pinNode, &World::unpinNode, &World::attachNode, &World::detachNode,
             &World::addNodeForce>;

template <auto method>
struct CallTag {};

template <auto method, auto... methods>
constexpr std::uint8_t callCode(CallList<methods...>) {
    static_assert(sizeof...(methods) < 256);
    static_assert((std::is_same_v<CallTag<method>, CallTag<methods>> || ...), "not in the list of calls");
    int code = 0;
    bool found = false;
    ((found = found || std::is_same_v<CallTag<method>, CallTag<methods>>, code += !found), ...);
    return static_cast<std::uint8_t>(code);
}

// How an argument is kept between being read and being passed.
template <class T>
struct StoredArgument {
    using Type = std::remove_cvref_t<T>;
};
template <>
struct StoredArgument<std::span<const std::byte>> {
    using Type = std::vector<std::byte>;
};

template <class Method>
struct CallSignature;
template <class Result, class... Parameters>
struct CallSignature<Result (World::*)(Parameters...)> {
    using Arguments = std::tuple<typename StoredArgument<Parameters>::Type...>;
};
template <auto method>
using CallArguments = typename CallSignature<decltype(method)>::Arguments;

}  // namespace sunder::world
