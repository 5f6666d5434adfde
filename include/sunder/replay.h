// Record and replay: a log of every call that changes a world, with the hash of the state after each step.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace sunder {

class World;

// Receives a log as it grows, one whole record at a time, so that what was written before a crash can be replayed. See
// World::record.
class CallLog {
public:
    virtual ~CallLog() = default;
    virtual void write(std::span<const std::byte> record) = 0;
};

struct ReplayDifference {
    std::uint64_t step = 0;                    // the first that differs, from 1
    double time = 0;                           // s, of the world after it
    std::uint64_t recorded = 0, repeated = 0;  // hashes
};

struct ReplayReport {
    std::uint64_t steps = 0;  // number compared, including the one that differs
    std::uint64_t calls = 0;
    std::uint64_t hash = 0;  // after the last of them
    bool cutShort = false;   // the log ends within a record, for example after a crash
    std::optional<ReplayDifference> difference{};
};

// Replays a log in a new world, up to its end or the first difference; threads = 0: as recorded. Throws Error where the bytes
// are not a log of this version and precision, or are damaged. prepare: called with the new world before its first call, for
// what no log holds: its contact filter and pre-solve function (contacts.h).
ReplayReport replay(std::span<const std::byte> log, int threads = 0, const std::function<void(World&)>& prepare = {});

}  // namespace sunder
