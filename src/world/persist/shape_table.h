// The shapes that a snapshot or a log refers to, each once.
#pragma once

#include <unordered_map>

#include "world/persist/archive.h"

namespace sunder::world {

// Numbers shapes by identity: for checkpoints, which share the shapes themselves.
class SharedShapes final : public ShapeIndex {
public:
    std::uint32_t indexOf(const SharedShape& shape) override;
    std::vector<SharedShape> take() { return std::move(shapes_); }

private:
    std::vector<SharedShape> shapes_;
    std::unordered_map<const BuiltShape*, std::uint32_t> known_;  // for look-up only: its order is not defined
};

// Numbers shapes by definition: for bytes. Shapes with equal definitions share a number; children come before their compound.
class ShapeTable final : public ShapeIndex {
public:
    std::uint32_t indexOf(const SharedShape& shape) override;

    std::size_t size() const { return ends_.size(); }
    std::span<const std::byte> definition(std::size_t index) const;  // as written by StateWriter

    void write(BinaryWriter& out) const;
    // Reads what write() wrote and builds the shapes. Where a shape of `live` has the same definition, it is taken instead:
    // hulls and trees are not built again. Throws Error where a definition is not valid; in.failed() where bytes are not.
    static std::vector<SharedShape> read(BinaryReader& in, std::span<const SharedShape> live);

private:
    std::uint32_t add(std::span<const std::byte> definition);

    BinaryWriter definitions_;                                          // end to end
    std::vector<std::size_t> ends_;                                     // of each
    std::unordered_multimap<std::uint64_t, std::uint32_t> byChecksum_;  // for look-up only
    std::unordered_map<const BuiltShape*, std::uint32_t> known_;        // for look-up only
    std::vector<SharedShape> kept_;  // so that no other shape gets the address of a known one
};

// Builds the shape of a definition of ShapeTable; `shapes` are those before it in the table.
SharedShape readShape(std::span<const std::byte> definition, std::span<const SharedShape> shapes);

}  // namespace sunder::world
