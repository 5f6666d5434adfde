#include "world/commit/pieces/make_pieces.h"

#include <algorithm>

#include "fracture/prescored/piece_mass.h"
#include "math/vec3d.h"
#include "sunder/describe.h"
#include "world/commit/pieces/level_set_pieces.h"
#include "world/commit/pieces/prescored_pieces.h"
#include "world/commit/pieces/shell_pieces.h"
#include "world/commit/pieces/stress_mesh.h"
#include "world/commit/pieces/stress_of_body.h"
#include "world/commit/pieces/stress_pieces.h"

namespace sunder::world {

namespace {

using geometry::MassProperties;

// The one place that knows all fracture methods. Another one needs its breakBy to be included above, and nothing here.
std::vector<CutPiece> breakByItsMethod(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces) {
    if (shellOf(*body.fracture->solid))
        return noteShellBreak(world, shellBreakOf(world, body, request, mostPieces, *world.tasks));
    if (request.kind == BreakRequest::Kind::Plane)
        return cutByPlane(*world.tasks, body, request, mostPieces);
    return std::visit([&](const auto& method) { return breakBy(method, world, body, request, mostPieces); },
                      body.fracture->def.method);
}

// Whether a solid node lies in a box, which is given in the frame of the field.
bool hasNodeIn(const geometry::LevelSet16& field, const Vec3& boxLow, const Vec3& boxHigh) {
    const geometry::Grid& grid = field.grid;
    const Vec3 low = (boxLow - grid.origin) / grid.cell, high = (boxHigh - grid.origin) / grid.cell;
    const auto first = [](Real from, int nodes) { return int(clamp(-std::floor(-from), 0, Real(nodes))); };
    const auto last = [](Real to, int nodes) { return int(clamp(std::floor(to), -1, Real(nodes - 1))); };
    for (int z = first(low.z, grid.nodes.z); z <= last(high.z, grid.nodes.z); ++z)
        for (int y = first(low.y, grid.nodes.y); y <= last(high.y, grid.nodes.y); ++y)
            for (int x = first(low.x, grid.nodes.x); x <= last(high.x, grid.nodes.x); ++x)
                if (field.isInside(grid.index(x, y, z)))
                    return true;
    return false;
}

// Whether a piece reaches into one of the boxes, which are given in the body's frame: by its solid nodes, or by its bounds
// where it is no level set.
bool touchesAnchor(const CutPiece& piece, const std::vector<FractureAnchor>& anchors) {
    return std::any_of(anchors.begin(), anchors.end(), [&](const FractureAnchor& anchor) {
        const Vec3 low = anchor.low - piece.center, high = anchor.high - piece.center;
        if (piece.shape->type == ShapeType::LevelSet)
            return hasNodeIn(piece.shape->levelSet->field(), low, high);
        return overlaps(piece.shape->localBounds, Bounds{low, high});
    });
}

void setMotions(const Body& body, const MassProperties& whole, const std::vector<CutPiece>& cut, std::vector<NewPiece>& made) {
    const Quat orientation = userOrientation(body);
    const auto inBody = [&](const Vec3& v) { return toDouble(inverseRotate(orientation, v)); };
    std::vector<MassProperties> masses;
    for (const CutPiece& piece : cut)
        masses.push_back(piece.mass);
    const std::vector<fracture::Motion> motions =
        fracture::motionOfPieces(whole, {inBody(body.velocity), inBody(body.angularVelocity)}, masses);
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].velocity = rotate(orientation, toReal(motions[i].velocity));
        made[i].angularVelocity = rotate(orientation, toReal(motions[i].angularVelocity));
    }
}

}  // namespace

Real powerOf(Real x, Real y) {
    // By square roots: x^y = product of x^(2^-k) over the binary digits of y after the point, 24 of them.
    double result = 1, whole = std::floor(double(y)), root = double(x);
    for (int i = 0; i < int(whole); ++i)
        result *= double(x);
    double rest = double(y) - whole;
    for (int k = 0; k < 24 && rest > 0; ++k) {
        root = std::sqrt(root);
        rest *= 2;
        if (rest >= 1) {
            result *= root;
            rest -= 1;
        }
    }
    return Real(result);
}

void fitToBody(BodyFracture& fracture) {
    if (const Prescored* method = std::get_if<Prescored>(&fracture.def.method))
        fitAligned(*method, fracture);
    if (const Stressed* method = std::get_if<Stressed>(&fracture.def.method); method && !shellOf(*fracture.solid))
        checkStressMesh(fracture, *method);
}

void notePatterns(BreakingState& breaking, const BodyFracture& fracture) {
    std::vector<SharedPattern>& known = breaking.knownPatterns;
    visitFields(fracture.def, [&](const FieldInfo&, const auto& field) {
        if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, SharedPattern>)
            if (field && std::find(known.begin(), known.end(), field) == known.end())
                known.push_back(field);
    });
}

void prepareToBreak(TaskRunner& tasks, BreakingState& breaking, const BodyFracture& fracture) {
    notePatterns(breaking, fracture);
    if (const Prescored* method = std::get_if<Prescored>(&fracture.def.method))
        prepareAligned(*method, tasks, breaking, fracture);
}

std::vector<NewPiece> makePieces(WorldState& world, const Body& body, const BreakRequest& request, int mostPieces) {
    const PieceMaker make = world.host.pieceMaker ? world.host.pieceMaker : breakByItsMethod;
    return finishPieces(body, make(world, body, request, mostPieces));
}

bool canBreakBesideOthers(const WorldState& world, const Body& body) {
    return !world.host.pieceMaker && body.fracture && shellOf(*body.fracture->solid);
}

std::vector<NewPiece> finishPieces(const Body& body, std::vector<CutPiece> cut) {
    std::vector<NewPiece> made(cut.size());
    if (cut.size() < 2)
        return made;
    const MassProperties whole = wholeOf(body);
    setMotions(body, whole, cut, made);
    const std::vector<FractureAnchor>& anchors = body.fracture->def.anchors;
    for (std::size_t i = 0; i < made.size(); ++i) {
        made[i].center = cut[i].center;
        made[i].share = Real(cut[i].mass.volume / whole.volume);
        made[i].isAnchored = body.motion == Motion::Static && touchesAnchor(cut[i], anchors);
        made[i].shape = std::move(cut[i].shape);
    }
    return made;
}

}  // namespace sunder::world
