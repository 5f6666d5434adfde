// See joint_reader.h. Ranges come from describe.h, the rest from validate(); this file checks what only a scene can get wrong:
// names.
#include "scene/read/joint_reader.h"

#include <map>

#include "world/record/joint_flesh.h"
#include "world/step/steppers.h"

namespace sunder::scene {

namespace {

class JointReader {
public:
    JointReader(Reader& reader, Scene& scene) : reader_(reader), scene_(scene) {
        for (std::size_t i = 0; i < scene.bodies.size(); ++i)
            bodies_.emplace(scene.bodies[i].name, i);
    }

    void read(const Json& json, const Path& path) {
        const std::size_t before = reader_.problems().count();
        SceneJoint joint;
        reader_.readObject(json, path, joint);
        if (reader_.problems().count() != before)
            return;
        addAll(validate(joint.def), path);
        const bool aMoves = moves(joint.a, path / "a"), bMoves = moves(joint.b, path / "b");
        if (deforms(joint.a) || deforms(joint.b))
            addAll(world::complaintsAboutFlesh(joint.def), path);
        if (reader_.problems().count() != before)
            return;
        if (joint.a == joint.b)
            reader_.problems().add(path / "b", (joint.b.empty() ? "is missing" : "\"" + joint.b + "\" is the same as a") +
                                                   std::string(" (a joint needs two bodies, one of which may be the world)"));
        else if (!aMoves && !bMoves)
            reader_.problems().add(path, "neither a nor b is dynamic (the joint would hold nothing)");
        checkName(joint.def.name, path / "name");
        if (!abilitiesOf(scene_.world.stepper).joints)
            reader_.problems().add(path, "joints need the stepper " + world::steppersWith(&StepperAbilities::joints));
        scene_.joints.push_back(std::move(joint));
    }

private:
    void addAll(const std::vector<std::string>& messages, const Path& path) {
        for (const std::string& message : messages) {
            const std::size_t colon = message.find(": ");
            reader_.problems().addAt(path.text() + "." + message.substr(0, colon), {}, message.substr(colon + 2));
        }
    }
    bool deforms(const std::string& name) const {
        const auto found = bodies_.find(name);
        return found != bodies_.end() && scene_.bodies[found->second].deformable.has_value();
    }
    bool moves(const std::string& name, const Path& path) {
        if (name.empty())
            return false;
        const auto found = bodies_.find(name);
        if (found != bodies_.end())
            return scene_.bodies[found->second].motion == Motion::Dynamic;
        Names names;
        for (const auto& [known, index] : bodies_)
            names.push_back(known);
        reader_.problems().unknown(path, name, "body", names);
        return false;
    }
    void checkName(const std::string& name, const Path& path) {
        if (name.empty())
            return;
        const auto [place, isNew] = namedAt_.emplace(name, path.text());
        if (!isNew)
            reader_.problems().add(path, "\"" + name + "\" is taken by " + place->second + " (names are unique)");
    }

    Reader& reader_;
    Scene& scene_;
    std::map<std::string, std::size_t> bodies_;
    std::map<std::string, std::string> namedAt_;
};

}  // namespace

void readJoints(const Json& list, const Path& path, Reader& reader, Scene& scene) {
    if (!reader.isArray(list, path))
        return;
    JointReader joints(reader, scene);
    for (std::size_t i = 0; i < list.size(); ++i)
        joints.read(list[i], path[i]);
}

}  // namespace sunder::scene
