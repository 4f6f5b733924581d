// SPDX-License-Identifier: BSD-3-Clause
//
// Whether the program with hooks is another one than that without.
//
// Hooks of small functions take more time than these functions do, and gcc puts them in before it inlines, so that the
// compiler makes other code of the rest. What is measured then is a program that nobody runs, and what is left where
// the cost of the hooks is taken away is known to tens of percent at best. A reader has to know that before all else.
#include "report/findings/finding.hpp"
#include "report/notes.hpp"
#include "report/number_text.hpp"

#include <algorithm>

namespace vftr::report {

namespace {

// Fewer hooks than that (in ns) change nothing that a log would show.
constexpr std::uint64_t Least = 5'000'000;

// How many of the functions with most time are known to no better than LeastKnown percent.
std::size_t unknown_among_first(const std::vector<FunctionSum>& functions) {
    constexpr std::size_t First = 10;
    constexpr double LeastKnown = 30;
    std::vector<const FunctionSum*> sorted;
    for (const FunctionSum& function : functions)
        sorted.push_back(&function);
    const auto end = sorted.begin() + static_cast<std::ptrdiff_t>(std::min(First, sorted.size()));
    std::partial_sort(sorted.begin(), end, sorted.end(),
                      [](const FunctionSum* a, const FunctionSum* b) { return a->exclusive > b->exclusive; });
    return static_cast<std::size_t>(std::count_if(sorted.begin(), end, [&](const FunctionSum* function) {
        return function->exclusive != 0 && function->uncertainty.percent() > LeastKnown;
    }));
}

// The compiler to be called for such names; Fortran's cannot be told from C's.
const char* with_hooks_after_inlining(const analysis::Profile& profile) {
    const bool cxx = std::ranges::any_of(
        profile.names, [](const std::string& name) { return name.find('(') != name.npos && name.ends_with(')'); });
    return cxx ? "vftr c++ (or the flags of vftr flags g++)" : "vftr cc or fc (or the flags of vftr flags gcc)";
}

// Where that matters, how well it is known what hooks took.
std::string known_text(const analysis::Summary& summary) {
    const analysis::RankTimes& times = summary.times.sum;
    constexpr double LeastPercent = 5;
    const double percent =
        100 * static_cast<double>(times.hook_uncertainty) / std::max(static_cast<double>(times.hook_overhead), 1.0);
    return percent < LeastPercent ? ""
                                  : ", which is known to " + fixed(percent, 0) + " %" + too_few_samples_text(summary);
}

} // namespace

std::vector<Found> find_hooks(const Evidence& evidence, std::uint64_t) {
    std::uint64_t hooks = 0;
    for (const FunctionSum& function : evidence.functions)
        hooks += function.overhead;
    const std::uint64_t cpu = evidence.profile.summary.cpu != 0 ? evidence.profile.summary.cpu : evidence.whole;
    const std::size_t unknown = unknown_among_first(evidence.functions);
    constexpr std::size_t MostUnknown = 5;
    const bool dear = hooks > cpu / 3;
    if (hooks < Least || (!dear && unknown <= MostUnknown))
        return {};
    const std::string what =
        dear ? "took " + duration_text(hooks) + " of " + duration_text(cpu) + " CPU time" +
                   known_text(evidence.profile.summary)
             : "leave the times of " + std::to_string(unknown) + " of the ten largest functions known to 30 % at best";
    Found found{hooks,
                "hooks " + what + ": this is not a profile of the program as it is without them; build it with " +
                    with_hooks_after_inlining(evidence.profile) +
                    "; if it is, leave out the functions that vftr filter suggest names",
                {},
                {},
                {{"overhead_ns", hooks}, {"cpu_ns", cpu}, {"uncertain_functions", unknown}}};
    found.before_all = true;
    return {found};
}

} // namespace vftr::report
