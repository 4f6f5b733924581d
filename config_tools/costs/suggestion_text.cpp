// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/costs/suggestion_text.hpp"

#include "config_tools/own_name.hpp"

#include "advice/exclude_lists.hpp"
#include "config/json_text.hpp"
#include "report/distinct_names.hpp"
#include "report/number_text.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <utility>

namespace vftr::cli {
namespace {

using report::bytes_text;
using report::fixed;
using report::NameWidth;
using report::plain;

constexpr std::size_t LongestShown = 1000; // characters of an expression or a flag, which nobody reads
constexpr double LargeHeaderShare = 25;    // percent of what the hooks cost
// Percent of the program's CPU time, of a function that may be lost with a whole file or template
constexpr double MinorShare = 0.1;

double percent(double part, double whole) { return whole > 0 ? 100 * part / whole : 0; }

std::string functions_text(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " function" : " functions");
}

std::string in_lines(const std::vector<std::string>& names, std::size_t most) {
    std::string text;
    for (std::size_t i = 0; i < std::min(names.size(), most); ++i)
        text += "    " + report::fit(names[i], 120) + "\n";
    return names.size() > most ? text + "    … and " + std::to_string(names.size() - most) + " more\n" : text;
}

} // namespace

SuggestionText::SuggestionText(const advice::Observed& observed, const advice::CallCosts& costs,
                               const advice::Bounds& bounds, const advice::Suggestion& suggestion, bool whole)
    : observed_(observed), costs_(costs), bounds_(bounds), suggestion_(suggestion), whole_(whole) {}

bool SuggestionText::is_shown(const std::string& text) const { return whole_ || text.size() <= LongestShown; }

std::string SuggestionText::decision(std::size_t function) const {
    switch (suggestion_.decisions[function]) {
    case advice::Decision::Recorded:
        return "";
    case advice::Decision::Excluded:
        return "leave out";
    case advice::Decision::EntryPoint:
        return "stays: entry point";
    case advice::Decision::Precise:
        return "stays: precise function";
    case advice::Decision::LargeShare:
        return "stays: large share";
    case advice::Decision::SharedName:
        return "stays: the name means other functions too";
    case advice::Decision::LongCalls:
        return "stays: long calls";
    }
    return "";
}

std::string SuggestionText::table(std::size_t max_rows) const {
    report::TextTable table({"Calls", "t_excl/call[ns]", "hooks/call[ns]", "hooks[s]", "hooks[%]", "sum[%]",
                             "t_excl[%]", "Function", "Suggestion"});
    const std::size_t shown =
        max_rows == 0 ? observed_.functions.size() : std::min(max_rows, observed_.functions.size());
    double sum = 0;
    std::vector<std::string_view> all;
    for (const advice::Function& function : observed_.functions)
        all.push_back(function.name);
    const report::DistinctNames names(all, NameWidth, 2 * NameWidth);
    for (std::size_t i = 0; i < shown; ++i) {
        const advice::Function& function = observed_.functions[i];
        sum += function.hooks;
        table.add_row({std::to_string(function.calls), fixed(function.own_per_call(), 1),
                       fixed(function.hooks_per_call(), 1), report::seconds(function.hooks, 3),
                       fixed(percent(function.hooks, observed_.hooks), 1), fixed(percent(sum, observed_.hooks), 1),
                       fixed(observed_.share(function), 1), names.of(function.name), decision(i)});
    }
    std::string text = "Functions by what their hooks cost";
    if (shown < observed_.functions.size())
        text += " (" + std::to_string(shown) + " of " + std::to_string(observed_.functions.size()) + ")";
    return text + "\n" + table.to_text();
}

std::string SuggestionText::rule() const {
    std::string text = "\nThe program itself took " + report::seconds(observed_.program, 3) +
                       (observed_.cpu_known ? " s of CPU time" : " s") +
                       " (all threads, without waits in MPI and OpenMP), the hooks " +
                       report::seconds(observed_.hooks, 3) + " s: " + fixed(observed_.overhead(), 1) + " %.\n";
    if (suggestion_.excluded == 0 && suggestion_.reached)
        return text + "That is within the bound of " + plain(bounds_.max_overhead) + " %: nothing need be left out.\n";
    text += "Left out, dearest first until the hooks cost at most " + plain(bounds_.max_overhead) + " %";
    if (bounds_.max_events != advice::Bounds().max_events)
        text += " and there are at most " + std::to_string(bounds_.max_events) + " events";
    if (bounds_.aggressive)
        text += ", whatever their calls take";
    else
        text += ": functions of which a call takes less than timing it (" + fixed(costs_.timed, 1) +
                " ns), with at most " + plain(bounds_.keep_share) + " % of that time";
    text += ". That is " + functions_text(suggestion_.excluded) + ".\n";
    const bool by_removal =
        suggestion_.removed.overhead <= bounds_.max_overhead && suggestion_.removed.trace.events <= bounds_.max_events;
    if (!suggestion_.reached && by_removal)
        text +=
            "With a look at each call that is left out the bound is not reached; without their hooks it is, see below.\n";
    else if (!suggestion_.reached)
        text += bounds_.aggressive
                    ? "The bound is not reached: what remains cannot be left out or costs next to nothing each.\n"
                    : "The bound is not reached so: --aggressive leaves out more.\n";
    return text;
}

std::string SuggestionText::outcome() const {
    const bool changes = suggestion_.excluded != 0;
    std::vector<std::string> titles{"", "as recorded"};
    if (changes)
        titles.insert(titles.end(), {"with the filter", "without their hooks"});
    report::TextTable table(titles);
    auto row = [&](const char* title, auto value) {
        std::vector<std::string> cells{title, value(suggestion_.now)};
        if (changes)
            cells.insert(cells.end(), {value(suggestion_.filtered), value(suggestion_.removed)});
        table.add_row(std::move(cells));
    };
    row("hooks, of the program's CPU time", [](const advice::Outcome& o) { return fixed(o.overhead, 2) + " %"; });
    row("events of a timeline of all calls", [](const advice::Outcome& o) { return std::to_string(o.trace.events); });
    row("their size", [](const advice::Outcome& o) { return bytes_text(o.trace.bytes); });
    const std::string removed =
        "Without their hooks: taken out of the running text (filter.live_patching), or compiled with the flags below.\n";
    return "\nPrediction\n" + table.to_text() + (changes ? removed : "");
}

std::string SuggestionText::section(const std::string& expression) const {
    if (!is_shown(expression))
        return "\nSection of the configuration: its expression has " + std::to_string(expression.size()) +
               " characters. --output=FILE writes a configuration with it, --whole prints it.\n";
    return "\nSection of the configuration\n\n{\n   \"filter\": {\n      \"exclude\": {\n         \"functions\": " +
           config::json_string(expression) + "\n      }\n   }\n}\n";
}

std::string SuggestionText::flags(const CompilerAtHand& compiler,
                                  const std::map<std::string, std::string>& files) const {
    const CompilerTrial trial(compiler);
    const std::string title = "\nFlags of " + compiler.name() + " for the same at the source\n\n";
    if (compiler.kind().family == advice::CompilerFamily::Clang) {
        const bool known = trial.understands({"-finstrument-functions-after-inlining"});
        return title + (known
                            ? "-finstrument-functions-after-inlining\n"
                              "    in place of -finstrument-functions, with -O1 or more: what is inlined has no hooks\n"
                            : "It has none.\n");
    }
    std::vector<advice::ListedFunction> excluded, recorded;
    for (std::size_t i = 0; i < observed_.functions.size(); ++i) {
        const std::string& name = observed_.functions[i].name;
        const auto file = files.find(name);
        const bool minor = suggestion_.decisions[i] == advice::Decision::Recorded && !advice::is_entry_point(name) &&
                           observed_.share(observed_.functions[i]) < MinorShare;
        (suggestion_.decisions[i] == advice::Decision::Excluded ? excluded : recorded)
            .push_back({name, file == files.end() ? "" : file->second, minor});
    }
    const std::vector<std::string> header_folders = compiler.header_folders();
    const advice::ExcludeLists lists = advice::exclude_lists(excluded, recorded, header_folders);
    std::string text;
    std::size_t hidden = 0; // characters
    auto add = [&](const char* option, const std::vector<std::string>& entries) {
        const std::string flag = option + advice::list_text(entries);
        if (entries.empty() || !trial.understands({"-finstrument-functions", flag}))
            return;
        if (is_shown(flag))
            text += advice::shell_word(flag) + "\n";
        else
            hidden += flag.size();
    };
    add("-finstrument-functions-exclude-file-list=", lists.files);
    add("-finstrument-functions-exclude-function-list=", lists.functions);
    if (hidden != 0)
        text +=
            "Flags of " + std::to_string(hidden) +
            " characters are not shown. --whole prints them; --list=FILE writes the names for the compiler's plugin.\n";
    if (text.empty())
        text = "It has none that would not take the hooks of other functions, too.\n";
    else if (!lists.uncovered.empty())
        text +=
            "\nNot of these functions, as such lists hit all names that have an entry within them; recorded as they were, they cost " +
            fixed(observed_.percent(hooks_of(lists.uncovered)), 2) +
            " % of\nthe program's CPU time (with the filter less):\n" + in_lines(lists.uncovered, 5);
    if (!lists.also.empty())
        text += "\nThey take the hooks of these functions, too, which have less than " + plain(MinorShare) +
                " % of the time each:\n" + in_lines(lists.also, 5);
    return title + text + headers_text(compiler, files, header_folders);
}

double SuggestionText::hooks_of(const std::vector<std::string>& names) const {
    double hooks = 0;
    for (const advice::Function& function : observed_.functions)
        if (std::find(names.begin(), names.end(), function.name) != names.end())
            hooks += function.hooks;
    return hooks;
}

// The flags to start with would have saved most of it.
std::string SuggestionText::headers_text(const CompilerAtHand& compiler,
                                         const std::map<std::string, std::string>& files,
                                         const std::vector<std::string>& header_folders) const {
    double hooks = 0;
    for (const advice::Function& function : observed_.functions) {
        // What libstdc++ has a copy of goes by the address of that one, which is in no file of the program.
        const auto file = files.find(function.name);
        const std::string name = advice::gcc_name(function.name).value_or("");
        const bool header =
            file == files.end()
                ? name.starts_with("std::") || name.starts_with("__gnu_cxx::")
                : std::any_of(header_folders.begin(), header_folders.end(),
                              [&](const std::string& folder) { return file->second.starts_with(folder + "/"); });
        hooks += header ? function.hooks : 0;
    }
    const double share = percent(hooks, observed_.hooks);
    if (share < LargeHeaderShare)
        return "";
    return "\n" + fixed(share, 0) +
           " % of what the hooks cost is in functions of the system's headers: all of these are without hooks with the flags\n"
           "that " +
           own_command("flags") + " " + compiler.name() + " prints.\n";
}

} // namespace vftr::cli
