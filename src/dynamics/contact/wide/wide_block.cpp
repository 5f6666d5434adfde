#include "dynamics/contact/wide/wide_block.h"

namespace sunder::dynamics {

void WideBlocks::layOut(std::span<const BlockNeeds> needs) {
    std::size_t points = 0, rares = 0;
    for (const BlockNeeds& need : needs) {
        points += need.points;
        rares += need.isRare;
    }
    memory.begin(ScratchMemory::bytesOf<WideContact>(needs.size()) + ScratchMemory::bytesOf<StoredPoint>(points) +
                 ScratchMemory::bytesOf<StoredAnchors>(points) + ScratchMemory::bytesOf<StoredRare>(rares));
    all = memory.take<WideContact>(needs.size());
    StoredPoint* point = memory.take<StoredPoint>(points).data();
    StoredAnchors* anchors = memory.take<StoredAnchors>(points).data();
    StoredRare* rare = memory.take<StoredRare>(rares).data();
    for (std::size_t i = 0; i < needs.size(); ++i) {
        all[i].points = point;
        all[i].anchors = anchors;
        all[i].rare = needs[i].isRare ? rare++ : nullptr;
        point += needs[i].points;
        anchors += needs[i].points;
    }
}

}  // namespace sunder::dynamics
