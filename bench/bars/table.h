// The table that the program prints: what was asked, what was measured, whether it holds.
#pragma once

#include <cstdio>
#include <string>
#include <vector>

#include "measure/text.h"

namespace sunder::bars {

struct Row {
    std::string group, what, bar, measured;
    bool judged = true;  // false: a figure beside the bar, without one of its own
    bool holds = true;
};

using measure::format;

// Rows are printed as they come: some take a minute.
class Table {
public:
    void begin(const std::string& group, const std::string& title);
    // measured must be below limit.
    void below(const std::string& what, double measured, double limit, const std::string& unit);
    // measured must be within tolerance of wanted.
    void near(const std::string& what, double measured, double wanted, double tolerance, const std::string& unit);
    void check(const std::string& what, const std::string& bar, const std::string& measured, bool holds);
    void note(const std::string& what, const std::string& measured);

    int judged() const;
    int misses() const;
    bool writeJson(const std::string& file) const;

private:
    void add(Row row);

    std::string group_;
    std::vector<Row> rows_;
};

}  // namespace sunder::bars
