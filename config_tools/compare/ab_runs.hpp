// SPDX-License-Identifier: BSD-3-Clause
//
// The runs of vftr ab: both commands in turn, each recorded and timed without recording, with all that they leave in
// one folder.
//
// The order is A B B A A B B A …: a machine that gets slower or faster meanwhile changes both sides alike. All runs of
// one side in a row would show that as a difference of the programs.
//
// Both of a pair may run at the same time on one core, too. The kernel then gives it to one and the other for a few
// milliseconds each, so that both meet the same machine even where its speed changes within a second, as beside other
// work. A recording has no time in which its threads waited for a core.
#pragma once

#include "config_tools/compare/timed_command.hpp"

#include "compare/sides.hpp"

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

struct AbSide {
    std::vector<std::string> words; // the command
    std::vector<std::pair<std::string, std::string>> environment;
    std::string config, directory; // empty: as we have it
};

struct AbWay {
    bool plain = true;     // each is also timed without recording
    bool together = false; // both of a pair run at the same time, on one core
};

class AbRuns {
public:
    // Makes the folder, which may be there if it is empty. Throws std::runtime_error.
    AbRuns(const compare::PerSide<AbSide>& sides, const std::string& folder, const AbWay& way);

    // Runs both once, and keeps nothing.
    void warm_up();
    // Runs both once more. Throws std::runtime_error for a command that fails, or is not recorded.
    void run_pair();

    const compare::Runs& recorded() const { return recorded_; }
    // By run, seconds: of the whole program with VFTR_OFF. Empty where that was not wanted.
    struct Times {
        std::vector<double> wall, cpu;
    };
    const compare::PerSide<Times>& plain() const { return plain_; }
    const std::string& folder() const { return folder_; }

private:
    compare::PerSide<std::string> new_folders(const std::string& suffix) const;
    TimedCommand command(std::size_t side, const std::string& folder, bool recorded) const;
    void expect_success(std::size_t side, const Timed& timed, const std::string& folder) const;
    compare::PerSide<Timed> run_both(const compare::PerSide<std::string>& folders, bool recorded) const;
    void run_recorded();
    void run_plain();

    const compare::PerSide<AbSide>& sides_;
    std::string folder_;
    AbWay way_;
    std::size_t pairs_ = 0; // that were begun
    compare::Runs recorded_;
    compare::PerSide<Times> plain_;
};

} // namespace vftr::cli
