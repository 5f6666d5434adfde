// Checks definitions against describe.h, and what a range cannot say: unit quaternions, paths, meshes that would move.
#include "collision/built_shape.h"
#include "world/field_checker.h"

namespace sunder {

using world::FieldChecker;
using world::Messages;

namespace {

bool isMesh(const Shape& shape) {
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return *shared && (*shared)->type == ShapeType::Mesh;
    return std::holds_alternative<Mesh>(shape);
}

void checkFracture(const BodyDef& def, Messages& messages) {
    if (isMesh(def.shape))
        messages.push_back("fracture: a mesh cannot break (use a level_set of it)");
    if (def.sensor)
        messages.push_back("fracture: a sensor feels no impulses and cannot break");
    if (def.fracture->threshold == 0 && def.material.fractureImpulse == 0)
        messages.push_back("fracture.threshold: 0 is not allowed (above 0, or the material needs a fracture_impulse)");
    if (!def.fracture->anchors.empty() && def.motion != Motion::Static)
        messages.push_back("fracture.anchors: only a static body can be anchored");
}

}  // namespace

std::vector<std::string> validate(const Material& material) {
    Messages messages;
    visitFields(material, FieldChecker(messages));
    return messages;
}

std::vector<std::string> validate(const BodyDef& def) {
    Messages messages;
    visitFields(def, FieldChecker(messages));
    if (def.motion == Motion::Dynamic && isMesh(def.shape))
        messages.push_back("shape: a mesh is not allowed for a dynamic body (static or kinematic; or use a hull or compound)");
    if (def.motion != Motion::Kinematic && !def.keyframes.empty())
        messages.push_back("keyframes: " + std::to_string(def.keyframes.size()) +
                           " keys are not allowed (only a kinematic body follows keyframes)");
    if (def.fracture)
        checkFracture(def, messages);
    return messages;
}

std::vector<std::string> validate(const WorldDef& def) {
    Messages messages;
    visitFields(def, FieldChecker(messages));
    return messages;
}

}  // namespace sunder
