#include "fracture/cutting/piece_of_shell.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/none.h"

namespace sunder::fracture {

using geometry::Fragments;
using geometry::Shells;

namespace {

// Nodes of a piece that are asked for their region; and, where a region has several shells, those of piece and region whose
// shell is looked for.
constexpr std::size_t kMostNodes = 3000, kMostLookups = 40;

struct Support {
    std::size_t nodes = 0;
    Vec3d sum;  // of positions of `asked` nodes
    double asked = 0;
    void add(std::size_t count, const Vec3d& p) {
        nodes += count;
        sum += p;
        asked += 1;
    }
    Vec3d middle() const { return sum * (1 / asked); }
};
using Votes = std::map<std::uint32_t, std::map<std::uint32_t, Support>>;  // shell, piece

class Election {
public:
    Election(const Fragments& fragments, const Shells& shells, const RegionComplex& division, FocusedRegions& regions,
             const Vec3d& offset)
        : fragments_(fragments), shells_(shells), division_(division), regions_(regions), offset_(offset) {
        for (std::uint32_t i = 0; i < shells.all.size(); ++i) {
            if (ofLabel_.size() <= shells.all[i].label)
                ofLabel_.resize(shells.all[i].label + 1);
            ofLabel_[shells.all[i].label].push_back(i);
        }
    }

    void ask(std::uint32_t number, const Piece<std::int16_t>& piece) {
        const auto& field = piece.field;
        const std::size_t inside =
            std::size_t(std::count_if(field.values.begin(), field.values.end(), [](std::int16_t v) { return v < 0; }));
        const std::size_t stride = 1 + inside / kMostNodes;
        std::map<std::uint32_t, std::vector<Vec3d>> byLabel;
        std::size_t node = 0, count = 0;
        for (int z = 0; z < field.grid.nodes.z; ++z)
            for (int y = 0; y < field.grid.nodes.y; ++y)
                for (int x = 0; x < field.grid.nodes.x; ++x, ++node) {
                    if (field.values[node] >= 0 || count++ % stride != 0)
                        continue;
                    const Vec3d p = toDouble(field.grid.position(x, y, z));
                    byLabel[division_.labelOf(regions_.at(p).region)].push_back(p + offset_);
                }
        for (const auto& [label, points] : byLabel)
            if (label < ofLabel_.size())
                vote(number, ofLabel_[label], points);
    }

    const Votes& votes() const { return votes_; }

private:
    void vote(std::uint32_t piece, const std::vector<std::uint32_t>& shells, const std::vector<Vec3d>& points) {
        if (shells.size() == 1) {
            for (const Vec3d& p : points)
                votes_[shells[0]][piece].add(1, p);
            return;
        }
        const std::size_t stride = 1 + points.size() / kMostLookups;
        for (std::size_t i = 0; i < points.size(); i += stride)
            for (const std::uint32_t shell : shells)
                if (isInBox(points[i], shell) && geometry::isInside(fragments_, shells_, shell, points[i])) {
                    votes_[shell][piece].add(stride, points[i]);
                    break;
                }
    }

    bool isInBox(const Vec3d& p, std::uint32_t number) const {
        const geometry::Shell& shell = shells_.all[number];
        return p.x >= shell.low.x && p.y >= shell.low.y && p.z >= shell.low.z && p.x <= shell.high.x && p.y <= shell.high.y &&
               p.z <= shell.high.z;
    }

    const Fragments& fragments_;
    const Shells& shells_;
    const RegionComplex& division_;
    FocusedRegions& regions_;
    Vec3d offset_;
    std::vector<std::vector<std::uint32_t>> ofLabel_;
    Votes votes_;
};

// Gives shells without a piece to that of the neighbours they share most of their faces with, until nothing changes.
void giveToNeighbours(const Shells& shells, std::vector<std::uint32_t>& pieces) {
    for (bool any = true; any;) {
        any = false;
        std::vector<std::map<std::uint32_t, double>> shared(shells.all.size());
        for (const Shells::Touch& touch : shells.touches) {
            if (pieces[touch.a] == kNone && pieces[touch.b] != kNone)
                shared[touch.a][pieces[touch.b]] += touch.area;
            if (pieces[touch.b] == kNone && pieces[touch.a] != kNone)
                shared[touch.b][pieces[touch.a]] += touch.area;
        }
        for (std::size_t i = 0; i < shared.size(); ++i) {
            double most = -1;
            for (const auto& [piece, area] : shared[i])
                if (area > most) {
                    most = area;
                    pieces[i] = piece;
                }
            any |= most >= 0;
        }
    }
}

// Shells that touch no other: to the piece of the nearest one that has some.
void giveToNearest(const Shells& shells, std::vector<std::uint32_t>& pieces) {
    const auto middle = [&](std::size_t i) { return (shells.all[i].low + shells.all[i].high) * 0.5; };
    const std::vector<std::uint32_t> known = pieces;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (known[i] != kNone)
            continue;
        double nearest = INFINITY;
        pieces[i] = 0;
        for (std::size_t k = 0; k < pieces.size(); ++k)
            if (const double distance = length(middle(i) - middle(k)); known[k] != kNone && distance < nearest) {
                nearest = distance;
                pieces[i] = known[k];
            }
    }
}

void divideFor(std::uint32_t loser, const Votes& all, const Shells& shells, const RegionComplex& division, const Vec3d& offset,
               ShellPieces& result) {
    const std::map<std::uint32_t, Support>* best = nullptr;
    std::uint32_t bestShell = 0;
    std::size_t most = 0;
    for (const auto& [shell, votes] : all)
        if (const auto found = votes.find(loser); found != votes.end() && found->second.nodes > most) {
            most = found->second.nodes;
            best = &votes;
            bestShell = shell;
        }
    if (!best)
        return;
    const Vec3d from = best->at(result.pieces[bestShell]).middle(), to = best->at(loser).middle();
    const Vec3d normal = normalizeOr(to - from, {0, 0, 0});
    if (!(dot(normal, normal) > 0))
        return;
    result.divides.push_back({division.regions[shells.all[bestShell].label], normal, dot(normal, (from + to) * 0.5 - offset)});
}

}  // namespace

ShellPieces piecesOfShells(const Fragments& fragments, const Shells& shells, std::span<const Piece<std::int16_t>> pieces,
                           const RegionComplex& division, FocusedRegions& regions, const Vec3d& offset) {
    Election election(fragments, shells, division, regions, offset);
    for (std::uint32_t i = 0; i < pieces.size(); ++i)
        election.ask(i, pieces[i]);
    ShellPieces result;
    result.pieces.assign(shells.all.size(), kNone);
    for (const auto& [shell, votes] : election.votes()) {
        std::size_t most = 0;
        for (const auto& [piece, support] : votes)
            if (support.nodes > most) {
                most = support.nodes;
                result.pieces[shell] = piece;
            }
    }
    for (std::uint32_t piece = 0; piece < pieces.size(); ++piece)
        if (std::find(result.pieces.begin(), result.pieces.end(), piece) == result.pieces.end())
            divideFor(piece, election.votes(), shells, division, offset, result);
    giveToNeighbours(shells, result.pieces);
    giveToNearest(shells, result.pieces);
    return result;
}

}  // namespace sunder::fracture
