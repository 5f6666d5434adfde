// See check.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "collision/built_shape.h"
#include "collision/level_set/level_set_shape.h"
#include "math/vec3.h"
#include "scene/check/grid_measures.h"
#include "sunder/drawn_patterns.h"
#include "sunder/scene/check.h"
#include "sunder/scene/runner.h"

namespace sunder {

namespace {

// m: what moves is seldom longer, and what was modelled in centimetres mostly is.
constexpr double kLongest = 50;
// A wall of fewer cells is drawn rough, and contacts may miss it.
constexpr double kLeastCells = 2;
// Overlap at the start that is no rounding: more than this share of the shorter body's shortest side, and of a cell.
constexpr double kOverlapShare = 0.02, kOverlapCells = 0.5;
// s: a step too short for anything to move, which only finds contacts.
constexpr Real kMoment = Real(1e-6);
constexpr std::size_t kMostOverlaps = 10;  // named; the number of the others follows

double longest(const BodyFacts& body) { return std::max({body.size[0], body.size[1], body.size[2]}); }
double shortest(const BodyFacts& body) { return std::min({body.size[0], body.size[1], body.size[2]}); }

// m. The bounds of a level set are those of its grid, which is wider than the solid.
Vec3 sizeOf(const BuiltShape& shape) {
    Bounds bounds = shape.localBounds;
    if (shape.levelSet && shape.levelSet->particleCount() > 0) {
        const std::vector<Vec3>& points = shape.levelSet->solid->particles.positions;
        bounds = {points[0], points[0]};
        for (const Vec3& point : points)
            bounds = {min(bounds.low, point), max(bounds.high, point)};
    }
    return bounds.high - bounds.low;
}

BodyFacts factsOfBody(const World& world, BodyId body, scene::GridMeasurer& grids) {
    const SharedShape shape = buildShape(world.shape(body));
    const Vec3 size = sizeOf(*shape);
    BodyFacts facts;
    facts.first = facts.last = world.name(body);
    facts.isDynamic = world.motion(body) == Motion::Dynamic;
    facts.mass = double(world.mass(body));
    for (int axis = 0; axis < 3; ++axis)
        facts.size[axis] = double(component(size, axis));
    const FractureDef* fracture = world.fracture(body);
    const scene::GridMeasures grid = grids.measure(shape, fracture);
    facts.cell = grid.cell;
    facts.wall = grid.wall;
    if (fracture && !std::holds_alternative<Stressed>(fracture->method))
        facts.threshold = fracture->threshold > 0
                              ? double(fracture->threshold)
                              : double(world.material(body).fractureImpulse) * std::pow(grid.volume, 2.0 / 3);
    return facts;
}

// "brick" of "brick_12": what a generator numbers.
std::string stem(const std::string& name) {
    const std::size_t end = name.find_last_not_of("0123456789");
    return end != std::string::npos && end + 1 < name.size() && name[end] == '_' ? name.substr(0, end) : std::string();
}

bool isAlike(const BodyFacts& a, const BodyFacts& b) {
    return !stem(a.last).empty() && stem(a.last) == stem(b.first) && a.isDynamic == b.isDynamic && a.mass == b.mass &&
           std::equal(a.size, a.size + 3, b.size) && a.cell == b.cell && a.threshold == b.threshold;
}

void warnOfSizes(const std::vector<BodyFacts>& bodies, std::vector<std::string>& warnings) {
    for (const BodyFacts& body : bodies) {
        if (body.isDynamic && longest(body) > kLongest)
            warnings.push_back(fmt::format(
                "{}: {:.3g} m long; lengths are metres. If it was modelled in centimetres, give its shape \"scale\": 0.01",
                body.text(), longest(body)));
        if (body.cell > 0 && body.wall < kLeastCells * body.cell)
            warnings.push_back(
                fmt::format("{}: {:.2g} cells of its grid across its thinnest wall ({:.3g} m), fewer than 2: its pieces are "
                            "rough there, and "
                            "contacts may miss it. \"cell\": {:.2g} gives it two",
                            body.text(), body.wall / body.cell, body.wall, body.wall / kLeastCells));
    }
}

// Drawn pieces of a known size that are too small for the body stay with a neighbour, which may be all of them.
void warnOfSmallPieces(const FractureDef* fracture, const std::string& name, std::vector<std::string>& warnings) {
    const Prescored* method = fracture ? std::get_if<Prescored>(&fracture->method) : nullptr;
    if (!method || !method->pattern || method->pieceSize > 0)
        return;
    const PatternInfo info = inspectPattern(*method->pattern);
    if (!info.isDrawn || !info.isInMetres || info.isPrism)
        return;
    const double scale = std::pow(double(method->size), 3);
    std::size_t pieces = 0, small = 0;
    for (std::size_t i = 0; i < info.volumes.size(); ++i) {
        if (info.rest && i == *info.rest)
            continue;
        ++pieces;
        small += scale * info.volumes[i] < double(fracture->smallest);
    }
    if (small > 0)
        warnings.push_back(
            fmt::format("{}: {} of the {} drawn pieces of its pattern are smaller than {:.3g} m^3, and stay with a neighbour; "
                        "give a smaller "
                        "\"smallest\" to its fracture (a 200th of the body where it is not given)",
                        name, small, pieces, double(fracture->smallest)));
}

void warnOfOverlaps(const Scene& scene, const World& world, const std::vector<BodyFacts>& each,
                    std::vector<std::string>& warnings) {
    World probe(world.settings());
    probe.rewind(world.checkpoint());
    WorldDef unbroken = probe.settings();
    unbroken.rewinds = 0;  // bonds and joints hold
    probe.setSettings(unbroken);
    const std::vector<BodyId> bodies = probe.bodies();
    for (const BodyId body : bodies)
        if (probe.fracture(body) != nullptr)
            probe.setFracture(body, std::nullopt);  // what overlaps would break, and its contacts be those of pieces
    std::vector<std::size_t> numberOf;              // by slot
    for (std::size_t i = 0; i < bodies.size(); ++i) {
        numberOf.resize(std::max(numberOf.size(), std::size_t(bodies[i].index) + 1));
        numberOf[bodies[i].index] = i;
    }
    probe.step(kMoment);
    std::size_t count = 0;
    for (const ContactEvent& contact : probe.contactEvents()) {
        // Pieces of what broke in the probe are none of the scene's bodies.
        if (contact.sensor || contact.a.index >= numberOf.size() || contact.b.index >= numberOf.size())
            continue;
        const std::size_t a = numberOf[contact.a.index], b = numberOf[contact.b.index];
        if (a >= scene.bodies.size() || b >= scene.bodies.size() || scene.bodies[a].tolerateOverlap ||
            scene.bodies[b].tolerateOverlap || !(bodies[a] == contact.a) || !(bodies[b] == contact.b))
            continue;
        const double allowed = std::max(kOverlapShare * std::min(shortest(each[a]), shortest(each[b])),
                                        kOverlapCells * std::max(each[a].cell, each[b].cell));
        if (!(double(contact.penetration) > allowed) || ++count > kMostOverlaps)
            continue;
        warnings.push_back(fmt::format(
            "{} and {}: overlap by {:.3g} m at the start and will be pushed apart; move them, or set \"tolerate_overlap\"",
            each[a].first, each[b].first, double(contact.penetration)));
    }
    if (count > kMostOverlaps)
        warnings.push_back(fmt::format("and {} more pairs that overlap at the start", count - kMostOverlaps));
}

}  // namespace

std::string BodyFacts::text() const { return count == 1 ? first : fmt::format("{} to {} ({})", first, last, count); }

SceneFacts factsOf(const Scene& scene, const SceneRunner& runner) {
    const World& world = runner.world();
    std::vector<BodyFacts> each;
    SceneFacts facts;
    scene::GridMeasurer grids;
    for (const BodyId body : world.bodies()) {
        each.push_back(factsOfBody(world, body, grids));
        if (!facts.bodies.empty() && isAlike(facts.bodies.back(), each.back())) {
            BodyFacts& row = facts.bodies.back();
            row.last = each.back().first;
            row.wall = std::min(row.wall, each.back().wall);
            ++row.count;
        } else {
            facts.bodies.push_back(each.back());
            warnOfSmallPieces(world.fracture(body), each.back().first, facts.warnings);
        }
    }
    warnOfSizes(facts.bodies, facts.warnings);
    warnOfOverlaps(scene, world, each, facts.warnings);
    return facts;
}

}  // namespace sunder
