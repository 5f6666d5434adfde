// Stages run in order, every block once, whoever comes to work.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "core/stages.h"

namespace sunder::testing {
namespace {

constexpr int kStages = 40, kNeighborhoods = 8;

// Every block checks that the stage before is complete, and counts itself.
struct Walk {
    std::vector<std::atomic<int>> done = std::vector<std::atomic<int>>(kStages);
    std::vector<int> blocks;
    std::atomic<int> early{0};

    static void block(void* self, int stage, int) {
        Walk& walk = *static_cast<Walk*>(self);
        if (stage > 0 && walk.done[stage - 1].load() != walk.blocks[stage - 1])
            ++walk.early;
        ++walk.done[stage];
    }
};

// blocksOf: by stage.
void expectComplete(TaskRunner& runner, bool byNeighborhood, int (*blocksOf)(int)) {
    const std::vector<std::uint32_t> weights{5, 1, 0, 9, 30, 2, 2, 7};
    std::vector<std::vector<std::uint32_t>> firstBlockOf(kStages);
    StageList stages;
    for (int run = 0; run < 20; ++run) {
        Walk walk;
        stages.clear(weights);
        for (int i = 0; i < kStages; ++i) {
            const int blocks = blocksOf(i);
            walk.blocks.push_back(blocks);
            firstBlockOf[i].clear();
            for (int k = 0; k <= kNeighborhoods; ++k)
                firstBlockOf[i].push_back(static_cast<std::uint32_t>(blocks * k / kNeighborhoods));
            stages.add(blocks, Walk::block, &walk, i, byNeighborhood ? firstBlockOf[i].data() : nullptr);
        }
        stages.run(runner);
        for (int i = 0; i < kStages; ++i)
            EXPECT_EQ(walk.done[i].load(), walk.blocks[i]) << "stage " << i << " of run " << run;
        EXPECT_EQ(walk.early.load(), 0);
    }
}

int manyBlocks(int stage) { return 1 + stage * 7 % 23; }
int mostlyOneBlock(int stage) { return stage % 9 == 4 ? 12 : 1; }

TEST(Stages, RunInOrderAndWhole) {
    for (const auto blocksOf : {manyBlocks, mostlyOneBlock})
        for (const bool byNeighborhood : {false, true})
            for (const int threads : {1, 2, 3, 8}) {
                const auto runner = makeThreadPool(threads);
                expectComplete(*runner, byNeighborhood, blocksOf);
            }
}

// To hand over takes as long as many a block.
TEST(Stages, OfOneBlockThatFollowEachOtherAreDoneByOneThread) {
    std::vector<std::thread::id> threads;
    StageList stages;
    stages.clear({});
    for (int i = 0; i < 200; ++i)
        stages.add(
            1,
            [](void* ids, int, int) { static_cast<std::vector<std::thread::id>*>(ids)->push_back(std::this_thread::get_id()); },
            &threads, i);
    stages.run(*makeThreadPool(4));
    EXPECT_EQ(std::count(threads.begin(), threads.end(), threads.front()), 200);
}

// A host may promise four threads and bring one: the shares of those that do not come are done by the one that did.
class BusyHost final : public TaskRunner {
public:
    int concurrency() const override { return 4; }
    void run(int count, void (*function)(void*, int), void* context) override {
        for (int i = count - 1; i >= 0; --i)
            function(context, i);
    }
};

TEST(Stages, WorkersThatNeverComeDelayNobody) {
    BusyHost host;
    expectComplete(host, true, manyBlocks);
}

TEST(Stages, NothingToDoIsDone) {
    const auto runner = makeThreadPool(2);
    StageList stages;
    stages.clear({});
    stages.run(*runner);
    int calls = 0;
    stages.add(
        3, [](void* count, int, int) { ++*static_cast<int*>(count); }, &calls, 0);
    const auto serial = makeSerialRunner();
    stages.run(*serial);
    EXPECT_EQ(calls, 3);
}

}  // namespace
}  // namespace sunder::testing
