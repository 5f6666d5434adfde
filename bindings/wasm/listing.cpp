// What the page reads after every frame: bodies, poses, stats, contacts. See playground.h.
#include <cstdio>

#include "playground.h"

namespace sunder::web {

namespace {

BodyState stateOf(const World& world, BodyId body) {
    switch (world.motion(body)) {
        case Motion::Static: return BodyState::Static;
        case Motion::Kinematic: return BodyState::Kinematic;
        case Motion::Dynamic: break;
    }
    return world.isAwake(body) ? BodyState::Awake : BodyState::Asleep;
}

void append(std::vector<float>& numbers, const Vec3& p, const Quat& q) {
    numbers.insert(numbers.end(), {float(p.x), float(p.y), float(p.z), float(q.x), float(q.y), float(q.z), float(q.w)});
}

struct ContactCollector : DebugDraw {
    std::vector<float>& numbers;
    explicit ContactCollector(std::vector<float>& list) : numbers(list) {}
    void shape(BodyId, const Shape&, const Pose&) override {}
    void contact(const Vec3& point, const Vec3& normal, Real separation, Real impulse) override {
        numbers.insert(numbers.end(), {float(point.x), float(point.y), float(point.z), float(normal.x), float(normal.y),
                                       float(normal.z), float(separation), float(impulse)});
    }
    void bounds(BodyId, const Vec3&, const Vec3&) override {}
    void centreOfMass(BodyId, const Pose&) override {}
};

bool same(const ListedBody& a, const ListedBody& b) {
    return a.index == b.index && a.generation == b.generation && a.surface == b.surface;
}

}  // namespace

void Playground::publish(std::vector<ListedBody>& found) {
    bool changed = found.size() != bodies_.size();
    for (std::size_t i = 0; !changed && i < found.size(); ++i)
        changed = !same(found[i], bodies_[i]);
    if (changed) {
        bodies_.swap(found);
        ++revision_;
    }
}

std::uint32_t Playground::kindOf(const std::string& name) {
    std::string kind;
    for (const char c : name)
        if (c < '0' || c > '9')
            kind += c;
    return kinds_.try_emplace(kind, std::uint32_t(kinds_.size())).first->second;
}

void Playground::listBodies() {
    const World& world = runner_->world();
    poses_.clear();
    states_.clear();
    std::vector<ListedBody> found;
    for (const BodyId body : world.bodies()) {
        // A body's shape is looked at only when the body is new.
        const std::size_t place = found.size();
        const bool known =
            place < bodies_.size() && bodies_[place].index == body.index && bodies_[place].generation == body.generation;
        found.push_back(known ? bodies_[place]
                              : ListedBody{body.index, body.generation, surfaces_.find(world.shape(body)),
                                           kindOf(world.name(body)), body.index});
        append(poses_, world.position(body), world.orientation(body));
        states_.push_back(stateOf(world, body));
    }
    publish(found);
}

void Playground::listRecording() {
    poses_.clear();
    states_.clear();
    std::vector<ListedBody> found;
    for (std::size_t i = 0; i < recording_->living().size(); ++i) {
        const std::uint32_t track = recording_->living()[i];
        const TrackDef& def = recording_->tracks()[track].def;
        found.push_back({track, 0, def.surface, kindOf(def.name), def.variant});
        append(poses_, recording_->poses()[i].position, recording_->poses()[i].orientation);
        states_.push_back(def.motion == Motion::Static      ? BodyState::Static
                          : def.motion == Motion::Kinematic ? BodyState::Kinematic
                                                            : BodyState::Awake);
    }
    publish(found);
}

std::string Playground::hash() const {
    const std::uint64_t value = recording_ ? recording_->hash() : runner_ ? runner_->world().hash() : 0;
    char text[20];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(value));
    return text;
}

const std::vector<double>& Playground::stats() {
    stats_.assign(kStatNames.size(), 0);
    if (recording_) {
        const std::vector<std::string>& names = recording_->info().statNames;
        for (std::size_t i = 0; i < kStatNames.size(); ++i)
            for (std::size_t k = 0; k < names.size() && k < recording_->stats().size(); ++k)
                if (names[k] == kStatNames[i])
                    stats_[i] = recording_->stats()[k];
    } else if (runner_) {
        const WorldStats s = runner_->world().stats();
        stats_ = {double(runner_->frame()), runner_->time(),     double(s.bodies),    double(s.awake),   double(s.asleep),
                  double(s.contacts),       double(s.manifolds), s.kineticEnergy,     s.potentialEnergy, s.elasticEnergy,
                  s.maxPenetration,         runner_->stepMs(),   s.solveMs,           s.collideMs,       s.broadPhaseMs,
                  s.linearMomentum[0],      s.linearMomentum[1], s.linearMomentum[2], s.guardedEnergy,   double(keptBytes_)};
    }
    return stats_;
}

const std::vector<float>& Playground::contacts() {
    contacts_.clear();
    if (runner_) {
        ContactCollector collector(contacts_);
        runner_->world().debugDraw(collector);
    } else if (recording_) {
        for (const RecordedEvent& e : recording_->events())
            contacts_.insert(contacts_.end(), {float(e.point.x), float(e.point.y), float(e.point.z), float(e.normal.x),
                                               float(e.normal.y), float(e.normal.z), 0.0f, e.impulse});
    }
    return contacts_;
}

}  // namespace sunder::web
