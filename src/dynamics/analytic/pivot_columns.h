// The matrix of a problem as lists, for products with vectors.
#pragma once

#include <cstdint>
#include <vector>

#include "dynamics/analytic/contact_problem.h"

namespace sunder::dynamics {

// The columns of a problem without their zeros: a contact acts on the contacts of its two bodies only.
class Columns {
public:
    struct Entry {
        std::uint32_t row;
        double value;
    };
    explicit Columns(const PivotProblem& problem) : entries_(problem.size()) {
        for (std::uint32_t i = 0; i < problem.size(); ++i)
            for (std::size_t j = 0; j < problem.size(); ++j)
                if (const double value = problem.at(i, j); value != 0)
                    entries_[j].push_back({i, value});
    }
    // sum += A x
    void addProduct(const std::vector<double>& x, std::vector<double>& sum) const {
        for (std::size_t j = 0; j < entries_.size(); ++j)
            if (x[j] != 0)
                for (const Entry& entry : entries_[j])
                    sum[entry.row] += entry.value * x[j];
    }

private:
    std::vector<std::vector<Entry>> entries_;
};

}  // namespace sunder::dynamics
