// Expands the generators of generator_definitions.h into bodies. Only our own random numbers and + - * / are used, so that
// a scene is the same to the last bit everywhere.
#include <array>
#include <cmath>

#include "collision/built_shape.h"
#include "core/random.h"
#include "math/quat.h"
#include "scene/read/body_reader.h"
#include "scene/read/pit.h"

namespace sunder::scene {

namespace {

// One element of `bodies` that is a generator.
class Generator {
public:
    Generator(BodyReader& bodies, const Json& json, const Path& path, std::string_view kind)
        : bodies_(bodies),
          json_(json),
          path_(path),
          settingsPath_(path / kind),
          kind_(kind),
          settings_(json[std::string(kind)]) {}

    void expand();

private:
    void expandRepeat();
    void expandPyramid();
    void expandWall();
    void expandStack();
    void expandPile();
    void expandPit();

    // Reads the settings; false, with problems reported, where they are wrong.
    template <class Def>
    bool read(Def& def);
    bool readPlacement();
    bool readTemplates();
    bool hasRoom(double count) { return bodies_.hasRoom(count, settingsPath_); }
    Vec3 sizeOfBody() const;
    // Adds a copy of the body, moved by the offset and then by the placement of the whole set.
    void place(const BodyTemplate& body, BodyDef def, double x, double y, double z);
    void place(double x, double y, double z) { place(templates_[0], templates_[0].def, x, y, z); }
    std::optional<BodyTemplate> halfBrick(Real gap) const;

    BodyReader& bodies_;
    const Json& json_;
    const Path& path_;
    const Path settingsPath_;
    std::string_view kind_;
    const Json& settings_;

    std::string name_;
    Pose placement_;
    std::vector<BodyTemplate> templates_;
    int next_ = 0;  // number of the next body
};

void Generator::expand() {
    if (kind_ == "pit") {
        bodies_.reader().checkKeys(json_, path_, {"pit", "name", "position", "orientation", "rotation_degrees", "material"});
        if (readPlacement())
            expandPit();
        return;
    }
    Names keys = {kind_, "body", "name", "position", "orientation", "rotation_degrees"};
    if (kind_ == "pile")
        keys.push_back("bodies");
    bodies_.reader().checkKeys(json_, path_, keys);
    const bool placed = readPlacement();
    if (!readTemplates() || !placed)
        return;
    if (kind_ == "repeat")
        expandRepeat();
    else if (kind_ == "pyramid")
        expandPyramid();
    else if (kind_ == "wall")
        expandWall();
    else if (kind_ == "stack")
        expandStack();
    else
        expandPile();
}

template <class Def>
bool Generator::read(Def& def) {
    const std::size_t before = bodies_.reader().problems().count();
    bodies_.reader().readObject(settings_, settingsPath_, def);
    return bodies_.reader().problems().count() == before;
}

bool Generator::readPlacement() {
    Reader& reader = bodies_.reader();
    const std::size_t before = reader.problems().count();
    if (const auto name = json_.find("name"); name != json_.end())
        reader.read(*name, path_ / "name", {}, name_);
    if (const auto position = json_.find("position"); position != json_.end())
        reader.read(*position, path_ / "position", {.unit = "m", .low = -kMaxPosition, .high = kMaxPosition},
                    placement_.position);
    if (const auto orientation = json_.find("orientation"); orientation != json_.end())
        reader.read(*orientation, path_ / "orientation", {}, placement_.orientation);
    reader.readRotation(json_, path_, placement_.orientation);
    return reader.problems().count() == before;
}

bool Generator::readTemplates() {
    Problems& problems = bodies_.reader().problems();
    const bool several = json_.contains("bodies") && kind_ == "pile";
    if (several == json_.contains("body")) {
        problems.add(path_ / "body", several ? "is given besides bodies (give one of the two)" : "is missing (what to repeat)");
        return false;
    }
    const Path listPath = path_ / "bodies";
    if (several && (!json_["bodies"].is_array() || json_["bodies"].empty())) {
        problems.refuse(listPath, json_["bodies"], "a list of bodies to choose from");
        return false;
    }
    const std::size_t count = several ? json_["bodies"].size() : 1;
    for (std::size_t i = 0; i < count; ++i)
        if (auto body = several ? bodies_.readTemplate(json_["bodies"][i], listPath[i])
                                : bodies_.readTemplate(json_["body"], path_ / "body"))
            templates_.push_back(std::move(*body));
    return templates_.size() == count;
}

Vec3 Generator::sizeOfBody() const {
    const BodyDef& def = templates_[0].def;
    const Bounds bounds = collision::worldBounds(*std::get<SharedShape>(def.shape), {{}, def.orientation});
    return bounds.high - bounds.low;
}

void Generator::place(const BodyTemplate& body, BodyDef def, double x, double y, double z) {
    const std::string& base = !name_.empty() ? name_ : body.def.name;
    def.name = (base.empty() ? std::string(kind_) : base) + "_" + std::to_string(next_++);
    def.position = {Real(def.position.x + x), Real(def.position.y + y), Real(def.position.z + z)};
    for (Keyframe& key : def.keyframes)
        key.position = {Real(key.position.x + x), Real(key.position.y + y), Real(key.position.z + z)};
    // A set without rotation keeps orientations and velocities to the bit.
    if (placement_.orientation == Quat{}) {
        def.position += placement_.position;
        for (Keyframe& key : def.keyframes)
            key.position += placement_.position;
    } else {
        def.position = transformPoint(placement_, def.position);
        def.orientation = normalize(placement_.orientation * def.orientation);
        def.velocity = rotate(placement_.orientation, def.velocity);
        def.angularVelocity = rotate(placement_.orientation, def.angularVelocity);
        for (Keyframe& key : def.keyframes) {
            key.position = transformPoint(placement_, key.position);
            key.orientation = normalize(placement_.orientation * key.orientation);
        }
    }
    bodies_.add(std::move(def), body.materialName, path_);
}

// Random numbers of the index-th body: each has a sequence of its own, so that changing one option does not change the effect
// of others.
core::Random randomOf(std::uint64_t seed, int index) {
    return core::Random(core::Random(seed).bits() ^ core::Random(~std::uint64_t(index)).bits());
}

double jitterBy(core::Random& random, Real amount) { return random.between(-1, 1) * double(amount); }

void Generator::expandRepeat() {
    RepeatDef def;
    if (!read(def))
        return;
    const auto [nx, ny, nz] = def.count.along;
    if (!hasRoom(double(nx) * ny * nz))
        return;
    Vec3 spacing = def.spacing.value;
    if (def.count.line && def.spacing.single)
        spacing = {spacing.x, 0, 0};
    for (int y = 0; y < ny; ++y)
        for (int z = 0; z < nz; ++z)
            for (int x = 0; x < nx; ++x) {
                core::Random random = randomOf(def.seed, next_);
                const double dx = jitterBy(random, def.jitter.value.x), dy = jitterBy(random, def.jitter.value.y);
                const double dz = jitterBy(random, def.jitter.value.z);
                if (def.count.line)
                    place(x * double(spacing.x) + dx, x * double(spacing.y) + dy, x * double(spacing.z) + dz);
                else
                    place(x * double(spacing.x) + dx, y * double(spacing.y) + dy, z * double(spacing.z) + dz);
            }
}

void Generator::expandPyramid() {
    PyramidDef def;
    if (!read(def) || !hasRoom(0.5 * def.base * (def.base + 1.0)))
        return;
    const Vec3 size = sizeOfBody();
    const double spacing = def.spacing.value_or(size.x);
    for (int row = 0; row < def.base; ++row)
        for (int i = 0; i < def.base - row; ++i)
            place((i - 0.5 * (def.base - row - 1)) * spacing, row * double(size.y), 0);
}

// The brick that fills a shifted row's end, where the body is an upright box; its mass is in proportion to its length.
std::optional<BodyTemplate> Generator::halfBrick(Real gap) const {
    const BodyTemplate& brick = templates_[0];
    const Box* box = std::get_if<Box>(&brick.writtenShape);
    if (!box || brick.def.orientation != Quat{} || brick.def.inertia || gap >= 2 * box->halfExtents.x)
        return std::nullopt;
    BodyTemplate half = brick;
    Box halfBox = *box;
    halfBox.halfExtents.x = (2 * box->halfExtents.x - gap) / 4;
    half.writtenShape = halfBox;
    half.def.shape = bodies_.build(halfBox, path_);
    if (half.def.mass)
        half.def.mass = *half.def.mass * (halfBox.halfExtents.x / box->halfExtents.x);
    return std::get<SharedShape>(half.def.shape) ? std::make_optional(half) : std::nullopt;
}

void Generator::expandWall() {
    WallDef def;
    if (!read(def) || !hasRoom((def.count.bricks + 1.0) * def.count.rows))
        return;
    const Vec3 size = sizeOfBody();
    const double pitch = double(size.x) + def.gap;
    const std::optional<BodyTemplate> half = def.ends == Ends::Flush ? halfBrick(def.gap) : std::nullopt;
    for (int row = 0; row < def.count.rows; ++row) {
        const double height = row * double(size.y);
        const bool shifted = def.bond == Bond::Running && row % 2 == 1;
        const int bricks = def.count.bricks - (shifted && half ? 1 : 0);
        // Rows that are not filled up to equal length extend by a quarter brick to either side.
        const double lean = def.bond == Bond::Running && !half ? (shifted ? 0.25 : -0.25) * pitch : 0;
        const double start = lean - 0.5 * (bricks - 1) * pitch;
        const double end = 0.5 * def.count.bricks * pitch - 0.5 * def.gap - 0.25 * (double(size.x) - def.gap);
        if (shifted && half)
            place(*half, half->def, -end, height, 0);
        for (int i = 0; i < bricks; ++i)
            place(start + i * pitch, height, 0);
        if (shifted && half)
            place(*half, half->def, end, height, 0);
    }
}

void Generator::expandStack() {
    StackDef def;
    if (!read(def) || !hasRoom(def.count))
        return;
    const double rise = def.spacing.value_or(sizeOfBody().y);
    for (int i = 0; i < def.count; ++i)
        place(i * double(def.shift.x), i * (rise + double(def.shift.y)), i * double(def.shift.z));
}

Shape scaled(const Shape& shape, Real s) {
    if (const Sphere* sphere = std::get_if<Sphere>(&shape))
        return Sphere{sphere->radius * s};
    if (const Box* box = std::get_if<Box>(&shape))
        return Box{box->halfExtents * s};
    if (const Capsule* capsule = std::get_if<Capsule>(&shape))
        return Capsule{capsule->radius * s, capsule->halfHeight * s};
    if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
        return Cylinder{cylinder->radius * s, cylinder->halfHeight * s};
    Shape copy = shape;
    if (Hull* hull = std::get_if<Hull>(&copy))
        for (Vec3& point : hull->points)
            point *= s;
    if (Mesh* mesh = std::get_if<Mesh>(&copy))
        for (Vec3& vertex : mesh->vertices)
            vertex *= s;
    if (Shell* shell = std::get_if<Shell>(&copy)) {
        shell->thickness *= s;
        for (Vec3& vertex : shell->vertices)
            vertex *= s;
    }
    if (HeightField* field = std::get_if<HeightField>(&copy)) {
        field->spacing *= s;
        for (Real& height : field->heights)
            height *= s;
    }
    if (Compound* compound = std::get_if<Compound>(&copy))
        for (CompoundChild& child : compound->children) {
            child.shape = scaled(child.shape, s);
            child.position *= s;
        }
    if (LevelSet* levelSet = std::get_if<LevelSet>(&copy)) {
        levelSet->cell *= s;
        levelSet->sampled.reset();
        for (CompoundChild& part : levelSet->parts) {
            part.shape = scaled(part.shape, s);
            part.position *= s;
        }
    }
    return copy;
}

// Shapes with independent sizes vary each; other shapes keep their proportions.
Shape withJitteredSize(const Shape& shape, core::Random random, Real fraction) {
    const Real first = Real(1 + jitterBy(random, fraction)), second = Real(1 + jitterBy(random, fraction));
    const Real third = Real(1 + jitterBy(random, fraction));
    if (const Box* box = std::get_if<Box>(&shape))
        return Box{multiply(box->halfExtents, {first, second, third})};
    if (const Capsule* capsule = std::get_if<Capsule>(&shape))
        return Capsule{capsule->radius * first, capsule->halfHeight * second};
    if (const Cylinder* cylinder = std::get_if<Cylinder>(&shape))
        return Cylinder{cylinder->radius * first, cylinder->halfHeight * second};
    return scaled(shape, first);
}

// Uniform over all orientations: a point of the four-dimensional ball, projected to its surface.
Quat randomOrientation(core::Random& random) {
    for (;;) {
        const double x = random.between(-1, 1), y = random.between(-1, 1), z = random.between(-1, 1), w = random.between(-1, 1);
        const double squared = x * x + y * y + z * z + w * w;
        if (squared > 1 || squared < 1e-4)
            continue;
        const double scale = 1 / std::sqrt(squared);
        return {Real(x * scale), Real(y * scale), Real(z * scale), Real(w * scale)};
    }
}

void Generator::expandPile() {
    PileDef def;
    if (!read(def))
        return;
    const auto [nx, ny, nz] = def.count.along;
    if (!hasRoom(double(nx) * ny * nz))
        return;
    const Vec3 spacing = def.spacing.value;
    const double first = def.first.value_or(spacing.y / 2);
    for (int y = 0; y < ny; ++y)
        for (int z = 0; z < nz; ++z)
            for (int x = 0; x < nx; ++x) {
                core::Random random = randomOf(def.seed, next_);
                const BodyTemplate& chosen = templates_[random.below(static_cast<std::uint32_t>(templates_.size()))];
                const double dx = jitterBy(random, def.jitter.value.x), dy = jitterBy(random, def.jitter.value.y);
                const double dz = jitterBy(random, def.jitter.value.z);
                BodyDef body = chosen.def;
                const Vec3 spin{Real(jitterBy(random, def.spin)), Real(jitterBy(random, def.spin)),
                                Real(jitterBy(random, def.spin))};
                body.angularVelocity += spin;
                const core::Random sizes(random.bits());
                if (chosen.randomHull || def.sizeJitter > 0) {
                    const Shape shape =
                        chosen.randomHull ? Shape(randomHull(*chosen.randomHull, std::uint64_t(next_))) : chosen.writtenShape;
                    const SharedShape built = bodies_.build(withJitteredSize(shape, sizes, def.sizeJitter), settingsPath_);
                    if (!built)
                        return;
                    body.shape = built;
                }
                if (def.turn)
                    body.orientation = randomOrientation(random);
                place(chosen, std::move(body), (x - 0.5 * (nx - 1)) * double(spacing.x) + dx,
                      first + y * double(spacing.y) + dy, (z - 0.5 * (nz - 1)) * double(spacing.z) + dz);
            }
}

void Generator::expandPit() {
    PitDef def;
    BodyTemplate body;
    Reader& reader = bodies_.reader();
    const std::size_t before = reader.problems().count();
    if (const auto material = json_.find("material"); material != json_.end()) {
        reader.read(*material, path_ / "material", {.doc = "the name of a material, or a material"}, body.def.material);
        if (material->is_string())
            body.materialName = material->get<std::string>();
    }
    if (!read(def) || reader.problems().count() != before || !hasRoom(def.mesh ? 1 : 5))
        return;
    body.def.motion = Motion::Static;
    if (def.mesh) {
        body.def.shape = bodies_.build(pitMesh(def), path_);
        place(body, body.def, 0, 0, 0);
        return;
    }
    for (const PlacedBox& part : pitBoxes(def)) {
        const SharedShape shape = bodies_.build(part.box, path_);
        if (!shape)
            return;
        body.def.shape = shape;
        place(body, body.def, part.position.x, part.position.y, part.position.z);
    }
}

}  // namespace

bool readGenerator(BodyReader& bodies, const Json& json, const Path& path) {
    std::string_view kind;
    for (const std::string_view name : kGeneratorNames) {
        if (!json.contains(std::string(name)))
            continue;
        if (!kind.empty()) {
            bodies.reader().problems().add(path / name, "is given besides " + std::string(kind) + " (one generator each)");
            return true;
        }
        kind = name;
    }
    if (kind.empty() && (json.contains("body") || json.contains("bodies"))) {
        const Names names(std::begin(kGeneratorNames), std::end(kGeneratorNames));
        for (const auto& item : json.items())
            if (item.key() != "body" && item.key() != "bodies" && item.value().is_object()) {
                bodies.reader().problems().unknown(path / item.key(), item.key(), "generator", names);
                return true;
            }
        bodies.reader().problems().add(path, "has a body but no generator (one of " + listText(names) + ")");
        return true;
    }
    if (kind.empty())
        return false;
    Generator(bodies, json, path, kind).expand();
    return true;
}

}  // namespace sunder::scene
