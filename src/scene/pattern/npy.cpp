// NumPy's format: "\x93NUMPY", version, length of the header, the header as the text of a Python dictionary, the numbers.
#include <algorithm>
#include <cstring>

#include "scene/mesh/mesh_files.h"
#include "scene/pattern/sample_files.h"
#include "sunder/definitions.h"

namespace sunder::scene {

namespace {

constexpr std::string_view kMagic = "\x93NUMPY";

struct NpyHeader {
    std::string type;  // "<u2"
    bool isFortran = false;
    std::vector<std::int64_t> shape;
    std::size_t dataAt = 0;
};

// What stands behind 'key': in the header.
std::string_view valueOf(std::string_view header, std::string_view key) {
    const std::size_t at = header.find(key);
    if (at == header.npos)
        throw Error("its header has no " + std::string(key));
    const std::size_t colon = header.find(':', at);
    std::string_view rest = header.substr(colon == header.npos ? header.size() : colon + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    return rest;
}

std::vector<std::int64_t> shapeOf(std::string_view text) {
    std::vector<std::int64_t> shape;
    text = text.substr(0, text.find(')'));
    text.remove_prefix(text.starts_with("(") ? 1 : 0);
    while (!text.empty()) {
        std::string_view word = text.substr(0, text.find(','));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        word.remove_prefix(std::min(word.find_first_not_of(' '), word.size()));
        std::int64_t number = 0;
        if (word.empty())
            continue;
        if (!parseInteger(word, number))
            throw Error("its shape has " + quotedText(word) + " (whole numbers are allowed)");
        shape.push_back(number);
    }
    return shape;
}

NpyHeader readHeader(const std::string& data) {
    if (data.size() < 12 || !data.starts_with(kMagic))
        throw Error("is not a NumPy file (numpy.save writes them)");
    const bool isLong = data[6] > 1;
    const std::size_t lengthBytes = isLong ? 4 : 2;
    ByteCursor cursor(data, 8, false);
    const std::size_t length = isLong ? cursor.read<std::uint32_t>() : cursor.read<std::uint16_t>();
    NpyHeader header;
    header.dataAt = 8 + lengthBytes + length;
    if (header.dataAt > data.size())
        throw Error("ends within its header");
    const std::string_view text(data.data() + 8 + lengthBytes, length);
    std::string_view type = valueOf(text, "'descr'");
    type.remove_prefix(std::min<std::size_t>(1, type.size()));
    header.type = std::string(type.substr(0, type.find('\'')));
    header.isFortran = valueOf(text, "'fortran_order'").starts_with("True");
    header.shape = shapeOf(valueOf(text, "'shape'"));
    return header;
}

template <class Number>
std::uint32_t labelAt(const char* bytes, std::size_t i) {
    Number number;
    std::memcpy(&number, bytes + i * sizeof number, sizeof number);
    if (number < 0 || std::uint64_t(number) > 0xffffffffu)
        throw Error("label " + std::to_string(number) + " is not allowed (0 to 4294967295)");
    return std::uint32_t(number);
}

using LabelReader = std::uint32_t (*)(const char*, std::size_t);
struct NumberType {
    const char* name;
    std::size_t size;
    LabelReader read;
};
constexpr NumberType kTypes[] = {{"|u1", 1, labelAt<std::uint8_t>},  {"|i1", 1, labelAt<std::int8_t>},
                                 {"<u2", 2, labelAt<std::uint16_t>}, {"<i2", 2, labelAt<std::int16_t>},
                                 {"<u4", 4, labelAt<std::uint32_t>}, {"<i4", 4, labelAt<std::int32_t>},
                                 {"<u8", 8, labelAt<std::uint64_t>}, {"<i8", 8, labelAt<std::int64_t>}};

}  // namespace

DrawnLabels readNpy(const std::string& data) {
    const NpyHeader header = readHeader(data);
    const auto type =
        std::find_if(std::begin(kTypes), std::end(kTypes), [&](const NumberType& t) { return header.type == t.name; });
    if (type == std::end(kTypes))
        throw Error("numbers of type " + quotedText(header.type) +
                    " are not allowed (whole numbers of 1 to 8 bytes, the lower first: uint8, uint16, int32, ...)");
    constexpr std::int64_t kMost = 1024;
    if (header.shape.size() != 3 ||
        std::any_of(header.shape.begin(), header.shape.end(), [](std::int64_t n) { return n < 2 || n > kMost; }))
        throw Error("an array with " + std::to_string(header.shape.size()) +
                    " axes is not allowed, or not its size (three axes x, y, z of 2 to 1024)");
    const std::size_t nx = std::size_t(header.shape[0]), ny = std::size_t(header.shape[1]), nz = std::size_t(header.shape[2]);
    if ((data.size() - header.dataAt) / type->size < nx * ny * nz)
        throw Error("ends before its " + std::to_string(nx * ny * nz) + " numbers");
    DrawnLabels drawn;
    drawn.size = {int(nx), int(ny), int(nz)};
    drawn.labels.reserve(nx * ny * nz);
    const char* bytes = data.data() + header.dataAt;
    for (std::size_t z = 0; z < nz; ++z)
        for (std::size_t y = 0; y < ny; ++y)
            for (std::size_t x = 0; x < nx; ++x)
                drawn.labels.push_back(type->read(bytes, header.isFortran ? x + nx * (y + ny * z) : z + nz * (y + ny * x)));
    return drawn;
}

}  // namespace sunder::scene
