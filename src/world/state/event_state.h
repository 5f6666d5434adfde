// What the last step reports, and what the next one will.
#pragma once

#include <span>
#include <vector>

#include "sunder/events.h"
#include "sunder/joints.h"

namespace sunder::world {

struct SweptBlow;

// An event with the serials of its two bodies, by which events are ordered.
struct PlacedEvent {
    std::uint64_t lowSerial = 0, highSerial = 0;
    const ContactEvent* event = nullptr;
};

// Scratch of reportContacts.
struct EventScratch {
    struct Block {
        std::uint32_t first = 0, count = 0;                     // its events in `found`
        std::uint64_t lowestSerial = ~0ull, highestSerial = 0;  // of the lower ones of their pairs
    };
    struct PairBlow {
        std::uint32_t pair = 0;  // into WorldState::pairs
        const SweptBlow* blow = nullptr;
    };
    std::vector<PairBlow> blows;  // found by continuous collision, ascending by pair, those of a pair in the order of time
    std::vector<Block> blocks;    // of pairs
    std::vector<std::uint32_t> places;  // by share and block: number of events, then the next one's place in `sorted`
    // In the solver's scratch memory, while events are found.
    std::span<ContactEvent> found{};
    std::span<PlacedEvent> sorted{};
};

struct EventState {
    std::vector<ContactEvent> contacts;
    std::vector<ContactEvent> endedContacts;  // to be reported by the next step
    std::vector<JointEvent> joints;
    std::vector<JointEvent> nextJoints;  // to be reported by the next step
    std::vector<ErrorEvent> errors;
    std::vector<CollisionEvent> collisions;
    EventScratch scratch;
};

}  // namespace sunder::world
