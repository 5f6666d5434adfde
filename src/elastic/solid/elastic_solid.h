// What every computation on an elastic solid needs, found once per mesh: shape functions, volumes, lumped masses, components.
//   [Bao07] IV   constant strain: F_u = D_u D_m^-1; B_m = -V D_m^-T are the gradients below, times the volume
// In double: a stiff body moves by a part in 10^8 of its size.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/task_runner.h"
#include "elastic/solid/elastic_material.h"
#include "elastic/solid/element_mesh.h"
#include "math/vec3d.h"

namespace sunder::elastic {

inline constexpr std::size_t kElementsPerBlock = 4096;  // that one task takes

struct ElasticSolid {
    struct Element {
        std::array<Vec3d, 4> gradients;  // 1/m: of the shape function of each corner
        double volume = 0;               // m^3: of its material, the fill counted in
    };

    ElasticMaterial material;
    std::vector<geometry::TetCorners> tets;
    std::vector<Vec3d> nodes;  // m
    std::vector<Element> elements;
    // kg: of an element a quarter to each corner. Their centre is the solid's own, their inertia is not; loads must be balanced
    // with theirs.
    std::vector<double> masses;
    // Per node; nodes of one component are joined by elements. Numbered by their first nodes. Nodes of no element have a
    // component of their own.
    std::vector<std::uint32_t> component;
    std::uint32_t componentCount = 0;

    ElasticSolid() = default;
    ElasticSolid(const ElementMesh& mesh, const ElasticMaterial& material, TaskRunner& runner);

    double lambda() const;        // Pa: first parameter of Lame
    double shearModulus() const;  // Pa: the second, mu
};

}  // namespace sunder::elastic
