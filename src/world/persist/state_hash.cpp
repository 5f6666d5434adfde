#include "world/persist/state_hash.h"

#include <algorithm>

#include "world/persist/state_visit.h"

namespace sunder::world {

// Not in an anonymous namespace: argument-dependent lookup would not find visitState there.
class StateHasher {
public:
    template <class... T>
    void operator()(const T&... values) {
        (add(values), ...);
    }
    template <class... T>
    void aside(const T&...) {}
    template <class T, std::size_t n>
    void firstOf(const T (&values)[n], std::int32_t count) {
        for (std::int32_t i = 0; i < std::min(count, static_cast<std::int32_t>(n)); ++i)
            add(values[i]);
    }
    template <class... T>
    void alternative(const std::variant<T...>& variant) {
        hash_.addBits(static_cast<std::uint8_t>(variant.index()));
    }
    std::uint64_t value() const { return hash_.value(); }

private:
    template <class T>
    void add(const T& value) {
        if constexpr (kIsFlat<T>)
            hash_.addBits(value);
        else
            visitMembers(*this, value);
    }
    void add(const std::string& text) { addBytes(std::as_bytes(std::span(text))); }
    template <class T>
    void add(const std::optional<T>& value) {
        addOptional(value);
    }
    template <class T>
    void add(const Rare<T>& value) {
        addOptional(value);
    }
    void addOptional(const auto& value) {
        hash_.add(value ? 1 : 0);
        if (value)
            add(*value);
    }
    template <class T, class A>
    void add(const std::vector<T, A>& values) {
        hash_.add(values.size());
        for (const T& value : values)
            add(value);
    }
    template <class A>
    void add(const std::vector<std::byte, A>& values) {
        addBytes(values);
    }
    template <class T, std::size_t n>
    void add(const std::array<T, n>& values) {
        for (const T& value : values)
            add(value);
    }
    // A shape is represented by its type, bounds and mass: hashing a whole level set in every frame would cost more than a
    // step.
    void add(const SharedShape& shape) {
        hash_.add(shape ? 1 + std::uint64_t(shape->type) : 0);
        if (!shape)
            return;
        hash_.addBits(shape->localBounds);
        hash_.addBits(shape->massProperties);
    }
    // A pattern is hashed once; after that its number stands for it.
    void add(const SharedPattern& pattern) {
        std::size_t index = 0;
        while (index < patterns_.size() && patterns_[index] != pattern)
            ++index;
        hash_.add(index);
        if (index < patterns_.size())
            return;
        patterns_.push_back(pattern);
        hash_.add(pattern ? 1 : 0);
        if (pattern)
            add(pattern->recipe);
    }
    void add(const std::shared_ptr<const SampledSolid>& solid) { addPointed(solid); }
    void add(const std::shared_ptr<const geometry::SurfaceMesh>& surface) { addPointed(surface); }
    void addPointed(const auto& pointer) {
        hash_.add(pointer ? 1 : 0);
        if (pointer)
            add(*pointer);
    }
    void add(const Shape& shape) {
        hash_.add(shape.index());
        std::visit([&](const auto& definition) { add(definition); }, shape);
    }
    void addBytes(std::span<const std::byte> bytes) {
        hash_.add(bytes.size());
        for (; bytes.size() >= sizeof(std::uint64_t); bytes = bytes.subspan(sizeof(std::uint64_t))) {
            std::uint64_t word;
            std::memcpy(&word, bytes.data(), sizeof(word));
            hash_.add(word);
        }
        std::uint64_t last = 0;
        std::memcpy(&last, bytes.data(), bytes.size());
        hash_.add(last);
    }

    Hasher hash_;
    std::vector<SharedPattern> patterns_;
};

std::uint64_t hashState(const WorldState& world) {
    StateHasher hasher;
    visitState(hasher, world);
    return hasher.value();
}

}  // namespace sunder::world
