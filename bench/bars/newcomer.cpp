// Bodies of which nothing is set but pattern and material: pieces and frames that a game can bear.
#include <algorithm>

#include "bars/bars.h"
#include "scenes/newcomer.h"

namespace sunder::bars {

void newcomers(Table& table) {
    table.begin("fracture.newcomer",
                "a ball strikes things of which nothing is set but pattern and material; 60 Hz, two threads");
    WorldDef def;
    def.threads = 2;
    for (const scenes::Breakable& thing : scenes::breakables()) {
        int most = 0;
        double worst = 0;
        std::string of;
        for (const scenes::NamedPattern& pattern : scenes::allPatterns()) {
            const SharedPattern built = buildPattern({.kind = pattern.kind});
            for (const scenes::Breakable::Blow& blow : thing.blows) {
                World world(def);
                addBreakable(world, thing, built, blow);
                for (int i = 0; i < 120; ++i) {
                    world.step(Real(1) / 60);
                    most = std::max(most, world.stats().pieces);
                    if (world.stats().stepMs > worst) {
                        worst = world.stats().stepMs;
                        of = format("%s, %.0f kg at %.0f m/s", pattern.name, blow.mass, blow.speed);
                    }
                }
            }
        }
        table.below(thing.name + ": most pieces", most, 200, "");
        table.below(thing.name + ": worst step (" + of + ")", worst, 33, "ms");
    }
}

}  // namespace sunder::bars
