// SPDX-License-Identifier: BSD-3-Clause
#include "run_summary.hpp"

#include "program_profiles.hpp"
#include "recordings_of.hpp"
#include "terminal.hpp"

#include "report/command_text.hpp"
#include "report/process_tree.hpp"
#include "report/text.hpp"
#include "report/text_table.hpp"

#include <algorithm>
#include <map>
#include <vector>

namespace vftr::cli {
namespace {

constexpr std::size_t MostPrograms = 5, MostFunctions = 5; // of each program

struct FunctionTime {
    std::string name;
    std::uint64_t exclusive = 0, calls = 0; // ns
};

std::vector<FunctionTime> functions_by_time(const analysis::Profile& profile) {
    std::map<std::uint32_t, FunctionTime> sums;
    for (const analysis::PathNode& path : profile.nodes) {
        FunctionTime& sum = sums[path.name];
        sum.exclusive += path.exclusive.sum;
        sum.calls += path.calls;
    }
    std::vector<FunctionTime> functions;
    for (auto& [name, sum] : sums) {
        sum.name = profile.names[name];
        functions.push_back(std::move(sum));
    }
    std::stable_sort(functions.begin(), functions.end(), [](const auto& a, const auto& b) { return a.exclusive > b.exclusive; });
    return functions;
}

void add_rows(report::TextTable& table, const ProgramParts& parts, const analysis::Profile& profile) {
    const double whole = static_cast<double>(std::max<std::uint64_t>(profile.summary.runtime_sum, 1));
    std::size_t rows = 0;
    for (const FunctionTime& function : functions_by_time(profile)) {
        if (++rows > MostFunctions)
            break;
        const double time = static_cast<double>(function.exclusive);
        table.add_row({std::to_string(function.calls), report::seconds(time, 3), report::fixed(100 * time / whole, 1),
                       report::fit(function.name, 60), report::fit(parts.program, 32)});
    }
}

std::string functions_table(const analysis::ProcessTree& tree, const std::vector<bool>& shown) {
    std::vector<ProgramParts> programs = program_parts(tree, shown, false);
    report::TextTable table({"Calls", "t_excl[s]", "t_excl[%]", "Function", "Program"});
    std::size_t left_out = 0;
    for (const ProgramParts& parts : programs) {
        if (&parts - programs.data() >= static_cast<std::ptrdiff_t>(MostPrograms)) {
            ++left_out;
            continue;
        }
        const ProgramProfile result = profile_of_parts(tree, parts);
        if (!result.profile.nodes.empty())
            add_rows(table, parts, result.profile);
    }
    return table.to_text() + (left_out ? "(" + std::to_string(left_out) + " more programs)\n" : "");
}

} // namespace

std::size_t print_summary(std::FILE* out, const std::string& directory, const vfd::RecordingId& root) {
    const analysis::ProcessTree tree(recordings_of({directory}).recordings);
    report::TreeStyle style;
    style.width = output_size(out).columns;
    style.shown = tree.descendants_of(root);
    const std::string text = report::process_tree_text(tree, style);
    if (text.empty())
        return 0;
    std::size_t processes = 0;
    for (std::uint32_t node : tree.roots())
        if (style.shown[node])
            processes += tree.processes_under(node);
    std::fprintf(out, "%s\n%s\nvftr report %s shows the profiles.\n", text.c_str(), functions_table(tree, style.shown).c_str(),
                 report::command_word(directory).c_str());
    return processes;
}

} // namespace vftr::cli
