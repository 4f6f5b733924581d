// SPDX-License-Identifier: BSD-3-Clause
//
// vftr ab: two commands run in turn, recorded, and compared.
#include "config_tools/compare/not_built.hpp"
#include "config_tools/verb.hpp"

#ifdef HAVE_BOOST_MATH
#include "config_tools/compare/ab_runs.hpp"
#include "config_tools/compare/diff_options.hpp"
#include "config_tools/option_number.hpp"

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

void print_help_of_ab() {
    std::fputs(
        "usage: vftr ab [OPTION…] --base COMMAND [ARGUMENT…] --new COMMAND [ARGUMENT…]\n\n"
        "Runs both commands in turn (A B B A …), records each run as vftr run does, and prints vftr diff of them. Each is\n"
        "also timed without recording.\n\n"
        "  -n N                how often each runs; default: 10\n"
        "  --warmup=N          runs of each before, which do not count; default: 0\n"
        "  --until=PERCENT     end when the ratio of the application times is known to this much\n"
        "  --limit=SECONDS     begin no runs that would end after this time\n"
        "  --env=NAME=VALUE    a variable for both; --base-env, --new-env: for one of them\n"
        "  --config=FILE       the configuration of the recording; --base-config, --new-config\n"
        "  --cd=DIR            where they run; --base-cd, --new-cd\n"
        "  --only-recorded     do not time the programs without recording\n"
        "  -o, --output DIR    where recordings and outputs are kept, a new folder; default: vftr_ab\n\n"
        "Options of vftr diff:\n\n",
        stdout);
    std::fputs(DiffOptionsHelp, stdout);
    std::fputs("  --help              print this\n", stdout);
}

struct AbOptions {
    DiffOptions diff;
    compare::PerSide<AbSide> sides;
    std::string output = "vftr_ab";
    std::uint64_t runs = 10, warm_ups = 0;
    double until = 0, limit = 0; // 0: none
    bool plain = true;
};

enum AbOption { Warmup = 'w', Until = 'u', Limit = 'l', OnlyRecorded = 'r', Env = 'e', Config = 'c', Cd = 'd' };
// An option for one side has this added to its number.
constexpr int OfBase = 128, OfNew = 1024;

bool is_of(std::size_t side, int which) { return side == Base ? which < OfNew : which >= OfNew || which < OfBase; }

int take_environment(const char* verb, AbOptions& options, int which) {
    const char* const equals = std::strchr(optarg, '=');
    if (!equals || equals == optarg)
        return usage_error(verb, "--env needs NAME=VALUE, not ", optarg);
    for (const std::size_t side : {Base, New})
        if (is_of(side, which))
            options.sides[side].environment.emplace_back(std::string(optarg, static_cast<std::size_t>(equals - optarg)),
                                                         equals + 1);
    return 0;
}

int take_of_sides(const char* verb, AbOptions& options, int which) {
    const int what = which >= OfNew ? which - OfNew : which >= OfBase ? which - OfBase : which;
    if (what == Env)
        return take_environment(verb, options, which);
    for (const std::size_t side : {Base, New})
        if (is_of(side, which))
            (what == Config ? options.sides[side].config : options.sides[side].directory) = optarg;
    return 0;
}

int take_ab_option(const char* verb, AbOptions& options, int which) {
    constexpr Unit Percent[] = {{"", 1e6}, {"%", 1e6}};
    std::uint64_t millionths = 0; // of a percent
    switch (which) {
    case 'n':
        if (!parse_number(optarg, options.runs) || options.runs == 0)
            return usage_error(verb, "-n needs a number from 1 on, not ", optarg);
        return 0;
    case Warmup:
        if (!parse_number(optarg, options.warm_ups))
            return usage_error(verb, "--warmup needs a number from 0 on, not ", optarg);
        return 0;
    case Until:
        if (!parse_quantity(optarg, Percent, millionths) || millionths == 0)
            return usage_error(verb, "--until needs a percentage above 0, not ", optarg);
        options.until = static_cast<double>(millionths) * 1e-8;
        return 0;
    case Limit:
        if (!parse_number(optarg, options.limit) || !(options.limit > 0))
            return usage_error(verb, "--limit needs seconds above 0, not ", optarg);
        return 0;
    case OnlyRecorded:
        options.plain = false;
        return 0;
    case 'o':
        options.output = optarg;
        return 0;
    }
    const bool of_sides = std::ranges::any_of(std::initializer_list<int>{0, OfBase, OfNew}, [which](int added) {
        return which == Env + added || which == Config + added || which == Cd + added;
    });
    return of_sides ? take_of_sides(verb, options, which) : take_diff_option(verb, which, options.diff);
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
        : options_(options), runs_(options.sides, options.output, options.plain), begin_(Clock::now()) {}

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
        if (::isatty(STDERR_FILENO))
            std::fputs(Erased, stderr);
    }

    int print(const char* verb) const {
        if (options_.diff.format == DiffFormat::Text) {
            if (options_.plain)
                std::fputs((compare::program_text(program_rows()) + recording_text() + "\n").c_str(), stdout);
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
        if (::isatty(STDERR_FILENO))
            std::fprintf(stderr, "%svftr ab: run %llu of %llu", Erased, static_cast<unsigned long long>(pair + 1),
                         static_cast<unsigned long long>(options_.runs));
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

    std::vector<compare::ProgramRow> program_rows() const {
        const auto& [base, next] = runs_.plain();
        const compare::Judging& judging = options_.diff.judging;
        return {{"wall time, not recorded", compare::compare_series({base.wall, next.wall}, judging)},
                {"CPU time, not recorded", compare::compare_series({base.cpu, next.cpu}, judging)}};
    }

    // What recording has changed.
    std::string recording_text() const {
        std::string text = "Recorded, they ran ";
        for (std::size_t side = 0; side < runs_.recorded().size(); ++side) {
            double recorded = 0, plain = 0;
            for (const analysis::Profile& run : runs_.recorded()[side])
                recorded += run.average(run.summary.times.sum.runtime) * 1e-9;
            for (const double wall : runs_.plain()[side].wall)
                plain += wall;
            const double percent = 100 * (recorded / plain - 1);
            text += (side == Base ? "" : " and ") + report::fixed(std::abs(percent), 1) +
                    (percent >= 0 ? " % longer" : " % shorter") + (side == Base ? " (base)" : " (new)");
        }
        return text + '\n';
    }

    const AbOptions& options_;
    AbRuns runs_;
    Clock::time_point begin_;
    double longest_ = 0; // that a pair of runs took
};

} // namespace

int verb_ab(int argc, char** argv) {
    AbOptions options;
    const std::vector<option> known = with_diff_options({{"warmup", required_argument, nullptr, Warmup},
                                                         {"until", required_argument, nullptr, Until},
                                                         {"limit", required_argument, nullptr, Limit},
                                                         {"only-recorded", no_argument, nullptr, OnlyRecorded},
                                                         {"env", required_argument, nullptr, Env},
                                                         {"base-env", required_argument, nullptr, OfBase + Env},
                                                         {"new-env", required_argument, nullptr, OfNew + Env},
                                                         {"config", required_argument, nullptr, Config},
                                                         {"base-config", required_argument, nullptr, OfBase + Config},
                                                         {"new-config", required_argument, nullptr, OfNew + Config},
                                                         {"cd", required_argument, nullptr, Cd},
                                                         {"base-cd", required_argument, nullptr, OfBase + Cd},
                                                         {"new-cd", required_argument, nullptr, OfNew + Cd},
                                                         {"output", required_argument, nullptr, 'o'},
                                                         {"help", no_argument, nullptr, 'h'}});
    char** const end = argv + argc;
    char** const first = std::find_if(argv + 1, end, [](const char* word) {
        return std::strcmp(word, "--base") == 0 || std::strcmp(word, "--new") == 0;
    });
    const auto early = read_options(static_cast<int>(first - argv), argv, ":n:o:h", known.data(), print_help_of_ab,
                                    [&](int which) { return take_ab_option(argv[0], options, which); });
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
