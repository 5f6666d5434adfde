// Any bytes as a snapshot, and good snapshots whose contents lie under a checksum that matches: refused without a change, or
// a world that steps and can be taken back.
#include "byte_source.h"
#include "support/random_calls.h"
#include "world/persist/snapshot.h"

namespace {

using namespace sunder;

std::vector<std::vector<std::byte>> makeTemplates() {
    std::vector<std::vector<std::byte>> templates;
    for (const Stepper stepper : {Stepper::FrameRate, Stepper::Impulse, Stepper::Damped})
        for (const int bodies : {2, 7}) {
            WorldDef def;
            def.stepper = stepper;
            World world(def);
            support::RandomCalls calls(world, std::uint64_t(bodies));
            calls.populate(bodies);
            for (int i = 0; i < 10; ++i)
                world.step(Real(1) / 30);
            calls.call(1);
            const std::vector<std::byte> snapshot = world.snapshot();
            templates.emplace_back(snapshot.begin() + sunder::world::kSnapshotHeaderSize, snapshot.end());
        }
    return templates;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const std::vector<std::vector<std::byte>> templates = makeTemplates();
    fuzz::ByteSource source(data, size);
    const std::uint32_t choice = source.below(std::uint32_t(templates.size()) + 2);
    std::vector<std::byte> bytes(reinterpret_cast<const std::byte*>(data), reinterpret_cast<const std::byte*>(data) + size);
    if (choice < templates.size()) {
        bytes = templates[choice];
        source.damage(bytes);
    }
    if (choice <= templates.size())
        bytes = world::sealSnapshot(bytes);

    World world;
    world.addBody({});
    const std::uint64_t before = world.hash();
    try {
        world.restore(bytes);
    } catch (const Error&) {
        fuzz::require(world.hash() == before);
        return 0;
    }
    world.step(Real(1) / 240);
    World other;
    other.restore(world.snapshot());
    fuzz::require(other.hash() == world.hash());
    world.step(Real(1) / 240);
    other.step(Real(1) / 240);
    fuzz::require(other.hash() == world.hash());
    return 0;
}
