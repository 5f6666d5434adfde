// See report_plots.h.
#include "scene/export/report_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "scene/text/json.h"

namespace sunder::scene {

namespace {

// Pixels. The script of the page (report_page.h) uses the same numbers.
constexpr double kWidth = 520, kHeight = 230, kLeft = 58, kRight = 10, kTop = 12, kBottom = 26;
// Told apart by hue and by brightness, so that grey prints and colour-blind readers can follow.
constexpr const char* kColors[] = {"#1b6ca8", "#e07a1f", "#3a9a5b", "#7a3e9d", "#444444"};

struct AxisRange {
    double low = 0, high = 1;
};

AxisRange rangeOf(const Plot& plot) {
    AxisRange range{plot.fromZero ? 0 : INFINITY, plot.fromZero ? 0 : -INFINITY};
    for (const PlotSeries& series : plot.series)
        for (const double value : series.values)
            if (std::isfinite(value)) {
                range.low = std::min(range.low, value);
                range.high = std::max(range.high, value);
            }
    if (!(range.low <= range.high))
        return {0, 1};
    const double size = std::max(std::fabs(range.low), std::fabs(range.high));
    if (range.high - range.low <= 1e-9 * size || size == 0) {
        const double margin = size > 0 ? 0.1 * size : 1;
        return {plot.fromZero ? range.low : range.low - margin, range.high + margin};
    }
    const double margin = 0.05 * (range.high - range.low);
    return {plot.fromZero ? range.low : range.low - margin, range.high + margin};
}

std::string labelText(double value) {
    if (std::fabs(value) < 1e-300)
        return "0";
    return std::fabs(value) >= 1e5 || std::fabs(value) < 1e-3 ? fmt::format("{:.3g}", value) : fmt::format("{:.6g}", value);
}

}  // namespace

std::vector<double> roundTicks(double low, double high, int count) {
    std::vector<double> ticks;
    if (!(high > low) || count < 1)
        return ticks;
    const double rough = (high - low) / count, power = std::pow(10, std::floor(std::log10(rough)));
    double step = 10 * power;
    for (const double factor : {1.0, 2.0, 5.0})
        if (factor * power >= rough * (1 - 1e-9)) {
            step = factor * power;
            break;
        }
    for (double i = std::ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; ++i)
        ticks.push_back(i * step);
    return ticks;
}

std::string htmlText(const std::string& text) {
    std::string result;
    for (const char c : text)
        switch (c) {
            case '&': result += "&amp;"; break;
            case '<': result += "&lt;"; break;
            case '>': result += "&gt;"; break;
            case '"': result += "&quot;"; break;
            default: result += c;
        }
    return result;
}

std::string plotHtml(const Plot& plot, const std::vector<double>& times) {
    const AxisRange y = rangeOf(plot);
    const double first = times.empty() ? 0 : times.front(), last = times.size() > 1 ? times.back() : first + 1;
    const auto toX = [&](double t) { return kLeft + (t - first) / (last - first) * (kWidth - kLeft - kRight); };
    const auto toY = [&](double v) { return kTop + (y.high - v) / (y.high - y.low) * (kHeight - kTop - kBottom); };
    fmt::memory_buffer out;
    const auto print = [&](auto format, const auto&... parts) {
        fmt::format_to(std::back_inserter(out), fmt::runtime(format), parts...);
    };
    print("<figure class=\"plot\"><figcaption>{}{}<span class=\"legend\">", htmlText(plot.title),
          plot.unit.empty() ? "" : " <small>" + htmlText(plot.unit) + "</small>");
    for (std::size_t i = 0; i < plot.series.size(); ++i)
        print("<span><i style=\"background:{}\"></i>{}</span>", kColors[i % std::size(kColors)], htmlText(plot.series[i].name));
    print("</span></figcaption>\n<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n<g class=\"axes\">", kWidth,
          kHeight, htmlText(plot.title));
    for (const double v : roundTicks(y.low, y.high, 5))
        print("<path d=\"M{} {:.1f}H{}\"/><text x=\"{}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>", kLeft, toY(v),
              kWidth - kRight, kLeft - 5, toY(v) + 3.5, labelText(v));
    for (const double t : roundTicks(first, last, 8))
        print("<path d=\"M{:.1f} {}v4\"/><text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{} s</text>", toX(t),
              kHeight - kBottom, toX(t), kHeight - 8, labelText(t));
    print("</g>\n<g class=\"lines\">");
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        print("<path stroke=\"{}\" d=\"", kColors[i % std::size(kColors)]);
        bool pen = false;
        const std::vector<double>& values = plot.series[i].values;
        for (std::size_t k = 0; k < values.size() && k < times.size(); ++k) {
            const bool good = std::isfinite(values[k]);
            if (good)
                print("{}{:.1f} {:.1f}", pen ? "L" : "M", toX(times[k]), toY(values[k]));
            pen = good;
        }
        print("\"/>");
    }
    print("</g></svg>\n");

    Json data{{"zero", plot.fromZero}, {"series", Json::array()}};
    for (std::size_t i = 0; i < plot.series.size(); ++i) {
        Json values = Json::array();
        for (const double value : plot.series[i].values)
            values.push_back(std::isfinite(value) ? Json(std::strtod(fmt::format("{:.6g}", value).c_str(), nullptr)) : Json());
        data["series"].push_back(
            {{"name", plot.series[i].name}, {"color", kColors[i % std::size(kColors)]}, {"values", std::move(values)}});
    }
    std::string text = data.dump(-1, ' ', true, Json::error_handler_t::replace);
    for (std::size_t at = 0; (at = text.find("</", at)) != std::string::npos;)
        text.replace(at, 2, "<\\/");
    return fmt::to_string(out) + "<script type=\"application/json\">" + text + "</script></figure>\n";
}

}  // namespace sunder::scene
