// SPDX-License-Identifier: BSD-3-Clause
//
// The files and folders of vftr tui, read as for an export, and read again while programs write them. An Image of a
// file that is written shows the file as it was when it was opened, up to what its process has published.
#pragma once

#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/recordings_of.hpp"

#include "tui/source.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace vftr::cli {

class RunSource final : public tui::Source {
public:
    // `remark` is what a reader must know besides; it may be empty. Throws as RunInput does.
    explicit RunSource(std::vector<std::string> paths, std::string remark = {},
                       Complaints complaints = Complaints::OneLineEach);
    ~RunSource() override;

    const exports::Subject& subject() const override;
    const exports::Part* waits() const override;
    const analysis::ProcessTree& processes() const override;
    const std::vector<std::int32_t>& ranks() const override;
    exports::Part part_of_rank(std::int32_t rank) const override;
    bool may_change() const override;
    bool has_folder() const override;
    void read() override;

    // Whether each file of the folders is a recording; the others are one line each on stderr.
    bool all_readable() const;

private:
    struct State;
    bool follow_names();
    void read_now();

    std::vector<std::string> paths_;
    const std::string remark_;
    const Complaints complaints_;
    std::unique_ptr<const State> state_;
    bool ended_ = false; // a file is gone with its process
};

} // namespace vftr::cli
