// Exterior rotation [Egan03] 6.2, figures 6.1 to 6.3: boxes that turn about an edge outside themselves, each stepper against
// the pendulum's equation (6.1, 6.2: what sticks together turns as one) or a fine run (6.3), and against plain semi-implicit
// Euler with impulses, which is `frame_rate` with one substep per step.
#include <algorithm>
#include <cmath>

#include "bars/bars.h"
#include "measure/penetration.h"
#include "scenes/egan.h"
#include "sunder/describe.h"

namespace sunder::bars {

namespace {

using scenes::BoxScene;

constexpr double kFineRate = 960, kFineSubsteps = 4;  // of the fine run

struct Figure {
    const char* name;
    BoxScene (*make)(const WorldDef&);
    double seconds;  // while all turn about their edges
    int stacked;     // cubes of a leaning stack; 0: no formula
};
constexpr Figure kFigures[] = {{"6.1 stack", [](const WorldDef& def) { return scenes::stackOverAnEdge(def, 4); }, 0.6, 4},
                               {"6.2 box", scenes::boxOverAnEdge, 0.6, 1},
                               {"6.3 two edges", scenes::boxesOverTwoEdges, 0.4, 0}};

struct Result {
    std::vector<Vec3> places;
    double overlap = 0;  // m, largest at the end of any thirtieth of a second
};

Result run(const Figure& figure, const WorldDef& def, double rate) {
    BoxScene scene = figure.make(def);
    Result result;
    const int every = int(rate / 30);
    for (int i = 1; i <= int(std::lround(figure.seconds * rate)); ++i) {
        scene.world.step(Real(1 / rate));
        if (i % every == 0)
            result.overlap = std::max(result.overlap, measure::measurePenetration(scene).largest);
    }
    for (const scenes::BoxRecord& box : scene.moving)
        result.places.push_back(scene.world.position(box.id));
    return result;
}

// The stack as one pendulum about the edge (0, 2, 0).
Result pendulum(const Figure& figure) {
    const double side = scenes::kLeaningSide, angle = scenes::leaningAngle(figure.stacked, figure.seconds);
    Result result;
    for (int i = 0; i < figure.stacked; ++i) {
        const double r = side * (i + 0.5);
        result.places.push_back(scenes::vec(std::sin(angle) * r, 2 + std::cos(angle) * r, 0));
    }
    return result;
}

double farthest(const Result& a, const Result& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.places.size(); ++i)
        most = std::max(most, std::hypot(double(a.places[i].x - b.places[i].x), double(a.places[i].y - b.places[i].y),
                                         double(a.places[i].z - b.places[i].z)));
    return most;
}

WorldDef awake(Stepper stepper) {
    WorldDef def;
    def.stepper = stepper;
    def.sleeping = false;
    return def;
}

}  // namespace

void exteriorRotation(Table& table) {
    table.begin("exterior.rotation", "boxes that turn about an outside edge [Egan03] fig. 6.1 to 6.3, 30 Hz");
    for (const Figure& figure : kFigures) {
        WorldDef fineDef = awake(Stepper::FrameRate);
        fineDef.frameRate.substepRate = Real(kFineRate * kFineSubsteps);
        const Result fineRun = run(figure, fineDef, kFineRate);
        const Result fine = figure.stacked > 0 ? pendulum(figure) : fineRun;
        if (figure.stacked > 0)
            table.note(format("%s: the fine run is from the formula by", figure.name),
                       format("%.2f mm", farthest(fine, fineRun) * 1e3));
        WorldDef plainDef = awake(Stepper::FrameRate);
        plainDef.frameRate.substepRate = 30;
        const Result plain = run(figure, plainDef, 30);
        const double plainError = farthest(plain, fine);
        table.note(format("%s, plain Euler: pose error, largest overlap", figure.name),
                   format("%.2f mm, %.2f mm", plainError * 1e3, plain.overlap * 1e3));
        for (const EnumName<Stepper>& stepper : enumNames(Stepper{})) {
            const Result result = run(figure, awake(stepper.value), 30);
            const double error = farthest(result, fine);
            const std::string row =
                format("%s, %s: pose error, largest overlap", figure.name, std::string(stepper.name).c_str());
            const std::string found = format("%.2f mm, %.2f mm (%.1f and %.1f times less)", error * 1e3, result.overlap * 1e3,
                                             plainError / error, plain.overlap / std::max(result.overlap, 1e-9));
            if (stepper.value == Stepper::FrameRate)
                table.check(row, "both 5 times less than plain Euler", found,
                            5 * error <= plainError && 5 * result.overlap <= plain.overlap);
            else
                table.note(row, found);
        }
    }
}

}  // namespace sunder::bars
