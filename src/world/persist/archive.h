// How state becomes bytes and bytes become state again. A struct says once what it consists of,
//     visitState(archive, value) { auto& [a, b, c] = value;  archive(a, b, c); }
// and StateWriter, StateReader, StateHasher and LayoutFingerprint all use that, so they cannot disagree. The structured
// binding is a guard: a struct that gains a field no longer compiles here until the field is named. Fields that no step depends
// on (names, events, statistics) are visited by archive.aside(...): snapshots keep them, the hash leaves them out.
//
// Definitions (definitions.h, shapes.h) are visited through their description in describe.h.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "collision/level_set/sampled_solid.h"
#include "core/binary_reader.h"
#include "core/binary_writer.h"
#include "core/hash.h"
#include "core/rare.h"
#include "geometry/patterns/built_pattern.h"
#include "math/bounds.h"
#include "sunder/describe.h"
#include "sunder/events.h"
#include "world/persist/definition_visit.h"

namespace sunder::world {

// Numbers whose bytes are their value: no padding, every pattern allowed.
template <class T>
inline constexpr bool kIsPlain = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <>
inline constexpr bool kIsPlain<Vec3> = sizeof(Vec3) == 3 * sizeof(Real);
template <>
inline constexpr bool kIsPlain<Quat> = sizeof(Quat) == 4 * sizeof(Real);
template <>
inline constexpr bool kIsPlain<Pose> = sizeof(Pose) == 7 * sizeof(Real);
template <>
inline constexpr bool kIsPlain<Bounds> = sizeof(Bounds) == 6 * sizeof(Real);
template <>
inline constexpr bool kIsPlain<WorldPoint> = sizeof(WorldPoint) == 3 * sizeof(double);
template <>
inline constexpr bool kIsPlain<BodyId> = sizeof(BodyId) == 2 * sizeof(std::uint32_t);
template <>
inline constexpr bool kIsPlain<JointId> = sizeof(JointId) == 2 * sizeof(std::uint32_t);
template <>
inline constexpr bool kIsPlain<Interval> = sizeof(Interval) == 2 * sizeof(Real);
template <>
inline constexpr bool kIsPlain<Mechanisms> = sizeof(Mechanisms) == sizeof(std::uint32_t);
template <>
inline constexpr bool kIsPlain<std::byte> = true;
template <class T, std::size_t n>
inline constexpr bool kIsPlain<std::array<T, n>> = kIsPlain<T>;

// Enumerators are 0 to the last.
template <class E>
inline constexpr E kLastEnumerator = E::undefined;
template <>
inline constexpr Motion kLastEnumerator<Motion> = Motion::Dynamic;
template <>
inline constexpr FractureSurface kLastEnumerator<FractureSurface> = FractureSurface::Cut;
template <>
inline constexpr FracturePlacement kLastEnumerator<FracturePlacement> = FracturePlacement::Aligned;
template <>
inline constexpr Debris kLastEnumerator<Debris> = Debris::Remove;
template <>
inline constexpr Splinters kLastEnumerator<Splinters> = Splinters::Brick;
template <>
inline constexpr FleshResponse kLastEnumerator<FleshResponse> = FleshResponse::Mortar;
template <>
inline constexpr FleshPlasticity kLastEnumerator<FleshPlasticity> = FleshPlasticity::Multiplicative;
template <>
inline constexpr FleshStiction kLastEnumerator<FleshStiction> = FleshStiction::Pid;
template <>
inline constexpr ReleaseForm kLastEnumerator<ReleaseForm> = ReleaseForm::Paper;
template <>
inline constexpr RotationStep kLastEnumerator<RotationStep> = RotationStep::OneStep;
template <>
inline constexpr Stepper kLastEnumerator<Stepper> = Stepper::TimewarpSafer;
template <>
inline constexpr geometry::SurfaceFeature kLastEnumerator<geometry::SurfaceFeature> = geometry::SurfaceFeature::Corner;
template <>
inline constexpr ContactPhase kLastEnumerator<ContactPhase> = ContactPhase::End;
template <>
inline constexpr BreakRule kLastEnumerator<BreakRule> = BreakRule::Tear;
template <>
inline constexpr JointType kLastEnumerator<JointType> = JointType::Wheel;
template <>
inline constexpr JointEventKind kLastEnumerator<JointEventKind> = JointEventKind::BodyRemoved;
template <>
inline constexpr TextureRole kLastEnumerator<TextureRole> = TextureRole::Emissive;
template <>
inline constexpr TextureWrap kLastEnumerator<TextureWrap> = TextureWrap::Clamp;
template <>
inline constexpr AlphaMode kLastEnumerator<AlphaMode> = AlphaMode::Blend;

// Types of a fixed number of bytes; reading checks bools and enumerators.
template <class T>
inline constexpr bool kIsFlat = kIsPlain<T> || std::is_same_v<T, bool> || std::is_enum_v<T>;

// Gives shapes and patterns numbers: their definitions are written once, and everything else refers to them by number.
class ShapeIndex {
public:
    virtual std::uint32_t indexOf(const SharedShape& shape) = 0;
    // The first time a pattern is written, and only then, its recipe follows its number.
    std::uint32_t indexOf(const SharedPattern& pattern, bool& isNew) {
        std::size_t index = 0;
        while (index < patterns_.size() && patterns_[index] != pattern)
            ++index;
        if (isNew = index == patterns_.size(); isNew)
            patterns_.push_back(pattern);
        return static_cast<std::uint32_t>(index);
    }

protected:
    ~ShapeIndex() = default;

private:
    std::vector<SharedPattern> patterns_;
};
// The patterns that a StateReader has come across so far; those that a world has already are taken from it.
struct PatternList {
    std::vector<SharedPattern> read, live;
};
inline constexpr std::uint32_t kNoShape = 0xffffffffu;  // number of a null shape or pattern
// Compounds inside compounds: more than validate() allows, few enough for the stack.
inline constexpr int kDeepestShape = 40;

// A class with private members visits itself: static visitState(self, archive).
template <class Archive, class T>
void visitMembers(Archive& archive, T& value) {
    if constexpr (requires { std::remove_const_t<T>::visitState(value, archive); })
        std::remove_const_t<T>::visitState(value, archive);
    else
        visitState(archive, value);
}

class StateWriter {
public:
    StateWriter(BinaryWriter& out, ShapeIndex& shapes) : out_(out), shapes_(shapes) {}

    template <class... T>
    void operator()(const T&... values) {
        if constexpr ((kIsFlat<T> && ...)) {
            std::byte* at = out_.extend((sizeof(T) + ...));
            ((std::memcpy(at, &values, sizeof(T)), at += sizeof(T)), ...);
        } else {
            (write(values), ...);
        }
    }
    template <class... T>
    void aside(const T&... values) {
        (*this)(values...);
    }
    // The used elements of an array of fixed size.
    template <class T, std::size_t n>
    void firstOf(const T (&values)[n], std::int32_t count) {
        for (std::int32_t i = 0; i < count; ++i)
            write(values[i]);
    }
    // Which alternative a variant holds; its fields are visited afterwards.
    template <class... T>
    void alternative(const std::variant<T...>& variant) {
        out_.value(static_cast<std::uint8_t>(variant.index()));
    }

private:
    template <class T>
    void write(const T& value) {
        if constexpr (kIsFlat<T>)
            out_.bytes(&value, sizeof(T));
        else
            visitMembers(*this, value);
    }
    void write(const std::string& text) {
        out_.value(static_cast<std::uint32_t>(text.size()));
        out_.bytes(text.data(), text.size());
    }
    template <class T>
    void write(const std::optional<T>& value) {
        out_.value(std::uint8_t(value.has_value()));
        if (value)
            write(*value);
    }
    template <class T>
    void write(const Rare<T>& value) {
        out_.value(std::uint8_t(bool(value)));
        if (value)
            write(*value);
    }
    template <class T, class A>
    void write(const std::vector<T, A>& values) {
        out_.value(static_cast<std::uint32_t>(values.size()));
        if constexpr (kIsPlain<T>)
            out_.bytes(values.data(), values.size() * sizeof(T));
        else
            for (const T& value : values)
                write(value);
    }
    template <class T, std::size_t n>
    void write(const std::array<T, n>& values) {
        for (const T& value : values)
            write(value);
    }
    void write(const SharedShape& shape) { out_.value(shape ? shapes_.indexOf(shape) : kNoShape); }
    void write(const SharedPattern& pattern) {
        bool isNew = false;
        out_.value(pattern ? shapes_.indexOf(pattern, isNew) : kNoShape);
        if (isNew)
            write(pattern->recipe);
    }
    void write(const std::shared_ptr<const SampledSolid>& solid) {
        out_.value(std::uint8_t(solid != nullptr));
        if (solid)
            write(*solid);
    }
    void write(const std::shared_ptr<const geometry::SurfaceMesh>& surface) {
        out_.value(std::uint8_t(surface != nullptr));
        if (surface)
            write(*surface);
    }
    template <class T>
    requires kIsSharedLook<T>
    void write(const std::shared_ptr<const T>& look) {
        out_.value(std::uint8_t(look != nullptr));
        if (look)
            write(*look);
    }
    void write(const Shape& shape) {
        out_.value(static_cast<std::uint8_t>(shape.index()));
        std::visit([&](const auto& definition) { write(definition); }, shape);
    }

    BinaryWriter& out_;
    ShapeIndex& shapes_;
};

// Safe for any bytes: it allocates no more than a fixed multiple of their number, and a fault sets in.failed().
class StateReader {
public:
    // Without a list of patterns, a state with patterns is refused.
    StateReader(BinaryReader& in, std::span<const SharedShape> shapes, PatternList* patterns = nullptr)
        : in_(in), shapes_(shapes), patterns_(patterns) {}

    template <class... T>
    void operator()(T&&... values) {
        if constexpr ((kIsFlat<std::remove_reference_t<T>> && ...)) {
            if (const std::byte* at = in_.next((sizeof(T) + ...)))
                ((readFlat(at, values), at += sizeof(T)), ...);
        } else {
            (read(values), ...);
        }
    }
    template <class... T>
    void aside(T&&... values) {
        (*this)(values...);
    }
    template <class T, std::size_t n>
    void firstOf(T (&values)[n], std::int32_t& count) {
        if (count < 0 || count > static_cast<std::int32_t>(n)) {
            in_.refuse();
            count = 0;
        }
        for (std::int32_t i = 0; i < count; ++i)
            read(values[i]);
    }
    template <class... T>
    void alternative(std::variant<T...>& variant) {
        if (!holdAlternative(variant, in_.value<std::uint8_t>()))
            in_.refuse();
    }

private:
    // Bytes: at most remaining() / kLeastBytes elements get their memory in advance, so that a forged count cannot ask for
    // more.
    static constexpr std::size_t kLeastBytes = 16;

    template <class T>
    void readFlat(const std::byte* at, T& value) {
        if constexpr (kIsPlain<T>) {
            std::memcpy(static_cast<void*>(&value), at, sizeof(T));
        } else {
            using Number =
                typename std::conditional_t<std::is_enum_v<T>, std::underlying_type<T>, std::type_identity<std::uint8_t>>::type;
            Number number;
            std::memcpy(&number, at, sizeof(T));
            Number last = 1;
            if constexpr (std::is_enum_v<T>)
                last = static_cast<Number>(kLastEnumerator<T>);
            if (number > last)
                in_.refuse();
            else
                value = static_cast<T>(number);
        }
    }
    template <class T>
    void read(T& value) {
        if constexpr (kIsFlat<T>) {
            if (const std::byte* at = in_.next(sizeof(T)))
                readFlat(at, value);
        } else {
            visitMembers(*this, value);
        }
    }
    void read(std::string& text) {
        const std::span<const std::byte> bytes = in_.block(in_.value<std::uint32_t>());
        text.assign(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    }
    template <class T>
    void read(std::optional<T>& value) {
        readOptional(value);
    }
    template <class T>
    void read(Rare<T>& value) {
        readOptional(value);
    }
    template <class Optional>
    void readOptional(Optional& value) {
        bool present = false;
        read(present);
        if (present)
            read(value.emplace());
        else
            value.reset();
    }
    template <class T, class A>
    void read(std::vector<T, A>& values) {
        const std::size_t count = in_.value<std::uint32_t>();
        values.clear();
        if constexpr (kIsPlain<T>) {
            const std::span<const std::byte> bytes = in_.block(count * sizeof(T));
            values.resize(bytes.size() / sizeof(T));
            if (!bytes.empty())
                std::memcpy(static_cast<void*>(values.data()), bytes.data(), bytes.size());
        } else {
            values.reserve(std::min(count, in_.remaining() / kLeastBytes));
            for (std::size_t i = 0; i < count && !in_.failed(); ++i)
                read(values.emplace_back());
        }
    }
    template <class T, std::size_t n>
    void read(std::array<T, n>& values) {
        for (T& value : values)
            read(value);
    }
    void read(SharedShape& shape) {
        const std::uint32_t index = in_.value<std::uint32_t>();
        shape = index < shapes_.size() ? shapes_[index] : nullptr;
        if (index != kNoShape && !shape)
            in_.refuse();
    }
    void read(SharedPattern& pattern) {
        const std::uint32_t index = in_.value<std::uint32_t>();
        if (index == kNoShape)
            return pattern.reset();
        if (!patterns_ || index > patterns_->read.size())
            return in_.refuse();
        if (index == patterns_->read.size()) {
            std::vector<std::byte> recipe;
            read(recipe);
            if (in_.failed())
                return;
            SharedPattern made;
            for (const SharedPattern& live : patterns_->live)
                if (live->recipe == recipe)
                    made = live;
            if (!made && !(made = geometry::patternOfRecipe(recipe)))
                return in_.refuse();
            patterns_->read.push_back(std::move(made));
        }
        pattern = patterns_->read[index];
    }
    void read(std::shared_ptr<const SampledSolid>& solid) {
        bool present = false;
        read(present);
        if (!present)
            return solid.reset();
        auto made = std::make_shared<SampledSolid>();
        read(*made);
        if (in_.failed() || !collision::isSound(*made))
            return in_.refuse();
        solid = std::move(made);
    }
    void read(std::shared_ptr<const geometry::SurfaceMesh>& surface) {
        bool present = false;
        read(present);
        if (!present)
            return surface.reset();
        auto made = std::make_shared<geometry::SurfaceMesh>();
        read(*made);
        surface = std::move(made);
    }
    template <class T>
    requires kIsSharedLook<T>
    void read(std::shared_ptr<const T>& look) {
        bool present = false;
        read(present);
        if (!present)
            return look.reset();
        auto made = std::make_shared<T>();
        read(*made);
        look = std::move(made);
    }
    void read(Shape& shape) {
        const std::uint8_t index = in_.value<std::uint8_t>();
        if (index >= std::variant_size_v<Shape> || depth_ >= kDeepestShape)
            return in_.refuse();
        ++depth_;
        readAlternative(shape, index, std::make_index_sequence<std::variant_size_v<Shape>>());
        --depth_;
    }
    template <std::size_t... indices>
    void readAlternative(Shape& shape, std::size_t index, std::index_sequence<indices...>) {
        ((indices == index ? read(shape.emplace<indices>()) : void()), ...);
    }

    BinaryReader& in_;
    std::span<const SharedShape> shapes_;
    PatternList* patterns_ = nullptr;
    int depth_ = 0;
};

// A hash of the types that are visited. It changes with every change of a struct, so that bytes of another version of the
// library are refused even if the version number was not increased.
class LayoutFingerprint {
public:
    template <class... T>
    void operator()(const T&... values) {
        (add(values), ...);
    }
    template <class... T>
    void aside(const T&... values) {
        (*this)(values...);
    }
    template <class T, std::size_t n>
    void firstOf(const T (&values)[n], std::int32_t) {
        hash_.add(n);
        add(values[0]);
    }
    template <class... T>
    void alternative(const std::variant<T...>&) {
        note(kVariant, sizeof...(T));
        (add(T{}), ...);
    }
    std::uint64_t value() const { return hash_.value(); }

private:
    enum Kind : std::uint64_t { kFlat = 1, kText, kOptional, kVector, kArray, kShared, kShape, kVariant };
    void note(Kind kind, std::uint64_t size) { hash_.add(kind << 32 | size); }

    template <class T>
    void add(const T& value) {
        if constexpr (kIsFlat<T>)
            note(kFlat, sizeof(T));
        else
            visitMembers(*this, value);
    }
    void add(const std::string&) { note(kText, 0); }
    template <class T>
    void add(const std::optional<T>&) {
        note(kOptional, 0);
        add(T{});
    }
    template <class T>
    void add(const Rare<T>&) {
        note(kOptional, 0);
        add(T{});
    }
    template <class T, class A>
    void add(const std::vector<T, A>&) {
        note(kVector, 0);
        add(T{});
    }
    template <class T, std::size_t n>
    void add(const std::array<T, n>& values) {
        note(kArray, n);
        add(values[0]);
    }
    void add(const SharedShape&) { note(kShared, 0); }
    void add(const SharedPattern&) { note(kShared, 1); }
    void add(const std::shared_ptr<const SampledSolid>&) { add(SampledSolid{}); }
    void add(const std::shared_ptr<const geometry::SurfaceMesh>&) { add(geometry::SurfaceMesh{}); }
    template <class T>
    requires kIsSharedLook<T>
    void add(const std::shared_ptr<const T>&) {
        note(kOptional, 0);
        add(T{});
    }
    void add(const Shape&) {
        note(kShape, std::variant_size_v<Shape>);
        if (insideShape_)  // shapes contain shapes
            return;
        insideShape_ = true;
        addAlternatives(std::make_index_sequence<std::variant_size_v<Shape>>());
        insideShape_ = false;
    }
    template <std::size_t... indices>
    void addAlternatives(std::index_sequence<indices...>) {
        (add(std::variant_alternative_t<indices, Shape>{}), ...);
    }

    Hasher hash_;
    bool insideShape_ = false;
};

}  // namespace sunder::world
