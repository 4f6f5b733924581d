// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/ab_runs.hpp"

#include "config_tools/compare/side_runs.hpp"

#include "base/foreign_text.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sched.h>
#include <stdexcept>
#include <utility>

namespace vftr::cli {
namespace {

namespace fs = std::filesystem;

// This process, and what it starts from now on.
void bind_to_one_core() {
    const int core = ::sched_getcpu();
    cpu_set_t only;
    CPU_ZERO(&only);
    if (core >= 0 && core < CPU_SETSIZE)
        CPU_SET(static_cast<unsigned>(core), &only);
    if (::sched_setaffinity(0, sizeof only, &only) != 0)
        throw std::runtime_error(std::string("--together: cannot bind the runs to one core: ") + std::strerror(errno));
}

} // namespace

AbRuns::AbRuns(const compare::PerSide<AbSide>& sides, const std::string& folder, const AbWay& way)
    : sides_(sides), folder_(fs::absolute(folder).string()), way_(way) {
    std::error_code error;
    fs::create_directories(folder_, error);
    if (error)
        throw std::runtime_error(base::foreign_text(folder) + ": " + error.message());
    if (!fs::is_empty(folder_, error) || error)
        throw std::runtime_error(base::foreign_text(folder) +
                                 (error ? ": " + error.message() : ": is not empty; --output gives another folder"));
    if (way_.together)
        bind_to_one_core();
}

// A folder for each side: base<suffix> and new<suffix>.
compare::PerSide<std::string> AbRuns::new_folders(const std::string& suffix) const {
    compare::PerSide<std::string> paths;
    for (std::size_t side = 0; side < paths.size(); ++side) {
        paths[side] = folder_ + '/' + compare::SideNames[side] + suffix;
        fs::create_directory(paths[side]);
    }
    return paths;
}

TimedCommand AbRuns::command(std::size_t side, const std::string& folder, bool recorded) const {
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
    return command;
}

void AbRuns::expect_success(std::size_t side, const Timed& timed, const std::string& folder) const {
    if (timed.code != 0)
        throw std::runtime_error(base::foreign_text(sides_[side].words.front()) + " (" + compare::SideNames[side] +
                                 ") ended with exit code " + std::to_string(timed.code) + "; what it wrote is in " +
                                 base::foreign_text(folder));
}

compare::PerSide<Timed> AbRuns::run_both(const compare::PerSide<std::string>& folders, bool recorded) const {
    const std::size_t first = pairs_ % 2 == 0 ? compare::Base : compare::New;
    const std::size_t in_order[] = {first, 1 - first};
    compare::PerSide<Timed> timed;
    if (!way_.together) {
        for (const std::size_t side : in_order) {
            timed[side] = RunningCommand(command(side, folders[side], recorded)).wait();
            expect_success(side, timed[side], folders[side]);
        }
        return timed;
    }
    compare::PerSide<std::optional<RunningCommand>> running;
    for (const std::size_t side : in_order)
        running[side].emplace(command(side, folders[side], recorded));
    for (const std::size_t side : in_order)
        timed[side] = running[side]->wait();
    for (const std::size_t side : in_order)
        expect_success(side, timed[side], folders[side]);
    return timed;
}

void AbRuns::run_recorded() {
    const compare::PerSide<std::string> folders = new_folders('.' + std::to_string(pairs_ + 1));
    run_both(folders, true);
    for (std::size_t side = 0; side < folders.size(); ++side) {
        SideRuns runs = side_runs({folders[side]});
        if (runs.profiles.size() != 1)
            throw std::runtime_error(base::foreign_text(folders[side]) + ": has " +
                                     std::to_string(runs.profiles.size()) + " runs, not one");
        recorded_[side].push_back(std::move(runs.profiles.front()));
    }
}

void AbRuns::run_plain() {
    const compare::PerSide<Timed> timed = run_both(new_folders('.' + std::to_string(pairs_ + 1) + ".off"), false);
    for (std::size_t side = 0; side < timed.size(); ++side) {
        plain_[side].wall.push_back(timed[side].wall);
        plain_[side].cpu.push_back(timed[side].cpu);
    }
}

void AbRuns::warm_up() {
    const compare::PerSide<std::string> folders = new_folders(".warmup");
    run_both(folders, true);
    for (const std::string& folder : folders)
        fs::remove_all(folder);
}

void AbRuns::run_pair() {
    run_recorded();
    if (way_.plain)
        run_plain();
    ++pairs_;
}

} // namespace vftr::cli
