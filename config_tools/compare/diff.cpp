// SPDX-License-Identifier: BSD-3-Clause
//
// vftr diff: what got slower or faster between runs, and what is noise.
#include "config_tools/compare/not_built.hpp"
#include "config_tools/verb.hpp"

#ifdef HAVE_BOOST_MATH
#include "config_tools/compare/diff_options.hpp"
#include "config_tools/compare/side_runs.hpp"
#include "config_tools/compare/two_runs_page.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/report/export_options.hpp"
#include "config_tools/syntax/takers.hpp"
#endif

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

#ifdef HAVE_BOOST_MATH

namespace {

Syntax syntax_of_diff(DiffOptions& options) {
    Syntax syntax{
        .usage = {"[OPTION…] BASE… -- NEW…", "[OPTION…] BASE NEW"},
        .about =
            "Compares runs: which functions got slower or faster, and what is noise. BASE and NEW are files, or folders of which\n"
            "all vfd files are taken; both sides can be several runs, which tells changes of a few percent from noise.\n"};
    add_diff_options(syntax.options, options);
    syntax.options.push_back({"--paired",
                              "the first run of one side was made beside the first one of the other, and so on, as "
                              "vftr ab does",
                              [&options](const Given&) {
                                  options.judging.paired = true;
                                  options.only_format = false;
                                  return 0;
                              }});
    syntax.options.push_back({"-o, --output FILE", "write it there", text(options.output)});
    return syntax;
}

int write_page(const std::string& output, const std::vector<std::string>& base, const std::vector<std::string>& next) {
    ExportOptions wanted;
    wanted.formats = {&page_format()};
    wanted.most_bytes = UsualPageBytes;
    wanted.output = output.empty() ? "-" : output;
#ifdef HAVE_HTML
    return write_two_runs_page(wanted, base, next);
#else
    static_cast<void>(base), static_cast<void>(next);
    return ExitFailed;
#endif
}

} // namespace

int verb_diff(int argc, char** argv) {
    DiffOptions options;
    // getopt_long would move what stands before `--` behind it.
    char** const end = argv + argc;
    char** const dashes = std::find_if(argv + 1, end, [](const char* each) { return std::strcmp(each, "--") == 0; });
    const auto early = read_options(static_cast<int>(dashes - argv), argv, syntax_of_diff(options));
    if (early)
        return *early;
    std::vector<std::string> base(argv + optind, dashes), next(dashes == end ? end : dashes + 1, end);
    if (dashes == end && base.size() == 2) {
        next.push_back(std::move(base.back()));
        base.pop_back();
    }
    if (base.empty() || next.empty())
        return usage_error(argv[0], "give the files of both sides: BASE… -- NEW…");
    if (const int code = complete_diff_options(argv[0], options); code != 0)
        return code;
    if (options.format == DiffFormat::Html)
        return write_page(options.output, base, next);
    SideRuns of_base = side_runs(base), of_next = side_runs(next);
    if (options.judging.paired && of_base.profiles.size() != of_next.profiles.size())
        throw std::runtime_error("--paired: the sides have " + std::to_string(of_base.profiles.size()) + " and " +
                                 std::to_string(of_next.profiles.size()) + " runs: pairs need as many of each");
    const bool all_readable = of_base.all_readable && of_next.all_readable;
    const int code = print_diff(argv[0], options, {std::move(of_base.profiles), std::move(of_next.profiles)});
    return all_readable ? code : ExitFailed;
}

#else

int verb_diff(int, char**) { throw std::runtime_error(ComparisonNotBuilt); }

#endif

} // namespace vftr::cli
