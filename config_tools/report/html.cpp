// SPDX-License-Identifier: BSD-3-Clause
//
// vftr html: a page to look at a run with, which is a format of vftr export.
#include "config_tools/compare/named_sides.hpp"
#include "config_tools/compare/not_built.hpp"
#include "config_tools/compare/two_runs_page.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/report/export_options.hpp"
#include "config_tools/serve/page_server.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace vftr::cli {
#if defined HAVE_HTML && !defined HAVE_BOOST_MATH
int write_two_runs_page(const ExportOptions&, const std::vector<std::string>&, const std::vector<std::string>&) {
    throw std::runtime_error(ComparisonNotBuilt);
}
#endif

int verb_html(int argc, char** argv) {
    ExportOptions wanted;
    NamedSides sides;
    bool serve = false;
    std::optional<std::int64_t> port;
    wanted.most_bytes = UsualPageBytes;
    const Take take_port = [&](const Given& given) {
        const bool good = parse_number(given.value, port.emplace()) && *port >= 1 && *port <= 65535;
        return good ? 0 : given.refuse("needs a number from 1 to 65535");
    };
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE|DIR…", "[OPTION…] BASE… --versus NEW…"},
         .about =
             "Writes a page to look at a run with: one file that a browser opens from disk, without a network. It has what\n"
             "vftr report prints, from the vfd files of the ranks of a run or from the merged one; of a folder all vfd files\n"
             "are taken, of one run or of several, as that of vftr run.\n\n"
             "With --versus it shows two runs, before and after a change, and what vftr diff finds between them.\n",
         .options =
             {{"-o, --output=FILE",
               "where to write it, - for standard output; default: a file in the current folder that is named after the "
               "run, such as solver_all.html",
               text(wanted.output)},
              {"--each-rank", "a profile for each rank to choose from instead of one of all", flag(wanted.each_rank)},
              {"--lines", "with the source file and line of each function, from debug information", flag(wanted.lines)},
              {"--source", "with the source text of the functions, from their files", flag(wanted.source)},
              ranks_option(wanted),
              {"--no-timeline", "without the timeline", flag(wanted.no_timeline)},
              max_size_option(wanted, "leave the shortest calls of the timeline out until the page is that small; also "
                                      "2G; default: 20"),
              {"--serve",
               "show the page from a server on this machine, whose address it prints: without limits of size, and "
               "following a program that runs; until it is interrupted",
               flag(serve)},
              {"--port=NUMBER", "of that server; default: a free one", take_port},
              sides.versus_option()},
         .operand = sides.take_file()});
    if (early)
        return *early;
    wanted.lines |= wanted.source;
    if (const int code = sides.complete(argv[0], argv + optind, argv + argc); code != 0)
        return code;
    if (sides.versus && serve)
        return usage_error(argv[0], "--serve shows one run, so it does not go with --versus");
    if (sides.versus && !(wanted.selection.ranks == config::RankSet::all()))
        return usage_error(argv[0], "--versus compares all ranks, so it does not go with --ranks");
    const exports::Format& page = page_format();
    if (port && !serve)
        return usage_error(argv[0], "--port goes with --serve");
    if (serve && !wanted.output.empty())
        return usage_error(argv[0], "--serve writes no file, as --output asks for");
    wanted.formats = {&page};
#ifdef HAVE_HTML
    if (serve) {
        wanted.output = "-"; // no progress is told
        return serve_page(wanted, sides.files, static_cast<std::uint16_t>(port.value_or(0)));
    }
    if (sides.versus)
        return write_two_runs_page(wanted, sides.base, sides.files);
#endif
    return export_files(wanted, sides.files);
}

} // namespace vftr::cli
