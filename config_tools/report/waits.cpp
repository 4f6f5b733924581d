// SPDX-License-Identifier: BSD-3-Clause
//
// vftr waits: where ranks waited for each other.
#include "config_tools/option_number.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/verb.hpp"

#include "analysis/timeline/waits_of.hpp"
#include "base/foreign_text.hpp"
#include "report/waits.hpp"

#include <cstdio>
#include <stdexcept>

namespace vftr::cli {
namespace {

void print_help_of_waits() {
    std::fputs("usage: vftr waits [OPTION…] FILE…\n\n"
               "Prints where the ranks of an MPI program waited for each other, from the timeline files "
               "of all ranks.\n\n"
               "  --max-rows N   rows of the table, the rest are summed up; 0 shows all; default: 1000\n"
               "  --max-width N  characters of a line in the list of call stacks; 0 shows them whole; default: 160\n"
               "  --help         print this\n",
               stdout);
}

} // namespace

int verb_waits(int argc, char** argv) {
    static const option Known[] = {{"max-rows", required_argument, nullptr, 'm'},
                                   {"max-width", required_argument, nullptr, 'w'},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    std::int64_t max_rows = 1000, max_width = config::Config().stacklist_max_width;
    const auto early = read_options(argc, argv, ":m:w:h", Known, print_help_of_waits, [&](int c) {
        switch (c) {
        case 'm':
            if (!parse_number(optarg, max_rows) || max_rows < 0)
                return usage_error(argv[0], "--max-rows needs a number from 0 on, not ", optarg);
            break;
        case 'w':
            if (!parse_number(optarg, max_width) || max_width < 0)
                return usage_error(argv[0], "--max-width needs a number from 0 on, not ", optarg);
            break;
        }
        return 0;
    });
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
    std::fputs(base::foreign_text(text, "\n").c_str(), stdout);
    return 0;
}

} // namespace vftr::cli
