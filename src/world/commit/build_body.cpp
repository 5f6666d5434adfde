#include "world/commit/build_body.h"

#include "collision/parts_surface.h"
#include "world/commit/pieces/stress_of_body.h"
#include "world/commit/pieces/stress_pieces.h"

namespace sunder::world {

namespace {

SharedShape builtShape(const Shape& shape) {
    const SharedShape* shared = std::get_if<SharedShape>(&shape);
    return shared ? *shared : buildShape(shape);
}

// A copy of the level set that is drawn as the exact surface of the one shape in LevelSet::parts.
SharedShape withOwnSurface(const SharedShape& shape) {
    LevelSet definition = std::get<LevelSet>(shape->definition);
    auto solid = std::make_shared<SampledSolid>(*definition.sampled);
    solid->surface = std::make_shared<const geometry::SurfaceMesh>(collision::surfaceOfParts(definition, solid->field));
    definition.keepSurface = true;
    definition.sampled = std::move(solid);
    return buildShape(definition);
}

// Cells of the grid on which a body breaks, where its definition does not say. Along its longest side: more make pieces finer
// and a break slower. Across its thinnest side at least so many that some nodes are inside: a pane of glass has a hundredth of
// its length. Those of the longest side have a limit, beyond which a break takes too long.
constexpr Real kDefaultBreakCells = 36, kCellsAcross = Real(1.5), kMostDefaultBreakCells = 256;

Real defaultCell(const BuiltShape& shape) {
    const Vec3 size = shape.localBounds.high - shape.localBounds.low;
    const Real longest = max(size.x, max(size.y, size.z)), thinnest = min(size.x, min(size.y, size.z));
    return max(min(longest / kDefaultBreakCells, thinnest / kCellsAcross), longest / kMostDefaultBreakCells);
}

// Share of a body's volume below which pieces stay with a neighbour, where its definition does not say.
constexpr double kSmallestShare = 1.0 / 200;

// The level set that breaks in place of the body; a thin shell that cracks by stress breaks as it is. Throws Error where the
// resolution is not possible.
SharedShape breakableSolid(const SharedShape& shape, const FractureDef& def) {
    if (shape->type == ShapeType::LevelSet || (shellOf(*shape) && std::holds_alternative<Stressed>(def.method)))
        return shape;
    LevelSet levelSet;
    levelSet.parts.push_back({shape, {}, {}});
    levelSet.cell = def.cell;
    levelSet.resolution = def.resolution;
    levelSet.keepSurface = def.surface == FractureSurface::Cut;
    if (def.cell == 0 && def.resolution[0] == 0)
        levelSet.cell = defaultCell(*shape);
    try {
        return buildShape(levelSet);
    } catch (const Error& error) {
        throw Error("fracture." + std::string(error.what()));
    }
}

// With FractureSurface::Cut a level set is drawn as the exact surface of its shape from the start, because its pieces are cut
// from that.
SharedShape drawnForCut(const SharedShape& shape, const FractureDef& def) {
    if (def.surface != FractureSurface::Cut || shape->type != ShapeType::LevelSet || shape->levelSet->solid->surface)
        return shape;
    try {
        return withOwnSurface(shape);
    } catch (const Error& error) {
        const std::string text = error.what();
        throw Error("fracture.surface: " + text.substr(text.find(": ") + 2));
    }
}

// m^2: volume^(2/3).
Real faceOf(const BuiltShape& shape) {
    const Real volume = Real(shape.massProperties.volume), power = Real(2) / 3;
    return volume <= 1 ? powerOf(volume, power) : 1 / powerOf(1 / volume, power);
}

BodyFracture makeFracture(const SharedShape& shape, const FractureDef& def) {
    BodyFracture fracture;
    fracture.def = def;
    fracture.solid = breakableSolid(shape, def);
    if (def.smallest == 0)
        fracture.def.smallest = Real(kSmallestShare * fracture.solid->massProperties.volume);
    fitToBody(fracture);
    fracture.face = faceOf(*fracture.solid);
    return fracture;
}

Rare<Shape> asGiven(const Shape& shape) {
    if (!std::holds_alternative<SharedShape>(shape))
        return {};
    return shape;
}

BuiltBody buildBody(const Shape& shape, const FractureDef* fracture) {
    BuiltBody built;
    built.shape = builtShape(shape);
    built.asGiven = asGiven(shape);
    if (!fracture)
        return built;
    if (const SharedShape drawn = drawnForCut(built.shape, *fracture); drawn != built.shape)
        built.asGiven = Shape(built.shape = drawn);
    built.fracture = makeFracture(built.shape, *fracture);
    return built;
}

}  // namespace

BuiltBody buildBody(const BodyDef& def) {
    BuiltBody built = buildBody(def.shape, def.fracture ? &*def.fracture : nullptr);
    if (def.bonds)
        built.bonds = makeBonds(built.shape, *def.bonds);
    if (def.deformable)
        built.solid = makeDeformable(*built.shape, *def.deformable, def.material, def.mass);
    return built;
}

BuiltBody buildBody(const Body& body, const FractureDef* fracture) {
    BuiltBody built = buildBody(Shape(body.shape), fracture);
    if (built.shape == body.shape)
        built.asGiven = body.shapeAsGiven;
    return built;
}

BuiltBody buildBody(const Body& body, const Shape& shape) {
    const SharedShape given = builtShape(shape);
    const bool breaks = body.fracture && given->type != ShapeType::Mesh;
    BuiltBody built = buildBody(Shape(given), breaks ? &body.fracture->def : nullptr);
    if (built.shape == given)
        built.asGiven = asGiven(shape);
    return built;
}

BodyDef pieceDef(const Body& parent, const NewPiece& piece, std::size_t number) {
    BodyDef def;
    def.name = parent.name + "_" + std::to_string(number);
    def.shape = piece.shape;
    def.motion = piece.isAnchored ? Motion::Static : Motion::Dynamic;
    def.velocity = piece.velocity;
    def.angularVelocity = piece.angularVelocity;
    def.material = parent.material;
    if (parent.massOverride)
        def.mass = *parent.massOverride * piece.share;
    def.linearDamping = parent.linearDamping;
    def.angularDamping = parent.angularDamping;
    def.gravityFactor = parent.gravityFactor;
    def.lockedAxes = parent.lockedAxes;
    def.surfaceVelocity = parent.surfaceVelocity;
    def.layer = parent.layer;
    def.mask = parent.mask;
    def.allowSleep = parent.allowSleep;
    def.sleepFactor = parent.sleepFactor;
    def.userData = parent.userData;
    return def;
}

Rare<BodyFracture> pieceFracture(const BodyFracture& parent, const NewPiece& piece) {
    // A piece of less than twice the smallest volume cannot be divided into two pieces.
    if (parent.def.generations <= 1 || piece.shape->massProperties.volume < 2 * double(parent.def.smallest))
        return {};
    BodyFracture fracture = parent;
    try {
        fracture.solid = breakableSolid(piece.shape, parent.def);
    } catch (const Error&) {
        return {};  // it is no level set, and too thin for the body's grid: a step must not fail for that
    }
    fracture.face = faceOf(*fracture.solid);
    fracture.damage = 0;
    fracture.stress = {};
    if (Stressed* method = std::get_if<Stressed>(&fracture.def.method))
        *method = ofShare(*method, piece.share);
    --fracture.def.generations;
    fracture.def.threshold *= powerOf(piece.share, fracture.def.sizeExponent);
    for (FractureAnchor& anchor : fracture.def.anchors) {
        anchor.low -= piece.center;
        anchor.high -= piece.center;
    }
    if (!piece.isAnchored)
        fracture.def.anchors.clear();
    return fracture;
}

}  // namespace sunder::world
