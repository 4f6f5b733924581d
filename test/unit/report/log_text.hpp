// SPDX-License-Identifier: BSD-3-Clause
//
// Parts of a log, and a profile of three ranks to make one from.
#pragma once

#include "../analysis/profile_builder.hpp"
#include "report/report.hpp"

#include <string>
#include <vector>

namespace vftr::test {

// What follows `title` up to the next empty line.
inline std::string section_of(const std::string& log, const std::string& title) {
    std::size_t begin = log.find("\n" + title + "\n");
    if (begin == log.npos)
        return "";
    begin += title.size() + 2;
    std::size_t end = log.find("\n\n", begin);
    return log.substr(begin, end == log.npos ? log.npos : end + 1 - begin);
}

inline std::string log_of(const analysis::Profile& profile, const config::Config& config) {
    return report::make_log(profile, config, "").front().text;
}

// Rank 0: f 100, g 40 ms; rank 1: f 300; rank 2: f 200, and main 60 on each.
inline analysis::Profile three_ranks() {
    analysis::Profile all;
    for (std::int32_t rank = 0; rank < 3; ++rank) {
        analysis::Profile one = one_rank(rank);
        const std::uint64_t f = rank == 0 ? 100 : rank == 1 ? 300 : 200;
        const std::uint64_t g = rank == 0 ? 40 : 0;
        add(one, "init", 1, 0, (60 + f + g) * Ms);
        add(one, "main<init", 1, 60 * Ms, (60 + f + g) * Ms);
        add(one, "f<main<init", 10, f * Ms, (f + g) * Ms);
        if (g)
            add(one, "g<f<main<init", 5, g * Ms, g * Ms);
        merge(all, one);
    }
    canonicalise(all);
    return all;
}

// The cells of one column of a table, from its first row on.
inline std::vector<std::string> column(const std::string& table, std::size_t index) {
    std::vector<std::string> cells;
    for (std::size_t begin = 0, line = 0; begin < table.size(); ++line) {
        std::size_t end = table.find('\n', begin);
        std::string row = table.substr(begin, end - begin);
        begin = end + 1;
        if (line < 3 || row[0] != '|')
            continue;
        std::size_t at = 0;
        for (std::size_t i = 0; i < index; ++i)
            at = row.find('|', at + 1);
        std::string cell = row.substr(at + 1, row.find('|', at + 1) - at - 1);
        cell.erase(0, cell.find_first_not_of(' '));
        cell.erase(cell.find_last_not_of(' ') + 1);
        cells.push_back(cell);
    }
    return cells;
}

} // namespace vftr::test
