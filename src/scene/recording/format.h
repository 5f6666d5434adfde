// The layout of a recording: a head, chunks, and at the end, once the run is over, an index and a foot that points at it.
//
//   head    "SUNDERRC", u32 version, u32 zero
//   chunk   u32 type, u32 bytes, u64 checksum of type, bytes and contents; contents
//   foot    u64 where the index chunk begins, u64 checksum of that, "SUNDERIX"
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scene/recording/bits.h"
#include "sunder/scene/recording.h"

namespace sunder::scene {

inline constexpr std::array<char, 8> kRecordingMagic = {'S', 'U', 'N', 'D', 'E', 'R', 'R', 'C'};
inline constexpr std::array<char, 8> kFootMagic = {'S', 'U', 'N', 'D', 'E', 'R', 'I', 'X'};
// Version 2 added bodies that deform, version 3 blows and looks, version 4 materials of meshes; older ones are still read.
inline constexpr std::uint32_t kRecordingVersion = 4, kOldestVersion = 1, kVersionWithVertices = 2, kVersionWithLooks = 3,
                               kVersionWithMaterials = 4;
inline constexpr std::size_t kHeadBytes = 16, kChunkHeadBytes = 16, kFootBytes = 24;

constexpr std::uint32_t chunkType(const char (&name)[5]) {
    return std::uint32_t(name[0]) | std::uint32_t(name[1]) << 8 | std::uint32_t(name[2]) << 16 | std::uint32_t(name[3]) << 24;
}
inline constexpr std::uint32_t kInfoChunk = chunkType("INFO"), kSurfaceChunk = chunkType("SURF"),
                               kFrameChunk = chunkType("FRAM"), kThumbnailChunk = chunkType("THMB"),
                               kMaterialsChunk = chunkType("MATL"), kIndexChunk = chunkType("INDX");

std::uint64_t chunkChecksum(std::uint32_t type, std::span<const std::byte> contents);

struct Chunk {
    std::uint32_t type = 0;
    std::uint64_t offset = 0;  // of its head
    std::span<const std::byte> contents;
};
// The chunk at an offset, unless it is cut off or damaged.
enum class ChunkFault : std::uint8_t { None, CutOff, Damaged };
ChunkFault readChunk(std::span<const std::byte> file, std::uint64_t offset, Chunk& chunk);

// The index: offsets of all chunks, and the tracks of all bodies.
struct RecordingIndex {
    struct Frame {
        std::uint64_t offset = 0;
        bool isKeyframe = false;
        friend bool operator==(const Frame&, const Frame&) = default;
    };
    std::vector<Frame> frames;
    std::vector<std::uint64_t> surfaces, thumbnails, materials;
    std::vector<RecordedTrack> tracks;
};
void writeIndex(BinaryWriter& out, const RecordingIndex& index);
bool readIndex(std::span<const std::byte> contents, std::uint32_t version, RecordingIndex& index);

// What a frame begins with, before the poses.
struct FrameFront {
    std::uint32_t number = 0;
    bool isKeyframe = false;
    std::vector<TrackDef> appearing;
    std::vector<std::uint32_t> vanishing;
    struct Change {
        std::uint32_t track = 0, surface = 0;
    };
    std::vector<Change> changing;  // deforming bodies that have other triangles from now on
};
void writeFront(BinaryWriter& out, const FrameFront& front);
FrameFront readFront(BinaryReader& in, std::uint32_t version);
// Updates the table of tracks by the bodies of a frame; false where they contradict it.
bool applyFront(const FrameFront& front, std::size_t surfaceCount, std::vector<RecordedTrack>& tracks);

void writeEvents(BinaryWriter& out, std::span<const RecordedEvent> events);
void readEvents(BinaryReader& in, std::vector<RecordedEvent>& events);

std::string infoText(const RecordingInfo& info);
// Throws Error where the text is not what infoText gives.
RecordingInfo parseInfo(std::span<const std::byte> text);

}  // namespace sunder::scene
