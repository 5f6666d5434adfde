#include "bars/table.h"

#include <algorithm>
#include <cmath>

namespace sunder::bars {

using measure::jsonString;

void Table::begin(const std::string& group, const std::string& title) {
    group_ = group;
    std::printf("\n%s: %s\n", group.c_str(), title.c_str());
    std::fflush(stdout);
}

void Table::below(const std::string& what, double measured, double limit, const std::string& unit) {
    // A measurement that is not a number is a miss: the comparison is false.
    add({group_, what, format("< %g %s", limit, unit.c_str()), format("%.3g %s", measured, unit.c_str()), true,
         measured < limit});
}

void Table::near(const std::string& what, double measured, double wanted, double tolerance, const std::string& unit) {
    add({group_, what, format("%g +- %g %s", wanted, tolerance, unit.c_str()), format("%.5g %s", measured, unit.c_str()), true,
         std::abs(measured - wanted) <= tolerance});
}

void Table::check(const std::string& what, const std::string& bar, const std::string& measured, bool holds) {
    add({group_, what, bar, measured, true, holds});
}

void Table::note(const std::string& what, const std::string& measured) { add({group_, what, "", measured, false, true}); }

void Table::add(Row row) {
    const char* verdict = !row.judged ? "" : row.holds ? "ok" : "MISS";
    std::printf("  %-48s %-26s %-34s %s\n", row.what.c_str(), row.bar.c_str(), row.measured.c_str(), verdict);
    std::fflush(stdout);
    rows_.push_back(std::move(row));
}

int Table::judged() const {
    return int(std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.judged; }));
}

int Table::misses() const {
    return int(std::count_if(rows_.begin(), rows_.end(), [](const Row& row) { return row.judged && !row.holds; }));
}

bool Table::writeJson(const std::string& file) const {
    std::FILE* out = std::fopen(file.c_str(), "w");
    if (out == nullptr)
        return false;
    std::fputs("[\n", out);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const Row& row = rows_[i];
        std::fprintf(out, "  {\"group\": %s, \"what\": %s, \"bar\": %s, \"measured\": %s, \"ok\": %s}%s\n",
                     jsonString(row.group).c_str(), jsonString(row.what).c_str(), jsonString(row.bar).c_str(),
                     jsonString(row.measured).c_str(),
                     !row.judged ? "null"
                     : row.holds ? "true"
                                 : "false",
                     i + 1 < rows_.size() ? "," : "");
    }
    std::fputs("]\n", out);
    return std::fclose(out) == 0;
}

}  // namespace sunder::bars
