// SPDX-License-Identifier: BSD-3-Clause
//
// The runs of vftr ab: both commands in turn, each recorded and timed without recording, with all that they leave in
// one folder.
//
// The order is A B B A A B B A …: a machine that gets slower or faster meanwhile changes both sides alike. All runs of
// one side in a row would show that as a difference of the programs.
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

class AbRuns {
public:
    // Makes the folder, which may be there if it is empty. Throws std::runtime_error.
    AbRuns(const compare::PerSide<AbSide>& sides, const std::string& folder, bool plain);

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
    template <class Run>
    void in_turn(Run run);
    std::string new_folder(const std::string& name) const;
    Timed timed(std::size_t side, const std::string& folder, bool recorded) const;
    void run_recorded(std::size_t side);
    void run_plain(std::size_t side);

    const compare::PerSide<AbSide>& sides_;
    std::string folder_;
    bool with_plain_;
    std::size_t pairs_ = 0; // that were begun
    compare::Runs recorded_;
    compare::PerSide<Times> plain_;
};

} // namespace vftr::cli
