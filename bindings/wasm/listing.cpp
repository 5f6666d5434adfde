// What the page reads after every frame: bodies, poses, stats, contacts. See playground.h.
#include <algorithm>
#include <cmath>
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

Vec3 rotated(const Quat& q, const Vec3& v) {
    const auto cross = [](const Vec3& a, const Vec3& b) {
        return Vec3{a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    };
    const Vec3 axis{q.x, q.y, q.z}, t = cross(axis, v), u = cross(axis, t);
    return {v.x + 2 * (q.w * t.x + u.x), v.y + 2 * (q.w * t.y + u.y), v.z + 2 * (q.w * t.z + u.z)};
}

struct ContactCollector : DebugDraw {
    std::vector<float>& numbers;
    explicit ContactCollector(std::vector<float>& list) : numbers(list) {}
    void contact(const Vec3& point, const Vec3& normal, Real separation, Real impulse) override {
        numbers.insert(numbers.end(), {float(point.x), float(point.y), float(point.z), float(normal.x), float(normal.y),
                                       float(normal.z), float(separation), float(impulse)});
    }
};

// A line from the middle of one body over where it is held to the middle of the other.
struct LinkCollector : DebugDraw {
    const World& world;
    std::vector<float>& numbers;
    LinkCollector(const World& drawn, std::vector<float>& list) : world(drawn), numbers(list) {}
    void joint(JointId id, const Vec3& anchorA, const Vec3& anchorB, const Vec3&, const Vec3&) override {
        const JointDef& def = world.joint(id);
        const JointState state = world.jointState(id);
        const float force = length(state.force), torque = length(state.torque);
        float share = -1;
        if (def.breakForce)
            share = force / float(*def.breakForce);
        if (def.breakTorque)
            share = std::max(share, torque / float(*def.breakTorque));
        const auto middle = [&](BodyId body, const Vec3& anchor) { return body.isNull() ? anchor : world.centerOfMass(body); };
        for (const Vec3& point : {middle(def.a, anchorA),
                                  Vec3{(anchorA.x + anchorB.x) / 2, (anchorA.y + anchorB.y) / 2, (anchorA.z + anchorB.z) / 2},
                                  middle(def.b, anchorB)})
            numbers.insert(numbers.end(), {float(point.x), float(point.y), float(point.z)});
        numbers.insert(numbers.end(), {force, share});
    }
    static float length(const Vec3& v) { return float(std::sqrt(v.x * v.x + v.y * v.y + v.z * v.z)); }
};

// The faces of a bonded body: a short line across each.
void appendBonds(const World& world, BodyId body, std::vector<float>& numbers) {
    const BondsDef* bonds = world.bonds(body);
    if (!bonds)
        return;
    const std::vector<BondLoad> loads = world.bondLoads(body);
    const Vec3 place = world.position(body);
    const Quat turn = world.orientation(body);
    for (std::size_t i = 0; i < loads.size(); ++i) {
        const Bond& bond = bonds->bonds[i];
        const Real reach = std::sqrt(bond.area) / 3 / LinkCollector::length(bond.normal);
        for (const Real along : {-reach, Real(0), reach}) {
            const Vec3 local{bond.point.x + along * bond.normal.x, bond.point.y + along * bond.normal.y,
                             bond.point.z + along * bond.normal.z};
            const Vec3 point = rotated(turn, local);
            numbers.insert(numbers.end(), {float(place.x + point.x), float(place.y + point.y), float(place.z + point.z)});
        }
        numbers.insert(numbers.end(), {LinkCollector::length(loads[i].force), float(loads[i].share)});
    }
}

bool same(const ListedBody& a, const ListedBody& b) {
    return a.index == b.index && a.generation == b.generation && a.surface == b.surface && a.look == b.look;
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
    const std::string kind = name.substr(0, name.find_last_not_of("0123456789_-.#[], /") + 1);
    return kinds_.try_emplace(kind, std::uint32_t(kinds_.size())).first->second;
}

std::uint32_t Playground::inherit(BodyId body) {
    const BodyId parent = runner_->world().parent(body);
    if (const auto known = materialOf_.find({parent.index, parent.generation}); known != materialOf_.end())
        materialOf_.try_emplace({body.index, body.generation}, known->second);
    else if (const auto named = materialOfName_.find(runner_->world().name(body));
             parent.isNull() && named != materialOfName_.end())
        materialOf_.try_emplace({body.index, body.generation}, named->second);
    const auto known = variantOf_.find({parent.index, parent.generation});
    const std::uint32_t variant = known != variantOf_.end() ? known->second : body.index;
    return variantOf_.try_emplace({body.index, body.generation}, variant).first->second;
}

void Playground::clearMovers() {
    movers_.clear();
    moverPositions_.clear();
    moverNormals_.clear();
}

std::uint32_t Playground::addMover(std::uint32_t index, std::uint32_t generation, std::uint64_t revision,
                                   const Surface& surface, std::span<const Vec3> positions, std::span<const Vec3> normals) {
    const auto [entry, isNew] = moverSurfaces_.try_emplace({index, generation, revision}, 0);
    if (isNew)
        entry->second = surfaces_.add({{{{}, surface}}});
    movers_.push_back({entry->second, std::uint32_t(positions.size())});
    for (const Vec3& p : positions)
        moverPositions_.insert(moverPositions_.end(), {float(p.x), float(p.y), float(p.z)});
    for (const Vec3& n : normals)
        moverNormals_.insert(moverNormals_.end(), {float(n.x), float(n.y), float(n.z)});
    return entry->second;
}

// A rigid body's shape is looked at only when the body is new.
std::uint32_t Playground::surfaceOf(BodyId body, const ListedBody* known) {
    if (const auto moved = movingSurfaces_ ? movingSurfaces_(body) : ownSurfaces_.find(runner_->world(), body)) {
        Surface surface = *moved->surface;
        if (surface.normals.empty())
            surface.normals = meanNormals(surface, surface.positions);
        return addMover(body.index, body.generation, moved->revision, surface, moved->positions,
                        meanNormals(surface, moved->positions));
    }
    return known != nullptr ? known->surface : surfaces_.find(runner_->world().shape(body));
}

void Playground::listBodies() {
    const World& world = runner_->world();
    beginPoses();
    std::vector<ListedBody> found;
    for (const BodyId body : world.bodies()) {
        const std::size_t place = found.size();
        const bool isKnown =
            place < bodies_.size() && bodies_[place].index == body.index && bodies_[place].generation == body.generation;
        const std::uint32_t surface = surfaceOf(body, isKnown ? &bodies_[place] : nullptr);
        const std::size_t movers = movers_.size();
        if (isKnown) {
            found.push_back(bodies_[place]);
        } else {
            found.push_back({body.index, body.generation, surface, kindOf(world.name(body)), inherit(body)});
            if (const auto known = materialOf_.find({body.index, body.generation}); known != materialOf_.end())
                found.back().look = std::uint32_t(known->second);
        }
        found.back().surface = surface;
        states_.push_back(stateOf(world, body));
        appendPose(found.back(), {world.position(body), world.orientation(body)}, movers == movers_.size());
    }
    endPoses();
    publish(found);
}

void Playground::listRecording() {
    beginPoses();
    std::vector<ListedBody> found;
    auto moved = recording_->moved().begin();
    for (std::size_t i = 0; i < recording_->living().size(); ++i) {
        const std::uint32_t track = recording_->living()[i];
        const TrackDef& def = recording_->tracks()[track].def;
        found.push_back({track, 0, def.surface, kindOf(def.name), def.variant, def.look});
        if (def.deforms) {
            const MovedSurface& mover = *moved++;
            found.back().surface =
                addMover(track, 0, mover.surface, recording_->surfaceOf(mover), mover.positions, mover.normals);
        }
        states_.push_back(def.motion == Motion::Static      ? BodyState::Static
                          : def.motion == Motion::Kinematic ? BodyState::Kinematic
                                                            : BodyState::Awake);
        appendPose(found.back(), recording_->poses()[i], !def.deforms);
    }
    endPoses();
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

const std::vector<float>& Playground::links() {
    links_.clear();
    if (!runner_)
        return links_;
    const World& world = runner_->world();
    LinkCollector collector(world, links_);
    world.debugDraw(collector);
    for (const BodyId body : world.bodies())
        appendBonds(world, body, links_);
    return links_;
}

const std::vector<float>& Playground::slice(const Vec3& corner, const Vec3& right, const Vec3& up, int columns, int rows,
                                            Real farthest) {
    slice_.clear();
    if (!runner_)
        return slice_;
    const World& world = runner_->world();
    QueryFilter filter;
    filter.accept = [&](BodyId body) { return world.motion(body) != Motion::Static; };
    for (int k = 0; k < rows; ++k)
        for (int i = 0; i < columns; ++i) {
            const Vec3 point{corner.x + Real(i) * right.x + Real(k) * up.x, corner.y + Real(i) * right.y + Real(k) * up.y,
                             corner.z + Real(i) * right.z + Real(k) * up.z};
            const std::optional<PointHit> hit = world.closestPoint(point, farthest, filter);
            slice_.push_back(hit ? float(hit->distance) : float(farthest));
        }
    return slice_;
}

}  // namespace sunder::web
