// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/two_runs_source.hpp"

#include "config_tools/compare/two_runs.hpp"
#include "config_tools/report/run_source.hpp"

#include "compare/comparison_table.hpp"
#include "compare/comparison_text.hpp"

#include <utility>

namespace vftr::cli {
namespace {

std::shared_ptr<const tui::Grid> grid_of(const compare::Comparison& comparison, const compare::CombinedTree& tree) {
    tui::GridBuilder builder(compare::view_columns(comparison));
    compare::put_view_rows(comparison, tree, builder);
    return std::make_shared<const tui::Grid>(std::move(builder).grid());
}

} // namespace

struct TwoRunsSource::State {
    explicit State(const TwoRuns& both)
        : difference{compare::answer(both.functions()), compare::notes(both.functions(), {}),
                     grid_of(both.functions(), both.tree()), grid_of(both.paths(), both.tree())},
          shown(both.shown()), base(shown.paths[compare::Base], shown.remarks[compare::Base], Complaints::None),
          next(shown.paths[compare::New], shown.remarks[compare::New], Complaints::None) {}

    const tui::Difference difference;
    const ShownSides shown;
    const RunSource base, next;
};

TwoRunsSource::TwoRunsSource(std::vector<std::string> base, std::vector<std::string> next)
    : base_paths_(std::move(base)), new_paths_(std::move(next)) {
    read();
}
TwoRunsSource::~TwoRunsSource() = default;

void TwoRunsSource::read() { state_ = std::make_unique<const State>(TwoRuns(base_paths_, new_paths_)); }

const exports::Subject& TwoRunsSource::subject() const { return state_->next.subject(); }
const exports::Part* TwoRunsSource::waits() const { return state_->next.waits(); }
const analysis::ProcessTree& TwoRunsSource::processes() const { return state_->next.processes(); }
const std::vector<std::int32_t>& TwoRunsSource::ranks() const { return state_->next.ranks(); }
exports::Part TwoRunsSource::part_of_rank(std::int32_t rank) const { return state_->next.part_of_rank(rank); }
const tui::Source* TwoRunsSource::base() const { return &state_->base; }
const tui::Difference* TwoRunsSource::difference() const { return &state_->difference; }
bool TwoRunsSource::all_readable() const { return state_->shown.all_readable; }

} // namespace vftr::cli
