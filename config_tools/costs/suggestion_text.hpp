// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of the output of `vftr filter suggest`.
#pragma once

#include "config_tools/costs/compiler_at_hand.hpp"

#include "advice/suggestion.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace vftr::cli {

// The referenced objects must outlive this one.
class SuggestionText {
public:
    SuggestionText(const advice::Observed& observed, const advice::CallCosts& costs, const advice::Bounds& bounds,
                   const advice::Suggestion& suggestion, bool whole);

    std::string table(std::size_t max_rows) const; // 0: all
    std::string rule() const;
    std::string outcome() const;
    std::string section(const std::string& expression) const;
    // The flags by which `compiler` leaves the same functions without hooks, as far as it has such flags. `files` says
    // in which file a function is, by its name, as far as that is known.
    std::string flags(const CompilerAtHand& compiler, const std::map<std::string, std::string>& files) const;

private:
    bool is_shown(const std::string& text) const;
    std::string decision(std::size_t function) const;
    double hooks_of(const std::vector<std::string>& names) const; // ns
    std::string headers_text(const CompilerAtHand& compiler, const std::map<std::string, std::string>& files,
                             const std::vector<std::string>& header_folders) const;

    const advice::Observed& observed_;
    const advice::CallCosts& costs_;
    const advice::Bounds& bounds_;
    const advice::Suggestion& suggestion_;
    bool whole_; // what is longer than anybody reads is shown, too
};

} // namespace vftr::cli
