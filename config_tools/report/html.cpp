// SPDX-License-Identifier: BSD-3-Clause
//
// vftr html: a page to look at a run with, which is a format of vftr export.
#include "config_tools/compare/named_sides.hpp"
#include "config_tools/compare/not_built.hpp"
#include "config_tools/compare/two_runs_page.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/report/export_options.hpp"
#include "config_tools/serve/page_server.hpp"
#include "config_tools/verb.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace vftr::cli {
namespace {

void print_help_of_html() {
    std::fputs(
        "usage: vftr html [OPTION…] FILE|DIR…\n"
        "       vftr html [OPTION…] BASE… --versus NEW…\n\n"
        "Writes a page to look at a run with: one file that a browser opens from disk, without a network. It has what\n"
        "vftr report prints, from the vfd files of the ranks of a run or from the merged one; of a folder all vfd files\n"
        "are taken, of one run or of several, as that of vftr run.\n\n"
        "With --versus it shows two runs, before and after a change, and what vftr diff finds between them.\n\n"
        "  -o, --output=FILE  where to write it, - for standard output; default: a file in the current folder that is\n"
        "                     named after the run, such as solver_all.html\n"
        "  --each-rank        a profile for each rank to choose from instead of one of all\n"
        "  --lines            with the source file and line of each function, from debug information\n"
        "  --source           with the source text of the functions, from their files\n"
        "  --ranks=LIST       only these ranks: 0-3,7\n"
        "  --no-timeline      without the timeline\n"
        "  --max-size=MB      leave the shortest calls of the timeline out until the page is that small; also 2G; default: 20\n"
        "  --serve            show the page from a server on this machine, whose address it prints: without limits of size,\n"
        "                     and following a program that runs; until it is interrupted\n"
        "  --port=NUMBER      of that server; default: a free one\n"
        "  --versus           what stands before it are the files or folders of the base, behind it those of the new run;\n"
        "                     both sides can be several runs, all of which are compared\n"
        "  --help             print this\n",
        stdout);
}

} // namespace

#if defined HAVE_HTML && !defined HAVE_BOOST_MATH
int write_two_runs_page(const ExportOptions&, const std::vector<std::string>&, const std::vector<std::string>&) {
    throw std::runtime_error(ComparisonNotBuilt);
}
#endif

int verb_html(int argc, char** argv) {
    enum { EachRank = 256, Lines, Source, Ranks, NoTimeline, MaxSize, Serve, Port, Versus };
    static const option Known[] = {{"output", required_argument, nullptr, 'o'},
                                   {"each-rank", no_argument, nullptr, EachRank},
                                   {"lines", no_argument, nullptr, Lines},
                                   {"source", no_argument, nullptr, Source},
                                   {"ranks", required_argument, nullptr, Ranks},
                                   {"no-timeline", no_argument, nullptr, NoTimeline},
                                   {"max-size", required_argument, nullptr, MaxSize},
                                   {"serve", no_argument, nullptr, Serve},
                                   {"port", required_argument, nullptr, Port},
                                   {"versus", no_argument, nullptr, Versus},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    ExportOptions wanted;
    NamedSides sides;
    bool serve = false;
    std::optional<std::int64_t> port;
    wanted.most_bytes = UsualPageBytes;
    const auto early = read_options(argc, argv, "-:o:h", Known, print_help_of_html, [&](int c) {
        switch (c) {
        case NamedSides::File:
            sides.files.emplace_back(optarg);
            break;
        case Versus:
            return sides.take_versus(argv[0]);
        case 'o':
            wanted.output = optarg;
            break;
        case EachRank:
            wanted.each_rank = true;
            break;
        case Lines:
            wanted.lines = true;
            break;
        case Source:
            wanted.lines = wanted.source = true;
            break;
        case NoTimeline:
            wanted.no_timeline = true;
            break;
        case Serve:
            serve = true;
            break;
        case Port:
            if (!parse_number(optarg, port.emplace()) || *port < 1 || *port > 65535)
                return usage_error(argv[0], "--port needs a number from 1 to 65535, not ", optarg);
            break;
        case MaxSize:
            return take_max_size(argv[0], wanted);
        case Ranks:
            return take_ranks(argv[0], wanted);
        }
        return 0;
    });
    if (early)
        return *early;
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
