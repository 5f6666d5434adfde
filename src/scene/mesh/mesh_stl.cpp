// STL, text and binary. Normals are ignored: the order of the corners says the same.
#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

namespace {

constexpr std::size_t kHeaderSize = 84, kTriangleSize = 50;

void addTriangle(const std::array<std::array<double, 3>, 3>& corners, const Place& place, MeshBuilder& builder) {
    const std::int64_t first = std::int64_t(builder.vertexCount());
    for (const auto& corner : corners)
        builder.addVertex(corner, place);
    builder.addPolygon(std::array<std::int64_t, 3>{first, first + 1, first + 2}, place);
}

void readBinary(const std::string& data, std::uint32_t count, MeshBuilder& builder) {
    ByteCursor cursor(data, kHeaderSize, false);
    for (std::uint32_t i = 0; i < count; ++i) {
        const Place place = cursor.place();
        std::array<std::array<double, 3>, 3> corners;
        for (int skipped = 0; skipped < 3; ++skipped)
            cursor.read<float>();
        for (auto& corner : corners)
            for (double& coordinate : corner)
                coordinate = cursor.read<float>();
        cursor.read<std::uint16_t>();
        addTriangle(corners, place, builder);
    }
}

void readText(const std::string& text, MeshBuilder& builder) {
    WordCursor cursor(text);
    const auto expect = [&](std::string_view wanted) {
        const std::string_view word = cursor.next();
        if (word != wanted)
            builder.fail(cursor.place(), word.empty() ? "the file ends where '" + std::string(wanted) + "' should follow"
                                                      : quotedText(word) + " is not allowed ('" + std::string(wanted) + "')");
    };
    const auto readNumbers = [&]() {
        std::array<double, 3> numbers{};
        for (double& number : numbers) {
            const std::string_view word = cursor.next();
            if (!parseNumber(word, number))
                builder.fail(cursor.place(), quotedText(word) + " is not a number");
        }
        return numbers;
    };
    // The name after "solid" may be any words: look for the first facet.
    for (std::string_view word = cursor.next(); !word.empty(); word = cursor.next()) {
        if (word != "facet")
            continue;
        const Place place = cursor.place();
        expect("normal");
        readNumbers();
        expect("outer");
        expect("loop");
        std::array<std::array<double, 3>, 3> corners;
        for (auto& corner : corners) {
            expect("vertex");
            corner = readNumbers();
        }
        expect("endloop");
        expect("endfacet");
        addTriangle(corners, place, builder);
    }
}

}  // namespace

void readStl(const std::string& data, MeshBuilder& builder) {
    // Some binary files begin with "solid" too: the size decides first.
    std::uint32_t count = 0;
    if (data.size() >= kHeaderSize)
        count = ByteCursor(data, kHeaderSize - 4, false).read<std::uint32_t>();
    const std::uint64_t binarySize = kHeaderSize + kTriangleSize * std::uint64_t(count);
    const bool looksLikeText = data.compare(0, 5, "solid") == 0;
    if (data.size() >= kHeaderSize && (data.size() == binarySize || (!looksLikeText && data.size() > binarySize)))
        return readBinary(data, count, builder);
    if (looksLikeText)
        return readText(data, builder);
    if (data.size() < kHeaderSize)
        builder.fail("is not an STL file: text begins with 'solid', binary has a header of 84 bytes");
    builder.fail({"byte", kHeaderSize - 4}, "announces " + std::to_string(count) + " triangles, " + std::to_string(binarySize) +
                                                " bytes, but the file has " + std::to_string(data.size()));
}

}  // namespace sunder::scene
