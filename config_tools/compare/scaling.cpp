// SPDX-License-Identifier: BSD-3-Clause
//
// vftr scaling: how efficient a program and its functions are on more and more ranks.
#include "config_tools/compare/not_built.hpp"
#include "config_tools/verb.hpp"

#ifdef HAVE_BOOST_MATH
#include "config_tools/compare/side_runs.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/painted_text.hpp"

#include "base/foreign_text.hpp"
#include "compare/scaling.hpp"
#endif

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

#ifdef HAVE_BOOST_MATH

namespace {

bool is_separator(const char* word) { return std::strcmp(word, "--") == 0; }

// What stands between `--` and `--`.
std::vector<std::vector<std::string>> paths_of_scales(char** begin, char** end) {
    std::vector<std::vector<std::string>> scales(1);
    for (; begin != end; ++begin)
        if (is_separator(*begin))
            scales.emplace_back();
        else
            scales.back().emplace_back(*begin);
    return scales;
}

} // namespace

int verb_scaling(int argc, char** argv) {
    bool weak = false;
    std::size_t max_rows = 50;
    char** const end = argv + argc;
    char** const dashes = std::find_if(argv + 1, end, is_separator);
    const auto early = read_options(
        static_cast<int>(dashes - argv), argv,
        {.usage = {"[OPTION…] A… -- B… [-- C…]…"},
         .about =
             "Prints how efficient a program and its functions are on more ranks than those of A. A, B, C are files or folders\n"
             "as those of vftr diff, of one or several runs each.\n",
         .options = {{"--weak", "the work of each rank is the same, and not that of all ranks together", flag(weak)},
                     {"--max-rows=N", "the most rows of the table; 0 shows all; default: 50", number(max_rows)}}});
    if (early)
        return *early;
    // read_options has brought the files before the first `--` to its end.
    const std::vector<std::vector<std::string>> paths = paths_of_scales(argv + optind, end);
    if (paths.size() < 2 || std::ranges::any_of(paths, [](const auto& scale) { return scale.empty(); }))
        return usage_error(argv[0], "give the files of two scales at least: A… -- B…");
    std::vector<std::vector<analysis::Profile>> scales;
    bool all_readable = true;
    for (const std::vector<std::string>& scale : paths) {
        SideRuns runs = side_runs(scale);
        all_readable &= runs.all_readable;
        scales.push_back(std::move(runs.profiles));
    }
    const auto kind = weak ? compare::ScalingKind::Weak : compare::ScalingKind::Strong;
    const std::string text = compare::scaling_text(compare::scaling(std::move(scales), kind, {}), max_rows);
    print_text(base::foreign_text(text, "\n"));
    return exit_code(all_readable);
}

#else

int verb_scaling(int, char**) { throw std::runtime_error(ComparisonNotBuilt); }

#endif

} // namespace vftr::cli
