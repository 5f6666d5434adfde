#include "world/persist/shape_table.h"

#include <algorithm>

#include "collision/built_shape.h"
#include "core/checksum.h"

namespace sunder::world {

std::uint32_t SharedShapes::indexOf(const SharedShape& shape) {
    const auto [found, isNew] = known_.try_emplace(shape.get(), static_cast<std::uint32_t>(shapes_.size()));
    if (isNew)
        shapes_.push_back(shape);
    return found->second;
}

std::uint32_t ShapeTable::indexOf(const SharedShape& shape) {
    if (const auto found = known_.find(shape.get()); found != known_.end())
        return found->second;
    BinaryWriter definition;
    StateWriter(definition, *this)(shape->definition);  // calls indexOf for the shapes that it is made of
    const std::uint32_t index = add(definition.view());
    known_.emplace(shape.get(), index);
    kept_.push_back(shape);
    return index;
}

std::uint32_t ShapeTable::add(std::span<const std::byte> added) {
    const std::uint64_t sum = checksum(added);
    const auto [first, last] = byChecksum_.equal_range(sum);
    for (auto at = first; at != last; ++at)
        if (const auto known = definition(at->second); std::equal(known.begin(), known.end(), added.begin(), added.end()))
            return at->second;
    const std::uint32_t index = static_cast<std::uint32_t>(size());
    byChecksum_.emplace(sum, index);
    definitions_.bytes(added.data(), added.size());
    ends_.push_back(definitions_.size());
    return index;
}

std::span<const std::byte> ShapeTable::definition(std::size_t index) const {
    const std::size_t begin = index > 0 ? ends_[index - 1] : 0;
    return definitions_.view().subspan(begin, ends_[index] - begin);
}

void ShapeTable::write(BinaryWriter& out) const {
    out.value(static_cast<std::uint32_t>(size()));
    for (std::size_t i = 0; i < size(); ++i) {
        out.value(static_cast<std::uint64_t>(definition(i).size()));
        out.bytes(definition(i).data(), definition(i).size());
    }
}

std::vector<SharedShape> ShapeTable::read(BinaryReader& in, std::span<const SharedShape> live) {
    // Read the table first; then live shapes are looked up in it, and those that are not in it are added at its end.
    ShapeTable table;
    const std::uint32_t count = in.value<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && !in.failed(); ++i)
        if (table.add(in.block(in.value<std::uint64_t>())) != i)  // a definition may not occur twice
            in.refuse();
    if (in.failed())
        return {};
    std::vector<SharedShape> shapes(count);
    for (const SharedShape& shape : live)
        if (const std::uint32_t index = table.indexOf(shape); index < count && !shapes[index])
            shapes[index] = shape;
    for (std::uint32_t i = 0; i < count; ++i)
        if (!shapes[i] && !(shapes[i] = readShape(table.definition(i), std::span(shapes).first(i))))
            in.refuse();
    return shapes;
}

SharedShape readShape(std::span<const std::byte> definition, std::span<const SharedShape> shapes) {
    BinaryReader in(definition);
    Shape shape;
    StateReader(in, shapes)(shape);
    if (in.failed() || in.remaining() > 0 || std::holds_alternative<SharedShape>(shape))
        return nullptr;
    return buildShape(shape);
}

}  // namespace sunder::world
