// Any bytes as a log of calls, and good logs whose records lie under checksums that match: an answer, never a crash.
#include "byte_source.h"
#include "core/checksum.h"
#include "sunder/replay.h"
#include "support/random_calls.h"
#include "world/persist/recorder.h"

namespace {

using namespace sunder;

class MemoryLog : public CallLog {
public:
    void write(std::span<const std::byte> record) override { bytes.insert(bytes.end(), record.begin(), record.end()); }
    std::vector<std::byte> bytes;
};

std::vector<std::byte> makeTemplate() {
    MemoryLog log;
    World world;
    support::RandomCalls calls(world, 2);
    world.record(&log);
    for (std::uint32_t kind = 0; kind < support::RandomCalls::kKinds; ++kind) {
        calls.call(kind == 1 ? 0 : kind);
        if (kind % 6 == 5)
            world.step(Real(1) / 60);
    }
    world.record(nullptr);
    return log.bytes;
}

// Gives every record that is still framed its checksum.
void seal(std::vector<std::byte>& log) {
    std::size_t at = world::kLogHeaderSize;
    while (at + world::kRecordFrame <= log.size()) {
        std::uint32_t size;
        std::memcpy(&size, log.data() + at, sizeof(size));
        if (size > log.size() - at - world::kRecordFrame)
            return;
        const std::uint64_t sum = checksum(std::span(log).subspan(at + sizeof(size), size));
        std::memcpy(log.data() + at + sizeof(size) + size, &sum, sizeof(sum));
        at += size + world::kRecordFrame;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::byte> good = makeTemplate();
    fuzz::ByteSource source(data, size);
    std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    if (source.below(8) > 0) {
        bytes = good;
        source.damage(bytes);
        seal(bytes);
    }
    try {
        const ReplayReport report = replay(bytes, 1);
        const ReplayReport again = replay(bytes, 1);
        fuzz::require(report.hash == again.hash && report.steps == again.steps);
    } catch (const Error&) {
    }
    return 0;
}
