#include "world/persist/snapshot.h"

#include <algorithm>

#include "core/checksum.h"
#include "world/commit/pieces/make_pieces.h"
#include "world/persist/shape_table.h"
#include "world/persist/state_visit.h"

namespace sunder::world {

namespace {

constexpr char kMagic[8] = {'S', 'U', 'N', 'D', 'E', 'R', 'S', 'N'};
constexpr std::uint32_t kVersion = 7;  // to be increased with every change of the format

std::uint64_t layout() {
    static const std::uint64_t fingerprint = [] {
        LayoutFingerprint print;
        print(WorldState{});
        return print.value();
    }();
    return fingerprint;
}

[[noreturn]] void refuseSnapshot(const std::string& why) { throw Error("snapshot: " + why); }

// Checks the header; returns what follows it.
std::span<const std::byte> openSnapshot(std::span<const std::byte> snapshot) {
    BinaryReader in(snapshot);
    const std::span<const std::byte> magic = in.block(sizeof(kMagic));
    if (magic.size() != sizeof(kMagic) || std::memcmp(magic.data(), kMagic, sizeof(kMagic)) != 0)
        refuseSnapshot("these bytes are not a snapshot");
    const auto version = in.value<std::uint32_t>(), precision = in.value<std::uint32_t>();
    const auto fingerprint = in.value<std::uint64_t>(), size = in.value<std::uint64_t>(), sum = in.value<std::uint64_t>();
    if (in.failed())
        refuseSnapshot("cut short");
    if (version != kVersion)
        refuseSnapshot("version " + std::to_string(version) + " is not known (" + std::to_string(kVersion) + ")");
    if (precision != sizeof(Real))
        refuseSnapshot("made with " + std::to_string(precision) + " bytes per number; this library has " +
                       std::to_string(sizeof(Real)));
    if (fingerprint != layout())
        refuseSnapshot("made by another version of the library, whose state has other fields");
    if (size != in.remaining())
        refuseSnapshot("its size is " + std::to_string(in.remaining()) + " bytes instead of " + std::to_string(size) +
                       (size > in.remaining() ? ": it was cut short" : ""));
    const std::span<const std::byte> contents = in.block(size);
    if (checksum(contents) != sum)
        refuseSnapshot("its checksum does not match: it was damaged");
    return contents;
}

// Fills in the header, for which the writer left room.
std::vector<std::byte> sealed(BinaryWriter& out) {
    const std::span<const std::byte> contents = out.view().subspan(kSnapshotHeaderSize);
    BinaryWriter header(kSnapshotHeaderSize);
    header.bytes(kMagic, sizeof(kMagic));
    header.value(kVersion);
    header.value(static_cast<std::uint32_t>(sizeof(Real)));
    header.value(layout());
    header.value(static_cast<std::uint64_t>(contents.size()));
    header.value(checksum(contents));
    std::vector<std::byte> bytes = out.take();
    std::copy(header.view().begin(), header.view().end(), bytes.begin());
    return bytes;
}

// Reads the persistent fields; the scratch of a new state is empty.
void readState(BinaryReader& in, std::span<const SharedShape> shapes, const std::vector<SharedPattern>& knownPatterns,
               WorldState& world) {
    PatternList patterns{{}, knownPatterns};
    StateReader reader(in, shapes, &patterns);
    visitState(reader, world);
    if (in.failed() || in.remaining() > 0)
        refuseSnapshot("its contents cannot be read");
}

// The set of pairs is not in a snapshot, because it follows from the lists of pairs. False where a pair is listed twice.
bool fillPairSet(const PagedVector<ContactPair>& pairs, const SleepState& sleep, collision::PairSet& pairSet) {
    pairSet.reserve(pairs.size());
    bool good = true;
    const auto fill = [&](std::span<const ContactPair> list) {
        for (const ContactPair& pair : list)
            good = pairSet.insert(keyOf(pair)) && good;
    };
    fill(pairs);
    for (const SleepingIsland& island : sleep.islands)
        fill(island.pairs);
    return good;
}

void swapStates(WorldState& world, WorldState& staged) {
    staged.def.threads = world.def.threads;
    auto live = persistentFields(world), read = persistentFields(staged);
    std::swap(live, read);
    // Aligned patterns are a cache, and valid for the restored state too.
    std::swap(world.breaking.aligned, staged.breaking.aligned);
    std::swap(world.breaking.knownPatterns, staged.breaking.knownPatterns);
    std::swap(world.pairSet, staged.pairSet);
    world.jointRoster.uncollidingKnown = world.jointRoster.dueKnown = false;
    world.roster.layersInUse = 0;
    world.roster.hasLevelSets = world.roster.hasShells = world.roster.hasSensors = false;
    for (const Body& body : world.bodies) {
        world.roster.layersInUse |= body.layer;
        world.roster.hasLevelSets = world.roster.hasLevelSets || (body.shape && body.shape->hasLevelSet);
        world.roster.hasShells =
            world.roster.hasShells || (body.shape && std::holds_alternative<Shell>(body.shape->definition));
        world.roster.hasSensors = world.roster.hasSensors || body.sensor;
        if (body.fracture)
            notePatterns(world.breaking, *body.fracture);
    }
}

// An estimate of the bytes needed: reserving them avoids copying the buffer as it grows, which would cost more than writing.
std::size_t expectedSize(const WorldState& world) {
    std::size_t pairs = world.pairs.size(), constraints = world.constraints.size();
    for (const SleepingIsland& island : world.sleep.islands) {
        pairs += island.pairs.size();
        constraints += island.constraints.size();
    }
    return kSnapshotHeaderSize + world.bodies.size() * sizeof(Body) + pairs * sizeof(ContactPair) +
           constraints * sizeof(dynamics::ContactConstraint) + world.events.contacts.size() * sizeof(ContactEvent) +
           world.joints.size() * sizeof(Joint);
}

std::vector<SharedShape> shapesOf(const PagedVector<Body>& bodies) {
    std::vector<SharedShape> shapes;
    for (const Body& body : bodies)
        if (body.shape && (shapes.empty() || shapes.back() != body.shape))
            shapes.push_back(body.shape);
    for (const Body& body : bodies)
        if (body.fracture && body.fracture->solid != body.shape && (shapes.empty() || shapes.back() != body.fracture->solid))
            shapes.push_back(body.fracture->solid);
    return shapes;
}

}  // namespace

std::vector<std::byte> sealSnapshot(std::span<const std::byte> contents) {
    BinaryWriter out(kSnapshotHeaderSize + contents.size());
    out.extend(kSnapshotHeaderSize);
    out.bytes(contents.data(), contents.size());
    return sealed(out);
}

std::vector<std::byte> takeSnapshot(const WorldState& world) {
    ShapeTable shapes;
    BinaryWriter out(expectedSize(world));
    out.extend(kSnapshotHeaderSize);
    std::uint64_t stateSize = 0;
    out.value(stateSize);
    const std::size_t begin = out.size();
    StateWriter writer(out, shapes);
    visitState(writer, world);
    stateSize = out.size() - begin;
    out.replace(begin - sizeof(stateSize), stateSize);
    shapes.write(out);
    return sealed(out);
}

void restoreSnapshot(WorldState& world, std::span<const std::byte> snapshot) {
    BinaryReader in(openSnapshot(snapshot));
    BinaryReader state(in.block(in.value<std::uint64_t>()));
    const std::vector<SharedShape> shapes = ShapeTable::read(in, shapesOf(world.bodies));
    if (in.failed() || in.remaining() > 0)
        refuseSnapshot("its shapes cannot be read");
    WorldState staged;
    readState(state, shapes, world.breaking.knownPatterns, staged);
    if (const std::string fault = findFault(staged); !fault.empty())
        refuseSnapshot(fault);
    if (!fillPairSet(staged.pairs, staged.sleep, staged.pairSet))
        refuseSnapshot("a pair of bodies is there twice");
    swapStates(world, staged);
}

std::vector<std::byte> takeState(const WorldState& world, std::vector<SharedShape>& shapes) {
    SharedShapes table;
    BinaryWriter state(expectedSize(world));
    StateWriter writer(state, table);
    visitState(writer, world);
    shapes = table.take();
    return state.take();
}

void restoreState(WorldState& world, std::span<const std::byte> state, std::span<const SharedShape> shapes) {
    BinaryReader in(state);
    WorldState staged;
    readState(in, shapes, world.breaking.knownPatterns, staged);
    fillPairSet(staged.pairs, staged.sleep, staged.pairSet);
    swapStates(world, staged);
}

}  // namespace sunder::world
