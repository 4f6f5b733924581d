// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of processes, as vftr report --tree prints it.
#include "report/process_tree_text.hpp"
#include "tui/view_spec.hpp"

#include <string>
#include <string_view>

namespace vftr::tui {
namespace {

struct ProcessLine {
    std::string_view text;
};

constexpr exports::Column<ProcessLine> ProcessColumns[] = {
    {"process", [](const ProcessLine& line, exports::Cell& cell) { cell.text(line.text); }},
};

std::shared_ptr<const Grid> processes_grid(const Scene& scene) {
    GridBuilder builder(exports::names_of<ProcessColumns>());
    report::TreeStyle style;
    style.width = 0;
    const std::string text = report::process_tree_text(scene.source().processes(), style);
    for (std::string_view rest = text; !rest.empty();) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        exports::put_row(ProcessColumns, ProcessLine{rest.substr(0, end)}, builder);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return std::make_shared<const Grid>(std::move(builder).grid());
}

} // namespace

constexpr ViewSpec view_processes{
    .name = "processes",
    .title = "Processes",
    .help = "processes with their lives and command lines",
    .columns = "process",
    .sort = "",
    .bar = "",
    .name_column = "process",
    .depth = "",
    .group = "",
    .leads = ViewSpec::Leads::Nowhere,
    .there = [](const Scene& scene) { return scene.source().processes().recordings().size() > 1; },
    .grid = processes_grid,
};

} // namespace vftr::tui
