// See check.h.
#include "check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "interrupt.h"
#include "progress.h"
#include "sunder/scene/check.h"
#include "sunder/scene/runner.h"

namespace sunder::cli {

namespace {

constexpr std::size_t kMostRows = 60, kWidestName = 40;  // rows of the list; characters of a name

// The hardest blow on each of the scene's bodies, by its place among them.
struct Blows {
    struct Blow {
        Real impulse = 0;
        int broken = 0;
    };
    std::vector<Blow> byBody;

    static Blows ofRun(const Scene& scene, SceneRunner& runner, const std::string& title) {
        Blows blows;
        std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> placeOf;
        for (const BodyId body : runner.world().bodies())
            placeOf.emplace(std::pair(body.index, body.generation), placeOf.size());
        blows.byBody.resize(placeOf.size());
        const auto find = [&](BodyId body) -> Blow* {
            const auto found = placeOf.find({body.index, body.generation});
            return found == placeOf.end() ? nullptr : &blows.byBody[found->second];
        };
        runner.watchBlows();
        Progress progress(title, scene.frames, false);
        double ms = 0;
        while (runner.frame() < scene.frames && !interrupted()) {
            runner.stepFrame();
            for (const sunder::Blow& event : runner.blows())
                if (Blow* blow = find(event.body))
                    blow->impulse = std::max(blow->impulse, event.impulse);
            for (const BreakEvent& event : runner.broken())
                if (Blow* blow = find(event.body)) {
                    blow->impulse = std::max(blow->impulse, event.impulse);
                    ++blow->broken;
                }
            progress.update(runner.frame(), ms += runner.stepMs());
        }
        progress.finish();
        return blows;
    }
    Blow of(std::size_t first, int count) const {
        Blow sum;
        for (std::size_t i = first; i < std::min(first + std::size_t(count), byBody.size()); ++i) {
            sum.impulse = std::max(sum.impulse, byBody[i].impulse);
            sum.broken += byBody[i].broken;
        }
        return sum;
    }
};

std::string number(double value, const char* otherwise) { return value > 0 ? fmt::format("{:.4g}", value) : otherwise; }

void list(const SceneFacts& facts, const Blows* blows) {
    std::size_t width = 4, first = 0, row = 0;
    for (const BodyFacts& body : facts.bodies)
        width = std::clamp(body.text().size(), width, kWidestName);
    fmt::print("  {:<{}}  {:>10}  {:>22}  {:>6}  {:>13}{}\n", "body", width, "mass, kg", "size, m", "cells", "threshold, Ns",
               blows ? "  largest blow, Ns" : "");
    for (const BodyFacts& body : facts.bodies) {
        const Blows::Blow blow = blows ? blows->of(first, body.count) : Blows::Blow{};
        first += std::size_t(body.count);
        if (++row > kMostRows)
            continue;
        const std::string size = fmt::format("{:.3g} x {:.3g} x {:.3g}", body.size[0], body.size[1], body.size[2]);
        fmt::print("  {:<{}}  {:>10}  {:>22}  {:>6}  {:>13}", body.text(), width, number(body.mass, "fixed"), size,
                   body.cell > 0 ? fmt::format("{:.3g}", body.wall / body.cell) : "", number(body.threshold, ""));
        if (blows)
            fmt::print("  {:>16}{}", number(double(blow.impulse), ""), blow.broken > 0 ? ", broke" : "");
        fmt::print("\n");
    }
    if (row > kMostRows)
        fmt::print("  and {} more\n", row - kMostRows);
}

}  // namespace

int check(RunOptions options, const CheckOptions& what, const std::filesystem::path& sceneFolder) {
    int status = kDone;
    for (const std::string& file : what.files) {
        options.scene = file;
        const std::optional<Scene> scene = openScene(options, sceneFolder);
        if (!scene) {
            status = kBadInput;
            continue;
        }
        const std::unique_ptr<SceneRunner> started = what.quiet ? nullptr : startScene(options, *scene);
        fmt::print("{}: good, {} bodies, {} frames of 1/{} s\n", file, scene->bodies.size(), scene->frames,
                   numberText(scene->frameRate));
        if (what.quiet)
            continue;
        SceneRunner& runner = *started;
        const SceneFacts facts = factsOf(*scene, runner);
        if (what.blows) {
            catchInterrupts();
            const Blows blows = Blows::ofRun(*scene, runner, file);
            list(facts, &blows);
        } else {
            list(facts, nullptr);
        }
        for (const std::string& warning : facts.warnings)
            fmt::print("warning: {}\n", warning);
    }
    return status;
}

}  // namespace sunder::cli
