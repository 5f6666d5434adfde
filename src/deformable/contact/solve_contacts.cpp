// Contacts and deformation in one solve, by an active set.
//   gap at the end of the step   e = gap + n . displacement + dt n . J y, with y the change of velocity
//   closed                       impulse P = L - k e / dt, k = dt^2 times the spring's stiffness, L a multiplier
//   friction                     tangential impulse -t v_t, v_t the relative velocity of the step, t = min(k, mu P / |v_t|)
//   with
//                                P and |v_t| of the round before: sticking is a stiff damper, slipping one that gives mu P
// A closed contact that pulls opens; an open one that ends below zero closes. When neither they nor t change any more, L takes
// over what the springs bear, so that depths shrink by the spring's factor once more.
#include <algorithm>

#include "deformable/contact/island_contact.h"

namespace sunder::deformable {

namespace {

struct Working {
    bool isClosed = false;
    Real factor = 0;      // kg: k
    Real tangent = 0;     // kg: t
    Real gap = 0;         // m: gap + n . displacement, with deep overlaps made good slowly
    Real multiplier = 0;  // N s: L
    Vec3 freeSlip;        // m/s: tangential, of the free motion
    Real impulse = 0;     // N s: P of the last round
};

Working start(const LinearSystem& system, const IslandContact& contact, Real dt, const ContactSettings& settings) {
    Working w;
    const Real along = dot(contact.normal, contact.displacement);
    w.gap = contact.gap + along;
    if (contact.gap < -settings.quickDepth)
        w.gap -= contact.gap + max(settings.quickDepth, -contact.gap * settings.recoveredShare);
    w.freeSlip = (contact.displacement - contact.normal * along) / dt;
    w.factor = settings.stiffness / system.compliance(contact.gradient, contact.normal);
    if (contact.gradient.nodeCount == 0) {
        // Between two bodies: stiff enough for the heavier one, which may rest on the lighter.
        Real heaviest = 0;
        for (int k = 0; k < contact.gradient.bodyCount; ++k)
            heaviest = max(heaviest, system.massOf(contact.gradient.body[k]));
        w.factor = max(w.factor, settings.stiffness * heaviest);
    }
    w.isClosed = w.gap < 0;
    w.tangent = contact.friction > 0 ? w.factor : Real(0);
    return w;
}

// Springs and right-hand side of a round.
void load(const LinearSystem& system, std::span<const IslandContact> contacts, std::span<Working> working, Real dt,
          std::vector<ContactSpring>& springs, std::span<Four> right) {
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const IslandContact& contact = contacts[i];
        Working& w = working[i];
        ContactSpring& spring = springs[i];
        spring.normalFactor = w.isClosed ? w.factor : Real(0);
        spring.tangentFactor = w.isClosed ? w.tangent : Real(0);
        if (!w.isClosed)
            continue;
        system.spread(contact.gradient, contact.normal * (w.multiplier - w.factor * w.gap / dt) - w.freeSlip * w.tangent,
                      right);
    }
}

// A damper is good enough where it is off by no more than this share.
constexpr Real kTangentSlack = Real(0.1);

// What a round changed of a contact.
enum class Change : std::uint8_t { None, Friction, State };

// Reads the result of a round.
Change judge(const IslandContact& contact, const Vec3& velocity, Real dt, Working& w) {
    const Real along = dot(contact.normal, velocity);
    const Real end = w.gap + dt * along;
    if (!w.isClosed) {
        w.isClosed = end < 0;
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
    // What stuck shows hardly any slip; how fast it will be once it slips, its free motion tells better.
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
                   std::span<Working> working) {
    Vec3 sum;
    Real most = 0;
    std::vector<Vec3> slips(contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        const Vec3 velocity = system.relativeOf(contacts[i].gradient, change);
        slips[i] = working[i].freeSlip + velocity - contacts[i].normal * dot(contacts[i].normal, velocity);
        if (!working[i].isClosed)
            continue;
        sum += slips[i] * working[i].factor;
        most += contacts[i].friction * working[i].impulse;
    }
    if (length(sum) <= kSlipShare * most)
        return;
    for (std::size_t i = 0; i < contacts.size(); ++i)
        if (const Real speed = max(length(slips[i]), length(working[i].freeSlip)); working[i].isClosed && speed > 0)
            working[i].tangent = min(working[i].factor, contacts[i].friction * working[i].impulse / speed);
}

}  // namespace

ContactOutcome solveWithContacts(TaskRunner& tasks, LinearSystem& system, std::span<const Four> right,
                                 std::span<IslandContact> contacts, std::span<Four> change, Real dt,
                                 const ContactSettings& settings) {
    ContactOutcome outcome;
    std::vector<ContactSpring> springs(contacts.size());
    std::vector<Working> working(contacts.size());
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        working[i] = start(system, contacts[i], dt, settings);
        springs[i].gradient = contacts[i].gradient;
        springs[i].normal = contacts[i].normal;
    }
    std::vector<Four> whole(right.size());
    int augmentations = 0;
    SolveLimits limits = settings.limits;
    for (bool goesOn = true; goesOn && outcome.rounds < settings.mostRounds; ++outcome.rounds) {
        std::copy(right.begin(), right.end(), whole.begin());
        load(system, contacts, working, dt, springs, whole);
        system.prepare(tasks, springs);
        outcome.iterations += system.solve(tasks, whole, change, limits);
        if (outcome.rounds == 0)  // later rounds begin near the solution: they need no more digits than the first
            limits.least = max(limits.least, square(settings.limits.tolerance) * system.firstResidual());
        Change most = Change::None;
        outcome.deepest = 0;
        for (std::size_t i = 0; i < contacts.size(); ++i) {
            const Vec3 velocity = system.relativeOf(contacts[i].gradient, change);
            most = std::max(most, judge(contacts[i], velocity, dt, working[i]));
            outcome.deepest = max(outcome.deepest, -(working[i].gap + dt * dot(contacts[i].normal, velocity)));
        }
        if (outcome.rounds == 0)
            letGoTogether(system, contacts, change, working);
        goesOn = most == Change::State || (most == Change::Friction && outcome.rounds < settings.frictionRounds);
        if (goesOn || outcome.deepest <= settings.goodDepth || augmentations >= settings.mostAugmentations)
            continue;
        ++augmentations;
        goesOn = true;
        for (Working& w : working)
            if (w.isClosed)
                w.multiplier = w.impulse;
    }
    for (std::size_t i = 0; i < contacts.size(); ++i) {
        IslandContact& contact = contacts[i];
        const Working& w = working[i];
        contact.normalImpulse = w.isClosed ? max(w.impulse, 0) : Real(0);
        const Vec3 velocity = system.relativeOf(contact.gradient, change);
        const Vec3 slip = w.freeSlip + velocity - contact.normal * dot(contact.normal, velocity);
        contact.tangentImpulse = w.isClosed ? slip * -w.tangent : Vec3{};
    }
    return outcome;
}

}  // namespace sunder::deformable
