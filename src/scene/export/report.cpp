// The report of a run: one HTML page with pictures, plots, settings, machine, and how to repeat it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <numeric>

#include "scene/export/report_bodies.h"
#include "scene/export/report_page.h"
#include "scene/export/report_plots.h"
#include "scene/text/json.h"
#include "sunder/scene/exports.h"
#include "sunder/scene/output_file.h"

namespace sunder {

namespace {

using scene::htmlText;
using scene::Json;
using scene::Plot;

constexpr int kStripFrames = 8, kStripWidth = 416, kStripHeight = 234;  // pictures of the run, pixels
constexpr std::uintmax_t kLargestMovie = 12u << 20;                     // bytes; a larger one is only linked to
constexpr std::size_t kMostWarnings = 20;                               // shown; the number of the others follows

std::string base64(std::string_view bytes) {
    constexpr char kDigits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        std::uint32_t word = 0;
        for (std::size_t k = 0; k < 3; ++k)
            word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
        for (std::size_t k = 0; k < 4; ++k)
            text += i + k <= bytes.size() ? kDigits[word >> (18 - 6 * k) & 63] : '=';
    }
    return text;
}

// All frames' numbers by column.
struct Numbers {
    std::vector<double> times;
    std::vector<std::string> names;
    std::vector<std::vector<double>> columns;

    std::vector<double> column(const std::string& name, double factor = 1) const {
        const auto found = std::find(names.begin(), names.end(), name);
        if (found == names.end())
            return {};
        std::vector<double> values = columns[std::size_t(found - names.begin())];
        for (double& value : values)
            value *= factor;
        return values;
    }
};

class ReportWriter {
public:
    ReportWriter(Recording& recording, const ReportOptions& options) : recording_(recording), options_(options) {}
    // Draws and reads; false where progress asked to end.
    bool gather(const ExportProgress& progress);
    std::string page() const;

private:
    std::string media() const;
    std::string keyFigures() const;
    std::string warnings() const;
    std::string plots() const;
    std::string bodies() const;
    std::string settings() const;
    std::string files() const;

    struct StripFrame {
        int frame;
        double time;
        std::string png;
    };
    Recording& recording_;
    const ReportOptions& options_;
    Numbers numbers_;
    std::vector<StripFrame> strip_;
    std::vector<std::string> errors_;  // of the run
    std::size_t errorCount_ = 0, hits_ = 0, most_ = 0;
    scene::BlowsByTrack blows_;
};

bool ReportWriter::gather(const ExportProgress& progress) {
    RenderOptions render;
    render.width = kStripWidth;
    render.height = kStripHeight;
    render.threads = options_.threads;
    Renderer renderer(render);
    const std::vector<int> stripFrames = ContactSheet::spread(recording_.frameCount() - 1, kStripFrames);
    numbers_.names = recording_.info().statNames;
    numbers_.columns.resize(numbers_.names.size());
    for (int frame = 0; frame < recording_.frameCount(); ++frame) {
        recording_.seek(frame);
        numbers_.times.push_back(recording_.time());
        for (std::size_t i = 0; i < numbers_.columns.size(); ++i)
            numbers_.columns[i].push_back(recording_.stats()[i]);
        most_ = std::max(most_, recording_.living().size());
        for (const RecordedEvent& event : recording_.events()) {
            hits_ += event.type == RecordedEventType::Hit;
            blows_.add(event);
            if (event.type == RecordedEventType::Error && ++errorCount_ <= kMostWarnings)
                errors_.push_back(fmt::format("frame {}: {}", recording_.runFrame(), event.text));
        }
        if (std::find(stripFrames.begin(), stripFrames.end(), frame) != stripFrames.end())
            strip_.push_back({recording_.runFrame(), recording_.time(), pngBytes(renderer.draw(recording_))});
        if (progress && !progress(frame + 1, recording_.frameCount()))
            return false;
    }
    return true;
}

std::string ReportWriter::media() const {
    std::string html;
    std::error_code error;
    if (!options_.movie.empty() && std::filesystem::file_size(options_.movie, error) <= kLargestMovie && !error) {
        std::ifstream file(options_.movie, std::ios::binary);
        const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
        html += "<video controls loop muted playsinline src=\"data:video/mp4;base64," + base64(bytes) + "\"></video>\n";
    }
    html += "<div class=\"strip\">";
    for (const StripFrame& frame : strip_)
        html += fmt::format(
            "<figure><img alt=\"frame {0}\" width=\"{1}\" height=\"{2}\" src=\"data:image/png;base64,{3}\">"
            "<figcaption>frame {0}, {4:.2f} s</figcaption></figure>\n",
            frame.frame, kStripWidth, kStripHeight, base64(frame.png), frame.time);
    return html + "</div>\n";
}

std::string ReportWriter::keyFigures() const {
    std::string html = "<div class=\"key\">";
    const auto add = [&](const std::string& value, const std::string& name) {
        html += "<div><b>" + htmlText(value) + "</b>" + htmlText(name) + "</div>";
    };
    const std::vector<double> step = numbers_.column("step_ms"), depth = numbers_.column("max_penetration", 1000);
    add(std::to_string(most_), "bodies at most");
    add(fmt::format("{} at {:g} Hz", std::max(recording_.frameCount() - 1, 0), recording_.info().frameRate), "frames");
    if (step.size() > 1)
        add(fmt::format("{:.3g} ms", std::accumulate(step.begin() + 1, step.end(), 0.0) / double(step.size() - 1)),
            "per frame, mean");
    if (!depth.empty())
        add(fmt::format("{:.3g} mm", *std::max_element(depth.begin(), depth.end())), "deepest penetration");
    add(std::to_string(hits_), "hits recorded");
    add(fmt::format("{:016x}", recording_.hash()), "hash of the last frame");
    return html + "</div>\n";
}

std::string ReportWriter::warnings() const {
    std::vector<std::string> all = options_.warnings;
    const std::vector<std::string>& about = recording_.info().facts.warnings;
    all.insert(all.end(), about.begin(), about.end());
    if (!recording_.warning().empty())
        all.push_back(recording_.warning());
    all.insert(all.end(), errors_.begin(), errors_.end());
    if (errorCount_ > errors_.size())
        all.push_back(fmt::format("and {} more bodies that were taken out", errorCount_ - errors_.size()));
    std::string html;
    for (const std::string& warning : all)
        html += "<div class=\"warning\">" + htmlText(warning) + "</div>\n";
    return html.empty() ? "<p class=\"faint\">No warnings.</p>\n" : html;
}

std::string ReportWriter::plots() const {
    const auto column = [&](const char* name, const char* stat, double factor = 1) {
        return scene::PlotSeries{name, numbers_.column(stat, factor)};
    };
    Plot energy{
        "Energy",
        "J",
        {column("kinetic", "kinetic_energy"), column("potential", "potential_energy"), column("elastic", "elastic_energy")},
        false};
    scene::PlotSeries total{"total", {}};
    for (std::size_t i = 0; i < numbers_.times.size(); ++i) {
        double sum = 0;
        for (const scene::PlotSeries& series : energy.series)
            sum += i < series.values.size() ? series.values[i] : 0;
        total.values.push_back(sum);
    }
    energy.series.push_back(std::move(total));
    const std::vector<Plot> list = {
        std::move(energy),
        {"Linear momentum",
         "kg m/s",
         {column("x", "linear_momentum_x"), column("y", "linear_momentum_y"), column("z", "linear_momentum_z")},
         false},
        {"Angular momentum about the origin",
         "kg m²/s",
         {column("x", "angular_momentum_x"), column("y", "angular_momentum_y"), column("z", "angular_momentum_z")},
         false},
        {"Deepest penetration", "mm", {column("penetration", "max_penetration", 1000)}, true},
        {"Contacts and bodies awake", "", {column("contact points", "contacts"), column("awake", "awake")}, true},
        {"Pieces, joints, breaks",
         "",
         {column("pieces", "pieces"), column("joints", "joints"), column("breaks", "breaks")},
         true},
        {"Time per frame; stages of its last step",
         "ms",
         {column("frame", "step_ms"), column("solve", "solve_ms"), column("collide", "collide_ms"),
          column("broad phase", "broad_phase_ms")},
         true}};
    std::string html =
        "<p class=\"faint hint\" hidden>Drag across a plot to zoom into that time, double click to see all.</p>\n"
        "<div class=\"plots\">\n";
    for (const Plot& plot : list)
        html += scene::plotHtml(plot, numbers_.times);
    html += "</div>\n<script type=\"application/json\" id=\"times\">[";
    for (std::size_t i = 0; i < numbers_.times.size(); ++i)
        html += fmt::format("{}{:.7g}", i == 0 ? "" : ",", numbers_.times[i]);
    return html + "]</script>\n";
}

std::string ReportWriter::bodies() const { return scene::bodiesHtml(recording_.info().facts.bodies, blows_); }

std::string ReportWriter::settings() const {
    const scene::JsonResult parsed = scene::parseJson(recording_.info().settings);
    if (!parsed.value || !parsed.value->is_object())
        return "";
    std::string html = "<table>";
    for (const auto& [key, value] : parsed.value->items()) {
        if (key == "sunder" || key == "name" || key == "description" || (value.is_structured() && value.empty()))
            continue;
        html += "<tr><td>" + htmlText(key) + "</td><td><code>" +
                htmlText(value.is_string() ? value.get<std::string>() : value.dump()) + "</code></td></tr>\n";
    }
    return html + fmt::format("<tr><td>recorded</td><td>positions to {:.3g} m, orientations to {:.0e} rad</td></tr></table>\n",
                              recording_.info().quantum / 2, kRecordedAngleError);
}

std::string ReportWriter::files() const {
    if (options_.files.empty())
        return "";
    std::string html = "<h2>Files</h2>\n<p>";
    for (const std::string& file : options_.files)
        html += "<a href=\"" + htmlText(file) + "\">" + htmlText(file) + "</a> &nbsp; ";
    return html + "</p>\n";
}

std::string ReportWriter::page() const {
    const RecordingInfo& info = recording_.info();
    const std::string title = info.name.empty() ? options_.title : info.name;
    std::string html =
        "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
        htmlText(title) + " - Sunder</title>\n<style>" + scene::kReportStyle + "</style></head>\n<body>\n";
    html += "<h1>" + htmlText(title) + "</h1>\n<p class=\"faint\">" + htmlText(info.description) + "</p>\n";
    html += keyFigures() + media() + "<h2>Warnings</h2>\n" + warnings() + "<h2>Plots</h2>\n" + plots() + bodies();
    html += "<h2>Repeat it</h2>\n<pre>" + htmlText(info.command) + "</pre>\n<h2>Machine</h2>\n<p>" + htmlText(info.machine) +
            "</p>\n<h2>Settings</h2>\n" + settings() + files();
    return html + "<script>" + scene::kReportScript + "</script>\n</body></html>\n";
}

}  // namespace

bool writeReport(Recording& recording, const std::filesystem::path& path, const ReportOptions& options,
                 const ExportProgress& progress) {
    OutputFile file(path);
    ReportWriter writer(recording, options);
    if (!writer.gather(progress))
        return false;
    file.write(writer.page());
    file.commit();
    return true;
}

}  // namespace sunder
