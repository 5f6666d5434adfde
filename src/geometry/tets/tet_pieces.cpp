#include "geometry/tets/tet_pieces.h"

#include <algorithm>
#include <map>

#include "core/none.h"
#include "core/random.h"

namespace sunder::geometry {
namespace {

// Distinct tetrahedra, in the order in which they were drawn.
std::vector<std::uint32_t> drawSeeds(std::size_t tets, std::uint32_t count, std::uint64_t seed) {
    core::Random random(seed);
    std::vector<std::uint32_t> pool(tets), seeds;
    for (std::uint32_t i = 0; i < tets; ++i)
        pool[i] = i;
    for (std::uint32_t i = 0; i < std::min(std::size_t(count), tets); ++i) {
        std::swap(pool[i], pool[i + random.below(std::uint32_t(tets) - i)]);
        seeds.push_back(pool[i]);
    }
    return seeds;
}

// A queue; tetrahedra that were taken meanwhile are skipped.
struct Front {
    std::vector<std::uint32_t> waiting;
    std::size_t next = 0;
};

// True where the piece took one more.
bool grow(Front& front, std::uint32_t piece, const TetNeighbors& neighbors, std::vector<std::uint32_t>& ofTet) {
    while (front.next < front.waiting.size()) {
        const std::uint32_t tet = front.waiting[front.next++];
        if (ofTet[tet] != kNone)
            continue;
        ofTet[tet] = piece;
        for (const std::uint32_t other : neighbors.across[tet])
            if (other != kNoTet && ofTet[other] == kNone)
                front.waiting.push_back(other);
        return true;
    }
    return false;
}

// Components without a piece become one each.
void takeRest(const TetNeighbors& neighbors, TetPieces& pieces) {
    for (std::uint32_t tet = 0; tet < pieces.ofTet.size(); ++tet) {
        if (pieces.ofTet[tet] != kNone)
            continue;
        Front front{{tet}, 0};
        while (grow(front, pieces.count, neighbors, pieces.ofTet)) {
        }
        ++pieces.count;
    }
}

// A shared face, seen from the piece with the lower number.
struct SharedFace {
    std::uint32_t a, b, tet;
    int face;
};

std::vector<SharedFace> sharedFaces(const TetNeighbors& neighbors, std::span<const std::uint32_t> ofTet) {
    std::vector<SharedFace> faces;
    for (std::uint32_t tet = 0; tet < ofTet.size(); ++tet)
        for (int face = 0; face < 4; ++face) {
            const std::uint32_t other = neighbors.across[tet][face];
            if (other != kNoTet && ofTet[tet] < ofTet[other])
                faces.push_back({ofTet[tet], ofTet[other], tet, face});
        }
    std::sort(faces.begin(), faces.end(), [](const SharedFace& p, const SharedFace& q) {
        return p.a != q.a ? p.a < q.a : p.b != q.b ? p.b < q.b : p.tet != q.tet ? p.tet < q.tet : p.face < q.face;
    });
    return faces;
}

PieceInterface interfaceOf(const TetMesh& mesh, std::span<const SharedFace> faces) {
    PieceInterface result;
    result.a = faces[0].a;
    result.b = faces[0].b;
    SurfaceSums sums;
    std::map<std::uint32_t, double> areas;  // per vertex
    for (const SharedFace& shared : faces) {
        const TriangleIndices corners = faceOf(mesh.tets[shared.tet], shared.face);
        const double area = sums.add(toDouble(mesh.vertices[corners[0]]), toDouble(mesh.vertices[corners[1]]),
                                     toDouble(mesh.vertices[corners[2]]));
        for (const std::uint32_t vertex : corners)
            areas[vertex] += area / 3;
    }
    sums.writeTo(result);
    for (const auto& [vertex, area] : areas) {
        result.points.push_back(toDouble(mesh.vertices[vertex]));
        result.pointAreas.push_back(area);
    }
    return result;
}

}  // namespace

TetPieces scorePieces(const TetMesh& mesh, const TetNeighbors& neighbors, std::uint32_t count, std::uint64_t seed) {
    TetPieces pieces;
    pieces.ofTet.assign(mesh.tets.size(), kNone);
    std::vector<Front> fronts;
    for (const std::uint32_t tet : drawSeeds(mesh.tets.size(), count, seed))
        fronts.push_back({{tet}, 0});
    pieces.count = std::uint32_t(fronts.size());
    // In the first round every piece takes its seed, so that none is overrun before it begins.
    for (bool isGrowing = true; isGrowing;) {
        isGrowing = false;
        for (std::uint32_t piece = 0; piece < fronts.size(); ++piece)
            isGrowing = grow(fronts[piece], piece, neighbors, pieces.ofTet) || isGrowing;
    }
    takeRest(neighbors, pieces);
    return pieces;
}

std::vector<PieceInterface> findInterfaces(const TetMesh& mesh, const TetNeighbors& neighbors,
                                           std::span<const std::uint32_t> ofTet) {
    const std::vector<SharedFace> faces = sharedFaces(neighbors, ofTet);
    std::vector<PieceInterface> interfaces;
    for (std::size_t first = 0, end = 0; first < faces.size(); first = end) {
        while (end < faces.size() && faces[end].a == faces[first].a && faces[end].b == faces[first].b)
            ++end;
        interfaces.push_back(interfaceOf(mesh, std::span(faces).subspan(first, end - first)));
    }
    return interfaces;
}

TetPieces connectedComponents(const TetNeighbors& neighbors) {
    TetPieces components;
    components.ofTet.assign(neighbors.across.size(), kNone);
    takeRest(neighbors, components);
    return components;
}

TetMesh largestComponent(const TetMesh& mesh) {
    const TetPieces components = connectedComponents(findNeighbors(mesh));
    std::vector<double> volumes(components.count);
    for (std::uint32_t tet = 0; tet < mesh.tets.size(); ++tet)
        volumes[components.ofTet[tet]] += volumeOf(mesh, tet);
    const auto largest = std::uint32_t(std::max_element(volumes.begin(), volumes.end()) - volumes.begin());
    constexpr std::uint32_t kUnused = 0xffffffffu;
    std::vector<std::uint32_t> numberOf(mesh.vertices.size(), kUnused);
    TetMesh result;
    for (std::uint32_t tet = 0; tet < mesh.tets.size(); ++tet) {
        if (components.ofTet[tet] != largest)
            continue;
        TetCorners corners = mesh.tets[tet];
        for (std::uint32_t& corner : corners) {
            if (numberOf[corner] == kUnused) {
                numberOf[corner] = std::uint32_t(result.vertices.size());
                result.vertices.push_back(mesh.vertices[corner]);
            }
            corner = numberOf[corner];
        }
        result.tets.push_back(corners);
    }
    return result;
}

}  // namespace sunder::geometry
