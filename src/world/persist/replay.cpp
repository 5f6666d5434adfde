// Repeats the log of a recorder, record by record.
#include "sunder/replay.h"

#include "core/checksum.h"
#include "world/persist/recorder.h"

namespace sunder {

namespace world {

namespace {

[[noreturn]] void refuseLog(const std::string& why) { throw Error("log: " + why); }

class Replayer {
public:
    Replayer(std::span<const std::byte> log, int threads, const std::function<void(World&)>& prepare)
        : log_(log), threads_(threads), prepare_(prepare) {}

    ReplayReport run() {
        checkHeader();
        while (!report_.difference && nextRecord()) {
        }
        if (!world_)
            refuseLog("it ends before its first record does");
        if (!report_.difference)
            report_.hash = world_->hash();
        return report_;
    }

private:
    void checkHeader() {
        const std::span<const std::byte> magic = log_.block(sizeof(kLogMagic));
        if (magic.size() != sizeof(kLogMagic) || std::memcmp(magic.data(), kLogMagic, sizeof(kLogMagic)) != 0)
            refuseLog("these bytes are not a log of calls");
        const auto version = log_.value<std::uint32_t>(), precision = log_.value<std::uint32_t>();
        const auto fingerprint = log_.value<std::uint64_t>();
        if (log_.failed())
            refuseLog("cut short");
        if (version != kLogVersion)
            refuseLog("version " + std::to_string(version) + " is not known (" + std::to_string(kLogVersion) + ")");
        if (precision != sizeof(Real))
            refuseLog("made with " + std::to_string(precision) + " bytes per number; this library has " +
                      std::to_string(sizeof(Real)));
        if (fingerprint != callsFingerprint())
            refuseLog("made by another version of the library, whose calls have other arguments");
    }

    // False at the end of the log.
    bool nextRecord() {
        if (log_.remaining() == 0)
            return false;
        const std::size_t start = log_.position();
        const std::span<const std::byte> record = log_.block(log_.value<std::uint32_t>());
        const std::uint64_t sum = log_.value<std::uint64_t>();
        if (log_.failed()) {
            report_.cutShort = true;
            return false;
        }
        if (checksum(record) != sum)
            refuseLog(where(start) + " is damaged");
        BinaryReader in(record);
        try {
            repeat(in);
        } catch (const Error& error) {
            refuseLog(where(start) + " cannot be repeated: " + error.what());
        }
        if (in.failed() || in.remaining() > 0)
            refuseLog(where(start) + " cannot be read");
        return true;
    }

    std::string where(std::size_t start) const {
        return "the record at byte " + std::to_string(start) + ", after step " + std::to_string(report_.steps) + ",";
    }

    void repeat(BinaryReader& in) {
        const auto kind = in.value<std::uint8_t>();
        if (!world_ && kind != std::uint8_t(RecordKind::Start))
            return in.refuse();
        switch (RecordKind(kind)) {
            case RecordKind::Start: return start(in);
            case RecordKind::Shape:
                shapes_.push_back(readShape(in.block(in.remaining()), shapes_));
                return shapes_.back() ? void() : in.refuse();
            case RecordKind::Call: return repeatCall(in, in.value<std::uint8_t>(), Calls{});
            case RecordKind::Hash: return compare(in.value<std::uint64_t>());
        }
        in.refuse();
    }

    void start(BinaryReader& in) {
        int threads = 1;
        std::vector<std::byte> snapshot;
        StateReader(in, shapes_)(threads, snapshot);
        if (world_ || in.failed())
            return in.refuse();
        WorldDef def;
        def.threads = threads_ > 0 ? threads_ : threads;
        world_.emplace(def);
        if (prepare_)
            prepare_(*world_);
        world_->restore(snapshot);
    }

    template <auto... methods>
    void repeatCall(BinaryReader& in, std::uint8_t code, CallList<methods...> calls) {
        ((code == callCode<methods>(calls) ? repeatMethod<methods>(in) : void()), ...);
        if (code >= sizeof...(methods))
            in.refuse();
    }

    template <auto method>
    void repeatMethod(BinaryReader& in) {
        CallArguments<method> arguments;
        StateReader reader(in, shapes_, &patterns_);
        std::apply(reader, arguments);
        if (in.failed())
            return;
        std::apply([&](const auto&... values) { ((*world_).*method)(values...); }, arguments);
        ++report_.calls;
    }

    void compare(std::uint64_t recorded) {
        ++report_.steps;
        report_.hash = world_->hash();
        if (report_.hash != recorded)
            report_.difference = {report_.steps, world_->stats().time, recorded, report_.hash};
    }

    BinaryReader log_;
    int threads_;
    const std::function<void(World&)>& prepare_;
    std::optional<World> world_;
    std::vector<SharedShape> shapes_;
    PatternList patterns_;
    ReplayReport report_;
};

}  // namespace

}  // namespace world

ReplayReport replay(std::span<const std::byte> log, int threads, const std::function<void(World&)>& prepare) {
    return world::Replayer(log, threads, prepare).run();
}

}  // namespace sunder
