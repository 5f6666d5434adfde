// Which element a point lies in, or next to.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "elastic/solid/elastic_solid.h"

namespace sunder::elastic {

class ElementFinder {
public:
    struct Place {
        std::uint32_t element = 0;
        std::array<double, 4> weights{};  // barycentric, none below 0, sum 1
    };

    explicit ElementFinder(const ElasticSolid& solid);

    // The element that holds the point, or the one it is least far outside of among those near it. Of copies in the same place,
    // which a crack leaves, the first.
    Place find(const ElasticSolid& solid, const Vec3d& point) const;

private:
    std::array<int, 3> cellOf(const Vec3d& point) const;

    Vec3d origin_;
    double cellSize_ = 1;
    std::array<int, 3> cells_{1, 1, 1};
    std::vector<std::uint32_t> first_, elements_;  // by cell; the elements whose boxes reach into it
};

}  // namespace sunder::elastic
