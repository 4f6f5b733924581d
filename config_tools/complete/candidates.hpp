// SPDX-License-Identifier: BSD-3-Clause
//
// What may stand at a place of a command line of vftr. It comes from the verbs' tables (syntax/syntax.hpp) alone.
#pragma once

#include "config_tools/syntax/syntax.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {

// Names that every shell completes better than we could.
enum class Names { None, Files, Recordings, Folders, Commands };

struct Candidates {
    std::vector<Choice> words; // in place of the whole word at the cursor, with which they begin
    Names names = Names::None; // in place of what stands behind "--output=", or of the whole word
};

// What completion has to know of the rest of vftr.
struct Completed {
    std::vector<Choice> verbs;
    std::function<std::optional<Syntax>(std::string_view verb)> syntax; // nullopt: there is no such verb
    std::function<std::vector<std::string>()> functions;                // of the recordings that are at hand
    std::function<std::vector<Choice>()> processes;                     // that are being recorded
};

// `words` are those behind "vftr", of which the user is writing words[at].
Candidates candidates(const std::vector<std::string>& words, std::size_t at, const Completed& completed);

} // namespace vftr::cli
