// PLY, text and binary in both byte orders: elements "vertex" (x, y, z; red, green, blue, alpha) and "face" (vertex_indices or
// vertex_index); other elements and properties are skipped.
#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

namespace {

enum class Type { Int8, UInt8, Int16, UInt16, Int32, UInt32, Float32, Float64 };
enum class Format { Text, LittleEndian, BigEndian };

struct TypeName {
    std::string_view name;
    Type type;
};
constexpr TypeName kTypeNames[] = {
    {"char", Type::Int8},     {"int8", Type::Int8},       {"uchar", Type::UInt8},    {"uint8", Type::UInt8},
    {"short", Type::Int16},   {"int16", Type::Int16},     {"ushort", Type::UInt16},  {"uint16", Type::UInt16},
    {"int", Type::Int32},     {"int32", Type::Int32},     {"uint", Type::UInt32},    {"uint32", Type::UInt32},
    {"float", Type::Float32}, {"float32", Type::Float32}, {"double", Type::Float64}, {"float64", Type::Float64}};
constexpr std::size_t kTypeSizes[] = {1, 1, 2, 2, 4, 4, 4, 8};

struct Property {
    std::string name;
    Type type = Type::Float32;
    bool isList = false;
    Type countType = Type::UInt8;
};

struct Element {
    std::string name;
    std::int64_t count = 0;
    std::vector<Property> properties;
};

struct PlyHeader {
    Format format = Format::Text;
    std::vector<Element> elements;
    std::size_t size = 0;   // bytes up to the data
    std::size_t lines = 0;  // lines up to the data
};

bool isFloat(Type type) { return type == Type::Float32 || type == Type::Float64; }

class HeaderReader {
public:
    HeaderReader(std::string_view data, const MeshBuilder& builder) : data_(data), builder_(builder) {}

    PlyHeader read() {
        if (takeWord() != "ply")
            builder_.fail("is not a PLY file: the first line must be 'ply'");
        bool hasFormat = false;
        for (;;) {
            nextLine();
            const std::string_view keyword = takeWord();
            if (keyword == "end_header")
                break;
            if (keyword == "format")
                hasFormat = readFormat();
            else if (keyword == "element")
                readElement();
            else if (keyword == "property")
                readProperty();
            else if (keyword != "comment" && keyword != "obj_info" && !keyword.empty())
                fail(quotedText(keyword) + " is not allowed (format, comment, element, property, end_header)");
        }
        if (!hasFormat)
            fail("the header has no format (ascii, binary_little_endian, binary_big_endian)");
        header_.size = offset_;
        header_.lines = line_;
        return header_;
    }

private:
    [[noreturn]] void fail(const std::string& what) { builder_.fail(Place{"line", line_}, what); }

    // A header line; the first one is fetched by the first word.
    void nextLine() {
        const std::size_t end = data_.find('\n', offset_);
        if (end == std::string_view::npos)
            fail("the header does not end ('end_header' is missing)");
        words_ = data_.substr(offset_, end - offset_);
        offset_ = end + 1;
        ++line_;
    }

    std::string_view takeWord() {
        if (line_ == 0)
            nextLine();
        return scene::takeWord(words_);
    }

    Type readType() {
        const std::string_view word = takeWord();
        for (const TypeName& known : kTypeNames)
            if (word == known.name)
                return known.type;
        fail(quotedText(word) + " is not a type (char, uchar, short, ushort, int, uint, float, double)");
    }

    bool readFormat() {
        const std::string_view word = takeWord();
        if (word == "ascii")
            header_.format = Format::Text;
        else if (word == "binary_little_endian")
            header_.format = Format::LittleEndian;
        else if (word == "binary_big_endian")
            header_.format = Format::BigEndian;
        else
            fail("format " + quotedText(word) + " is not allowed (ascii, binary_little_endian, binary_big_endian)");
        return true;
    }

    void readElement() {
        Element element;
        element.name = takeWord();
        const std::string_view count = takeWord();
        if (!parseInteger(count, element.count) || element.count < 0)
            fail(quotedText(count) + " is not a count (0 or more)");
        header_.elements.push_back(std::move(element));
    }

    void readProperty() {
        if (header_.elements.empty())
            fail("a property before the first element");
        Property property;
        const std::string_view before = words_;
        if (takeWord() == "list") {
            property.isList = true;
            property.countType = readType();
            if (isFloat(property.countType))
                fail("the count of a list must be an integer");
        } else {
            words_ = before;
        }
        property.type = readType();
        property.name = takeWord();
        header_.elements.back().properties.push_back(std::move(property));
    }

    std::string_view data_;
    const MeshBuilder& builder_;
    std::string_view words_;
    std::size_t offset_ = 0;
    std::size_t line_ = 0;
    PlyHeader header_;
};

// Numbers of the data part, from text or bytes.
class ValueReader {
public:
    ValueReader(const std::string& data, const PlyHeader& header, const MeshBuilder& builder)
        : text_(header.format == Format::Text),
          words_(std::string_view(data).substr(header.size), header.lines + 1),
          bytes_(data, header.size, header.format == Format::BigEndian),
          builder_(builder) {}

    Place place() const { return text_ ? words_.place() : bytes_.place(); }

    double read(Type type) { return text_ ? readText() : readBinary(type); }

private:
    double readText() {
        const std::string_view word = words_.next();
        double value = 0;
        if (!parseNumber(word, value))
            builder_.fail(place(),
                          word.empty() ? "the file ends before all its elements" : quotedText(word) + " is not a number");
        return value;
    }

    double readBinary(Type type) {
        if (!bytes_.has(kTypeSizes[int(type)]))
            builder_.fail(place(), "the file ends before all its elements");
        switch (type) {
            case Type::Int8: return bytes_.read<std::int8_t>();
            case Type::UInt8: return bytes_.read<std::uint8_t>();
            case Type::Int16: return bytes_.read<std::int16_t>();
            case Type::UInt16: return bytes_.read<std::uint16_t>();
            case Type::Int32: return bytes_.read<std::int32_t>();
            case Type::UInt32: return bytes_.read<std::uint32_t>();
            case Type::Float32: return bytes_.read<float>();
            case Type::Float64: break;
        }
        return bytes_.read<double>();
    }

    bool text_;
    WordCursor words_;
    ByteCursor bytes_;
    const MeshBuilder& builder_;
};

std::int64_t toInteger(double value, const Place& place, const MeshBuilder& builder) {
    if (!(value >= -2147483648.0 && value <= 4294967295.0) || value != double(std::int64_t(value)))
        builder.fail(place, "a count or an index is not a whole number");
    return std::int64_t(value);
}

// Of a vertex: x, y, z, red, green, blue, alpha.
constexpr std::string_view kVertexProperties[][2] = {{"x", "x"},
                                                     {"y", "y"},
                                                     {"z", "z"},
                                                     {"red", "diffuse_red"},
                                                     {"green", "diffuse_green"},
                                                     {"blue", "diffuse_blue"},
                                                     {"alpha", "diffuse_alpha"}};
constexpr std::size_t kVertexNumbers = std::size(kVertexProperties), kFirstColor = 3;

// The number among kVertexProperties, or kVertexNumbers where the property is none of them.
std::size_t vertexNumberOf(const Property& property) {
    std::size_t number = 0;
    while (number < kVertexNumbers && (property.isList || (property.name != kVertexProperties[number][0] &&
                                                           property.name != kVertexProperties[number][1])))
        ++number;
    return number;
}

// What stands for 1 in a colour of this type.
double fullColor(Type type) { return type == Type::UInt8 ? 255 : type == Type::UInt16 ? 65535 : 1; }

void readVertices(const Element& element, ValueReader& values, MeshBuilder& builder) {
    std::vector<std::size_t> numberOf;
    bool has[kVertexNumbers + 1] = {};
    for (const Property& property : element.properties)
        has[numberOf.emplace_back(vertexNumberOf(property))] = true;
    if (!has[0] || !has[1] || !has[2])
        builder.fail("the vertices have no x, y and z");
    const bool isColored = has[kFirstColor] && has[kFirstColor + 1] && has[kFirstColor + 2];
    for (std::int64_t i = 0; i < element.count; ++i) {
        std::array<double, kVertexNumbers + 1> numbers{0, 0, 0, 1, 1, 1, 1, 0};
        const Place place = values.place();
        for (std::size_t at = 0; at < numberOf.size(); ++at) {
            const Property& property = element.properties[at];
            std::int64_t count = 1;
            if (property.isList)
                count = toInteger(values.read(property.countType), values.place(), builder);
            for (std::int64_t k = 0; k < count; ++k)
                numbers[numberOf[at]] =
                    values.read(property.type) / (numberOf[at] < kFirstColor ? 1 : fullColor(property.type));
        }
        builder.addVertex({numbers[0], numbers[1], numbers[2]}, place);
        if (isColored)
            builder.colorVertex({numbers[3], numbers[4], numbers[5], numbers[6]});
    }
}

// Reads faces, or skips an element that is not needed.
void readLists(const Element& element, bool areFaces, ValueReader& values, MeshBuilder& builder) {
    // Each element has at least one value, so a false count ends with the file.
    if (element.properties.empty())
        return;
    std::vector<std::int64_t> corners;
    for (std::int64_t i = 0; i < element.count; ++i) {
        for (const Property& property : element.properties) {
            const Place place = values.place();
            const bool isFace =
                areFaces && property.isList && (property.name == "vertex_indices" || property.name == "vertex_index");
            std::int64_t count = 1;
            if (property.isList)
                count = toInteger(values.read(property.countType), place, builder);
            corners.clear();
            for (std::int64_t k = 0; k < count; ++k) {
                const double value = values.read(property.type);
                if (isFace)
                    corners.push_back(toInteger(value, place, builder));
            }
            if (isFace)
                builder.addPolygon(corners, place);
        }
    }
}

}  // namespace

void readPly(const std::string& data, MeshBuilder& builder) {
    const PlyHeader header = HeaderReader(data, builder).read();
    ValueReader values(data, header, builder);
    for (const Element& element : header.elements) {
        if (element.name == "vertex")
            readVertices(element, values, builder);
        else
            readLists(element, element.name == "face", values, builder);
    }
}

}  // namespace sunder::scene
