// Pieces that are cut from the body's own surface: what is wrong with their triangles, over bodies, patterns and grids.
#include <array>
#include <fstream>
#include <sstream>

#include "bars/bars.h"
#include "scenes/cut_family.h"
#include "scenes/newcomer.h"

namespace sunder::bars {
namespace {

#if SUNDER_HAS_SCENE
// assets/bunny.obj at a tenth of its size.
scenes::CutBody bunny() {
    Mesh mesh;
    std::ifstream file(std::string(SUNDER_SCENE_FOLDER) + "/../assets/bunny.obj");
    Vec3 low{1e9f, 1e9f, 1e9f}, high{-1e9f, -1e9f, -1e9f};
    for (std::string line; std::getline(file, line);) {
        std::istringstream words(line);
        std::string kind;
        words >> kind;
        if (kind == "v") {
            double x = 0, y = 0, z = 0;
            words >> x >> y >> z;
            const Vec3 p{Real(0.1 * x), Real(0.1 * y), Real(0.1 * z)};
            low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
            high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
            mesh.vertices.push_back(p);
        } else if (kind == "f") {
            std::array<std::uint32_t, 3> triangle{};
            for (std::uint32_t& corner : triangle) {
                std::string word;
                words >> word;
                corner = std::uint32_t(std::stoul(word) - 1);
            }
            mesh.triangles.push_back(triangle);
        }
    }
    const Vec3 hit{(low.x + high.x) / 2, (low.y + high.y) / 2, high.z};
    return {"bunny", mesh, double(std::max({high.x - low.x, high.y - low.y, high.z - low.z})), hit, {0, 0, 1}};
}
#endif

struct Sum {
    int breaks = 0, pieces = 0;
    std::size_t reversed = 0, folded = 0, open = 0, shortEdges = 0;
    double volume = 0, worstRatio = 0;

    void add(const scenes::CutOutcome& outcome, bool isFlat) {
        ++breaks;
        pieces += outcome.pieces;
        reversed += outcome.faults.reversed;
        folded += outcome.faults.folded;
        open += outcome.faults.openEdges;
        shortEdges += outcome.faults.shortEdges;
        volume = std::max(volume, outcome.volumeError);
        if (isFlat && outcome.faults.polygonTriangles > 0)
            worstRatio = std::max(worstRatio, double(outcome.faults.crackTriangles) / double(outcome.faults.polygonTriangles));
    }
};

}  // namespace

void cutSurfaces(Table& table) {
    table.begin("fracture.cut", "surfaces cut by six patterns and rough cells, on grids of 33 to 257 nodes");
    std::vector<scenes::CutBody> bodies = scenes::cutFamily();
#if SUNDER_HAS_SCENE
    bodies.push_back(bunny());
#endif
    for (const scenes::CutBody& body : bodies) {
        Sum sum;
        for (const int nodes : {33, 65, 129, 257}) {
            if (body.name == "pane" && nodes < 65)
                continue;  // thinner than a cell
            for (const scenes::NamedPattern& named : scenes::allPatterns())
                for (const std::uint64_t seed : {3, 4})
                    sum.add(scenes::cutBody(body, buildPattern({.kind = named.kind, .seed = seed, .nodes = 65}), nodes), true);
            PatternDef rough{.kind = VoronoiPattern{.pieces = 30, .density = {}}, .seed = 3, .nodes = 65};
            rough.roughness.amplitude = Real(0.02);
            sum.add(scenes::cutBody(body, buildPattern(rough), nodes), false);
        }
        const std::string what =
            body.name + ", " + std::to_string(sum.breaks) + " breaks, " + std::to_string(sum.pieces) + " pieces: ";
        table.below(what + "triangles reversed", double(sum.reversed), 1, "");
        table.below(what + "folded", double(sum.folded), 1, "");
        table.below(what + "open edges", double(sum.open), 1, "");
        table.below(what + "volume off by", sum.volume, 1e-5, "");
        table.below(what + "crack triangles over those of the polygons", sum.worstRatio, 8, "");
        table.below(what + "edges of cracks below a quarter of a cell", double(sum.shortEdges), 1, "");
    }
}

}  // namespace sunder::bars
