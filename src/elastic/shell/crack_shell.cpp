#include "elastic/shell/crack_shell.h"

#include <algorithm>
#include <cmath>

#include "core/random.h"
#include "math/trigonometry.h"

namespace sunder::elastic {

namespace {

// The distance from the tip, in lengths of edges, at which the exact stress is that of the triangles there.
constexpr double kTipEdges = 1;
// From one edge to the next a crack turns by less than about 50 degrees.
constexpr double kLeastEdgeCosine = 0.64;
// A turn counts against an edge: the one that goes straight on with as much tension comes first.
constexpr double kStraighter = 0.5;
// In one round a crack goes on by at most so many edges at each end, or doubles: further on the stress is no longer what it
// was.
constexpr std::size_t kLeastEdges = 6;
// Edges within this many of their own lengths of a crack start no other one: its opening unloads them.
constexpr double kShadow = 3;
// Share of the triangles that must have come off before no new cracks start: chips do not unload the rest.
constexpr double kLeastPartedArea = 0.02;

class Cracker {
public:
    Cracker(const ShellMesh& mesh, std::vector<std::uint8_t> isCracked, std::span<const ShellResistance> resistance)
        : mesh_(mesh),
          isCracked_(std::move(isCracked)),
          resistance_(resistance),
          ofVertex_(mesh.vertices.size()),
          isOnCrack_(mesh.vertices.size(), 0),
          isBorder_(mesh.vertices.size(), 0) {
        std::vector<std::uint32_t> triangles(mesh.vertices.size(), 0);
        for (const ShellTriangle& t : mesh.triangles)
            for (const std::uint32_t v : t)
                ++triangles[v];
        for (std::uint32_t e = 0; e < mesh.edges.size(); ++e)
            for (const std::uint32_t end : mesh.edges[e].ends)
                ofVertex_[end].push_back(e);
        for (std::size_t v = 0; v < triangles.size(); ++v)
            isBorder_[v] = ofVertex_[v].size() < triangles[v];
        for (std::uint32_t e = 0; e < mesh.edges.size(); ++e)
            if (isCracked_[e])
                mark(e);
    }

    const std::vector<std::uint8_t>& isCracked() const { return isCracked_; }
    bool isInShadow(std::uint32_t edge) const {
        const Vec3d &a = mesh_.vertices[mesh_.edges[edge].ends[0]], &b = mesh_.vertices[mesh_.edges[edge].ends[1]];
        const Vec3d middle = (a + b) * 0.5;
        const double reach = kShadow * kShadow * dot(b - a, b - a);
        return std::any_of(onCrack_.begin(), onCrack_.end(), [&](std::uint32_t vertex) {
            const Vec3d off = mesh_.vertices[vertex] - middle;
            return dot(off, off) < reach;
        });
    }
    void crack(std::uint32_t edge) {
        isCracked_[edge] = 1;
        mark(edge);
    }
    // From the end of a cracked edge on. Returns the edges that it cracks.
    std::size_t run(std::uint32_t from, std::uint32_t tip, std::span<const double> tensions, std::size_t most) {
        std::size_t count = 0;
        while (count < most && !isBorder_[tip]) {
            const std::optional<std::uint32_t> next = nextEdge(from, tip, tensions);
            if (!next)
                break;
            from = *next;
            tip = other(from, tip);
            const bool isMet = isOnCrack_[tip] != 0;
            crack(from);
            ++count;
            if (isMet)
                break;
        }
        return count;
    }
    // Ends of cracks: vertices within the shell with one cracked edge.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> tips() const {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  // edge, vertex
        for (std::uint32_t v = 0; v < ofVertex_.size(); ++v) {
            std::uint32_t count = 0, last = 0;
            for (const std::uint32_t e : ofVertex_[v])
                if (isCracked_[e]) {
                    ++count;
                    last = e;
                }
            if (count == 1 && !isBorder_[v])
                found.emplace_back(last, v);
        }
        return found;
    }

private:
    void mark(std::uint32_t edge) {
        for (const std::uint32_t end : mesh_.edges[edge].ends)
            if (!isOnCrack_[end]) {
                isOnCrack_[end] = 1;
                onCrack_.push_back(end);
            }
    }
    std::uint32_t other(std::uint32_t edge, std::uint32_t end) const {
        const auto& ends = mesh_.edges[edge].ends;
        return ends[0] == end ? ends[1] : ends[0];
    }
    Vec3d direction(std::uint32_t edge, std::uint32_t towards) const {
        const Vec3d way = mesh_.vertices[towards] - mesh_.vertices[other(edge, towards)];
        return way * (1 / std::sqrt(dot(way, way)));
    }
    std::optional<std::uint32_t> nextEdge(std::uint32_t from, std::uint32_t tip, std::span<const double> tensions) const {
        const Vec3d before = direction(from, tip);
        std::optional<std::uint32_t> best;
        double most = 1;
        for (const std::uint32_t e : ofVertex_[tip]) {
            if (isCracked_[e])
                continue;
            const double cosine = dot(before, direction(e, other(e, tip)));
            const double load = tensions[e] / resistance_[e].run;
            if (cosine < kLeastEdgeCosine || load <= 1)
                continue;
            if (const double score = load * (1 - kStraighter * (1 - cosine)); score > most) {
                most = score;
                best = e;
            }
        }
        return best;
    }

    const ShellMesh& mesh_;
    std::vector<std::uint8_t> isCracked_;
    std::span<const ShellResistance> resistance_;
    std::vector<std::vector<std::uint32_t>> ofVertex_;  // edges
    std::vector<std::uint8_t> isOnCrack_, isBorder_;    // vertices
    std::vector<std::uint32_t> onCrack_;
};

// Edges above their strength, the most overloaded first.
std::vector<std::uint32_t> overloaded(std::span<const double> tensions, std::span<const ShellResistance> resistance) {
    std::vector<std::uint32_t> edges;
    for (std::uint32_t e = 0; e < tensions.size(); ++e)
        if (tensions[e] > std::max(resistance[e].start, resistance[e].run))
            edges.push_back(e);
    const auto load = [&](std::uint32_t e) { return tensions[e] / resistance[e].start; };
    std::sort(edges.begin(), edges.end(),
              [&](std::uint32_t a, std::uint32_t b) { return load(a) != load(b) ? load(a) > load(b) : a < b; });
    return edges;
}

// The vertices of the cut shell at ends of cracks, which no crack has doubled.
std::vector<std::uint8_t> atTips(const CrackedShell& cut, const std::vector<std::pair<std::uint32_t, std::uint32_t>>& tips) {
    std::vector<std::uint8_t> isTip;
    for (const std::uint32_t before : cut.vertexBefore)
        isTip.push_back(std::any_of(tips.begin(), tips.end(), [&](const auto& tip) { return tip.second == before; }));
    return isTip;
}

bool isParted(const CrackedShell& cut) {
    std::vector<std::size_t> sizes(cut.pieceCount, 0);
    for (const std::uint32_t piece : cut.pieceOf)
        ++sizes[piece];
    const std::size_t largest = *std::max_element(sizes.begin(), sizes.end());
    return double(cut.pieceOf.size() - largest) > kLeastPartedArea * double(cut.pieceOf.size());
}

std::vector<double> byEdgeBefore(const CrackedShell& cut, const std::vector<double>& tensions, std::size_t edges) {
    std::vector<double> all(edges, 0);
    for (std::size_t e = 0; e < tensions.size(); ++e)
        all[cut.edgeBefore[e]] = tensions[e];
    return all;
}

}  // namespace

std::vector<ShellResistance> shellResistance(const ShellMesh& mesh, double strength, double toughness, double young,
                                             const ShellGrains& grains) {
    std::vector<std::uint32_t> grainOf(mesh.triangles.size(), 0);
    if (grains.count >= 2) {
        Vec3d low = mesh.vertices[0], high = low;
        for (const Vec3d& v : mesh.vertices) {
            low = {std::min(low.x, v.x), std::min(low.y, v.y), std::min(low.z, v.z)};
            high = {std::max(high.x, v.x), std::max(high.y, v.y), std::max(high.z, v.z)};
        }
        core::Random random(grains.seed);
        std::vector<std::pair<Vec3d, double>> seeds;
        for (int i = 0; i < grains.count; ++i) {
            const double x = random.between(low.x, high.x), y = random.between(low.y, high.y),
                         z = random.between(low.z, high.z);
            seeds.emplace_back(Vec3d{x, y, z}, 1 + grains.unevenness * random.between(-1, 1));
        }
        for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
            const ShellTriangle& c = mesh.triangles[t];
            const Vec3d middle = (mesh.vertices[c[0]] + mesh.vertices[c[1]] + mesh.vertices[c[2]]) * (1.0 / 3);
            double least = 1e300;
            for (std::uint32_t i = 0; i < seeds.size(); ++i) {
                const Vec3d off = middle - seeds[i].first;
                if (const double energy = seeds[i].second * std::sqrt(dot(off, off)); energy < least) {
                    least = energy;
                    grainOf[t] = i;
                }
            }
        }
    }
    std::vector<ShellResistance> resistance;
    for (const ShellEdge& edge : mesh.edges) {
        const Vec3d way = mesh.vertices[edge.ends[1]] - mesh.vertices[edge.ends[0]];
        const double run = std::sqrt(young * toughness / (2 * kPiDouble * kTipEdges * std::sqrt(dot(way, way))));
        const double share = grainOf[edge.triangles[0]] != grainOf[edge.triangles[1]] ? grains.strength : 1;
        resistance.push_back({strength * share, std::max(run, kLeastRun * strength) * share});
    }
    return resistance;
}

ShellCracks crackShell(const ShellMesh& mesh, std::vector<std::uint8_t> isCracked, std::span<const ShellResistance> resistance,
                       int rounds, int mostStarts, const FindShellStress& findStress) {
    ShellCracks result;
    Cracker cracker(mesh, std::move(isCracked), resistance);
    result.cut = cutShell(mesh, cracker.isCracked());
    for (int round = 0; round < rounds; ++round) {
        // Once triangles have come off, cracks only go on, and only what they end in is asked for.
        const bool mayStart = !isParted(result.cut);
        const auto tips = cracker.tips();
        if (!mayStart && round > 0 && tips.empty())
            break;
        std::vector<std::uint8_t> asked;
        if (!mayStart && round > 0)
            asked = atTips(result.cut, tips);
        const std::optional<ShellStress> stress = findStress(result.cut, asked);
        result.isSolved = stress.has_value();
        if (!stress)
            break;
        ++result.rounds;
        const std::vector<double> tensions =
            byEdgeBefore(result.cut, tensionsAcross(result.cut.mesh, *stress), mesh.edges.size());
        if (round == 0) {
            result.firstTensions = tensions;
            for (std::uint32_t e = 0; e < tensions.size(); ++e)
                if (tensions[e] / resistance[e].start > result.worstStress / resistance[result.worstEdge].start) {
                    result.worstEdge = e;
                    result.worstStress = tensions[e];
                }
        }
        std::size_t grown = 0;
        const std::size_t leap = kLeastEdges << std::min(round, 8);
        for (const auto& [edge, tip] : tips)
            grown += cracker.run(edge, tip, tensions, leap);
        int started = 0;
        if (mayStart)
            for (const std::uint32_t edge : overloaded(tensions, resistance)) {
                if (started >= mostStarts)
                    break;
                if (cracker.isInShadow(edge))
                    continue;
                cracker.crack(edge);
                grown += 1;
                for (const std::uint32_t end : mesh.edges[edge].ends)
                    grown += cracker.run(edge, end, tensions, leap);
                ++started;
            }
        result.hasStarted = result.hasStarted || started > 0;
        if (grown == 0)
            break;
        result.cut = cutShell(mesh, cracker.isCracked());
    }
    result.isCracked = cracker.isCracked();
    return result;
}

}  // namespace sunder::elastic
