#include "world/breaking/shedding.h"

#include <algorithm>
#include <memory>
#include <numeric>

#include "core/union_find.h"
#include "world/breaking/overloaded_bonds.h"
#include "world/record/bonded_pieces.h"

namespace sunder::world {

namespace {

using fracture::BondGraph;
using fracture::GraphPiece;
using fracture::Wrench;

// Each round breaks at least one bond; what is left after so many is found when the step is solved again.
constexpr int kMostSheddingRounds = 32;

// Pieces about those that are struck on which loads are found again; the others are held. The bonds that a blow breaks are near
// it, and a wall of 2000 bricks takes a hundred times as long to solve. Bonds farther away are judged when the step is solved
// again.
constexpr std::size_t kNearPieces = 160;

// The blow on one piece.
struct Strike {
    std::uint32_t piece = 0;
    std::uint32_t striker = kNone;  // slot of the body that gave most of it; kNone: a joint or a call
    Vec3d point, direction;         // body frame
    Wrench blow;                    // N s and N m s, about the piece's centre
    double impulse = 0;             // N s: length of the blow
    double strikerYield = 0, bodyYield = 0;
    double share = 1;  // of the blow that is left
};

// 1/kg, as fracture::yieldAt: of a body of the world.
double yieldOf(const Body& body, const WorldPoint& point, const Vec3& direction) {
    if (body.motion != Motion::Dynamic || body.quarantined)
        return 0;
    const Vec3 turn = inverseRotate(body.orientation, cross(point - body.center, direction));
    return double(body.inverseMass + dot(turn, multiply(body.inversePrincipalInertia, turn)));
}

// The components of the pieces under the bonds that are left.
struct Components {
    Components(std::span<const GraphPiece> graph, std::span<const Bond> bonds) : joined(graph.size()), isHeld(graph.size(), 0) {
        for (const Bond& bond : bonds)
            joined.join(bond.a, bond.b);
        for (std::uint32_t i = 0; i < graph.size(); ++i)
            if (graph[i].isAnchored)
                isHeld[joined.root(i)] = 1;
    }
    // Calls visit(piece) for each piece of the component.
    template <class Visitor>
    void forEach(std::uint32_t root, Visitor&& visit) {
        for (std::uint32_t i = root; i < joined.size(); ++i)
            if (joined.root(i) == root)
                visit(i);
    }

    UnionFind joined;
    std::vector<std::uint8_t> isHeld;  // by root
};

class Shedding {
public:
    Shedding(const WorldState& world, std::uint32_t slot)
        : world_(world), body_(world.bodies[slot]), bonds_(*body_.bonds), pieces_(*bonds_.pieces) {
        listStrikes(slot);
    }

    void run(std::vector<BondOverload>& broken) {
        findNear();
        held_.assign(graph().begin(), graph().end());
        for (std::uint32_t i = 0; i < held_.size(); ++i)
            held_[i].isAnchored = held_[i].isAnchored || !isNear_[i];
        same_.resize(held_.size());
        std::iota(same_.begin(), same_.end(), 0u);
        isBroken_.assign(bonds_.def.bonds.size(), 0);
        for (const BondOverload& overload : broken)
            isBroken_[overload.bond] = 1;
        for (int round = 0; round < kMostSheddingRounds; ++round) {
            std::vector<BondOverload> found = nextRound();
            if (found.empty())
                break;
            keepFirst(found);
            for (const BondOverload& overload : found) {
                isBroken_[overload.bond] = 1;
                broken.push_back(overload);
            }
        }
        std::sort(broken.begin(), broken.end(), [](const BondOverload& a, const BondOverload& b) { return a.bond < b.bond; });
    }

    double energy(const std::vector<std::uint32_t>& componentOf) {
        double sum = 0;
        for (std::size_t i = 0; i < strikes_.size(); ++i) {
            const Strike& strike = strikes_[i];
            if (!(strike.impulse > 0))
                continue;
            if (!(strike.strikerYield > 0))
                return double(kInfinity);
            const auto isWith = [&](const Strike& other) {
                return other.striker == strike.striker && componentOf[other.piece] == componentOf[strike.piece];
            };
            if (std::find_if(strikes_.begin(), strikes_.end(), isWith) != strikes_.begin() + std::ptrdiff_t(i))
                continue;
            double impulse = 0;
            for (const Strike& other : strikes_)
                impulse += isWith(other) ? other.impulse : 0;
            members_.clear();
            for (std::uint32_t piece = 0; piece < componentOf.size(); ++piece)
                if (componentOf[piece] == componentOf[strike.piece])
                    members_.push_back(graph()[piece]);
            const bool isHeld = std::any_of(members_.begin(), members_.end(), [](const GraphPiece& p) { return p.isAnchored; });
            const double yield = isHeld ? 0 : yieldAt(fracture::sumOf(members_), strike.point, strike.direction);
            const double closing = impulse * (strike.strikerYield + strike.bodyYield);
            sum += closing * closing / (2 * (strike.strikerYield + yield));
        }
        return sum;
    }

private:
    std::span<const GraphPiece> graph() const { return pieces_.graph->pieces(); }

    // The pieces that the fewest bonds lead to from the struck ones: ring by ring, each in the order of the bonds.
    void findNear() {
        isNear_.assign(graph().size(), 0);
        std::size_t count = 0;
        const auto take = [&](std::uint32_t piece) {
            count += isNear_[piece] == 0;
            isNear_[piece] = 1;
        };
        for (const Strike& strike : strikes_)
            take(strike.piece);
        std::vector<std::uint32_t> ring;
        do {
            ring.clear();
            for (const Bond& bond : bonds_.def.bonds)
                if (isNear_[bond.a] != isNear_[bond.b])
                    ring.push_back(isNear_[bond.a] ? bond.b : bond.a);
            for (const std::uint32_t piece : ring)
                take(piece);
        } while (!ring.empty() && count < kNearPieces);
    }

    void listStrikes(std::uint32_t slot) {
        for (const auto& [piece, reading] : pieces_.readings) {
            duration_ = double(reading.duration);
            Strike& strike = strikes_.emplace_back();
            strike.piece = piece;
            strike.blow = {toDouble(reading.blow), toDouble(reading.angularBlow)};
            strike.impulse = length(strike.blow.force);
            strike.direction = normalizeOr(strike.blow.force, {0, 1, 0});
            strike.point = graph()[piece].center;
        }
        const std::vector<FeltState::Range>& ranges = world_.solve.felt.bodies;
        const auto range =
            std::find_if(ranges.begin(), ranges.end(), [&](const FeltState::Range& r) { return r.body == slot; });
        if (range != ranges.end())
            for (Strike& strike : strikes_)
                findStriker(world_.solve.felt.of(*range), strike);
    }

    // Who gave most of a blow, and the middle of the points at which it did.
    void findStriker(std::span<const FeltImpulse> felt, Strike& strike) {
        Real most = -1;
        for (const FeltImpulse& one : felt)
            if (pieceOf(one) == strike.piece && one.normalImpulse > most) {
                most = one.normalImpulse;
                strike.striker = one.partner;
            }
        if (strike.striker == kNone)
            return;
        Vec3d sum;
        double weights = 0;
        for (const FeltImpulse& one : felt)
            if (one.partner == strike.striker && pieceOf(one) == strike.piece) {
                const double weight = double(one.normalImpulse) + 1e-9;  // points that bear nothing count where none bears
                sum += toDouble(one.point) * weight;
                weights += weight;
            }
        strike.point = sum * (1 / weights);
        const Quat orientation = userOrientation(body_);
        const WorldPoint point = userPosition(body_) + rotate(orientation, toReal(strike.point));
        const Vec3 direction = rotate(orientation, toReal(strike.direction));
        strike.strikerYield = yieldOf(world_.bodies[strike.striker], point, direction);
        strike.bodyYield = yieldOf(body_, point, direction);
    }

    std::uint32_t pieceOf(const FeltImpulse& felt) const {
        if (felt.pair == kNone)
            return pieceAt(pieces_, felt.point);
        return felt.child < pieces_.pieceOfChild.size() ? pieces_.pieceOfChild[felt.child] : kNone;
    }

    // The bonds that break under what is left of the blows once those before are gone.
    std::vector<BondOverload> nextRound() {
        left_.clear();
        numbers_.clear();
        for (std::uint32_t i = 0; i < bonds_.def.bonds.size(); ++i)
            if (const Bond& bond = bonds_.def.bonds[i]; !isBroken_[i] && (isNear_[bond.a] || isNear_[bond.b])) {
                left_.push_back(bond);
                numbers_.push_back(i);
            }
        Components components(held_, left_);
        shareBlows(components);
        loads_.assign(graph().size(), Wrench{});
        for (const Strike& strike : strikes_)
            loads_[strike.piece] = scaled(strike.blow, strike.share);
        for (const Strike& strike : strikes_)
            if (const std::uint32_t root = components.joined.root(strike.piece); !components.isHeld[root]) {
                balance(components, root);
                components.isHeld[root] = 1;  // done
            }
        auto graphLeft = std::make_unique<BondGraph>(held_, left_, double(bonds_.young), double(bonds_.poisson),
                                                     BondGraph::Earlier{last_.get(), same_});
        borne_.resize(left_.size());
        graphLeft->solve(loads_, borne_);
        last_ = std::move(graphLeft);
        return judge();
    }

    std::vector<BondOverload> judge() const {
        std::vector<BondOverload> found;
        const BondStrength& strength = bonds_.def.strength;
        for (std::size_t i = 0; i < left_.size(); ++i) {
            const double ratio =
                pieces_.graph->utilisation(numbers_[i], strength, scaled(borne_[i], 1 / double(strength.impactTime)));
            if (!(ratio > 1))
                continue;
            BondOverload& overload = found.emplace_back();
            overload.bond = numbers_[i];
            overload.ratio = ratio;
            overload.isImpact = true;
            overload.load = borne_[i];
            overload.springEnergy =
                pieces_.graph->energy(numbers_[i], scaled(borne_[i], atBreak(overload))) / (duration_ * duration_);
        }
        return found;
    }

    // What is left of each blow.
    void shareBlows(Components& components) {
        for (Strike& strike : strikes_) {
            const std::uint32_t root = components.joined.root(strike.piece);
            strike.share = 1;
            if (components.isHeld[root] || strike.striker == kNone)
                continue;
            members_.clear();
            components.forEach(root, [&](std::uint32_t piece) { members_.push_back(graph()[piece]); });
            const double yield = yieldAt(fracture::sumOf(members_), strike.point, strike.direction);
            strike.share = std::min(1.0, (strike.strikerYield + strike.bodyYield) / (strike.strikerYield + yield));
        }
        // The impulse that a striker does not give to components that came free goes to those that still hold.
        const std::uint32_t rest = restOf(components);
        for (const Strike& first : strikes_) {
            if (first.striker == kNone)
                continue;
            double all = 0, given = 0, held = 0;
            for (const Strike& strike : strikes_)
                if (strike.striker == first.striker) {
                    all += strike.impulse;
                    (components.joined.root(strike.piece) == rest ? held : given) += strike.share * strike.impulse;
                }
            if (&first != firstOf(first.striker) || !(held > 0))
                continue;
            const double more = std::max(1.0, (all - given) / held);
            for (Strike& strike : strikes_)
                if (strike.striker == first.striker && components.joined.root(strike.piece) == rest)
                    strike.share *= more;
        }
    }

    const Strike* firstOf(std::uint32_t striker) const {
        return &*std::find_if(strikes_.begin(), strikes_.end(), [&](const Strike& s) { return s.striker == striker; });
    }

    // Root of the component that the others come off: the heaviest of those that are struck, an anchored one before all.
    std::uint32_t restOf(Components& components) {
        std::uint32_t rest = kNone;
        double most = -1;
        for (const Strike& strike : strikes_) {
            const std::uint32_t root = components.joined.root(strike.piece);
            double mass = 0;
            components.forEach(root, [&](std::uint32_t piece) { mass += graph()[piece].mass; });
            if (components.isHeld[root])
                mass = double(kInfinity);
            if (mass > most) {
                most = mass;
                rest = root;
            }
        }
        return rest;
    }

    // The forces that accelerate a free component come off its loads.
    void balance(Components& components, std::uint32_t root) {
        members_.clear();
        memberLoads_.clear();
        components.forEach(root, [&](std::uint32_t piece) {
            members_.push_back(graph()[piece]);
            memberLoads_.push_back(loads_[piece]);
        });
        fracture::balanceLoads(members_, {}, memberLoads_);
        std::size_t next = 0;
        components.forEach(root, [&](std::uint32_t piece) { loads_[piece] = memberLoads_[next++]; });
    }

    const WorldState& world_;
    const Body& body_;
    const BodyBonds& bonds_;
    const BondedPieces& pieces_;
    double duration_ = 1;  // s: in which the blows are counted
    std::vector<Strike> strikes_;
    std::vector<std::uint8_t> isBroken_;  // by bond
    std::vector<std::uint8_t> isNear_;    // by piece
    std::vector<GraphPiece> held_;        // the pieces; anchored where they are not near
    std::unique_ptr<BondGraph> last_;     // of the round before
    std::vector<std::uint32_t> same_;     // its pieces are the same ones
    std::vector<Bond> left_;
    std::vector<std::uint32_t> numbers_;  // of the bonds that are left
    std::vector<Wrench> loads_, borne_, memberLoads_;
    std::vector<GraphPiece> members_;
};

}  // namespace

void shedBonds(const WorldState& world, std::uint32_t slot, std::vector<BondOverload>& broken) {
    Shedding(world, slot).run(broken);
}

double strikingEnergy(const WorldState& world, std::uint32_t slot, const std::vector<std::uint32_t>& componentOf) {
    return Shedding(world, slot).energy(componentOf);
}

}  // namespace sunder::world
