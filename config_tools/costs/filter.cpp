// SPDX-License-Identifier: BSD-3-Clause
//
// vftr filter suggest: which functions are best not recorded.
#include "config_tools/costs/compiler_at_hand.hpp"
#include "config_tools/costs/suggestion_text.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/verb.hpp"

#include "advice/expression.hpp"
#include "advice/source_files.hpp"
#include "base/foreign_text.hpp"
#include "config/config.hpp"
#include "symbols/pattern.hpp"
#include "symbols/shared_names.hpp"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <stdexcept>

namespace vftr::cli {
namespace {

struct FilterOptions {
    advice::Bounds bounds;
    const char* output = nullptr;
    const char* list = nullptr;
    const char* compiler = nullptr;
    std::int64_t max_rows = 20;
    bool whole = false; // long expressions and flags, too
};

Take take_percent(double& variable) {
    return [&variable](const Given& given) {
        double value = 0;
        if (!parse_number(given.value, value) || !std::isfinite(value) || value < 0)
            return given.refuse("needs a number of percent from 0 on");
        variable = value;
        return 0;
    };
}

std::vector<std::string> names_of(const advice::Observed& observed, const advice::Suggestion& suggestion,
                                  bool excluded) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < observed.functions.size(); ++i)
        if ((suggestion.decisions[i] == advice::Decision::Excluded) == excluded)
            names.push_back(observed.functions[i].name);
    return names;
}

// PCRE2 has a limit for expressions: of more functions than fit into it the dearest are left out. Throws
// std::runtime_error where the expression would not do what it should.
struct Proposal {
    advice::Suggestion suggestion;
    std::string expression; // empty: nothing is to be left out
};
Proposal propose(const advice::Observed& observed, const advice::CallCosts& costs, advice::Bounds bounds) {
    for (;;) {
        Proposal proposal{advice::suggest(observed, costs, bounds), ""};
        if (proposal.suggestion.excluded == 0)
            return proposal;
        const auto excluded = names_of(observed, proposal.suggestion, true),
                   recorded = names_of(observed, proposal.suggestion, false);
        proposal.expression = advice::expression_for(excluded, recorded);
        const symbols::Pattern pattern(proposal.expression);
        if (!pattern.valid()) {
            bounds.max_functions = proposal.suggestion.excluded * 3 / 4;
            continue;
        }
        for (const std::string& name : excluded)
            if (!pattern.matches(name))
                throw std::runtime_error("no expression for the function " + name);
        for (const std::string& name : recorded)
            if (pattern.matches(name))
                throw std::runtime_error("the expression for the functions to exclude has " + name + " in it");
        return proposal;
    }
}

advice::CallCosts costs_of(const vfd::Image& image) {
    const vfd::HookCosts& costs = image.header().costs;
    const double ns = image.clock().ns_per_tick();
    return {costs.timed * ns, costs.excluded * ns, ns};
}

// The run's configuration with the filter in it. What the run has left out is not in its profile, so it stays left out.
std::string whole_config(const RunFiles& files, const std::string& expression) {
    config::Config config;
    if (!files.config_text().empty())
        config = config::parse(std::string(files.config_text()), files.config_label()).config;
    std::optional<std::string>& exclude = config.filter_exclude_functions;
    if (!expression.empty())
        exclude = exclude ? "(?:" + *exclude + ")|" + expression : expression;
    return config::print_json(config);
}

// The functions that are left out, one a line, as the plugins of compilers read them.
std::string list_text(const std::vector<std::string>& names) {
    std::string text = "# Functions that " + own_command("filter") + " suggest leaves out, by their names in tables\n";
    std::string_view before;
    for (const std::string& name : names)
        if (const std::string_view bare = symbols::without_origin(name); bare != before) {
            text.append(bare) += '\n';
            before = bare;
        }
    return text;
}

void write_text(const char* path, const char* option, const RunFiles& files, const std::string& text) {
    std::error_code ignored;
    for (const vfd::Image& image : files.images())
        if (std::filesystem::equivalent(path, image.label(), ignored))
            throw std::runtime_error(std::string(path) + ": this is a recording that is read; give another file to " +
                                     option);
    std::ofstream out(path, std::ios::binary | std::ios::trunc);
    out << text;
    out.close();
    if (!out)
        throw std::runtime_error(std::string(path) + ": cannot be written: " + std::strerror(errno));
}

// A table that took minutes to make is not lost to a compiler.
std::string flags_text(const SuggestionText& text, const CompilerAtHand& compiler,
                       const std::map<std::string, std::string>& files) {
    try {
        return text.flags(compiler, files);
    } catch (const std::runtime_error& error) {
        return std::string("\nCompiler flags: ") + error.what() + ".\n";
    }
}

std::map<std::string, std::string> files_of(const RunFiles& files, const advice::Observed& observed) {
    std::set<std::string> names;
    for (const advice::Function& function : observed.functions)
        names.insert(function.name);
    return advice::source_files(files.images().front(), names);
}

int suggest(const char* verb, const FilterOptions& options, const std::vector<std::string>& paths) {
    const RunFiles files(paths);
    const advice::Observed observed = advice::observe(files.profile());
    const advice::CallCosts costs = costs_of(files.images().front());
    if (costs.timed <= 0)
        throw std::runtime_error(
            files.config_label() +
            " does not tell what its hooks cost: it was written by another version or never closed");
    std::string trouble;
    const auto compiler =
        CompilerAtHand::find(options.compiler, trouble, CompilerPatience, observed.has_cxx() ? "g++" : "gcc");
    if (!compiler && options.compiler)
        return usage_error(verb, trouble.c_str());
    const Proposal proposal = propose(observed, costs, options.bounds);
    SuggestionText text(observed, costs, options.bounds, proposal.suggestion, options.whole);
    std::string out = text.table(static_cast<std::size_t>(options.max_rows)) + text.rule() + text.outcome();
    if (!proposal.expression.empty()) {
        out += text.section(proposal.expression);
        out +=
            compiler ? flags_text(text, *compiler, files_of(files, observed)) : "\nCompiler flags: " + trouble + ".\n";
    }
    print_text(base::foreign_text(out, "\n\t"));
    if (options.output) {
        write_text(options.output, "--output", files, whole_config(files, proposal.expression));
        std::printf("\nThe whole configuration is in %s: VFTR_CONFIG=%s\n", base::foreign_text(options.output).c_str(),
                    base::foreign_text(options.output).c_str());
    }
    if (options.list) {
        write_text(options.list, "--list", files, list_text(names_of(observed, proposal.suggestion, true)));
        std::printf("\nThe list for the compiler's plugin is in %s\n", base::foreign_text(options.list).c_str());
    }
    return 0;
}

} // namespace

int verb_filter(int argc, char** argv) {
    FilterOptions options;
    const std::vector<Action> actions = {{"suggest", "which functions had best not be recorded"}};
    const auto early = read_options(
        argc, argv,
        {.usage = {"suggest [OPTION…] FILE…"},
         .about =
             "Tells from the recording of a run which functions the hooks cost most for, which of them a filter had best leave\n"
             "out, and what that saves; prints the filter as a section of the configuration, and the compiler flags for the\n"
             "same at the source.\n\n"
             "Left out are, dearest first, functions of which a call takes less than it costs to time it, until the hooks cost\n"
             "less than --max-overhead; none with more of the CPU time than --keep-share, never main, MPI functions, regions\n"
             "and sampling.precise_functions.\n",
         .actions = actions,
         .options = {
             {"--max-overhead=PERCENT", "what the hooks may cost, in percent of the program's CPU time; default: 2",
              take_percent(options.bounds.max_overhead)},
             {"--max-events=N", "and how many events a timeline of all calls may have; default: any number",
              number(options.bounds.max_events)},
             {"--keep-share=PERCENT", "functions with more of the program's CPU time stay; default: 5",
              take_percent(options.bounds.keep_share)},
             {"--aggressive", "leave out the dearest, whatever their share and however long their calls take",
              flag(options.bounds.aggressive)},
             {"--output=FILE", "write a whole configuration with the filter: that of the run, and the filter in it",
              text(options.output)},
             {"--list=FILE",
              "write the names of these functions, for the exclude option of a compiler's plugin (vftr flags)",
              text(options.list)},
             {"--compiler=COMPILER",
              "whose flags are printed; default: that of the variable CC, else gcc, or g++ for C++",
              text(options.compiler)},
             {"--max-rows=N", "functions in the table; 0 shows all; default: 20", number(options.max_rows)},
             {"--whole", "print expressions and compiler flags however long they are", flag(options.whole)}}});
    if (early)
        return *early;
    const char* action = optind < argc ? argv[optind++] : nullptr;
    if (!action)
        return usage_error(argv[0], "the action suggest is missing");
    if (std::strcmp(action, "suggest") != 0)
        return usage_error(argv[0], "no such action: ", (action + did_you_mean(action, names_of(actions))).c_str());
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    return suggest(argv[0], options, {argv + optind, argv + argc});
}

} // namespace vftr::cli
