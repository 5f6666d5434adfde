#include "world/commit/pieces/shell_pieces.h"

#include <algorithm>
#include <cmath>

#include "collision/build_shape.h"
#include "elastic/shell/crack_shell.h"
#include "geometry/shell/shell_walls.h"
#include "world/commit/pieces/prepared_shell.h"
#include "world/commit/pieces/stress_of_body.h"
#include "world/commit/pieces/stress_pieces.h"

namespace sunder::world {

namespace {

using elastic::CrackedShell;
using elastic::ShellMesh;
using Flags = std::vector<std::uint8_t>;

// A shell's cracks are kept as one: the numbers of its edges.
Flags restored(const ShellMesh& mesh, const std::vector<KeptCrack>& kept) {
    Flags isCracked(mesh.edges.size(), 0);
    for (const KeptCrack& crack : kept)
        for (const std::uint32_t edge : crack.tets)
            if (edge < isCracked.size())
                isCracked[edge] = 1;
    return isCracked;
}

std::vector<KeptCrack> keptOf(const Flags& isCracked) {
    KeptCrack kept;
    for (std::uint32_t edge = 0; edge < isCracked.size(); ++edge)
        if (isCracked[edge])
            kept.tets.push_back(edge);
    return kept.tets.empty() ? std::vector<KeptCrack>{} : std::vector<KeptCrack>{std::move(kept)};
}

class StressOfShell {
public:
    StressOfShell(const WorldState& world, const Body& body, const BreakRequest& request, std::size_t edges, TaskRunner& runner)
        : runner_(runner),
          body_(body),
          whole_(factoredShellOf(world.breaking, body)),
          edges_(edges),
          loads_(loadsOf(request)),
          material_(elasticMaterialOf(body)) {
        const Quat orientation = userOrientation(body);
        spin_ = toDouble(inverseRotate(orientation, body.angularVelocity));
        gravity_ = toDouble(inverseRotate(orientation, world.def.gravity * body.gravityFactor));
    }

    std::optional<elastic::ShellStress> operator()(const CrackedShell& cut, std::span<const std::uint8_t> asked) {
        ++solves;
        std::vector<elastic::ShellForce> forces;
        for (const StressLoad& load : loads_)
            forces.push_back(elastic::shellForceAt(cut.mesh, toDouble(load.point), toDouble(load.force)));
        elastic::ShellHold hold;
        if (body_.motion == Motion::Static && !body_.fracture->def.anchors.empty()) {
            hold.gravity = gravity_;
            for (const Vec3d& vertex : cut.mesh.vertices)
                hold.isHeld.push_back(isAnchored(vertex, body_.fracture->def.anchors));
        }
        const bool isWhole = cut.mesh.edges.size() == edges_;
        return elastic::stressOfShell(cut.mesh, material_, forces, spin_, runner_, hold, asked, isWhole ? whole_ : nullptr);
    }

    int solves = 0;

private:
    TaskRunner& runner_;
    const Body& body_;
    const elastic::FactoredShell* whole_;
    std::size_t edges_;  // of the shell without cracks
    std::vector<StressLoad> loads_;
    elastic::ElasticMaterial material_;
    Vec3d spin_, gravity_;
};

// Sides of a plane: the edges between them are parted.
Flags alongPlane(const ShellMesh& mesh, const BreakRequest& request) {
    const Vec3d point = toDouble(request.point), normal = toDouble(request.normal);
    const auto isAbove = [&](std::uint32_t triangle) {
        const elastic::ShellTriangle& t = mesh.triangles[triangle];
        return dot(mesh.vertices[t[0]] + mesh.vertices[t[1]] + mesh.vertices[t[2]] - point * 3, normal) > 0;
    };
    Flags isCracked(mesh.edges.size(), 0);
    for (std::size_t e = 0; e < isCracked.size(); ++e)
        isCracked[e] = isAbove(mesh.edges[e].triangles[0]) != isAbove(mesh.edges[e].triangles[1]);
    return isCracked;
}

double lengthOf(const ShellMesh& mesh, const elastic::ShellEdge& edge) {
    const Vec3d way = mesh.vertices[edge.ends[1]] - mesh.vertices[edge.ends[0]];
    return std::sqrt(dot(way, way));
}

// Pieces that are too small, or too many, stay with the neighbour that they have most of a crack in common with.
void joinSmall(const ShellMesh& mesh, double smallest, std::size_t most, Flags& isCracked, CrackedShell& cut) {
    for (;;) {
        std::vector<double> volumes(cut.pieceCount, 0);
        for (std::uint32_t t = 0; t < cut.pieceOf.size(); ++t) {
            const Vec3d normal = elastic::normalOf(mesh, t);
            volumes[cut.pieceOf[t]] += std::sqrt(dot(normal, normal)) / 2 * mesh.thickness;
        }
        const auto least = std::uint32_t(std::min_element(volumes.begin(), volumes.end()) - volumes.begin());
        if (cut.pieceCount < 2 || (volumes[least] >= smallest && cut.pieceCount <= most))
            return;
        std::vector<double> common(cut.pieceCount, 0);
        const auto across = [&](const elastic::ShellEdge& edge) {
            const std::uint32_t a = cut.pieceOf[edge.triangles[0]], b = cut.pieceOf[edge.triangles[1]];
            return a == b || (a != least && b != least) ? least : (a == least ? b : a);
        };
        for (const elastic::ShellEdge& edge : mesh.edges)
            if (const std::uint32_t other = across(edge); other != least)
                common[other] += lengthOf(mesh, edge);
        const auto best = std::uint32_t(std::max_element(common.begin(), common.end()) - common.begin());
        if (!(common[best] > 0))
            return;  // parts of a shell that never hung together
        for (std::size_t e = 0; e < isCracked.size(); ++e)
            if (across(mesh.edges[e]) == best)
                isCracked[e] = 0;
        cut = elastic::cutShell(mesh, isCracked);
    }
}

std::vector<CutPiece> piecesOf(const Shell& shell, const CrackedShell& cut) {
    std::vector<CutPiece> made(cut.pieceCount);
    for (std::uint32_t number = 0; number < cut.pieceCount; ++number) {
        Shell piece;
        piece.thickness = shell.thickness;
        std::vector<std::uint32_t> numbers(cut.mesh.vertices.size(), 0xffffffffu);
        for (std::size_t t = 0; t < cut.pieceOf.size(); ++t) {
            if (cut.pieceOf[t] != number)
                continue;
            std::array<std::uint32_t, 3>& corners = piece.triangles.emplace_back();
            for (std::size_t c = 0; c < 3; ++c) {
                std::uint32_t& place = numbers[cut.mesh.triangles[t][c]];
                if (place == 0xffffffffu) {
                    place = std::uint32_t(piece.vertices.size());
                    piece.vertices.push_back(shell.vertices[cut.vertexBefore[cut.mesh.triangles[t][c]]]);
                }
                corners[c] = place;
            }
        }
        CutPiece& result = made[number];
        result.mass = geometry::shellMass(piece.vertices, piece.triangles, double(piece.thickness));
        result.center = toReal(Vec3d{result.mass.center[0], result.mass.center[1], result.mass.center[2]});
        for (Vec3& v : piece.vertices)
            v -= result.center;
        result.shape = buildShape(Shape(std::move(piece)));
    }
    return made;
}

StressMap mapOf(const Body& body, BodyId id, const Shell& shell, const ShellMesh& mesh, std::span<const double> tensions) {
    StressMap map;
    map.body = id;
    map.worldFromBody = {toVec3(userPosition(body)), userOrientation(body)};
    map.strength = body.material.strength;
    map.vertices = shell.vertices;
    map.triangles = shell.triangles;
    map.tensions.assign(shell.vertices.size(), 0);
    for (std::size_t e = 0; e < tensions.size(); ++e)
        for (const std::uint32_t end : mesh.edges[e].ends)
            map.tensions[end] = max(map.tensions[end], Real(tensions[e]));
    return map;
}

void note(const Body& body, const BreakRequest& request, const Shell& shell, const ShellMesh& mesh,
          const elastic::ShellCracks& result, bool isAtGrains, ShellBreak& out) {
    StressOutcome& outcome = out.outcome;
    outcome.isTried = true;
    outcome.isSolved = result.isSolved;
    outcome.rounds = result.rounds;
    outcome.cracks = keptOf(result.isCracked);
    if (mesh.edges.empty())
        return;
    outcome.stress = Real(result.worstStress);
    outcome.element = mesh.edges[result.worstEdge].triangles[0];
    outcome.rule = !result.hasStarted ? BreakRule::Toughness : isAtGrains ? BreakRule::Grains : BreakRule::Strength;
    outcome.point = toReal(
        (mesh.vertices[mesh.edges[result.worstEdge].ends[0]] + mesh.vertices[mesh.edges[result.worstEdge].ends[1]]) * 0.5);
    if (result.rounds > 0) {
        out.maps.push_back(mapOf(body, request.body, shell, mesh, result.firstTensions));
        noteWorst(outcome, out.maps.back());
    }
}

}  // namespace

ShellBreak shellBreakOf(const WorldState& world, const Body& body, const BreakRequest& request, int mostPieces,
                        TaskRunner& runner) {
    const Stressed& method = std::get<Stressed>(body.fracture->def.method);
    const Shell& shell = *shellOf(*body.fracture->solid);
    const ShellMesh mesh = meshOfShell(shell);
    const FractureDef& def = body.fracture->def;
    Flags isCracked = restored(mesh, body.fracture->stress.cracks);
    CrackedShell cut;
    ShellBreak out;
    if (request.kind == BreakRequest::Kind::Plane) {
        isCracked = alongPlane(mesh, request);
        cut = elastic::cutShell(mesh, isCracked);
    } else {
        const Material& material = body.material;
        const std::vector<elastic::ShellResistance> resistance = elastic::shellResistance(
            mesh, double(material.strength), double(material.toughness), double(material.young),
            {method.grains, double(method.grainUnevenness), double(method.grainStrength), method.seed});
        const auto before = std::count(isCracked.begin(), isCracked.end(), 1);
        StressOfShell stress(world, body, request, mesh.edges.size(), runner);
        elastic::ShellCracks result =
            elastic::crackShell(mesh, isCracked, resistance, method.rounds, method.mostCracks, std::ref(stress));
        out.solves = stress.solves;
        out.crackedEdges = int(std::count(result.isCracked.begin(), result.isCracked.end(), 1) - before);
        note(body, request, shell, mesh, result,
             !mesh.edges.empty() && resistance[result.worstEdge].start < double(material.strength), out);
        isCracked = std::move(result.isCracked);
        cut = std::move(result.cut);
    }
    joinSmall(mesh, double(def.smallest), std::size_t(std::min(def.mostPieces, mostPieces)), isCracked, cut);
    if (cut.pieceCount >= 2)
        out.pieces = piecesOf(shell, cut);
    return out;
}

std::vector<CutPiece> noteShellBreak(WorldState& world, ShellBreak&& made) {
    world.stepStats.stressSolves += made.solves;
    world.stepStats.crackedElements += made.crackedEdges;
    if (made.outcome.isTried)
        world.breaking.stressOutcome = std::move(made.outcome);
    std::move(made.maps.begin(), made.maps.end(), std::back_inserter(world.breaking.stressMaps));
    return std::move(made.pieces);
}

}  // namespace sunder::world
