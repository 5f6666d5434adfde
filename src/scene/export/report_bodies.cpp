#include "scene/export/report_bodies.h"

#include <fmt/format.h>

#include <algorithm>

#include "scene/export/report_plots.h"

namespace sunder::scene {

namespace {

constexpr std::size_t kMostRows = 200;  // the number of the others follows

std::string cells(std::initializer_list<std::string> texts, const char* element) {
    std::string row = "<tr>";
    for (const std::string& text : texts)
        row += fmt::format("<{0}>{1}</{0}>", element, htmlText(text));
    return row + "</tr>\n";
}

std::string outcome(const BodyFacts& row, const BlowsByTrack::Blow& blow) {
    if (blow.broken == 0)
        return "";
    return row.count == 1 ? "broke" : fmt::format("{} broke", blow.broken);
}

std::string number(double value, const char* otherwise = "") { return value > 0 ? fmt::format("{:.4g}", value) : otherwise; }

}  // namespace

void BlowsByTrack::add(const RecordedEvent& event) {
    if ((event.type != RecordedEventType::Blow && event.type != RecordedEventType::Break) || event.a == kNoTrack)
        return;
    if (event.a >= blows_.size())
        blows_.resize(event.a + 1);
    Blow& blow = blows_[event.a];
    blow.impulse = std::max(blow.impulse, double(event.impulse));
    blow.broken += event.type == RecordedEventType::Break;
}

BlowsByTrack::Blow BlowsByTrack::of(std::size_t firstTrack, std::size_t count) const {
    Blow sum;
    for (std::size_t track = firstTrack; track < std::min(firstTrack + count, blows_.size()); ++track) {
        sum.impulse = std::max(sum.impulse, blows_[track].impulse);
        sum.broken += blows_[track].broken;
    }
    return sum;
}

std::string bodiesHtml(const std::vector<BodyFacts>& bodies, const BlowsByTrack& blows) {
    if (bodies.empty())
        return "";
    std::string html =
        "<h2>Bodies</h2>\n<p class=\"faint\">A threshold between the largest blow "
        "of "
        "a handling that it must survive and that of the hit that must break it is a good one.</p>\n<table>" +
        cells({"body", "mass, kg", "size, m", "cells across its thinnest wall", "threshold, N s", "largest blow, N s", ""},
              "th");
    std::size_t track = 0, shown = 0;
    for (const BodyFacts& body : bodies) {
        const BlowsByTrack::Blow blow = blows.of(track, std::size_t(body.count));
        track += std::size_t(body.count);
        if (++shown > kMostRows)
            continue;
        html += cells({body.text(), number(body.mass, "fixed"),
                       fmt::format("{:.3g} x {:.3g} x {:.3g}", body.size[0], body.size[1], body.size[2]),
                       body.cell > 0 ? fmt::format("{:.3g}", body.wall / body.cell) : "", number(body.threshold),
                       number(blow.impulse), outcome(body, blow)},
                      "td");
    }
    html += "</table>\n";
    if (shown > kMostRows)
        html += fmt::format("<p class=\"faint\">and {} more rows</p>\n", shown - kMostRows);
    return html;
}

}  // namespace sunder::scene
