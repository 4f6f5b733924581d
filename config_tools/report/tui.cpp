// SPDX-License-Identifier: BSD-3-Clause
//
// vftr tui: the profile of a run in the terminal.
#include "config_tools/report/run_source.hpp"
#include "config_tools/verb.hpp"
#include "config_tools/watch/interval.hpp"

#include "tui/show_on_terminal.hpp"

#include "config.h"

#include <cstdio>
#include <stdexcept>
#include <string>

namespace vftr::cli {
namespace {

void print_help() {
    std::fputs(
        "usage: vftr tui [OPTION…] FILE|DIR…\n\n"
        "Shows what vftr report prints in the terminal, to look around in: functions, the call tree, callers and callees,\n"
        "ranks, communication, wait states, processes and what matters. Of a folder all vfd files are taken, of one run or\n"
        "of several. The files of programs that run are read again and again. The key ? shows all keys, q quits.\n\n"
        "  --view NAME   begin with this view: functions, tree, callers, ranks, waits, …; default: the first one\n"
        "  --interval S  seconds from one look at running programs to the next, from 0.1 on; default: 1\n"
        "  --help        print this\n",
        stdout);
}

} // namespace

int verb_tui(int argc, char** argv) {
    static const option Known[] = {{"view", required_argument, nullptr, 'v'},
                                   {"interval", required_argument, nullptr, 'i'},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    double interval = DefaultInterval;
    std::string view;
    const auto early = read_options(argc, argv, ":v:i:h", Known, print_help, [&](int c) {
        if (c == 'i')
            return take_interval(argv[0], interval);
        view = optarg;
        return 0;
    });
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a FILE or DIR is missing");
#ifdef HAVE_NCURSESW
    RunSource source({argv + optind, argv + argc});
    tui::show_on_terminal(source, view, interval);
    return source.all_readable() ? 0 : 1;
#else
    throw std::runtime_error(tui::NotBuilt);
#endif
}

} // namespace vftr::cli
