// SPDX-License-Identifier: BSD-3-Clause
//
// The exclusive time of each function on each rank, for formats that draw ranks side by side. A profile of all ranks
// has the least and the most only, so these are the profiles of the ranks, which are made one after the other, and
// whose functions are grouped as those of the table. Of many ranks and functions only those cells are kept that
// somebody can look at: a thousand functions of a thousand ranks.
#pragma once

#include "analysis/profile/profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::exports {

class RankFunctions {
public:
    static constexpr std::size_t MostCells = 1'000'000;

    RankFunctions() = default; // of no ranks
    // Of the functions of `all` those with most exclusive time.
    RankFunctions(const analysis::Profile& all, std::size_t ranks, std::size_t most_cells = MostCells);
    // By rank.
    void add(std::int32_t rank, const analysis::Profile& profile);

    bool empty() const { return ranks_.empty(); }
    const std::vector<std::int32_t>& ranks() const { return ranks_; }
    // As tables show them in full; those with most time first.
    const std::vector<std::string>& functions() const { return functions_; }
    std::size_t left_out() const { return left_out_; } // functions
    std::uint64_t exclusive_ns(std::size_t function, std::size_t rank) const {
        return times_[rank * functions_.size() + function];
    }

private:
    std::vector<std::int32_t> ranks_;
    std::vector<std::string> functions_;
    std::unordered_map<std::string, std::size_t> index_; // by key_of()
    std::vector<std::uint64_t> times_;                   // by rank, then by function
    std::size_t left_out_ = 0;
};

} // namespace vftr::exports
