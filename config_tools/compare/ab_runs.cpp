// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/ab_runs.hpp"

#include "config_tools/compare/side_runs.hpp"

#include "base/foreign_text.hpp"

#include <filesystem>
#include <stdexcept>

namespace vftr::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* SideNames[] = {"base", "new"};

} // namespace

AbRuns::AbRuns(const compare::PerSide<AbSide>& sides, const std::string& folder, bool plain)
    : sides_(sides), folder_(fs::absolute(folder).string()), with_plain_(plain) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw std::runtime_error(base::foreign_text(folder) + ": " + error.message());
    if (!fs::is_empty(folder_, error) || error)
        throw std::runtime_error(base::foreign_text(folder) +
                                 (error ? ": " + error.message() : ": is not empty; --output gives another folder"));
}

template <class Run>
void AbRuns::in_turn(Run run) {
    const bool base_first = pairs_ % 2 == 0;
    run(base_first ? compare::Base : compare::New);
    run(base_first ? compare::New : compare::Base);
}

std::string AbRuns::new_folder(const std::string& name) const {
    std::string path = folder_ + '/' + name;
    fs::create_directory(path);
    return path;
}

Timed AbRuns::timed(std::size_t side, const std::string& folder, bool recorded) const {
    const AbSide& its = sides_[side];
    TimedCommand command;
    command.environment = its.environment;
    command.directory = its.directory;
    command.output = folder;
    if (recorded) {
        command.words = {fs::read_symlink("/proc/self/exe").string(), "run", "--quiet", "--output=" + folder};
        if (!its.config.empty())
            command.words.push_back("--config=" + fs::absolute(its.config).string());
        command.words.push_back("--");
        command.environment.emplace_back("VFTR_OFF", "");
    } else {
        command.environment.emplace_back("VFTR_OFF", "1");
    }
    command.words.insert(command.words.end(), its.words.begin(), its.words.end());
    const Timed timed = time_command(command);
    if (timed.code != 0)
        throw std::runtime_error(base::foreign_text(its.words.front()) + " (" + SideNames[side] +
                                 ") ended with exit code " + std::to_string(timed.code) + "; what it wrote is in " +
                                 base::foreign_text(folder));
    return timed;
}

void AbRuns::run_recorded(std::size_t side) {
    const std::string folder = new_folder(SideNames[side] + ('.' + std::to_string(pairs_ + 1)));
    timed(side, folder, true);
    SideRuns runs = side_runs({folder});
    if (runs.profiles.size() != 1)
        throw std::runtime_error(base::foreign_text(folder) + ": has " + std::to_string(runs.profiles.size()) +
                                 " runs, not one");
    recorded_[side].push_back(std::move(runs.profiles.front()));
}

void AbRuns::run_plain(std::size_t side) {
    const std::string folder = new_folder(SideNames[side] + ('.' + std::to_string(pairs_ + 1)) + ".off");
    const Timed its = timed(side, folder, false);
    plain_[side].wall.push_back(its.wall);
    plain_[side].cpu.push_back(its.cpu);
}

void AbRuns::warm_up() {
    in_turn([&](std::size_t side) {
        const std::string folder = new_folder("warmup");
        timed(side, folder, true);
        fs::remove_all(folder);
    });
}

void AbRuns::run_pair() {
    in_turn([&](std::size_t side) { run_recorded(side); });
    if (with_plain_)
        in_turn([&](std::size_t side) { run_plain(side); });
    ++pairs_;
}

} // namespace vftr::cli
