// sunder_bars: runs the scenes that the engine must hold and prints each bar with what was measured beside it.
// --ablate: what each mechanism of the step brings and costs (docs/step.md).
// Default settings, friction 0.5 unless said; penetration and energy are measured from poses in double precision.
#include <chrono>
#include <cstdio>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "bars/ablation.h"
#include "bars/bars.h"

namespace {

using sunder::bars::Table;

struct Group {
    std::string_view name;
    void (*run)(Table& table);
};

constexpr Group kGroups[] = {
    {"measures", sunder::bars::measures},
    {"S3", sunder::bars::stack},
    {"S1", sunder::bars::pyramidOfCubes},
    {"S8", sunder::bars::heavyOnLightCube},
    {"S2t", sunder::bars::pileOfBoxes},
    {"rest", sunder::bars::restOfPiles},
    {"tower", sunder::bars::tower},
    {"mixed", sunder::bars::pileOfEverything},
    {"slow", sunder::bars::slowCube},
    {"plates", sunder::bars::pileOfPlates},
    {"fig3", sunder::bars::stopOnIncline},
    {"S5", sunder::bars::tumblingBox},
    {"S6", sunder::bars::slideDownIncline},
    {"energy", sunder::bars::energyOfPiles},
    {"cluster", sunder::bars::clusters},
    {"threads", sunder::bars::threads},
    {"files", sunder::bars::badSceneFiles},
    {"asleep", sunder::bars::sleepers},
    {"statics", sunder::bars::statics},
    {"heaps", sunder::bars::heaps},
    {"terrain", sunder::bars::terrain},
    {"analytic", sunder::bars::analyticPyramid},
    {"steppers.stack", sunder::bars::steppersOnStacks},
    {"steppers.pyramid", sunder::bars::steppersOnPyramids},
    {"steppers.clump", sunder::bars::steppersOnClump},
    {"steppers.heaps", sunder::bars::dampedHeaps},
    {"steppers.figures", sunder::bars::steppersOnFigures},
    {"timewarp.order", sunder::bars::timewarpOrder},
    {"exterior.rotation", sunder::bars::exteriorRotation},
    {"memory", sunder::bars::memoryOfPile},
    {"flesh", sunder::bars::fleshSteps},
    {"flesh.tears", sunder::bars::fleshTears},
    {"fracture.cost", sunder::bars::fractureCost},
    {"fracture.cut", sunder::bars::cutSurfaces},
    {"fracture.wall", sunder::bars::fractureWall},
    {"fracture.ball", sunder::bars::fractureBall},
    {"fracture.cylinder", sunder::bars::fractureCylinder},
    {"fracture.bunny", sunder::bars::fractureBunny},
    {"fracture.realistic", sunder::bars::fractureRealistic},
    {"fracture.twice", sunder::bars::fractureTwice},
    {"fracture.table100", sunder::bars::fractureTable100},
    {"fracture.table1000", sunder::bars::fractureTable1000},
    {"fracture.table1000asleep", sunder::bars::fractureTable1000Asleep},
    {"fracture.newcomer", sunder::bars::newcomers},
    {"joints.pendulum", sunder::bars::pendulum},
    {"joints.chain", sunder::bars::chain},
    {"joints.bridge", sunder::bars::bridge},
    {"joints.slack", sunder::bars::slackChains},
    {"joints.ragdolls", sunder::bars::ragdolls},
    {"bonds.wall", sunder::bars::bondedWall},
    {"bonds.alpha", sunder::bars::alphaSweep},
    {"bonds.wrecking", sunder::bars::wrecking},
    {"recording", sunder::bars::recording},
    {"stress.solve", sunder::bars::stressSolve},
    {"stress.verdict", sunder::bars::stressVerdict},
    {"stress.hit", sunder::bars::stressHitFrame},
    {"stress.rates", sunder::bars::stressRates},
    {"stress.boats", sunder::bars::shellBoats},
    {"stress.ornaments", sunder::bars::shellOrnaments},
};

int usage() {
    std::fputs(
        "usage: sunder_bars [--only NAME]... [--json FILE]\n       sunder_bars --ablate [--markdown] [--counts] [--jobs N] "
        "[NAME]...\nnames:",
        stderr);
    for (const Group& group : kGroups)
        std::fprintf(stderr, " %.*s", int(group.name.size()), group.name.data());
    std::fputs("\n", stderr);
    return 1;
}

// By its name, or by the part of it before the point.
bool matches(const Group& group, std::string_view name) {
    return group.name == name || group.name.substr(0, group.name.find('.')) == name;
}

bool isGroup(std::string_view name) {
    for (const Group& group : kGroups)
        if (matches(group, name))
            return true;
    return false;
}

}  // namespace

// A miss is a figure, not a failure: the exit status is 0 unless a scene throws or the arguments are wrong.
int main(int count, char** arguments) {
    if (count > 1 && std::string_view(arguments[1]) == "--ablate")
        return sunder::bars::ablate(std::vector<std::string_view>(arguments + 2, arguments + count));
    std::vector<std::string_view> only;
    std::string json;
    for (int i = 1; i + 1 < count; i += 2) {
        const std::string_view option = arguments[i], value = arguments[i + 1];
        if (option == "--only" && isGroup(value))
            only.push_back(value);
        else if (option == "--json")
            json = value;
        else
            return usage();
    }
    if (count % 2 == 0)
        return usage();

    Table table;
    bool broken = false;
    const auto start = std::chrono::steady_clock::now();
    for (const Group& group : kGroups) {
        bool wanted = only.empty();
        for (const std::string_view name : only)
            wanted = wanted || matches(group, name);
        if (!wanted)
            continue;
        try {
            group.run(table);
        } catch (const std::exception& error) {
            std::printf("  broke off: %s\n", error.what());
            broken = true;
        }
    }
    const std::chrono::duration<double> time = std::chrono::steady_clock::now() - start;
    std::printf("\n%d bars, %d missed, %.0f s\n", table.judged(), table.misses(), time.count());
    if (!json.empty() && !table.writeJson(json)) {
        std::fprintf(stderr, "sunder_bars: cannot write %s\n", json.c_str());
        return 1;
    }
    return broken ? 1 : 0;
}
