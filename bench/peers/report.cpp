#include "peers/report.h"

#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <thread>

#include "measure/text.h"

namespace sunder::peers {

namespace {

using measure::format;
using measure::jsonNumber;
using measure::jsonString;

std::string processorName() {
    std::ifstream file("/proc/cpuinfo");
    for (std::string line; std::getline(file, line);)
        if (line.rfind("model name", 0) == 0 && line.find(':') != std::string::npos)
            return line.substr(line.find(':') + 2);
#if defined(__aarch64__)
    return "Arm";  // whose kernel does not tell the model's name
#else
    return "unknown processor";
#endif
}

std::string shortNumber(double value) { return std::isfinite(value) ? format("%.2f", value) : "-"; }

// Lengths in mm, shares in percent; the rest as it is.
std::string forPeople(const std::string& name, double value) {
    if (name == "sag" || name == "drift")
        return format("%.1f mm", value * 1e3);
    if (name == "fastest")
        return format("%.1f mm/s", value * 1e3);
    if (name == "height" || name == "distance")
        return format("%.4g m", value);
    if (name == "distance_error" || name == "momentum_error")
        return format("%.3g %%", value * 100);
    if (name == "kinetic_energy_per_body")
        return format("%.2g J", value);
    if (name == "stands")
        return value > 0 ? "yes" : "NO";
    return format("%.6g", value);
}

std::string spaced(std::string name) {
    for (char& c : name)
        c = c == '_' ? ' ' : c;
    return name;
}

void printRow(const Row& row) {
    const RunResult& r = row.result;
    std::printf("  %-7s %3d %9.3f %6s %9.3f %9.3f %7s %8d  %7.1f %7.2f %7.1f %9.2f\n", std::string(nameOf(row.engine)).c_str(),
                row.threads, r.ms, shortNumber(row.ratioToBullet).c_str(), r.p99Ms, r.worstMs,
                row.threads > 1 ? shortNumber(row.speedup).c_str() : "-", r.contacts, r.end.largest * 1e3, r.end.mean * 1e3,
                r.peakPenetration * 1e3, r.residentBytes / 1024 / r.bodies);
    std::string notes;
    const auto note = [&](const std::string& text) { notes += (notes.empty() ? "" : ", ") + text; };
    for (const auto& [name, value] : r.figures)
        note(spaced(name) + " " + forPeople(name, value));
    for (const auto& [name, value] : r.stages)
        note(spaced(name) + " " + format("%.3f ms", value));
    std::printf("          %s\n", notes.c_str());
}

}  // namespace

Provenance thisMachine() {
    char date[32];
    const std::time_t now = std::time(nullptr);
    std::strftime(date, sizeof date, "%Y-%m-%d", std::gmtime(&now));
    const char* precision = sizeof(Real) == 8 ? "double" : "float";
#if defined(__clang__)
    const std::string compiler = format("clang %d.%d", __clang_major__, __clang_minor__);
#else
    const std::string compiler = format("g++ %d.%d", __GNUC__, __GNUC_MINOR__);
#endif
    return {processorName() + format(", %u cores", std::thread::hardware_concurrency()), compiler + ", " + precision, date};
}

void printHeader(const Provenance& provenance) {
    std::printf("%s; %s; %s\n", provenance.machine.c_str(), provenance.compiler.c_str(), provenance.date.c_str());
    for (const EngineKind kind : kEngines)
        if (!isBuiltIn(kind))
            std::printf("%s is left out: it was not installed when this program was built\n",
                        std::string(nameOf(kind)).c_str());
    std::fflush(stdout);
}

void print(const std::vector<Row>& rows) {
    if (rows.empty())
        return;
    const Row& first = rows.front();
    std::printf("\n%s: %s, %g Hz, %d steps\n", std::string(first.scene->name).c_str(), std::string(first.scene->title).c_str(),
                first.rate, first.result.steps);
    std::printf("  %-7s %3s %9s %6s %9s %9s %7s %8s  %7s %7s %7s %9s\n", "engine", "thr", "ms", "ratio", "p99 ms", "worst ms",
                "speedup", "contacts", "end mm", "mean mm", "peak mm", "KiB/body");
    for (const Row& row : rows)
        printRow(row);
    std::fflush(stdout);
}

std::string toJson(const std::vector<Row>& rows, const Provenance& provenance) {
    std::string text = "[";
    for (const Row& row : rows) {
        const RunResult& r = row.result;
        text += &row == rows.data() ? "\n  {" : ",\n  {";
        text += "\"scene\": " + jsonString(row.scene->name) + ", \"rate\": " + jsonNumber(row.rate);
        text += format(", \"threads\": %d, \"engine\": ", row.threads) + jsonString(nameOf(row.engine));
        const auto number = [&](const std::string& name, double value) {
            text += ", " + jsonString(name) + ": " + jsonNumber(value);
        };
        number("ms", r.ms);
        number("p99_ms", r.p99Ms);
        number("worst_ms", r.worstMs);
        number("ratio_to_bullet", row.ratioToBullet);
        number("contacts", r.contacts);
        number("end_max_penetration", r.end.largest);
        number("end_mean_penetration", r.end.mean);
        number("peak_penetration", r.peakPenetration);
        number("wall_ms", r.wallMs);
        number("speedup", row.speedup);
        number("steps", r.steps);
        number("bodies", r.bodies);
        number("resident_bytes", r.residentBytes);
        number("bytes_per_body", r.residentBytes / r.bodies);
        number("end_resident_bytes", r.endResidentBytes);
        for (const auto& [name, value] : r.figures)
            number(name, value);
        for (const auto& [name, value] : r.stages)
            number(name + "_ms", value);
        text += ", \"machine\": " + jsonString(provenance.machine) + ", \"compiler\": " + jsonString(provenance.compiler) +
                ", \"date\": " + jsonString(provenance.date) + "}";
    }
    return text + "\n]\n";
}

}  // namespace sunder::peers
