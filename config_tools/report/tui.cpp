// SPDX-License-Identifier: BSD-3-Clause
//
// vftr tui: the profile of a run in the terminal.
#include "config.h"

#ifdef HAVE_BOOST_MATH
#include "config_tools/compare/two_runs_source.hpp"
#endif
#include "config_tools/compare/named_sides.hpp"
#include "config_tools/compare/not_built.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/report/run_source.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/colour.hpp"
#include "config_tools/verb.hpp"
#include "config_tools/watch/interval.hpp"

#include "tui/show_on_terminal.hpp"
#ifdef HAVE_NCURSESW
#include "tui/view_spec.hpp"
#endif

#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

namespace vftr::cli {
namespace {

std::vector<Choice> view_choices() {
    std::vector<Choice> choices;
#ifdef HAVE_NCURSESW
    for (const tui::ViewSpec* view : tui::view_specs())
        choices.push_back({std::string(view->name), std::string(view->help)});
#endif
    return choices;
}

#ifdef HAVE_NCURSESW

template <class Source>
int show(Source source, const std::string& view, double interval) {
    tui::show_on_terminal(source, view, interval);
    return exit_code(source.all_readable());
}

int show_two_runs(const NamedSides& sides, const std::string& view, double interval) {
#ifdef HAVE_BOOST_MATH
    return show(TwoRunsSource(sides.base, sides.files), view, interval);
#else
    static_cast<void>(sides), static_cast<void>(view), static_cast<void>(interval);
    throw std::runtime_error(ComparisonNotBuilt);
#endif
}

#endif

} // namespace

int verb_tui(int argc, char** argv) {
    double interval = DefaultInterval;
    std::string view;
    NamedSides sides;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE|DIR…", "[OPTION…] BASE… --versus NEW…"},
         .about =
             "Shows what vftr report prints in the terminal, to look around in: functions, the call tree, callers and callees,\n"
             "ranks, communication, wait states, processes and what matters. Of a folder all vfd files are taken, of one run or\n"
             "of several. The files of programs that run are read again and again. The key ? shows all keys, q quits.\n\n"
             "With --versus it shows two runs, before and after a change, and what vftr diff finds between them.\n",
         .options = {{"-v, --view NAME",
                      "begin with this view: functions, tree, callers, ranks, waits, …; default: the first one",
                      text(view), view_choices},
                     {"-i, --interval S",
                      "seconds from one look at running programs to the next, from 0.1 on; default: 1",
                      take_interval(interval)},
                     sides.versus_option()},
         .operand = sides.take_file()});
    if (early)
        return *early;
    if (const int code = sides.complete(argv[0], argv + optind, argv + argc); code != 0)
        return code;
    if (colour_wish() == ColourWish::Never)
        ::setenv("NO_COLOR", "1", 1); // which the terminal's views go by
#ifdef HAVE_NCURSESW
    return sides.versus ? show_two_runs(sides, view, interval) : show(RunSource(sides.files), view, interval);
#else
    throw std::runtime_error(tui::NotBuilt);
#endif
}

} // namespace vftr::cli
