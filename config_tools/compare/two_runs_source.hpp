// SPDX-License-Identifier: BSD-3-Clause
//
// What vftr tui shows of two runs, before and after a change: either run as it is shown alone, and the difference
// between them. They are read once, and again when the user asks for it.
#pragma once

#include "tui/source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vftr::cli {

class TwoRunsSource final : public tui::Source {
public:
    // The files and folders of both sides. Throws as TwoRuns and RunSource do.
    TwoRunsSource(std::vector<std::string> base, std::vector<std::string> next);
    ~TwoRunsSource() override;

    const exports::Subject& subject() const override;
    const exports::Part* waits() const override;
    const analysis::ProcessTree& processes() const override;
    const std::vector<std::int32_t>& ranks() const override;
    exports::Part part_of_rank(std::int32_t rank) const override;
    const tui::Source* base() const override;
    const tui::Difference* difference() const override;
    bool may_change() const override { return false; }
    bool has_folder() const override { return false; }
    void read() override;

    bool all_readable() const; // as in SideRuns

private:
    struct State;

    const std::vector<std::string> base_paths_, new_paths_;
    std::unique_ptr<const State> state_;
};

} // namespace vftr::cli
