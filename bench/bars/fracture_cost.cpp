// What one break costs by itself: both placements against each other, with the drawn surfaces, and the memory of the pieces.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "bars/bars.h"
#include "bars/fracture.h"
#include "collision/level_set/sampled_solid.h"
#include "collision/sample_solid.h"
#include "core/task_runner.h"
#include "fracture/prescored/break_body.h"
#include "geometry/patterns/built_pattern.h"

#if SUNDER_HAS_SCENE
#include "sunder/scene/mesh_files.h"
#endif

namespace sunder::bars {

namespace {

using Pieces = std::vector<fracture::Piece<std::int16_t>>;

struct Subject {
    const char* name;
    LevelSet shape;
    Vec3 point, normal;  // of the hit; snapped to a node
    double alignedMs;    // the bar
};

std::vector<Subject> subjects() {
    const auto solid = [](Shape shape, std::array<std::uint32_t, 3> nodes) {
        LevelSet result;
        result.parts.push_back({std::move(shape)});
        result.resolution = nodes;
        return result;
    };
    const auto vec = [](double x, double y, double z) { return Vec3{Real(x), Real(y), Real(z)}; };
    std::vector<Subject> all;
    all.push_back({"wall", solid(Box{vec(2.25, 1.5, 0.13)}, {150, 100, 10}), vec(0.3, 0.2, 0.13), vec(0, 0, 1), 3});
    all.push_back({"ball", solid(Sphere{Real(0.3)}, {55, 55, 55}), vec(0, 0.3, 0), vec(0, 1, 0), 3});
#if SUNDER_HAS_SCENE
    Mesh bunny = loadMesh(fractureScenes() / ".." / "assets" / "bunny.obj");
    for (Vec3& vertex : bunny.vertices)
        vertex = vec(0.1 * double(vertex.x), 0.1 * double(vertex.y), 0.1 * double(vertex.z));
    all.push_back({"bunny", solid(bunny, {70, 60, 45}), vec(0, 0.3, 0), vec(0, 1, 0), 3});
#endif
    all.push_back({"cylinder", solid(Cylinder{Real(0.5), Real(0.97)}, {55, 105, 55}), vec(0.5, 0.1, 0), vec(1, 0, 0), 6});
    return all;
}

template <class Function>
double medianMs(Function&& function) {
    std::vector<double> times;
    for (int i = 0; i < 15; ++i) {
        const auto start = std::chrono::steady_clock::now();
        function();
        times.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

std::vector<double> massesOf(const Pieces& pieces) {
    std::vector<double> masses;
    for (const auto& piece : pieces)
        masses.push_back(piece.mass.volume);
    std::sort(masses.rbegin(), masses.rend());
    return masses;
}

double largestDifference(const std::vector<double>& a, const std::vector<double>& b) {
    double most = 0;
    for (std::size_t i = 0; i < std::min({std::size_t(10), a.size(), b.size()}); ++i)
        most = std::max(most, std::abs(a[i] - b[i]) / b[i]);
    return most;
}

void measureSubject(Table& table, const Subject& subject, TaskRunner& runner) {
    const auto solid = collision::sampleSolid(subject.shape);
    const geometry::Grid& grid = solid->field.grid;
    const Bounds bounds = grid.bounds();
    const SharedPattern shared = buildPattern({.kind = RadialPattern{.rays = 8, .rings = 5}, .seed = 3});
    const geometry::Pattern& pattern = shared->pattern;
    const Real scale = fracture::coveringScale(pattern, length(bounds.high - bounds.low) / 2);
    const Vec3 node = (subject.point - grid.origin) / grid.cell;
    const fracture::Impact impact{grid.position(int(node.x + Real(0.5)), int(node.y + Real(0.5)), int(node.z + Real(0.5))),
                                  subject.normal};
    const fracture::AlignedPattern alignedPattern(pattern, scale, grid, fracture::nearestAxis(subject.normal), runner);
    const fracture::ParentBody<std::int16_t> parent{solid->field, solid->mass, nullptr};
    fracture::BreakOptions options;
    options.limits.smallestNodes = 30;  // a piece of a few cells may be there in one and not in the other
    const auto aligned = [&] { return breakBody(parent, alignedPattern.place(grid, impact), options, runner); };
    const auto general = [&] {
        return breakBody(parent, placeGeneral(pattern, scale, grid, impact, runner, &solid->field), options, runner);
    };
    const double alignedBare = medianMs(aligned), generalBare = medianMs(general);
    options.withSurfaces = true;
    const double alignedMs = medianMs(aligned), generalMs = medianMs(general);
    const Pieces pieces = aligned();
    const std::vector<double> a = massesOf(pieces), g = massesOf(general());

    const std::string name = subject.name;
    table.below(name + ", aligned with surfaces", alignedMs, subject.alignedMs, "ms");
    table.check(name + ", general with surfaces", "<= 2.5 x aligned",
                format("%.2f ms, %.2f x", generalMs, generalMs / alignedMs), generalMs <= 2.5 * alignedMs);
    table.check("   without surfaces", "<= 2.5 x aligned",
                format("%.2f and %.2f ms, %.2f x", alignedBare, generalBare, generalBare / alignedBare),
                generalBare <= 2.5 * alignedBare);
    table.check("   pieces, ten largest masses", "equal, within 2 %",
                format("%d and %d, %.2f %%", int(a.size()), int(g.size()), 100 * largestDifference(a, g)),
                a.size() == g.size() && largestDifference(a, g) <= 0.02);
    std::size_t fields = 0, cuts = 0, particles = 0;
    for (const auto& piece : pieces) {
        fields += piece.field.memory();
        cuts += piece.cutNodes.memory();
        particles += piece.particles.size();
    }
    const double whole = double(solid->field.memory());
    table.check("   memory of the pieces' level sets", "< 3 x the body's",
                format("%.2f x, of which cut marks %.2f", double(fields + cuts) / whole, double(cuts) / whole),
                double(fields + cuts) < 3 * whole);
    table.note("   KB and particles per piece",
               format("%.1f, %.0f", double(fields) / 1024 / double(pieces.size()), double(particles) / double(pieces.size())));
}

}  // namespace

void fractureCost(Table& table) {
    table.begin("fracture.cost", "one break of 40 regions by itself: placements, surfaces, memory; two threads");
    const std::unique_ptr<TaskRunner> runner = makeTaskRunner(fractureThreads());
    for (const Subject& subject : subjects())
        measureSubject(table, subject, *runner);
}

}  // namespace sunder::bars
