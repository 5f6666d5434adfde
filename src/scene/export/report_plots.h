// Line plots as SVG that can be read without a script and in print; the numbers are included for the script that zooms.
#pragma once

#include <string>
#include <vector>

namespace sunder::scene {

struct PlotSeries {
    std::string name;
    std::vector<double> values;  // one per frame; what is not finite is left out
};

struct Plot {
    std::string title, unit;
    std::vector<PlotSeries> series;
    bool fromZero = false;  // the axis begins at 0
};

// A figure element. times are in seconds, ascending.
std::string plotHtml(const Plot& plot, const std::vector<double>& times);

// At most `count` round numbers from low to high.
std::vector<double> roundTicks(double low, double high, int count);

std::string htmlText(const std::string& text);

}  // namespace sunder::scene
