// sunder_peers, which `sunder bench` runs: every scene through every engine, in turns, in one process.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <limits>
#include <optional>

#include "peers/report.h"

namespace {

using namespace sunder::peers;

struct Options {
    std::vector<const BenchScene*> scenes;
    std::string json;
    std::vector<int> threads{1};
    std::vector<double> rates;  // those of the scene where empty
    std::vector<EngineKind> engines{std::begin(kEngines), std::end(kEngines)};
    int repeats = 0;  // the scene's own where 0
    int steps = 0;    // likewise
};

int usage(const std::string& problem) {
    std::fprintf(stderr, "sunder bench: %s\nscenes:\n", problem.c_str());
    for (const BenchScene& scene : benchScenes())
        std::fprintf(stderr, "  %-8s %s\n", std::string(scene.name).c_str(), std::string(scene.title).c_str());
    return 1;
}

std::vector<std::string> splitAtCommas(const std::string& text) {
    std::vector<std::string> parts(1);
    for (const char c : text) {
        if (c == ',')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    return parts;
}

std::optional<int> wholeNumber(const std::string& text, int most) {
    int value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || value < 1 || value > most)
        return std::nullopt;
    return value;
}

template <class Value>
bool readNumbers(const std::string& text, int most, std::vector<Value>& values) {
    values.clear();
    for (const std::string& part : splitAtCommas(text)) {
        const std::optional<int> value = wholeNumber(part, most);
        if (!value)
            return false;
        values.push_back(Value(*value));
    }
    return true;
}

bool readEngines(const std::string& text, std::vector<EngineKind>& engines) {
    engines.clear();
    for (const std::string& part : splitAtCommas(text)) {
        const auto known =
            std::find_if(std::begin(kEngines), std::end(kEngines), [&](EngineKind k) { return nameOf(k) == part; });
        if (known == std::end(kEngines))
            return false;
        engines.push_back(*known);
    }
    return true;
}

bool readOption(const std::string& option, const std::string& value, Options& options) {
    constexpr int kMostThreads = 256, kMostRate = 10000, kMostRepeats = 100, kMostSteps = 1000000;
    if (option == "--json") {
        options.json = value;
        return !value.empty();
    }
    if (option == "--threads")
        return readNumbers(value, kMostThreads, options.threads);
    if (option == "--rate")
        return readNumbers(value, kMostRate, options.rates);
    if (option == "--engines")
        return readEngines(value, options.engines);
    if (option == "--repeat") {
        options.repeats = wholeNumber(value, kMostRepeats).value_or(0);
        return options.repeats > 0;
    }
    options.steps = wholeNumber(value, kMostSteps).value_or(0);
    return options.steps > 0;
}

// The problem, or nothing.
std::string read(int count, char** arguments, Options& options) {
    constexpr const char* kOptions[] = {"--json", "--threads", "--rate", "--engines", "--repeat", "--steps"};
    for (int i = 1; i < count; ++i) {
        const std::string argument = arguments[i], word = argument.substr(0, argument.find('='));
        if (std::find(std::begin(kOptions), std::end(kOptions), word) != std::end(kOptions)) {
            const bool joined = word.size() < argument.size();
            const std::string value = joined ? argument.substr(word.size() + 1) : i + 1 < count ? arguments[++i] : "";
            if (!readOption(word, value, options))
                return word + ": \"" + value + "\" is not allowed";
        } else if (const BenchScene* scene = findScene(argument)) {
            options.scenes.push_back(scene);
        } else {
            return "no scene is called \"" + argument + "\"";
        }
    }
    if (options.scenes.empty())
        for (const BenchScene& scene : benchScenes())
            options.scenes.push_back(&scene);
    return "";
}

bool takesPart(const BenchScene& scene, EngineKind engine) {
    return engine == EngineKind::Sunder || (scene.forPeers && (engine != EngineKind::Ode || scene.forOde));
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const std::size_t half = values.size() / 2;
    return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

// Repeats of one engine: the same motion each time, so only the times differ.
RunResult merge(std::vector<RunResult> runs) {
    const auto medianOf = [&](double RunResult::*field) {
        std::vector<double> values;
        for (const RunResult& run : runs)
            values.push_back(run.*field);
        return median(values);
    };
    RunResult result = runs.front();
    result.ms = medianOf(&RunResult::ms);
    result.p99Ms = medianOf(&RunResult::p99Ms);
    result.worstMs = medianOf(&RunResult::worstMs);
    result.wallMs = medianOf(&RunResult::wallMs);
    return result;
}

void compare(std::vector<Row>& rows) {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    for (Row& row : rows) {
        row.ratioToBullet = row.speedup = kNone;
        for (const Row& other : rows) {
            if (other.engine == EngineKind::Bullet)
                row.ratioToBullet = row.result.ms / other.result.ms;
            if (other.engine == row.engine && other.threads == 1)
                row.speedup = other.result.wallMs / row.result.wallMs;
        }
    }
}

std::vector<Row> measureScene(const BenchScene& scene, double rate, const Options& options) {
    std::vector<Row> rows;
    std::vector<std::vector<RunResult>> runs;
    for (const EngineKind engine : options.engines)
        if (takesPart(scene, engine))
            for (const int threads : engine == EngineKind::Sunder ? options.threads : std::vector<int>{1})
                rows.push_back({&scene, rate, engine, threads, {}, 0, 0});
    runs.resize(rows.size());
    const int repeats = options.repeats > 0 ? options.repeats : scene.repeats;
    // Engines take turns, so that a slow minute of the machine falls on all of them.
    for (int i = 0; i < repeats; ++i)
        for (std::size_t k = 0; k < rows.size(); ++k)
            if (const auto result = run(scene, rate, rows[k].engine, rows[k].threads, options.steps))
                runs[k].push_back(*result);
    std::vector<Row> measured;
    for (std::size_t k = 0; k < rows.size(); ++k)
        if (!runs[k].empty()) {
            rows[k].result = merge(std::move(runs[k]));
            measured.push_back(std::move(rows[k]));
        }
    compare(measured);
    return measured;
}

bool write(const std::string& file, const std::string& text) {
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (out == nullptr)
        return false;
    const bool complete = std::fputs(text.c_str(), out) >= 0;
    return std::fclose(out) == 0 && complete;
}

int bench(const Options& options) {
    const Provenance provenance = thisMachine();
    std::vector<Row> rows;
    // Before the first scene, to learn now whether the file can be written; after each, to keep what is done.
    const auto save = [&] { return options.json.empty() || write(options.json, toJson(rows, provenance)); };
    if (!save()) {
        std::fprintf(stderr, "sunder bench: cannot write %s: %s\n", options.json.c_str(), std::strerror(errno));
        return 1;
    }
    printHeader(provenance);
    for (const BenchScene* scene : options.scenes)
        for (const double rate : options.rates.empty() ? scene->rates : options.rates) {
            const std::vector<Row> measured = measureScene(*scene, rate, options);
            print(measured);
            rows.insert(rows.end(), measured.begin(), measured.end());
            if (!save())
                std::fprintf(stderr, "sunder bench: cannot write %s\n", options.json.c_str());
        }
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    Options options;
    if (const std::string problem = read(count, arguments, options); !problem.empty())
        return usage(problem);
    try {
        return bench(options);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "sunder bench: internal error: %s\n", error.what());
        return 2;
    }
}
