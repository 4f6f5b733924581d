// SPDX-License-Identifier: BSD-3-Clause
//
// vftr waits: where ranks waited for each other.
#include "config_tools/report/run_files.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/verb.hpp"

#include "analysis/timeline/waits_of.hpp"
#include "base/foreign_text.hpp"
#include "report/waits.hpp"

#include <cstdio>
#include <stdexcept>

namespace vftr::cli {

int verb_waits(int argc, char** argv) {
    std::int64_t max_rows = 1000, max_width = config::Config().stacklist_max_width;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE…"},
         .about =
             "Prints where the ranks of an MPI program waited for each other, from the timeline files of all ranks.\n",
         .options = {{"-m, --max-rows N", "rows of the table, the rest are summed up; 0 shows all; default: 1000",
                      number(max_rows)},
                     {"-w, --max-width N",
                      "characters of a line in the list of call stacks; 0 shows them whole; default: 160",
                      number(max_width)}}});
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    RunFiles files(std::vector<std::string>(argv + optind, argv + argc));
    if (files.merged())
        throw std::runtime_error(files.config_label() +
                                 " has only the sum over all ranks: give the timeline files of the ranks");
    analysis::Profile profile = files.profile();
    const analysis::Waits waits = analysis::waits_of(files.images(), profile);
    std::string text = report::make_waits(profile, waits, max_rows, max_width);
    print_text(base::foreign_text(text, "\n"));
    return 0;
}

} // namespace vftr::cli
