#include "scene/pattern/svg_path.h"

#include <algorithm>
#include <cmath>

#include "math/trigonometry.h"
#include "scene/mesh/mesh_files.h"

namespace sunder::scene {

namespace {

// Lines that stand for a curve. Over a curve as long as the drawing they are off by a ten-thousandth of it, less than a
// pattern resolves.
constexpr int kLinesPerCurve = 32;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

std::size_t digitsAt(std::string_view text, std::size_t from) {
    std::size_t at = from;
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at - from;
}

// How many characters of the front make a number.
std::size_t numberLength(std::string_view text) {
    std::size_t at = !text.empty() && (text[0] == '+' || text[0] == '-') ? 1 : 0;
    std::size_t digits = digitsAt(text, at);
    at += digits;
    if (at < text.size() && text[at] == '.') {
        const std::size_t more = digitsAt(text, at + 1);
        digits += more;
        at += 1 + more;
    }
    if (digits == 0)
        return 0;
    if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
        const std::size_t sign = at + 1 < text.size() && (text[at + 1] == '+' || text[at + 1] == '-') ? 1 : 0;
        const std::size_t exponent = digitsAt(text, at + 1 + sign);
        at += exponent > 0 ? 1 + sign + exponent : 0;
    }
    return at;
}

PlanePoint mix(const PlanePoint& a, const PlanePoint& b, double t) {
    return {a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t};
}

class PathReader {
public:
    PathReader(std::string_view data, std::vector<Polyline>& out) : numbers_(data), out_(out) {}

    std::string read() {
        char command = 0;
        while (problem_.empty() && !numbers_.isAtEnd()) {
            if (const char letter = numbers_.nextLetter())
                command = letter;
            else if (command == 0 || command == 'Z' || command == 'z')
                return "begins with '" + std::string(numbers_.rest().substr(0, 12)) + "' (M or m is needed)";
            if (!isStarted_ && command != 'M' && command != 'm')
                return std::string("begins with '") + command + "' (M or m is needed)";
            obey(command);
            // More pairs after a move are lines.
            command = command == 'M' ? 'L' : command == 'm' ? 'l' : command;
        }
        return problem_;
    }

private:
    void obey(char command) {
        const bool isRelative = command >= 'a';
        const PlanePoint origin = isRelative ? at_ : PlanePoint{};
        switch (isRelative ? char(command - 'a' + 'A') : command) {
            case 'M': move(point(origin)); break;
            case 'L': line(point(origin)); break;
            case 'H': line({origin[0] + number(), at_[1]}); break;
            case 'V': line({at_[0], origin[1] + number()}); break;
            case 'C': cubic(point(origin), origin); break;
            case 'S': cubic(mirrored(wasCubic_), origin); break;
            case 'Q': quadratic(point(origin), origin); break;
            case 'T': quadratic(mirrored(wasQuadratic_), origin); break;
            case 'A': arc(origin); break;
            case 'Z': close(); break;
            default: problem_ = std::string("'") + command + "' is not a command of a path (M L H V C S Q T A Z)";
        }
        const char upper = isRelative ? char(command - 'a' + 'A') : command;
        wasCubic_ = upper == 'C' || upper == 'S';
        wasQuadratic_ = upper == 'Q' || upper == 'T';
    }
    double number() {
        double value = 0;
        if (problem_.empty() && !numbers_.next(value, problem_) && problem_.empty())
            problem_ = "ends within a command";
        return value;
    }
    PlanePoint point(const PlanePoint& origin) {
        const double x = number(), y = number();
        return {origin[0] + x, origin[1] + y};
    }
    // The handle on the other side of the last point; without one, the point itself.
    PlanePoint mirrored(bool isContinued) const {
        return isContinued ? PlanePoint{2 * at_[0] - handle_[0], 2 * at_[1] - handle_[1]} : at_;
    }
    void move(const PlanePoint& to) {
        out_.push_back({to});
        at_ = start_ = to;
        isStarted_ = true;
    }
    void line(const PlanePoint& to) {
        if (out_.back().empty())
            out_.back().push_back(at_);
        out_.back().push_back(to);
        at_ = to;
    }
    void close() {
        line(start_);
        out_.emplace_back();
    }
    void cubic(const PlanePoint& first, const PlanePoint& origin) {
        const PlanePoint second = point(origin), to = point(origin), from = at_;
        for (int i = 1; i <= kLinesPerCurve; ++i) {
            const double t = double(i) / kLinesPerCurve;
            const PlanePoint a = mix(from, first, t), b = mix(first, second, t), c = mix(second, to, t);
            line(mix(mix(a, b, t), mix(b, c, t), t));
        }
        handle_ = second;
    }
    void quadratic(const PlanePoint& middle, const PlanePoint& origin) {
        const PlanePoint to = point(origin), from = at_;
        for (int i = 1; i <= kLinesPerCurve; ++i) {
            const double t = double(i) / kLinesPerCurve;
            line(mix(mix(from, middle, t), mix(middle, to, t), t));
        }
        handle_ = middle;
    }
    // By the two ends, as SVG 1.1 F.6 describes it.
    void arc(const PlanePoint& origin) {
        double radiusX = std::fabs(number()), radiusY = std::fabs(number());
        const double turn = number() * kPiDouble / 180;
        bool isLarge = false, isSweeping = false;
        if (problem_.empty() && (!numbers_.nextFlag(isLarge, problem_) || !numbers_.nextFlag(isSweeping, problem_)) &&
            problem_.empty())
            problem_ = "ends within an arc";
        const PlanePoint to = point(origin), from = at_;
        if (!problem_.empty() || !(radiusX > 0 && radiusY > 0) || to == from)
            return line(to);
        const double c = std::cos(turn), s = std::sin(turn), dx = (from[0] - to[0]) / 2, dy = (from[1] - to[1]) / 2;
        const double x = c * dx + s * dy, y = -s * dx + c * dy;
        const double tooFar = (x / radiusX) * (x / radiusX) + (y / radiusY) * (y / radiusY);
        if (tooFar > 1) {
            radiusX *= std::sqrt(tooFar);
            radiusY *= std::sqrt(tooFar);
        }
        const double rx2 = radiusX * radiusX, ry2 = radiusY * radiusY, below = rx2 * y * y + ry2 * x * x;
        const double size = std::sqrt(std::max((rx2 * ry2 - below) / below, 0.0)) * (isLarge == isSweeping ? -1 : 1);
        const double mx = size * radiusX * y / radiusY, my = -size * radiusY * x / radiusX;
        EllipseArc arc;
        arc.radiusX = radiusX;
        arc.radiusY = radiusY;
        arc.turn = turn;
        arc.middle = {c * mx - s * my + (from[0] + to[0]) / 2, s * mx + c * my + (from[1] + to[1]) / 2};
        arc.from = std::atan2((y - my) / radiusY, (x - mx) / radiusX);
        arc.to = std::atan2((-y - my) / radiusY, (-x - mx) / radiusX);
        if (isSweeping && arc.to < arc.from)
            arc.to += 2 * kPiDouble;
        if (!isSweeping && arc.to > arc.from)
            arc.to -= 2 * kPiDouble;
        line(from);
        addArc(arc, out_.back());
        line(to);
    }

    NumberScanner numbers_;
    std::vector<Polyline>& out_;
    PlanePoint at_{}, start_{}, handle_{};
    bool isStarted_ = false, wasCubic_ = false, wasQuadratic_ = false;
    std::string problem_;
};

}  // namespace

void NumberScanner::skip() {
    constexpr std::string_view kBetween = " \t\r\n\f,";
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kBetween), rest_.size()));
}

bool NumberScanner::isAtEnd() {
    skip();
    return rest_.empty();
}

bool NumberScanner::next(double& number, std::string& problem) {
    if (isAtEnd())
        return false;
    const std::size_t length = numberLength(rest_);
    if (length == 0 || !parseNumber(rest_.substr(0, length), number) || !std::isfinite(number)) {
        problem = quotedText(rest_) + " is not a number";
        return false;
    }
    rest_.remove_prefix(length);
    return true;
}

bool NumberScanner::nextFlag(bool& flag, std::string& problem) {
    if (isAtEnd())
        return false;
    if (rest_[0] != '0' && rest_[0] != '1') {
        problem = quotedText(rest_) + " is not a flag of an arc (0 or 1)";
        return false;
    }
    flag = rest_[0] == '1';
    rest_.remove_prefix(1);
    return true;
}

char NumberScanner::nextLetter() {
    skip();
    const char c = rest_.empty() ? '\0' : rest_[0];
    if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')))
        return 0;
    rest_.remove_prefix(1);
    return c;
}

void addArc(const EllipseArc& arc, Polyline& out) {
    const double c = std::cos(arc.turn), s = std::sin(arc.turn);
    // A whole ellipse has twice as many lines as a curve.
    const int lines = std::max(int(std::ceil(std::fabs(arc.to - arc.from) / kPiDouble * kLinesPerCurve)), 1);
    for (int i = 0; i <= lines; ++i) {
        const double angle = arc.from + (arc.to - arc.from) * i / lines;
        const double x = arc.radiusX * std::cos(angle), y = arc.radiusY * std::sin(angle);
        out.push_back({arc.middle[0] + c * x - s * y, arc.middle[1] + s * x + c * y});
    }
}

std::string readPath(std::string_view data, std::vector<Polyline>& out) {
    std::vector<Polyline> read;
    std::string problem = PathReader(data, read).read();
    for (Polyline& line : read)
        if (line.size() > 1)
            out.push_back(std::move(line));
    return problem;
}

}  // namespace sunder::scene
