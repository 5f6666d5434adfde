#include "deformable/contact/island.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "deformable/step/tet_stress.h"
#include "math/vec3d.h"

namespace sunder::deformable {

namespace {

// Edges that a wave crosses in a step beyond which nothing but the matrix keeps a body from swinging ever wider; below, inertia
// does, and geometric stiffness would only make what is struck spring back further.
constexpr Real kLongStep = 300;

bool isLong(const SolidModel& model, Real dt) {
    const elastic::ElasticMaterial& m = model.material.elastic;
    return square(dt) * m.young > square(kLongStep * model.cell) * m.density;
}

}  // namespace

SolidMemory freshMemory(const SolidModel& model) {
    SolidMemory memory;
    memory.tets = model.tetCount();
    memory.usesQr.assign(model.blocks.size(), wide::LaneMask{});
    if (model.material.yieldStrain > 0)
        memory.plastic.assign(model.blocks.size(), StrainBlock{});
    return memory;
}

void Island::predictSolid(TaskRunner& tasks, IslandSolid& solid, Real dt) {
    const SolidModel& model = *solid.model;
    flyFreely(model, solid.motion, solid.nodes, solid.acceleration, dt, solid.flight);
    positions_.resize(model.nodeCount());
    for (std::size_t i = 0; i < model.nodeCount(); ++i)
        positions_[i] = toFour(solid.nodes.positions[i]);
    ElementSettings element;
    element.lame = lameOf(model.material.elastic);
    element.worldFromBody = toMatrix(solid.flight.motion.worldFromBody);
    element.yieldStrain = model.material.yieldStrain;
    if (element.yieldStrain > 0)  // otherwise what has flowed stays as it is
        element.creepShare = dt * model.material.creepRate / (1 + dt * model.material.creepRate);
    element.largestPlastic = model.material.largestPlastic;
    element.plasticity = model.material.plasticity;
    element.qrOrder = static_cast<int>(core::Random(step).bits() % 6);
    deformElements(tasks, model, positions_.data(), element, solid.memory->usesQr, solid.memory->plastic, solid.matrix);
    if (model.material.smoothing > 0)
        smoothForces(tasks, model, model.material.smoothing, solid.matrix);
    assemble(tasks, model, dt, solid.matrix, isLong(model, dt));
    solid.isTouched = !solid.pins.empty() || !solid.forces.empty();
    solid.isPinned.clear();
    if (solid.pins.empty())
        return;
    solid.isPinned.assign(model.nodeCount(), 0);
    for (const Pin& pin : solid.pins)
        solid.isPinned[pin.node] = 1;
}

void Island::predict(TaskRunner& tasks, Real dt) {
    for (IslandSolid& solid : solids)
        predictSolid(tasks, solid, dt);
    beginSystem();
    contacts.clear();
}

void Island::beginSystem() {
    std::vector<SystemSolid> rows;
    for (const IslandSolid& solid : solids)
        rows.push_back({solid.model, &solid.matrix, solid.flight.offsets.data(),
                        solid.isPinned.empty() ? nullptr : solid.isPinned.data()});
    std::vector<SystemBody> rigid;
    for (const IslandBody& body : bodies)
        rigid.push_back({body.mass, body.inertia});
    system_.begin(rows, rigid);
}

// dt (f + elastic) - (dt^2 K + dt C) u, on every node; see solid_matrix.h.
void Island::loadSolid(const IslandSolid& solid, std::uint32_t first, Real dt) {
    const SolidModel& model = *solid.model;
    const FreeFlight& flight = solid.flight;
    const Real drag = dt * model.material.massDamping;
    for (std::uint32_t i = 0; i < model.nodeCount(); ++i) {
        const Four force = elasticForce(model, solid.matrix, i) + flight.loads[i];
        right_[first + i] = fourOf(dt) * force - stiffnessRow(model, solid.matrix, i, flight.relative.data()) -
                            fourOf(drag * model.nodeMass[i]) * flight.relative[i];
    }
    for (const NodeLoad& given : solid.forces)
        right_[first + given.node] += toFour(given.force * dt);
    for (const Pin& pin : solid.pins) {
        const Vec3 way = (pin.target - flight.motion.center) - toVec3(flight.offsets[pin.node]);
        change_[first + pin.node] = toFour(way / dt) - flight.relative[pin.node];
    }
}

ContactOutcome Island::solve(TaskRunner& tasks, Real dt) {
    ContactOutcome outcome = solveOnce(tasks, dt);
    if (system_.isIndefinite()) {  // without geometric stiffness it never is
        for (IslandSolid& solid : solids)
            assemble(tasks, *solid.model, dt, solid.matrix, false);
        beginSystem();
        outcome = solveOnce(tasks, dt);
    }
    keepMomenta();
    for (const IslandContact& contact : contacts)
        for (int k = 0; k < contact.gradient.nodeCount && contact.normalImpulse > 0; ++k)
            for (std::size_t s = solids.size(); s-- > 0;)
                if (contact.gradient.node[k] >= system_.firstNode(s)) {
                    solids[s].isTouched = true;
                    break;
                }
    return outcome;
}

bool Island::isBoundAndFree() const {
    const auto isOutside = [](const IslandContact& contact) {
        Real sum = 0;
        for (int k = 0; k < contact.gradient.nodeCount; ++k)
            sum += contact.gradient.weight[k];
        for (int k = 0; k < contact.gradient.bodyCount; ++k)
            sum += contact.gradient.sign[k];
        return contact.normalImpulse > 0 && std::fabs(sum) > Real(0.5);
    };
    const auto binds = [](const IslandContact& contact) { return contact.isHold || contact.slides; };
    const auto isDriven = [](const IslandSolid& solid) { return !solid.pins.empty() || !solid.forces.empty(); };
    return std::any_of(contacts.begin(), contacts.end(), binds) && std::none_of(contacts.begin(), contacts.end(), isOutside) &&
           std::none_of(solids.begin(), solids.end(), isDriven);
}

// Where holds bind bodies to each other and nothing outside acts on them, they keep both momenta; what an unfinished solve left
// of them is taken out of all alike. For a light body that flings a heavy one about that is a large share. Impulses act on
// nodes where the solid has turned to and on bodies where they were (alignHold in world/flesh/island_builder.cpp).
void Island::keepMomenta() {
    if (!isBoundAndFree())
        return;
    const WorldPoint origin = solids.empty() ? bodies.front().center : solids.front().motion.center;
    // Calls function(mass, place from the origin, change of velocity) for every node and body.
    const auto forAll = [&](const auto& function) {
        for (std::size_t s = 0; s < solids.size(); ++s)
            for (std::uint32_t i = 0; i < solids[s].model->nodeCount(); ++i)
                function(solids[s].model->nodeMass[i], (solids[s].motion.center - origin) + nodeOffset(s, i),
                         change_[rowOf(s, i)]);
        for (std::size_t b = 0; b < bodies.size(); ++b)
            function(bodies[b].mass, bodies[b].center - origin, change_[rowOfBody(b)]);
    };
    double mass = 0;
    Vec3d momentum{}, moment{}, angular{};
    forAll([&](Real m, const Vec3& place, const Four& change) {
        mass += double(m);
        momentum = momentum + toDouble(toVec3(change)) * double(m);
        moment = moment + toDouble(place) * double(m);
    });
    const Vec3 drift = toReal(momentum * (1 / mass)), middle = toReal(moment * (1 / mass));
    Sym3 inertia{};
    const auto addAt = [&](const Sym3& own, Real m, const Vec3& place) {
        const Vec3 r = place - middle;
        const Sym3 square = outer(r);
        const Real size = dot(r, r);
        inertia =
            inertia + own + Sym3{size - square.xx, size - square.yy, size - square.zz, -square.xy, -square.xz, -square.yz} * m;
    };
    for (const IslandSolid& solid : solids)
        addAt(inertiaOf(*solid.model, solid.flight.offsets), solid.model->mass, solid.motion.center - origin);
    forAll([&](Real m, const Vec3& place, const Four& change) {
        angular = angular + toDouble(cross(place - middle, toVec3(change) - drift)) * double(m);
    });
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        addAt(bodies[b].inertia, bodies[b].mass, bodies[b].center - origin);
        angular = angular + toDouble(bodies[b].inertia * toVec3(change_[rowOfBody(b) + 1]));
    }
    const Vec3 spin = sunder::solve(inertia, toReal(angular));
    forAll([&](Real, const Vec3& place, Four& change) { change -= toFour(drift + cross(spin, place - middle)); });
    for (std::size_t b = 0; b < bodies.size(); ++b)
        change_[rowOfBody(b) + 1] -= toFour(spin);
}

ContactOutcome Island::solveOnce(TaskRunner& tasks, Real dt) {
    right_.assign(system_.size(), Four{});
    change_.assign(system_.size(), Four{});
    for (std::size_t s = 0; s < solids.size(); ++s)
        loadSolid(solids[s], system_.firstNode(s), dt);
    std::vector<Four> guess = change_;
    for (std::size_t s = 0; s < solids.size(); ++s)
        for (std::size_t i = 0; i < solids[s].guess.size(); ++i)
            if (solids[s].isPinned.empty() || solids[s].isPinned[i] == 0)
                guess[system_.firstNode(s) + i] = toFour(solids[s].guess[i]);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        guess[system_.firstRow(b)] = toFour(bodies[b].guess);
        guess[system_.firstRow(b) + 1] = toFour(bodies[b].angularGuess);
    }
    return solveWithContacts(tasks, system_, right_, contacts, guess, change_, dt, settings);
}

void Island::finish(Real dt) {
    for (std::size_t s = 0; s < solids.size(); ++s) {
        IslandSolid& solid = solids[s];
        const std::span<const Four> change(&change_[system_.firstNode(s)], solid.model->nodeCount());
        land(*solid.model, solid.flight, change, !solid.isTouched, dt, solid.motion, solid.nodes);
    }
    for (std::size_t b = 0; b < bodies.size(); ++b) {
        bodies[b].velocity += toVec3(change_[system_.firstRow(b)]);
        bodies[b].angularVelocity += toVec3(change_[system_.firstRow(b) + 1]);
    }
}

}  // namespace sunder::deformable
