// The data of an SVG path as lines: "M 10 10 L 20 20 C ... Z".
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace sunder::scene {

using PlanePoint = std::array<double, 2>;
using Polyline = std::vector<PlanePoint>;

// An ellipse or a part of it, from one angle (rad) to another, turned by an angle about its middle.
struct EllipseArc {
    PlanePoint middle{};
    double radiusX = 0, radiusY = 0, turn = 0, from = 0, to = 0;
};
void addArc(const EllipseArc& arc, Polyline& out);

// Numbers that blanks, commas or signs divide. False at the end, and with `problem` set where something else stands there.
class NumberScanner {
public:
    explicit NumberScanner(std::string_view text) : rest_(text) {}
    bool next(double& number, std::string& problem);
    // A 0 or 1 that nothing need divide from what follows, as in arcs.
    bool nextFlag(bool& flag, std::string& problem);
    // The letter that stands next, or 0; it is taken.
    char nextLetter();
    bool isAtEnd();
    std::string_view rest() const { return rest_; }

private:
    void skip();
    std::string_view rest_;
};

// Adds one polyline for each part of the path. Returns what is wrong, or nothing.
std::string readPath(std::string_view data, std::vector<Polyline>& out);

}  // namespace sunder::scene
