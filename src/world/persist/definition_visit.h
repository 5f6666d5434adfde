// What definitions, shapes and looks consist of, for the archives (archive.h).
#pragma once

#include <array>
#include <string_view>

#include "collision/level_set/sampled_solid.h"
#include "sunder/describe.h"

namespace sunder::world {

// Types whose state is not just the fields that describe.h lists.
template <class T>
inline constexpr bool kHasOwnVisit =
    MaybeConst<T, WorldDef> || MaybeConst<T, LevelSet> || MaybeConst<T, JointDef> || MaybeConst<T, Material> ||
    MaybeConst<T, FractureDef> || MaybeConst<T, Mesh> || MaybeConst<T, FrameRateOptions> || MaybeConst<T, ImpulseOptions> ||
    MaybeConst<T, ReleaseOptions>;
template <class T>
concept Described = !kHasOwnVisit<T> && requires(T & value) {
    visitFields(value, [](const FieldInfo&, auto&&) {});
};

// Names, numbers of the host, the kind of drawing and what is only drawn: no step depends on them.
inline bool isLabel(const FieldInfo& field) {
    const std::string_view name = field.name;
    return name == "name" || name == "user_data" || name == "surface" || name == "dust";
}

template <class Archive, class T>
void visitDescribed(Archive& archive, T& value) {
    visitFields(value, [&](const FieldInfo& field, auto& member) {
        if (isLabel(field))
            archive.aside(member);
        else
            archive(member);
    });
}

template <class Archive, Described T>
void visitState(Archive& archive, T& value) {
    visitDescribed(archive, value);
}

// The number of threads is left out: it is no state of the world. Options that came after runs had been recorded count in
// hashes only while their stepper is chosen, or while they do something.
template <class Archive, MaybeConst<WorldDef> D>
void visitState(Archive& archive, D& def) {
    auto& [gravity, stepper, frameRate, impulse, damped, timewarp, energyFix, impulseClamp, restitutionThreshold, sleeping,
           sleepTime, sleepSpeed, mostPiecesPerStep, mostPieces, mostDebris, breakingBudget, rewinds, release, scatter,
           persistEvents, threads] = def;
    archive(gravity, stepper, frameRate, impulse, energyFix, impulseClamp, restitutionThreshold, sleeping, sleepTime,
            sleepSpeed, mostPiecesPerStep, mostPieces, mostDebris, rewinds, release, persistEvents);
    if (stepper == Stepper::Damped)
        archive(damped);
    else
        archive.aside(damped);
    if (stepper == Stepper::Timewarp || stepper == Stepper::TimewarpSafer)
        archive(timewarp);
    else
        archive.aside(timewarp);
    if (scatter.speed > 0)
        archive(scatter);
    else
        archive.aside(scatter);
    if (breakingBudget > 0)
        archive(breakingBudget);
    else
        archive.aside(breakingBudget);
}

// Archives a field that came after runs had been recorded: it counts in hashes only where it does something.
template <class Archive, class T>
void visitLater(Archive& archive, bool acts, T& member) {
    if (acts)
        archive(member);
    else
        archive.aside(member);
}

template <class Archive, class T>
requires MaybeConst<T, FrameRateOptions> || MaybeConst<T, ImpulseOptions>
void visitState(Archive& archive, T& options) {
    visitFields(options, [&](const FieldInfo& field, auto& member) {
        const std::string_view name = field.name;
        if (name == "lift_rate")
            return visitLater(archive, options.liftRate != 0, member);
        if constexpr (MaybeConst<T, ImpulseOptions>)
            if (name == "rotation")
                return visitLater(archive, options.rotation != RotationStep::Split, member);
        archive(member);
    });
}

template <class Archive, MaybeConst<ReleaseOptions> R>
void visitState(Archive& archive, R& options) {
    auto& [form, outward, free, time, seed] = options;
    archive(form, outward, time, seed);
    visitLater(archive, free != 0, free);
}

// The constants of the solid act only through what a body has made of them, which is visited there (BodyBonds::young).
template <class Archive, MaybeConst<Material> M>
void visitState(Archive& archive, M& material) {
    auto& [density, friction, restitution, rollingFriction, spinningFriction, fractureImpulse, young, poisson, strength,
           toughness, yield] = material;
    archive(density, friction, restitution, rollingFriction, spinningFriction, fractureImpulse);
    archive.aside(young, poisson, strength, toughness, yield);
}

// The fields of Prescored stand between those that all methods share, where they stood when it was the only method, so that
// hashes of runs that were recorded then remain true. Those of any other method come first.
template <class Archive, MaybeConst<FractureDef> F>
void visitState(Archive& archive, F& def) {
    auto& [method, threshold, cell, resolution, surface, smallest, mostPieces, generations, sizeExponent, weakestHit, anchors,
           debris, debrisVolume, debrisTime] = def;
    archive.alternative(method);
    if (auto* prescored = std::get_if<Prescored>(&method)) {
        auto& [pattern, placement, size, reach, pieceSize, alpha] = *prescored;
        archive(pattern, threshold, placement, cell, resolution, size, reach, pieceSize);
        visitLater(archive, alpha != 0, alpha);
    } else {
        std::visit([&](auto& other) { archive(other); }, method);
        archive(threshold, cell, resolution);
    }
    archive.aside(surface);
    archive(smallest, mostPieces, generations, sizeExponent, weakestHit, anchors, debris, debrisVolume, debrisTime);
}

// Parts of looks that are shared by pointer.
template <class T>
inline constexpr bool kIsSharedLook =
    std::is_same_v<T, MeshLook> || std::is_same_v<T, MeshMaterials> || std::is_same_v<T, MeshImage>;

template <class Archive, MaybeConst<MeshImage> I>
void visitState(Archive& archive, I& image) {
    auto& [name, mediaType, bytes] = image;
    archive(name, mediaType, bytes);
}

template <class Archive, MaybeConst<MeshTexture> T>
void visitState(Archive& archive, T& texture) {
    auto& [role, image, wrapU, wrapV, strength] = texture;
    archive(role, image, wrapU, wrapV, strength);
}

template <class Archive, MaybeConst<MeshMaterial> M>
void visitState(Archive& archive, M& material) {
    auto& [name, color, metallic, roughness, emissive, alphaMode, alphaCutoff, isDoubleSided, textures] = material;
    archive(name, color, metallic, roughness, emissive, alphaMode, alphaCutoff, isDoubleSided, textures);
}

template <class Archive, MaybeConst<MeshLook> L>
void visitState(Archive& archive, L& look) {
    auto& [textureCoordinates, colors, materialOf, materials] = look;
    archive(textureCoordinates, colors, materialOf, materials);
}

template <class Archive, MaybeConst<Mesh> M>
void visitState(Archive& archive, M& mesh) {
    auto& [vertices, triangles, look] = mesh;
    archive(vertices, triangles);
    archive.aside(look);
}

template <class Archive, MaybeConst<LevelSet> L>
void visitState(Archive& archive, L& levelSet) {
    visitFields(levelSet, [&](const FieldInfo&, auto& member) { archive(member); });
    if (levelSet.parts.empty())  // otherwise it can be sampled again from its shapes
        archive(levelSet.sampled);
}

template <class Archive, MaybeConst<geometry::SurfaceParticles::Cluster> C>
void visitState(Archive& archive, C& cluster) {
    auto& [center, radius, first, count] = cluster;
    archive(center, radius, first, count);
}

template <class Archive, MaybeConst<geometry::TextureCoordinate> T>
void visitState(Archive& archive, T& at) {
    auto& [u, v] = at;
    archive(u, v);
}

template <class Archive, MaybeConst<geometry::SurfaceMesh> M>
void visitState(Archive& archive, M& mesh) {
    auto& [positions, normals, textureCoordinates, colors, points, triangles, slots, pointCount] = mesh;
    archive(positions, normals, textureCoordinates, points, triangles, slots, pointCount);
    archive.aside(colors);
}

template <class Archive, MaybeConst<SampledSolid> S>
void visitState(Archive& archive, S& solid) {
    auto& [grid, step, values] = solid.field;
    auto& [positions, normals, features, cells, clusters] = solid.particles;
    auto& [volume, center, inertia] = solid.mass;
    archive(grid.origin, grid.cell, grid.nodes.x, grid.nodes.y, grid.nodes.z, step);
    archive(values, positions, normals, features, cells, clusters);
    archive(volume, center, inertia);
    if constexpr (std::is_const_v<S>) {
        archive(solid.cutNodes.words(), solid.textureOrigin);
    } else {
        std::vector<std::uint64_t> words;
        archive(words, solid.textureOrigin);
        solid.cutNodes = geometry::CutNodes::ofWords(std::move(words));
    }
    archive(solid.surface);
    archive.aside(solid.source);
}

// Adds the bodies, which are not among the described fields.
template <class Archive, MaybeConst<JointDef> J>
void visitState(Archive& archive, J& def) {
    archive(def.a, def.b);
    visitFields(def, [&](const FieldInfo& field, auto& member) {
        if (isLabel(field))
            archive.aside(member);
        else if (field.name == std::string_view("yield_force") || field.name == std::string_view("ductility"))
            visitLater(archive, def.yieldForce.has_value(), member);
        else
            archive(member);
    });
}

}  // namespace sunder::world
