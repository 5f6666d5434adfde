#include "world/record/bonded_pieces.h"

#include <algorithm>
#include <numeric>

namespace sunder::world {

namespace {

using fracture::GraphPiece;

std::uint32_t leavesOf(const Shape& shape) {
    if (const Compound* compound = std::get_if<Compound>(&shape)) {
        std::uint32_t count = 0;
        for (const CompoundChild& child : compound->children)
            count += leavesOf(child.shape);
        return count;
    }
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape); shared && (*shared)->type == ShapeType::Compound)
        return static_cast<std::uint32_t>((*shared)->children.size());
    return 1;
}

GraphPiece graphPiece(std::span<const BuiltShape::Child> children, double density) {
    std::vector<geometry::MassProperties> parts;
    for (const BuiltShape::Child& child : children)
        parts.push_back(geometry::transformed(child.shape->massProperties, child.parentFromChild));
    const geometry::MassProperties whole = geometry::combined(parts);
    GraphPiece piece;
    piece.mass = whole.volume * density;
    piece.center = {whole.center[0], whole.center[1], whole.center[2]};
    for (int i = 0; i < 6; ++i)
        piece.inertia[i] = whole.inertia[i] * density;
    return piece;
}

void makeGraph(BodyBonds& bonds, std::vector<GraphPiece> graph, const EarlierGraph& earlier) {
    BondedPieces& pieces = *bonds.pieces;
    pieces.graph = std::make_shared<fracture::BondGraph>(
        std::move(graph), bonds.def.bonds, double(bonds.young), double(bonds.poisson),
        fracture::BondGraph::Earlier{earlier.graph.get(), std::span<const std::uint32_t>(earlier.numbers)});
    pieces.meanBonds.resize(bonds.def.bonds.size());
    pieces.recentBonds.resize(bonds.def.bonds.size());
}

}  // namespace

bool isWatched(const Body& body) {
    if (body.quarantined || isAsleep(body))
        return false;
    return body.motion == Motion::Dynamic || (body.motion == Motion::Static && !body.bonds->def.anchored.empty());
}

BondedPieces& piecesOf(Body& body) {
    BodyBonds& bonds = *body.bonds;
    if (bonds.pieces)
        return *bonds.pieces;
    bonds.pieces = std::make_shared<BondedPieces>();
    BondedPieces& pieces = *bonds.pieces;
    const Compound& compound = std::get<Compound>(body.shape->definition);
    const double density = body.motion == Motion::Dynamic ? double(body.mass) / body.shape->massProperties.volume
                           : body.massOverride            ? double(*body.massOverride) / body.shape->massProperties.volume
                                                          : double(body.material.density);
    std::vector<GraphPiece> graph;
    pieces.firstChild.push_back(0);
    for (std::uint32_t i = 0; i < compound.children.size(); ++i) {
        const std::uint32_t first = pieces.firstChild.back(), count = leavesOf(compound.children[i].shape);
        const std::span<const BuiltShape::Child> children{body.shape->children.data() + first, count};
        graph.push_back(graphPiece(children, density));
        Bounds& bounds = pieces.bounds.emplace_back();
        for (const BuiltShape::Child& child : children)
            bounds = unite(bounds, child.bounds);
        pieces.pieceOfChild.insert(pieces.pieceOfChild.end(), count, i);
        pieces.firstChild.push_back(first + count);
    }
    if (body.motion == Motion::Static)
        for (const std::uint32_t piece : bonds.def.anchored)
            graph[piece].isAnchored = true;
    const EarlierGraph earlier = std::move(bonds.earlier);
    bonds.earlier = {};
    makeGraph(bonds, std::move(graph), earlier);
    pieces.acting.resize(compound.children.size());
    pieces.meanLoads.resize(compound.children.size());
    pieces.recentLoads.resize(compound.children.size());
    return pieces;
}

void takeBonds(Body& body, std::vector<Bond> left) {
    BodyBonds& bonds = *body.bonds;
    bonds.def.bonds = std::move(left);
    if (!bonds.pieces)
        return;
    bonds.pieces = std::make_shared<BondedPieces>(*bonds.pieces);  // copies of the body keep theirs
    const std::span<const GraphPiece> same = bonds.pieces->graph->pieces();
    EarlierGraph earlier{bonds.pieces->graph, std::vector<std::uint32_t>(same.size())};
    std::iota(earlier.numbers.begin(), earlier.numbers.end(), 0u);
    makeGraph(bonds, {same.begin(), same.end()}, earlier);
}

std::uint32_t pieceAt(const BondedPieces& pieces, const Vec3& point) {
    std::uint32_t best = 0;
    Real least = kInfinity;
    for (std::uint32_t i = 0; i < pieces.bounds.size(); ++i) {
        const Bounds& box = pieces.bounds[i];
        // The small second term chooses among boxes that contain the point: the one whose centre is nearest.
        const Real distance = squaredDistance(box, point) + Real(1e-6) * lengthSquared(center(box) - point);
        if (distance < least) {
            least = distance;
            best = i;
        }
    }
    return best;
}

}  // namespace sunder::world
