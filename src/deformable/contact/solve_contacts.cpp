// Contacts and deformation in one solve, by an active set.
//   gap at the end of the step   e = gap + n . displacement + dt n . J y, with y the change of velocity
//   closed                       impulse P = L - k e / dt, k = dt^2 times the spring's stiffness, L a multiplier
//   friction                     tangential impulse -t v_t, v_t the relative velocity of the step, t = min(k, mu P / |v_t|)
//                                with P and |v_t| of the round before: sticking is a stiff damper, slipping one of mu P
//   holds                        the same in three directions, or along the normal alone, with a vector for L; never open
//   PID [Parker09] 6             contacts that take their slip s back have v_t + c s / dt in place of v_t: the damper is the
//                                proportional part, c s the integral; an implicit step needs no differential one
// A closed contact that pulls opens; an open one that ends below zero closes. When neither they nor t change any more, L takes
// over what the springs bear, so that depths shrink by the spring's factor once more.
// Rounds are solved roughly until nothing changes, then in full. The contacts of many shards never settle: their last rounds
// are solved in full and only open contacts.
#include <algorithm>
#include <cmath>

#include "deformable/contact/island_contact.h"

namespace sunder::deformable {

namespace {

struct WorkingContact {
    bool isClosed = false;
    Real factor = 0;      // kg: k
    Real tangent = 0;     // kg: t
    Real gap = 0;         // m: gap + n . displacement, with deep overlaps made good slowly
    Real multiplier = 0;  // N s: L
    Vec3 freeSlip;        // m/s: tangential, of the free motion and of what is to be taken back
    Real impulse = 0;     // N s: P of the last round
    bool mayClose = true;
    Vec3 offset;  // m: of a hold, its first point from its second at the end of the step if nothing acted on them
    Vec3 load;    // N s: of a hold, L
    Vec3 held;    // N s: of a hold, P of the last round
};

// Of a hold, what of a vector it acts on.
Vec3 heldOf(const IslandContact& contact, const Vec3& v) {
    return contact.isAlong ? contact.normal * dot(contact.normal, v) : v;
}

// A hold is as stiff as its nodes need: a body that it carries, or that carries it, may have any mass.
Real holdFactor(const LinearSystem& system, const IslandContact& contact, const ContactSettings& settings) {
    if (contact.gradient.nodeCount > 0)
        return settings.stiffness / system.complianceOfNodes(contact.gradient, contact.normal);
    Real heaviest = contact.carried;
    for (int k = 0; k < contact.gradient.bodyCount; ++k)
        heaviest = max(heaviest, system.massOf(contact.gradient.body[k]));
    return settings.stiffness * heaviest;
}

// Share of a contact's slip that it takes back in a step, and the speed (m/s) below which it begins to count.
constexpr Real kTakenBack = Real(0.5), kStuckSpeed = Real(0.05);

// m/s: what the integral part adds to the slip's velocity.
Vec3 takenBack(const IslandContact& contact, Real dt) {
    return (contact.slip - contact.normal * dot(contact.normal, contact.slip)) * (kTakenBack / dt);
}

WorkingContact start(const LinearSystem& system, const IslandContact& contact, Real dt, const ContactSettings& settings) {
    WorkingContact w;
    const Real along = dot(contact.normal, contact.displacement);
    w.gap = contact.gap + along;
    w.factor = settings.stiffness / system.compliance(contact.gradient, contact.normal);
    w.freeSlip = (contact.displacement - contact.normal * along + contact.aside) / dt + takenBack(contact, dt);
    if (contact.isHold) {
        w.isClosed = true;
        w.factor = holdFactor(system, contact, settings);
        w.tangent = contact.isAlong ? Real(0) : w.factor;
        w.offset = heldOf(contact, contact.normal * contact.gap + contact.aside + contact.displacement);
        return w;
    }
    if (contact.response != ContactResponse::Spring) {
        w.factor = contact.given;
        w.tangent = contact.friction > 0 ? w.factor : Real(0);
        if (contact.response == ContactResponse::Damping) {  // by the velocity alone, wherever it is
            w.gap = along;
            w.mayClose = contact.gap < 0;
        }
        return w;
    }
    // Over a short step less is made good, so that bodies are not thrown apart.
    const Real share = min(1, dt * settings.recoveryRate), quick = settings.quickDepth * share;
    if (contact.gap < -quick)
        w.gap -= contact.gap + max(quick, -contact.gap * settings.recoveredShare * share);
    if (contact.carries) {
        Real heaviest = 0;
        for (int k = 0; k < contact.gradient.bodyCount; ++k)
            heaviest = max(heaviest, system.massOf(contact.gradient.body[k]));
        w.factor = max(w.factor, settings.stiffness * heaviest);
    }
    w.isClosed = w.gap < 0;
    w.tangent = contact.friction > 0 ? w.factor : Real(0);
    return w;
}

// The last rounds of a solve that does not settle. They are solved in full and close no contact: one that is closed wrongly
// pulls, which tears bodies and gains energy; one that is missed lets a body in by what it moves in a step.
constexpr int kEndRounds = 2;

// A damper is good enough where it is off by no more than this share.
constexpr Real kTangentSlack = Real(0.1);

// What a round changed of a contact.
enum class Change : std::uint8_t { None, Friction, State };

// Reads the result of a round.
Change judge(const IslandContact& contact, const Vec3& velocity, Real dt, bool mayClose, WorkingContact& w) {
    if (contact.isHold) {
        w.held = w.load - (w.offset + heldOf(contact, velocity) * dt) * (w.factor / dt);
        return Change::None;
    }
    const Real along = dot(contact.normal, velocity);
    const Real end = w.gap + dt * along;
    if (!w.isClosed) {
        w.isClosed = mayClose && w.mayClose && end < 0;
        w.tangent = 0;  // until it is known what it bears
        return w.isClosed ? Change::State : Change::None;
    }
    w.impulse = w.multiplier - w.factor * end / dt;
    if (w.impulse < 0) {
        w.isClosed = false;
        w.impulse = w.multiplier = 0;
        return Change::State;
    }
    if (contact.friction == 0)
        return Change::None;
    const Real slip = length(w.freeSlip + velocity - contact.normal * along), most = contact.friction * w.impulse;
    // A point that stuck shows hardly any slip: its free motion says better how fast it will slip.
    const Real speed = w.tangent == w.factor ? max(slip, length(w.freeSlip)) : slip;
    const Real wanted = w.factor * slip > most ? most / speed : w.factor;
    const bool isOff = wanted > w.tangent * (1 + kTangentSlack) || wanted < w.tangent * (1 - kTangentSlack);
    w.tangent = wanted;
    return isOff ? Change::Friction : Change::None;
}

// Share of the friction that all contacts can give together beyond which all are let go after the first round: those that bear
// least would otherwise be let go one after the other, a round for each.
constexpr Real kSlipShare = Real(0.8);

void letGoTogether(const LinearSystem& system, std::span<const IslandContact> contacts, std::span<const Four> change,
                   std::span<WorkingContact> working) {
    Vec3 sum;
    Real most = 0;
    std::vector<Vec3> slips(contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 velocity = system.relativeOf(contacts[i].gradient, change);
        slips[i] = working[i].freeSlip + velocity - contacts[i].normal * dot(contacts[i].normal, velocity);
        if (!working[i].isClosed || contacts[i].isHold || contacts[i].slides)
            continue;
        sum += slips[i] * working[i].factor;
        most += contacts[i].friction * working[i].impulse;
    }
    if (length(sum) <= kSlipShare * most)
        return;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (const Real speed = max(length(slips[i]), length(working[i].freeSlip));
            working[i].isClosed && !contacts[i].isHold && speed > 0)
            working[i].tangent = min(working[i].factor, contacts[i].friction * working[i].impulse / speed);
}

// A solve while its contacts close and open.
class ContactSolve {
public:
    ContactSolve(TaskRunner& tasks, LinearSystem& system, std::span<const Four> right, std::span<IslandContact> contacts,
                 Real dt, const ContactSettings& settings)
        : tasks_(tasks),
          system_(system),
          right_(right),
          contacts_(contacts),
          dt_(dt),
          settings_(settings),
          limits_(settings.limits),
          springs_(contacts.size()),
          working_(contacts.size()),
          whole_(right.size()) {}

    ContactOutcome run(std::span<const Four> guess, std::span<Four> change) {
        begin(guess, change);
        for (bool goesOn = true; goesOn; ++outcome_.rounds) {
            const int roundsAfter = settings_.mostRounds - outcome_.rounds - 1;
            const bool isRough = roundsAfter >= kEndRounds;
            if (outcome_.rounds > 0)
                load();
            limits_.tolerance =
                isRough ? max(settings_.roughTolerance, settings_.limits.tolerance) : settings_.limits.tolerance;
            outcome_.iterations += system_.solve(tasks_, whole_, change, limits_);
            bool isSettled = judgeRound(change, isRough);
            if (outcome_.rounds == 0)
                letGoTogether(system_, contacts_, change, working_);
            if (isSettled && limits_.tolerance > settings_.limits.tolerance) {
                limits_.tolerance = settings_.limits.tolerance;
                outcome_.iterations += system_.goOn(tasks_, change, limits_);
                isSettled = judgeRound(change, isRough);
            }
            goesOn = roundsAfter > 0 && (!isSettled || augment());
        }
        report(change);
        return outcome_;
    }

private:
    void begin(std::span<const Four> guess, std::span<Four> change) {
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            working_[i] = start(system_, contacts_[i], dt_, settings_);
            const Vec3 velocity = system_.relativeOf(contacts_[i].gradient, guess);
            working_[i].isClosed =
                contacts_[i].isHold || (working_[i].mayClose && working_[i].gap + dt_ * dot(contacts_[i].normal, velocity) < 0);
            springs_[i].gradient = contacts_[i].gradient;
            springs_[i].normal = contacts_[i].normal;
        }
        load();
        // What counts as solved is measured by what the step does, not by how near the guess is.
        limits_.least = max(limits_.least, square(settings_.limits.tolerance) * system_.residualOf(tasks_, whole_, change));
        std::copy(guess.begin(), guess.end(), change.begin());
    }

    // Springs and right-hand side of a round.
    void load() {
        std::copy(right_.begin(), right_.end(), whole_.begin());
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            const IslandContact& contact = contacts_[i];
            const WorkingContact& w = working_[i];
            springs_[i].normalFactor = w.isClosed ? w.factor : Real(0);
            springs_[i].tangentFactor = w.isClosed ? w.tangent : Real(0);
            if (contact.isHold)
                system_.spread(contact.gradient, w.load - w.offset * (w.factor / dt_), whole_);
            else if (w.isClosed)
                system_.spread(contact.gradient,
                               contact.normal * (w.multiplier - w.factor * w.gap / dt_) - w.freeSlip * w.tangent, whole_);
        }
        system_.prepare(tasks_, springs_);
    }

    // Whether no further round is asked for.
    bool judgeRound(std::span<const Four> change, bool mayClose) {
        Change most = Change::None;
        outcome_.deepest = 0;
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            const Vec3 velocity = system_.relativeOf(contacts_[i].gradient, change);
            most = std::max(most, judge(contacts_[i], velocity, dt_, mayClose, working_[i]));
            if (contacts_[i].isHold)
                outcome_.deepest = max(outcome_.deepest, length(working_[i].offset + heldOf(contacts_[i], velocity) * dt_));
            else if (contacts_[i].response == ContactResponse::Spring)
                outcome_.deepest = max(outcome_.deepest, -(working_[i].gap + dt_ * dot(contacts_[i].normal, velocity)));
        }
        return most == Change::None || (most == Change::Friction && outcome_.rounds >= settings_.frictionRounds);
    }

    // Lets multipliers take over what the springs bear. False where depths are good, or that has been done often enough.
    bool augment() {
        if (outcome_.deepest <= settings_.goodDepth || augmentations_ >= settings_.mostAugmentations)
            return false;
        ++augmentations_;
        for (std::size_t i = 0; i < contacts_.size(); ++i)
            if (contacts_[i].isHold)
                working_[i].load = working_[i].held;
            else if (working_[i].isClosed && contacts_[i].response == ContactResponse::Spring)
                working_[i].multiplier = working_[i].impulse;
        return true;
    }

    void report(std::span<const Four> change) {
        for (std::size_t i = 0; i < contacts_.size(); ++i) {
            IslandContact& contact = contacts_[i];
            const WorkingContact& w = working_[i];
            contact.normalImpulse = w.isClosed ? max(w.impulse, 0) : Real(0);
            if (contact.isHold) {
                contact.held = w.held;
                contact.normalImpulse = length(w.held);
                continue;
            }
            const Vec3 velocity = system_.relativeOf(contact.gradient, change);
            const Vec3 slip = w.freeSlip + velocity - contact.normal * dot(contact.normal, velocity);
            contact.tangentImpulse = w.isClosed ? slip * -springs_[i].tangentFactor : Vec3{};
            if (!contact.takesSlipBack)
                continue;
            const Vec3 moves = slip - takenBack(contact, dt_);
            const bool isStuck = w.isClosed && springs_[i].tangentFactor == w.factor && length(moves) < kStuckSpeed;
            contact.slip = isStuck ? contact.slip + moves * dt_ : Vec3{};
        }
    }

    TaskRunner& tasks_;
    LinearSystem& system_;
    std::span<const Four> right_;
    std::span<IslandContact> contacts_;
    Real dt_;
    const ContactSettings& settings_;
    SolveLimits limits_;
    std::vector<ContactSpring> springs_;
    std::vector<WorkingContact> working_;
    std::vector<Four> whole_;
    ContactOutcome outcome_;
    int augmentations_ = 0;
};

}  // namespace

ContactOutcome solveWithContacts(TaskRunner& tasks, LinearSystem& system, std::span<const Four> right,
                                 std::span<IslandContact> contacts, std::span<const Four> guess, std::span<Four> change,
                                 Real dt, const ContactSettings& settings) {
    return ContactSolve(tasks, system, right, contacts, dt, settings).run(guess, change);
}

}  // namespace sunder::deformable
