#include "world/persist/recorder.h"

#include "core/checksum.h"

namespace sunder::world {

namespace {

template <auto... methods>
std::uint64_t fingerprintOf(CallList<methods...>) {
    LayoutFingerprint print;
    const auto add = [&](const auto& arguments) {
        print(static_cast<std::uint32_t>(std::tuple_size_v<std::remove_cvref_t<decltype(arguments)>>));
        std::apply(print, arguments);
    };
    (add(CallArguments<methods>{}), ...);
    return print.value();
}

}  // namespace

std::uint64_t callsFingerprint() {
    static const std::uint64_t fingerprint = fingerprintOf(Calls{});
    return fingerprint;
}

Recorder::Recorder(CallLog& log, int threads, const std::vector<std::byte>& snapshot) : log_(log) {
    BinaryWriter header;
    header.bytes(kLogMagic, sizeof(kLogMagic));
    header.value(kLogVersion);
    header.value(static_cast<std::uint32_t>(sizeof(Real)));
    header.value(callsFingerprint());
    log_.write(header.view());
    begin(RecordKind::Start);
    StateWriter(record_, shapes_)(threads, snapshot);
    emit(record_);
}

void Recorder::stepped(std::uint64_t hash) {
    begin(RecordKind::Hash);
    record_.value(hash);
    emit(record_);
}

void Recorder::begin(RecordKind kind) {
    record_.clear();
    record_.value(static_cast<std::uint8_t>(kind));
}

void Recorder::writeShapes() {
    for (; shapesWritten_ < shapes_.size(); ++shapesWritten_) {
        BinaryWriter shape;
        shape.value(static_cast<std::uint8_t>(RecordKind::Shape));
        shape.bytes(shapes_.definition(shapesWritten_).data(), shapes_.definition(shapesWritten_).size());
        emit(shape);
    }
}

void Recorder::emit(BinaryWriter& record) {
    framed_.clear();
    framed_.value(static_cast<std::uint32_t>(record.size()));
    framed_.bytes(record.view().data(), record.size());
    framed_.value(checksum(record.view()));
    log_.write(framed_.view());
}

}  // namespace sunder::world
