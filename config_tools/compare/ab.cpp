// SPDX-License-Identifier: BSD-3-Clause
//
// vftr ab: two commands run in turn, recorded, and compared.
#include "config_tools/compare/not_built.hpp"
#include "config_tools/verb.hpp"

#ifdef HAVE_BOOST_MATH
#include "config_tools/compare/ab_runs.hpp"
#include "config_tools/compare/diff_options.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/painted_text.hpp"

#include "base/foreign_text.hpp"
#include "compare/matched_tree.hpp"
#include "report/number_text.hpp"
#endif

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <stdexcept>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>
#include <vector>

namespace vftr::cli {

#ifdef HAVE_BOOST_MATH

namespace {

using compare::Base;
using compare::New;

struct AbOptions {
    DiffOptions diff;
    compare::PerSide<AbSide> sides;
    std::string output = "vftr_ab";
    std::uint64_t runs = 10, warm_ups = 0;
    double until = 0, limit = 0; // 0: none
    AbWay way;
};

int take_environment(const Given& given, AbSide& side) {
    const char* const equals = std::strchr(given.value, '=');
    if (!equals || equals == given.value)
        return given.refuse("needs NAME=VALUE");
    side.environment.emplace_back(std::string(given.value, static_cast<std::size_t>(equals - given.value)), equals + 1);
    return 0;
}

int take_config(const Given& given, AbSide& side) {
    side.config = given.value;
    return 0;
}

int take_directory(const Given& given, AbSide& side) {
    side.directory = given.value;
    return 0;
}

// An option for both sides, and the same one for one of them.
void add_for_sides(std::vector<Option>& all, AbOptions& options, const std::string& spelling, const char* help,
                   int (*take)(const Given&, AbSide&)) {
    AbSide *const base = &options.sides[Base], *const next = &options.sides[New];
    all.push_back({"--" + spelling, help, [=](const Given& given) {
                       const int code = take(given, *base);
                       return code != 0 ? code : take(given, *next);
                   }});
    all.push_back(
        {"--base-" + spelling, "the same for the base alone", [=](const Given& given) { return take(given, *base); }});
    all.push_back({"--new-" + spelling, "the same for the new one alone",
                   [=](const Given& given) { return take(given, *next); }});
}

int take_until(const Given& given, AbOptions& options) {
    constexpr Unit Percent[] = {{"", 1e6}, {"%", 1e6}};
    std::uint64_t millionths = 0; // of a percent
    if (!parse_quantity(given.value, Percent, millionths) || millionths == 0)
        return given.refuse("needs a percentage above 0");
    options.until = static_cast<double>(millionths) * 1e-8;
    return 0;
}

int take_limit(const Given& given, AbOptions& options) {
    double seconds = 0;
    if (!parse_number(given.value, seconds) || !(seconds > 0))
        return given.refuse("needs seconds above 0");
    options.limit = seconds;
    return 0;
}

Syntax syntax_of_ab(AbOptions& options) {
    Syntax syntax{
        .usage = {"[OPTION…] --base COMMAND [ARGUMENT…] --new COMMAND [ARGUMENT…]"},
        .about =
            "Runs both commands in turn (A B B A …), records each run as vftr run does, and prints vftr diff of them. Each is\n"
            "also timed without recording.\n"};
    std::vector<Option>& all = syntax.options;
    all = {{"-n N", "how often each runs; default: 10", number(options.runs, 1)},
           {"--warmup=N", "runs of each before, which do not count; default: 0", number(options.warm_ups)},
           {"--until=PERCENT", "end when the ratio of the application times is known to this much",
            [&](const Given& given) { return take_until(given, options); }},
           {"--limit=SECONDS", "begin no runs that would end after this time",
            [&](const Given& given) { return take_limit(given, options); }}};
    add_for_sides(all, options, "env=NAME=VALUE", "a variable for both commands", take_environment);
    add_for_sides(all, options, "config=FILE", "the configuration of the recording", take_config);
    add_for_sides(all, options, "cd=DIR", "where they run", take_directory);
    all.insert(all.end(),
               {{"--together",
                 "both of a pair at the same time, in turn on one core: for programs of one thread beside other work",
                 flag(options.way.together)},
                {"--only-recorded", "do not time the programs without recording", flag(options.way.plain, false)},
                {"-o, --output DIR", "where recordings and outputs are kept, a new folder; default: vftr_ab",
                 text(options.output)},
                {"", "\nOptions of vftr diff:\n"}});
    add_diff_options(all, options.diff);
    return syntax;
}

// The words of both commands, which begin behind --base and --new; empty where there is none.
compare::PerSide<std::vector<std::string>> commands(char** begin, char** end) {
    const auto is = [](const char* name) { return [name](const char* word) { return std::strcmp(word, name) == 0; }; };
    char** const base = std::find_if(begin, end, is("--base"));
    char** const next = std::find_if(base, end, is("--new"));
    return {std::vector<std::string>(base == end ? end : base + 1, next),
            std::vector<std::string>(next == end ? end : next + 1, end)};
}

class Session {
public:
    explicit Session(const AbOptions& options)
        : options_(options), runs_(options.sides, options.output, options.way), begin_(Clock::now()) {}

    void run() {
        for (std::uint64_t i = 0; i < options_.warm_ups; ++i)
            runs_.warm_up();
        for (std::uint64_t pair = 0; pair < options_.runs; ++pair) {
            const double before = seconds();
            tell(pair);
            runs_.run_pair();
            longest_ = std::max(longest_, seconds() - before);
            if ((options_.limit > 0 && seconds() + longest_ > options_.limit) || is_known())
                break;
        }
        if (tells_)
            std::fputs(Erased, stderr);
    }

    int print(const char* verb) const {
        if (options_.diff.format == DiffFormat::Text) {
            if (options_.way.plain)
                print_text(compare::program_text(program_rows()) + recording_text() + "\n");
        }
        const int code = print_diff(verb, options_.diff, runs_.recorded());
        if (options_.diff.format == DiffFormat::Text)
            std::printf("The recordings are in %s\n", base::foreign_text(runs_.folder()).c_str());
        return code;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr const char* Erased = "\r\033[K";
    static constexpr std::size_t LeastRuns = 3; // before --until ends it

    double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

    void tell(std::uint64_t pair) const {
        if (tells_)
            std::fprintf(stderr, "%s%s: run %llu of %llu", Erased, own_command("ab").c_str(),
                         static_cast<unsigned long long>(pair + 1), static_cast<unsigned long long>(options_.runs));
    }

    // The width of the interval does not depend on whether there is a difference, so to end by it favours neither
    // answer.
    bool is_known() const {
        if (options_.until == 0 || runs_.recorded()[Base].size() < LeastRuns)
            return false;
        compare::PerSide<std::vector<double>> times;
        for (std::size_t side = 0; side < times.size(); ++side)
            for (const analysis::Profile& run : runs_.recorded()[side])
                times[side].push_back(run.average(run.summary.times.sum.application()));
        const auto total = compare::compare_series(times, options_.diff.judging).interval;
        return total && std::log(total->high / total->ratio) <= options_.until;
    }

    // The wall time of one that runs beside the other is that of both.
    std::vector<compare::ProgramRow> program_rows() const {
        const auto& [base, next] = runs_.plain();
        const compare::Judging& judging = options_.diff.judging;
        std::vector<compare::ProgramRow> rows;
        if (!options_.way.together)
            rows.push_back({"wall time, not recorded", compare::compare_series({base.wall, next.wall}, judging)});
        rows.push_back({"CPU time, not recorded", compare::compare_series({base.cpu, next.cpu}, judging)});
        return rows;
    }

    // What recording has changed.
    std::string recording_text() const {
        const bool of_cpu = options_.way.together;
        std::string text = of_cpu ? "Recorded, they took " : "Recorded, they ran ";
        for (std::size_t side = 0; side < runs_.recorded().size(); ++side) {
            double recorded = 0, plain = 0;
            for (const analysis::Profile& run : runs_.recorded()[side])
                recorded += of_cpu ? static_cast<double>(run.summary.cpu) * 1e-9
                                   : run.average(run.summary.times.sum.runtime) * 1e-9;
            for (const double time : of_cpu ? runs_.plain()[side].cpu : runs_.plain()[side].wall)
                plain += time;
            const double percent = 100 * (recorded / plain - 1);
            text += (side == Base ? "" : " and ") + report::fixed(std::abs(percent), 1) + " % " +
                    (of_cpu         ? percent >= 0 ? "more CPU time" : "less CPU time"
                     : percent >= 0 ? "longer"
                                    : "shorter") +
                    (side == Base ? " (base)" : " (new)");
        }
        return text + '\n';
    }

    const AbOptions& options_;
    AbRuns runs_;
    const bool tells_ = !is_quiet() && ::isatty(STDERR_FILENO); // which run is in progress
    Clock::time_point begin_;
    double longest_ = 0; // that a pair of runs took
};

} // namespace

int verb_ab(int argc, char** argv) {
    AbOptions options;
    char** const end = argv + argc;
    char** const first = std::find_if(argv + 1, end, [](const char* word) {
        return std::strcmp(word, "--base") == 0 || std::strcmp(word, "--new") == 0;
    });
    const auto early = read_options(static_cast<int>(first - argv), argv, syntax_of_ab(options));
    if (early)
        return *early;
    if (argv + optind != first)
        return usage_error(argv[0], "options come before --base; this is none: ", argv[optind]);
    auto words = commands(first, end);
    if (words[Base].empty() || words[New].empty())
        return usage_error(argv[0], "give both commands: --base COMMAND… --new COMMAND…");
    for (const std::size_t side : {Base, New})
        options.sides[side].words = std::move(words[side]);
    if (const int code = complete_diff_options(argv[0], options.diff); code != 0)
        return code;
    if (options.diff.format == DiffFormat::Html)
        return usage_error(argv[0], "--format=html is that of vftr diff, which compares the recordings that are kept");
    options.diff.judging.paired = true;
    Session session(options);
    session.run();
    return session.print(argv[0]);
}

#else

int verb_ab(int, char**) { throw std::runtime_error(ComparisonNotBuilt); }

#endif

} // namespace vftr::cli
