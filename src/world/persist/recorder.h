// Writes the log of a world's calls.
//
//   8 bytes "SUNDERLG"   4 version   4 bytes per Real   8 fingerprint of the calls, then records:
//   4 size of what follows   kind, contents   8 checksum of kind and contents
// A log begins with a snapshot, so that it may begin at any time. Shapes that calls share are records of their own.
#pragma once

#include "sunder/replay.h"
#include "world/persist/calls.h"
#include "world/persist/shape_table.h"

namespace sunder::world {

enum class RecordKind : std::uint8_t { Start, Shape, Call, Hash };

class Recorder {
public:
    Recorder(CallLog& log, int threads, const std::vector<std::byte>& snapshot);

    template <auto method, class... Arguments>
    void call(const Arguments&... arguments) {
        static_assert(std::is_same_v<std::tuple<Arguments...>, CallArguments<method>>);
        begin(RecordKind::Call);
        record_.value(callCode<method>(Calls{}));
        StateWriter(record_, shapes_)(arguments...);
        writeShapes();
        emit(record_);
    }
    void stepped(std::uint64_t hash);

private:
    void begin(RecordKind kind);
    void writeShapes();
    void emit(BinaryWriter& record);

    CallLog& log_;
    ShapeTable shapes_;
    std::size_t shapesWritten_ = 0;
    BinaryWriter record_, framed_;
};

std::uint64_t callsFingerprint();

inline constexpr char kLogMagic[8] = {'S', 'U', 'N', 'D', 'E', 'R', 'L', 'G'};
inline constexpr std::uint32_t kLogVersion = 5;    // to be increased with every change of the format
inline constexpr std::size_t kLogHeaderSize = 24;  // bytes, see above
inline constexpr std::size_t kRecordFrame = 12;    // bytes of a record besides kind and contents

}  // namespace sunder::world
