#include "scene/pattern/svg.h"

#include <algorithm>
#include <cmath>

#include "math/trigonometry.h"
#include "scene/mesh/mesh_files.h"
#include "scene/pattern/svg_path.h"
#include "sunder/definitions.h"

namespace sunder::scene {

namespace {

constexpr std::size_t kMostDepth = 256;         // of groups in groups
constexpr std::size_t kMostPoints = 4'000'000;  // of all curves
constexpr std::string_view kBlanks = " \t\r\n\f";

struct Transform {
    double a = 1, b = 0, c = 0, d = 1, e = 0, f = 0;  // x' = a x + c y + e, y' = b x + d y + f
    PlanePoint operator()(const PlanePoint& p) const { return {a * p[0] + c * p[1] + e, b * p[0] + d * p[1] + f}; }
};
Transform operator*(const Transform& p, const Transform& q) {
    return {p.a * q.a + p.c * q.b, p.b * q.a + p.d * q.b,       p.a * q.c + p.c * q.d,
            p.b * q.c + p.d * q.d, p.a * q.e + p.c * q.f + p.e, p.b * q.e + p.d * q.f + p.f};
}

struct Attribute {
    std::string_view name, value;
};

struct Tag {
    std::string_view name;  // without its namespace
    std::vector<Attribute> attributes;
    bool isEnd = false, isEmpty = false;

    std::string_view operator[](std::string_view key) const {
        for (const Attribute& attribute : attributes)
            if (attribute.name == key)
                return attribute.value;
        return {};
    }
};

std::string_view withoutNamespace(std::string_view name) {
    return name.substr(name.find(':') == name.npos ? 0 : name.find(':') + 1);
}

// Splits a text into its tags; what stands between them is of no interest.
class TagScanner {
public:
    explicit TagScanner(std::string_view text) : rest_(text) {}

    bool next(Tag& tag) {
        for (;;) {
            const std::size_t open = rest_.find('<');
            if (open == rest_.npos)
                return false;
            rest_.remove_prefix(open);
            if (skipTo("<!--", "-->") || skipTo("<![CDATA[", "]]>") || skipTo("<?", "?>") || skipTo("<!", ">"))
                continue;
            rest_.remove_prefix(1);
            read(tag);
            return true;
        }
    }

private:
    bool skipTo(std::string_view begin, std::string_view end) {
        if (!rest_.starts_with(begin))
            return false;
        const std::size_t at = rest_.find(end, begin.size());
        rest_.remove_prefix(at == rest_.npos ? rest_.size() : at + end.size());
        return true;
    }
    void skipBlanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(kBlanks), rest_.size())); }
    std::string_view take(std::string_view until) {
        const std::string_view word = rest_.substr(0, rest_.find_first_of(until));
        rest_.remove_prefix(word.size());
        return word;
    }
    void read(Tag& tag) {
        tag = {};
        tag.isEnd = !rest_.empty() && rest_[0] == '/';
        rest_.remove_prefix(tag.isEnd ? 1 : 0);
        tag.name = withoutNamespace(take(" \t\r\n\f/>"));
        for (skipBlanks(); !rest_.empty() && rest_[0] != '>'; skipBlanks()) {
            if (rest_[0] == '/') {
                tag.isEmpty = true;
                rest_.remove_prefix(1);
                continue;
            }
            Attribute attribute{take(" \t\r\n\f=/>"), {}};
            skipBlanks();
            if (!rest_.empty() && rest_[0] == '=') {
                rest_.remove_prefix(1);
                skipBlanks();
                if (rest_.empty() || (rest_[0] != '"' && rest_[0] != '\''))
                    throw Error("attribute " + quotedText(attribute.name) + " of <" + std::string(tag.name) +
                                "> has no quoted value");
                const char quote[2] = {rest_[0], '\0'};
                rest_.remove_prefix(1);
                attribute.value = take(quote);
                rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
            }
            tag.attributes.push_back(attribute);
        }
        rest_.remove_prefix(std::min<std::size_t>(1, rest_.size()));
    }
    std::string_view rest_;
};

// A length; its unit (px, mm, ...) is left out.
double lengthOf(const Tag& tag, std::string_view key) {
    const std::string_view value = tag[key];
    double number = 0;
    std::string problem;
    if (!value.empty())
        NumberScanner(value).next(number, problem);
    if (!problem.empty())
        throw Error("attribute " + quotedText(key) + " of <" + std::string(tag.name) + ">: " + problem);
    return number;
}

std::vector<double> numbersOf(std::string_view text, const std::string& where) {
    std::vector<double> numbers;
    NumberScanner scanner(text);
    std::string problem;
    for (double number = 0; scanner.next(number, problem);)
        numbers.push_back(number);
    if (!problem.empty())
        throw Error(where + ": " + problem);
    return numbers;
}

Transform oneTransform(std::string_view kind, const std::vector<double>& n) {
    const auto at = [&](std::size_t i, double otherwise) { return i < n.size() ? n[i] : otherwise; };
    if (kind == "matrix" && n.size() == 6)
        return {n[0], n[1], n[2], n[3], n[4], n[5]};
    if (kind == "translate" && !n.empty())
        return {1, 0, 0, 1, n[0], at(1, 0)};
    if (kind == "scale" && !n.empty())
        return {n[0], 0, 0, at(1, n[0]), 0, 0};
    if (kind == "rotate" && !n.empty()) {
        const double c = std::cos(n[0] * kDegree), s = std::sin(n[0] * kDegree), x = at(1, 0), y = at(2, 0);
        return Transform{1, 0, 0, 1, x, y} * Transform{c, s, -s, c, 0, 0} * Transform{1, 0, 0, 1, -x, -y};
    }
    if (kind == "skewX" && n.size() == 1)
        return {1, 0, std::tan(n[0] * kDegree), 1, 0, 0};
    if (kind == "skewY" && n.size() == 1)
        return {1, std::tan(n[0] * kDegree), 0, 1, 0, 0};
    throw Error("transform " + quotedText(kind) +
                " is not allowed (matrix, translate, scale, rotate, skewX or skewY with their numbers)");
}

Transform transformOf(std::string_view text) {
    Transform whole;
    for (;;) {
        text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n\f,"), text.size()));
        const std::size_t open = text.find('('), close = text.find(')');
        if (open == text.npos || close == text.npos || close < open)
            return whole;
        std::string_view kind = text.substr(0, open);
        kind = kind.substr(0, kind.find_last_not_of(kBlanks) + 1);
        whole = whole * oneTransform(kind, numbersOf(text.substr(open + 1, close - open - 1), "transform"));
        text.remove_prefix(close + 1);
    }
}

bool isHidden(const Tag& tag) {
    const std::string_view style = tag["style"];
    return tag["display"] == "none" || style.find("display:none") != style.npos || style.find("display: none") != style.npos;
}

// Elements whose contents are drawn only where another element refers to them.
bool isDefinition(std::string_view name) {
    constexpr std::string_view kDefinitions[] = {"defs", "clipPath", "mask", "symbol", "marker", "pattern"};
    return std::find(std::begin(kDefinitions), std::end(kDefinitions), name) != std::end(kDefinitions);
}

class SvgReader {
public:
    DrawnCurves read(std::string_view text) {
        TagScanner tags(text);
        bool isSvg = false;
        groups_.push_back({});
        for (Tag tag; tags.next(tag);) {
            if (tag.isEnd) {
                if (groups_.size() > 1)
                    groups_.pop_back();
                continue;
            }
            if (tag.name == "svg" && !isSvg) {
                isSvg = true;
                readSheet(tag);
            }
            const Group& parent = groups_.back();
            Group group{parent.toSheet * transformOf(tag["transform"]),
                        parent.isDrawn && !isHidden(tag) && !isDefinition(tag.name)};
            if (group.isDrawn)
                readShape(tag, group.toSheet);
            if (!tag.isEmpty)
                groups_.push_back(group);
            if (groups_.size() > kMostDepth)
                throw Error("elements nested deeper than " + std::to_string(kMostDepth));
        }
        if (!isSvg)
            throw Error("is not an SVG drawing (it has no <svg>)");
        if (drawn_.polylines.empty())
            throw Error(
                "has no curves (path, line, polyline, polygon, rect, circle and ellipse are read; text must be made into "
                "paths)");
        if (!(drawn_.high[0] > drawn_.low[0] && drawn_.high[1] > drawn_.low[1]))
            fitSheet();
        return std::move(drawn_);
    }

private:
    struct Group {
        Transform toSheet;
        bool isDrawn = true;
    };

    void readSheet(const Tag& tag) {
        const std::vector<double> box = numbersOf(tag["viewBox"], "viewBox");
        if (box.size() == 4) {
            drawn_.low = {box[0], box[1]};
            drawn_.high = {box[0] + box[2], box[1] + box[3]};
        } else if (tag["width"].find('%') == std::string_view::npos) {
            drawn_.high = {lengthOf(tag, "width"), lengthOf(tag, "height")};
        }
    }
    void fitSheet() {
        drawn_.low = drawn_.high = drawn_.polylines[0][0];
        for (const Polyline& line : drawn_.polylines)
            for (const PlanePoint& p : line)
                for (std::size_t i = 0; i < 2; ++i) {
                    drawn_.low[i] = std::min(drawn_.low[i], p[i]);
                    drawn_.high[i] = std::max(drawn_.high[i], p[i]);
                }
    }
    void readShape(const Tag& tag, const Transform& toSheet) {
        std::vector<Polyline> lines;
        const auto value = [&](std::string_view key) { return lengthOf(tag, key); };
        if (tag.name == "path") {
            ++paths_;
            if (const std::string problem = readPath(tag["d"], lines); !problem.empty())
                throw Error("path " + std::to_string(paths_) + (tag["id"].empty() ? "" : " (" + quotedText(tag["id"]) + ")") +
                            ": " + problem);
        } else if (tag.name == "line") {
            lines.push_back({{value("x1"), value("y1")}, {value("x2"), value("y2")}});
        } else if (tag.name == "polyline" || tag.name == "polygon") {
            readPoints(tag, lines);
        } else if (tag.name == "rect") {
            const double x = value("x"), y = value("y"), w = value("width"), h = value("height");
            lines.push_back({{x, y}, {x + w, y}, {x + w, y + h}, {x, y + h}, {x, y}});
        } else if (tag.name == "circle" || tag.name == "ellipse") {
            EllipseArc arc{{value("cx"), value("cy")}, value("rx"), value("ry"), 0, 0, 360 * kDegree};
            if (tag.name == "circle")
                arc.radiusX = arc.radiusY = value("r");
            addArc(arc, lines.emplace_back());
            lines.back().back() = lines.back().front();
        }
        for (Polyline& line : lines) {
            for (PlanePoint& p : line)
                p = toSheet(p);
            points_ += line.size();
            if (points_ > kMostPoints)
                throw Error("has curves of more than " + std::to_string(kMostPoints) + " points");
            drawn_.polylines.push_back(std::move(line));
        }
    }
    static void readPoints(const Tag& tag, std::vector<Polyline>& lines) {
        const std::vector<double> numbers = numbersOf(tag["points"], "points of <" + std::string(tag.name) + ">");
        Polyline line;
        for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
            line.push_back({numbers[i], numbers[i + 1]});
        if (tag.name == "polygon" && !line.empty())
            line.push_back(line.front());
        if (line.size() > 1)
            lines.push_back(std::move(line));
    }

    DrawnCurves drawn_;
    std::vector<Group> groups_;
    std::size_t paths_ = 0, points_ = 0;
};

}  // namespace

DrawnCurves readSvg(std::string_view text) { return SvgReader().read(text); }

}  // namespace sunder::scene
