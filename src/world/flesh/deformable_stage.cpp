#include "world/flesh/deformable_stage.h"

#include <algorithm>
#include <memory>

#include "core/task_runner.h"
#include "core/union_find.h"
#include "world/commit/torn_parts.h"
#include "world/flesh/holds.h"
#include "world/flesh/island_builder.h"
#include "world/flesh/self_contacts.h"
#include "world/flesh/wake_flesh.h"

namespace sunder::world {

namespace {

constexpr std::size_t kMostRigid = 96;  // rigid bodies in islands: six rows of a dense matrix for each
constexpr int kMostTouchRounds = 16;    // of the search for bodies that touch bodies of an island

Cast findCast(const WorldState& world, std::span<const std::uint32_t> solids, std::span<const FleshContact> contacts) {
    Cast cast;
    cast.indexOf.assign(world.bodies.size(), kNone);
    for (const std::uint32_t slot : solids)
        cast.add(slot);
    cast.solids = cast.slots.size();
    for (const FleshContact& contact : contacts)
        for (const FleshContact::Side* side : {&contact.a, &contact.b})
            if (side->body != kNone && canTakePart(world.bodies[side->body]) && cast.slots.size() < cast.solids + kMostRigid)
                cast.add(side->body);
    bool grows = cast.slots.size() > cast.solids;
    for (int round = 0; grows && round < kMostTouchRounds; ++round) {
        grows = false;
        for (const ContactPair& pair : world.pairs) {
            if (!isRigidPair(world, pair) || cast.has(pair.bodyA) == cast.has(pair.bodyB))
                continue;
            const std::uint32_t other = cast.has(pair.bodyA) ? pair.bodyB : pair.bodyA;
            if (!canTakePart(world.bodies[other]) || cast.slots.size() >= cast.solids + kMostRigid)
                continue;
            cast.add(other);
            grows = true;
        }
    }
    return cast;
}

// In a strike part shards fly side by side at centimetres from each other. Points that do not close in fast enough to meet in
// it are left out: hundreds of contacts that stay open would tie all shards into one system. What a blow sends faster is caught
// by the next part, some milliseconds later.
constexpr Real kTurnedShare = Real(0.5);  // of the relative speed, that may be turned to the normal within the part

bool isOutOfReach(const WorldState& world, const FleshContact& contact, Real dt) {
    constexpr Real kNear = 2 * kStrikeMargin;  // m: so near every point takes part, however slow
    if (contact.isHold || contact.joint != kNone || contact.gap < kNear)
        return false;
    const Vec3 closing = closingVelocity(world.bodies, contact);
    return contact.gap > kNear + dt * (dot(closing, contact.normal) + kTurnedShare * length(closing));
}

// A body that is to be taken apart.
struct FoundTear {
    std::uint32_t slot;
    deformable::Torn torn;
    bool isTakenBack = false;
};

// A step is taken back for tears that let a striker through: those of at least this many nodes in an island, or that part a
// body into pieces of which the second has at least this share of it. Others open at the end of the step; the next finds them.
constexpr std::size_t kNodesWorthIt = 12;
constexpr std::size_t kPartsWorthIt = 8;  // one in so many tetrahedra

// An island is large from so many rows on, if it has at least one in so many of all.
constexpr std::size_t kLargeIsland = 60, kLargeShare = 4;

bool comesApart(const deformable::Torn& torn) {
    std::size_t tets = 0;
    for (const deformable::SolidPart& part : torn.parts)
        tets += part.tetFrom.size();
    return torn.parts.size() > 1 && torn.parts[1].tetFrom.size() * kPartsWorthIt >= tets;
}

// All islands of these deformable bodies, once. Islands in which something tears are taken back, as long as there are rounds
// left; after the last, bodies are taken apart as they are at the end of the step.
class Round {
public:
    Round(WorldState& world, const FleshStep& step, int number, FleshSurfaces& surfaces, FleshTouches& touches,
          JointLoads& loads, Guesses& guesses)
        : world_(world),
          step_(step),
          number_(number),
          surfaces_(surfaces),
          touches_(touches),
          loads_(loads),
          guesses_(guesses) {}

    // Returns the parts into which the step must be divided, with all bodies back at its start; 1 where it stands.
    int run(std::span<const std::uint32_t> solids) {
        for (const std::uint32_t slot : solids) {
            findFleshContacts(surfaces_, slot, contacts_);
            findHolds(world_, slot, contacts_);
            if (world_.bodies[slot].solid->def.selfCollision && !isStiff(world_.bodies[slot]))
                findSelfContacts(world_, slot, step_.dt, contacts_);
        }
        findJointHolds(world_, solids, contacts_);
        if (step_.isStrike)
            std::erase_if(contacts_, [&](const FleshContact& contact) { return isOutOfReach(world_, contact, step_.dt); });
        mayDivide_ = number_ == 0 && !step_.isStrike && std::any_of(solids.begin(), solids.end(), [&](std::uint32_t slot) {
                         return world_.bodies[slot].solid->def.tears;
                     });
        const Cast cast = findCast(world_, solids, contacts_);
        UnionFind groups = groupsOf(cast);
        for (std::uint32_t root = 0; root < cast.solids; ++root) {
            if (groups.root(root) != root)
                continue;
            std::vector<std::uint32_t> members;
            for (std::uint32_t member = root; member < cast.slots.size(); ++member)
                if (groups.root(member) == root)
                    members.push_back(member);
            addIsland(cast, std::move(members));
        }
        solveIslands();
        for (const std::unique_ptr<Island>& island : islands_)
            finishIsland(cast, *island);
        if (parts_ > 1)
            for (const std::unique_ptr<Island>& island : islands_)
                island->saved.restore(world_.bodies);
        return parts_;
    }

    // Takes apart what tore. Returns the deformable bodies that the next round has to move.
    std::vector<std::uint32_t> commit() {
        for (const FoundTear& tear : tears_) {
            surfaces_.forget(tear.slot);
            const std::vector<std::uint32_t> slots = commitTear(world_, tear.slot, tear.torn);
            if (!tear.isTakenBack)
                continue;
            shareGuess(tear, slots);
            again_.insert(again_.end(), slots.begin(), slots.end());
        }
        const auto bySerial = [&](std::uint32_t a, std::uint32_t b) {
            return world_.bodies[a].serial < world_.bodies[b].serial;
        };
        std::sort(again_.begin(), again_.end(), bySerial);
        return std::move(again_);
    }

private:
    // The parts go on from what was found for the whole.
    void shareGuess(const FoundTear& tear, std::span<const std::uint32_t> slots) {
        const std::vector<Vec3> whole = std::move(guesses_[tear.slot]);
        for (std::size_t p = 0; p < tear.torn.parts.size(); ++p) {
            const std::uint32_t slot = p == 0 ? tear.slot : slots[p - 1];
            const deformable::SolidModel& model = *world_.bodies[slot].solid->model;
            std::vector<Vec3> guess;
            Vec3 momentum;
            for (std::size_t i = 0; i < model.nodeCount(); ++i) {
                guess.push_back(whole[tear.torn.parts[p].nodeFrom[model.givenNode[i]]]);
                momentum += guess.back() * model.nodeMass[i];
            }
            if (isStiff(world_.bodies[slot]))
                guess = {momentum / model.mass, {}};
            guesses_[slot] = std::move(guess);
        }
    }

    UnionFind groupsOf(const Cast& cast) const {
        UnionFind groups(cast.slots.size());
        const auto join = [&](std::uint32_t a, std::uint32_t b) {
            if (cast.has(a) && cast.has(b))
                groups.join(cast.indexOf[a], cast.indexOf[b]);
        };
        for (const FleshContact& contact : contacts_)
            join(contact.a.body, contact.b.body);
        for (const ContactPair& pair : world_.pairs)
            if (isRigidPair(world_, pair))
                join(pair.bodyA, pair.bodyB);
        return groups;
    }

    struct Island {
        IslandBuilder builder;
        std::vector<std::uint32_t> members;
        bool mayTear;
        SavedBodies saved{};
    };

    void addIsland(const Cast& cast, std::vector<std::uint32_t> members) {
        const bool mayTear = std::any_of(members.begin(), members.end(), [&](std::uint32_t member) {
            const Body& body = world_.bodies[cast.slots[member]];
            return body.solid && body.solid->def.tears && !isStiff(body);
        });
        islands_.push_back(
            std::make_unique<Island>(Island{IslandBuilder(world_, cast, step_, guesses_), std::move(members), mayTear}));
        Island& island = *islands_.back();
        for (const std::uint32_t member : island.members) {
            island.builder.add(member);
            if (mayTear || mayDivide_)
                island.saved.save(world_.bodies, cast.slots[member]);
        }
    }

    // Small ones side by side, each on one thread; large ones one after the other, on all. [Parker09] 4
    void solveIslands() {
        std::size_t rows = 0;
        for (const std::unique_ptr<Island>& island : islands_)
            rows += island->builder.size();
        std::vector<Island*> small;
        for (const std::unique_ptr<Island>& island : islands_)
            if (const std::size_t own = island->builder.size(); own >= kLargeIsland && kLargeShare * own >= rows)
                island->builder.solve(*world_.tasks, contacts_);
            else
                small.push_back(island.get());
        const std::unique_ptr<TaskRunner> alone = makeSerialRunner();
        runTasks(*world_.tasks, static_cast<int>(small.size()),
                 [&](int i) { small[std::size_t(i)]->builder.solve(*alone, contacts_); });
    }

    // Moves the bodies of an island that has been solved, and looks whether they tear.
    void finishIsland(const Cast& cast, Island& island) {
        IslandBuilder& builder = island.builder;
        const std::vector<std::uint32_t>& members = island.members;
        builder.apply();
        const std::size_t before = tears_.size();
        bool hasRounds = false, isThrough = false;
        std::size_t opened = 0;
        for (const std::uint32_t member : members) {
            if (!island.mayTear || member >= cast.solids)
                continue;
            const std::uint32_t slot = cast.slots[member];
            deformable::Torn torn = findTear(world_, slot, step_);
            const DeformableBody& solid = *world_.bodies[slot].solid;
            if (mayDivide_ && solid.isTearing)
                parts_ = std::max(parts_, partsWanted(world_.bodies[slot], step_.dt));
            if (torn.parts.empty())
                continue;
            opened += torn.openedNodes;
            isThrough = isThrough || comesApart(torn);
            hasRounds = hasRounds || number_ < solid.def.tearRounds;
            tears_.push_back({slot, std::move(torn)});
        }
        if (!hasRounds || (!isThrough && opened < kNodesWorthIt)) {
            builder.report(contacts_, touches_, loads_);
            for (const std::uint32_t member : members)
                surfaces_.forget(cast.slots[member]);
            return;
        }
        for (std::size_t i = before; i < tears_.size(); ++i)
            tears_[i].isTakenBack = true;
        builder.keepGuesses(guesses_);
        island.saved.restore(world_.bodies);
        for (const std::uint32_t member : members)
            if (member < cast.solids)
                again_.push_back(cast.slots[member]);
    }

    WorldState& world_;
    const FleshStep& step_;
    int number_;
    FleshSurfaces& surfaces_;
    FleshTouches& touches_;
    JointLoads& loads_;
    Guesses& guesses_;
    bool mayDivide_ = false;
    int parts_ = 1;
    std::vector<FleshContact> contacts_;
    std::vector<std::unique_ptr<Island>> islands_;
    std::vector<FoundTear> tears_;
    std::vector<std::uint32_t> again_;
};

}  // namespace

int stepDeformables(WorldState& world, const FleshStep& step) {
    wakeNearFlesh(world, step.dt);
    std::vector<std::uint32_t> solids = movingSolids(world);
    FleshSurfaces surfaces(world, step.dt, step.isStrike ? kStrikeMargin : kFleshMargin);
    FleshTouches touches;
    JointLoads loads;
    Guesses guesses;
    for (int number = 0; !solids.empty(); ++number) {
        Round round(world, step, number, surfaces, touches, loads, guesses);
        if (const int parts = round.run(solids); parts > 1)
            return parts;
        solids = round.commit();
    }
    touches.take(world.solve.fleshTouches);
    loads.take(world, step.dt);
    world.solve.areFleshTouchesNews = true;
    return 1;
}

}  // namespace sunder::world
