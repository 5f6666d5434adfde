#include "world/record/bonded.h"

#include "sunder/definitions.h"

namespace sunder::world {

const Compound* compoundOf(const Shape& shape) {
    if (const SharedShape* shared = std::get_if<SharedShape>(&shape))
        return *shared ? std::get_if<Compound>(&(*shared)->definition) : nullptr;
    return std::get_if<Compound>(&shape);
}

BodyBonds makeBonds(const SharedShape& shape, const BondsDef& def) {
    BodyBonds bonds;
    bonds.def = def;
    if (bonds.def.bonds.empty())
        bonds.def.bonds = findBonds(std::get<Compound>(shape->definition));
    return bonds;
}

}  // namespace sunder::world
