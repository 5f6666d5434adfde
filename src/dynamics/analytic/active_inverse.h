// The inverse of the rows and columns of a matrix that are in the active set. It is updated as they come and go, in time k^2,
// where finding it anew takes k^3.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace sunder::dynamics {

class ActiveInverse {
public:
    // entry(row, column) of the matrix, by the caller's numbers of rows.
    using Entry = std::function<double(std::size_t, std::size_t)>;

    explicit ActiveInverse(Entry entry) : entry_(std::move(entry)) {}

    const std::vector<std::size_t>& rows() const { return rows_; }
    // Each returns false where the matrix would be singular; the set is then as it would be, and refactor() must succeed before
    // anything else.
    bool add(std::size_t row);
    bool remove(std::size_t row);
    // The column of this row has changed by `change`, by position in rows().
    bool changeColumn(std::size_t row, const std::vector<double>& change);
    // Finds it anew by elimination with pivots; false where that is singular.
    bool refactor();
    // x = inverse times v, both by position in rows().
    void multiply(const std::vector<double>& v, std::vector<double>& x) const;

private:
    std::size_t positionOf(std::size_t row) const;

    Entry entry_;
    std::vector<std::size_t> rows_;
    std::vector<double> inverse_, next_;
};

}  // namespace sunder::dynamics
