// Along a row a distance mostly continues with the difference of the two nodes before. A byte b of 0 to 239 stands for b - 120
// more than that, 240 + k for k + 2 nodes that continue exactly, and 255 for a full distance (u16) after it.
#include "geometry/patterns/pattern_file.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/binary_reader.h"
#include "core/binary_writer.h"
#include "core/checksum.h"
#include "geometry/cells/rough_complex.h"

namespace sunder::geometry {
namespace {

constexpr char kMagic[8] = {'S', 'U', 'N', 'D', 'R', 'P', 'A', 'T'};
constexpr std::uint32_t kFirstVersion = 1, kSampledVersion = 2, kVersion = 3;
constexpr std::uint32_t kIsDrawn = 1, kIsFixed = 2, kIsPrism = 4, kAllFlags = 7;
constexpr int kMiddle = 120, kFirstRepeat = 240, kInFull = 255, kShortestRepeat = 2;
constexpr std::size_t kLongestRepeat = kInFull - 1 - kFirstRepeat + kShortestRepeat;
constexpr std::uint64_t kMostFileNodes = std::uint64_t(1) << 28;

void writeLabels(BinaryWriter& out, std::span<const std::uint16_t> labels) {
    for (std::size_t at = 0; at < labels.size();) {
        std::size_t end = at + 1;
        while (end < labels.size() && labels[end] == labels[at] && end - at < 0xffff)
            ++end;
        out.value(labels[at]);
        out.value(std::uint16_t(end - at));
        at = end;
    }
}

bool readLabels(BinaryReader& in, std::span<std::uint16_t> labels) {
    for (std::size_t at = 0; at < labels.size();) {
        const std::uint16_t label = in.value<std::uint16_t>(), count = in.value<std::uint16_t>();
        if (in.failed() || count == 0 || count > labels.size() - at)
            return false;
        std::fill_n(labels.begin() + std::ptrdiff_t(at), count, label);
        at += count;
    }
    return true;
}

class Prediction {
public:
    int next() const { return std::clamp(2 * last_ - before_, 1, int(Pattern::kMostSteps)); }
    void add(int value) {
        before_ = last_;
        last_ = value;
    }

private:
    int last_ = 0, before_ = 0;
};

void writeDistances(BinaryWriter& out, std::span<const std::uint16_t> distances) {
    Prediction prediction;
    for (std::size_t at = 0; at < distances.size();) {
        std::size_t same = 0;
        Prediction ahead = prediction;
        for (; same < kLongestRepeat && at + same < distances.size() && distances[at + same] == ahead.next(); ++same)
            ahead.add(ahead.next());
        if (same >= kShortestRepeat) {
            out.value(std::uint8_t(kFirstRepeat + int(same) - kShortestRepeat));
            prediction = ahead;
            at += same;
            continue;
        }
        const int difference = distances[at] - prediction.next() + kMiddle;
        if (difference >= 0 && difference < kFirstRepeat) {
            out.value(std::uint8_t(difference));
        } else {
            out.value(std::uint8_t(kInFull));
            out.value(distances[at]);
        }
        prediction.add(distances[at++]);
    }
}

bool readDistances(BinaryReader& in, std::span<std::uint16_t> distances) {
    Prediction prediction;
    for (std::size_t at = 0; at < distances.size();) {
        const int code = in.value<std::uint8_t>();
        if (in.failed())
            return false;
        const bool isRepeat = code >= kFirstRepeat && code < kInFull;
        const std::size_t count = isRepeat ? std::size_t(code - kFirstRepeat + kShortestRepeat) : 1;
        if (count > distances.size() - at)
            return false;
        for (std::size_t i = 0; i < count; ++i) {
            const int value = isRepeat
                                  ? prediction.next()
                                  : (code == kInFull ? int(in.value<std::uint16_t>()) : prediction.next() + code - kMiddle);
            prediction.add(value);
            distances[at++] = std::uint16_t(value);
        }
    }
    return true;
}

// Files without faces have the version before them, which older programs read.
void writeHeader(BinaryWriter& out, const Pattern& pattern, bool hasComplex) {
    out.bytes(kMagic, sizeof(kMagic));
    out.value(hasComplex ? kVersion : kSampledVersion);
    out.value(std::uint32_t(pattern.regionCount));
    const Grid& grid = pattern.grid;
    for (const int count : {grid.nodes.x, grid.nodes.y, grid.nodes.z})
        out.value(std::uint32_t(count));
    const Quat& q = pattern.orientation;
    for (const Real number : {grid.cell, grid.origin.x, grid.origin.y, grid.origin.z, pattern.center.x, pattern.center.y,
                              pattern.center.z, q.x, q.y, q.z, q.w})
        out.value(double(number));
}

void writeDrawing(BinaryWriter& out, const DrawnTraits* drawn) {
    if (!drawn) {
        out.value(std::uint32_t(0));
        return;
    }
    out.value(kIsDrawn | (drawn->isFixed ? kIsFixed : 0u) | (drawn->isPrism ? kIsPrism : 0u));
    out.value(std::uint32_t(drawn->rest));
    const Vec3 &c = drawn->center, &n = drawn->normal;
    for (const Real number : {drawn->unit, c.x, c.y, c.z, n.x, n.y, n.z})
        out.value(double(number));
}

// Empty where what it says of the drawing is possible.
std::string readDrawing(BinaryReader& in, const Pattern& pattern, std::optional<DrawnTraits>& out) {
    const auto flags = in.value<std::uint32_t>();
    if (flags > kAllFlags)
        return "pattern file: impossible flags";
    if (in.failed() || (flags & kIsDrawn) == 0)
        return {};
    DrawnTraits& drawn = out.emplace();
    const auto rest = in.value<std::uint32_t>();
    Real numbers[7];
    for (Real& number : numbers)
        number = Real(in.value<double>());
    drawn.unit = numbers[0];
    drawn.center = {numbers[1], numbers[2], numbers[3]};
    drawn.normal = {numbers[4], numbers[5], numbers[6]};
    drawn.isFixed = (flags & kIsFixed) != 0;
    drawn.isPrism = (flags & kIsPrism) != 0;
    drawn.rest = std::uint16_t(std::min(rest, std::uint32_t(pattern.regionCount)));
    const bool isGood = drawn.unit >= 0 && std::isfinite(drawn.unit) && isFinite(drawn.center) && isFinite(drawn.normal) &&
                        std::fabs(length(drawn.normal) - 1) < Real(1e-3) && (!drawn.isFixed || drawn.unit > 0);
    return isGood && !in.failed() ? std::string() : "pattern file: impossible numbers of the drawing";
}

// Empty where the header is good. Checks the number of nodes before allocating memory for them.
std::string readHeader(BinaryReader& in, Pattern& pattern, std::uint32_t& version) {
    const std::span<const std::byte> magic = in.block(sizeof(kMagic));
    if (in.failed() || std::memcmp(magic.data(), kMagic, sizeof(kMagic)) != 0)
        return "pattern file: it does not start with SUNDRPAT";
    version = in.value<std::uint32_t>();
    if (version < kFirstVersion || version > kVersion)
        return "pattern file: version " + std::to_string(version) + " is not known, only 1 to " + std::to_string(kVersion);
    const auto regions = in.value<std::uint32_t>();
    const std::uint64_t nx = in.value<std::uint32_t>(), ny = in.value<std::uint32_t>(), nz = in.value<std::uint32_t>();
    Real numbers[11];
    for (Real& number : numbers)
        number = Real(in.value<double>());
    if (in.failed())
        return "pattern file: it ends within its header";
    if (regions == 0 || regions > 0xfffe || std::min({nx, ny, nz}) < 2 || std::max({nx, ny, nz}) > 0xffff ||
        nx * ny * nz > kMostFileNodes)
        return "pattern file: impossible numbers of regions or nodes";
    pattern.regionCount = std::uint16_t(regions);
    pattern.grid = {{numbers[1], numbers[2], numbers[3]}, numbers[0], {int(nx), int(ny), int(nz)}};
    pattern.center = {numbers[4], numbers[5], numbers[6]};
    pattern.orientation = {numbers[7], numbers[8], numbers[9], numbers[10]};
    return {};
}

void writeVector(BinaryWriter& out, const Vec3d& v) {
    for (const double number : {v.x, v.y, v.z})
        out.value(number);
}
Vec3d readVector(BinaryReader& in) {
    Vec3d v;
    for (double* number : {&v.x, &v.y, &v.z})
        *number = in.value<double>();
    return v;
}

void writeComplex(BinaryWriter& out, const DrawnComplex& drawn) {
    out.value(std::uint32_t(drawn.complex.points.size()));
    out.value(std::uint32_t(drawn.complex.faces.size()));
    writeVector(out, drawn.low);
    writeVector(out, drawn.high);
    for (const Vec3d& point : drawn.complex.points)
        writeVector(out, point);
    for (const CellComplex::Face& face : drawn.complex.faces) {
        for (const std::uint32_t number : {face.points[0], face.points[1], face.points[2], face.front, face.back, face.group})
            out.value(number);
        writeVector(out, face.normal);
    }
}

bool isFinite(const Vec3d& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

bool isGood(const CellComplex::Face& face, const CellComplex& complex, std::uint32_t regions) {
    const auto& [a, b, c] = face.points;
    return std::max({a, b, c}) < complex.points.size() && a != b && b != c && c != a && face.front != face.back &&
           std::min(face.front, face.back) >= 1 && std::max(face.front, face.back) <= regions &&
           std::fabs(dot(face.normal, face.normal) - 1) < 1e-6;
}

// Null where its numbers are impossible.
std::shared_ptr<const DrawnComplex> readComplex(BinaryReader& in, std::uint32_t regions) {
    constexpr std::size_t kPoint = 3 * sizeof(double), kFace = 6 * sizeof(std::uint32_t) + 3 * sizeof(double);
    auto drawn = std::make_shared<DrawnComplex>();
    CellComplex& complex = drawn->complex;
    const std::size_t points = in.value<std::uint32_t>(), faces = in.value<std::uint32_t>();
    drawn->low = readVector(in);
    drawn->high = readVector(in);
    if (in.failed() || in.remaining() < points * kPoint + faces * kFace)
        return {};
    for (std::size_t i = 0; i < points; ++i)
        if (!isFinite(complex.points.emplace_back(readVector(in))))
            return {};
    for (std::size_t i = 0; i < faces; ++i) {
        CellComplex::Face& face = complex.faces.emplace_back();
        for (std::uint32_t* number : {&face.points[0], &face.points[1], &face.points[2], &face.front, &face.back, &face.group})
            *number = in.value<std::uint32_t>();
        face.normal = readVector(in);
        if (!isGood(face, complex, regions))
            return {};
    }
    sortByPlanes(complex);
    return drawn;
}

}  // namespace

std::vector<std::byte> writePattern(const Pattern& pattern, const DrawnTraits* drawn, const DrawnComplex* complex) {
    BinaryWriter out;
    writeHeader(out, pattern, complex != nullptr);
    writeDrawing(out, drawn);
    writeLabels(out, pattern.labels);
    writeDistances(out, pattern.distances);
    if (complex)
        writeComplex(out, *complex);
    out.value(checksum(out.view()));
    return out.take();
}

PatternFile readPatternFile(std::span<const std::byte> bytes) {
    PatternFile file;
    PatternResult& result = file.result;
    Pattern& pattern = result.pattern;
    BinaryReader in(bytes);
    std::uint32_t version = kVersion;
    result.error = readHeader(in, pattern, version);
    if (!result.error.empty())
        return file;
    const std::size_t end = bytes.size() - sizeof(std::uint64_t);  // the header is longer than the checksum
    BinaryReader tail(bytes.subspan(end));
    if (tail.value<std::uint64_t>() != checksum(bytes.first(end))) {
        result.error = "pattern file: the checksum does not match, the file is damaged";
        return file;
    }
    if (version > kFirstVersion)
        result.error = readDrawing(in, pattern, file.drawn);
    if (!result.error.empty())
        return file;
    pattern.labels.resize(pattern.grid.nodeCount());
    pattern.distances.resize(pattern.grid.nodeCount());
    if (!readLabels(in, pattern.labels) || !readDistances(in, pattern.distances))
        result.error = "pattern file: it ends before all nodes are given";
    else
        result.error = check(pattern);
    if (result.error.empty() && version > kSampledVersion) {
        file.complex = readComplex(in, pattern.regionCount);
        if (!file.complex)
            result.error = "pattern file: impossible faces between regions";
    }
    if (result.error.empty())
        pattern.hasSharpFaces = findSharpFaces(pattern);
    return file;
}

}  // namespace sunder::geometry
