// SPDX-License-Identifier: BSD-3-Clause
//
// vftr ctl: commands to programs that are being recorded.
#include "config_tools/exit_code.hpp"
#include "config_tools/files/mapped_recordings.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"
#include "config_tools/watch/control_page.hpp"

#include "base/foreign_text.hpp"
#include "config/timing_wish.hpp"
#include "symbols/pattern.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace vftr::cli {
namespace {

using analysis::Recording;
using vfd::ControlCommand;

constexpr double DefaultPatience = 1; // s

struct CtlOptions {
    double patience = DefaultPatience;
};

struct Command {
    const char *spelling, *help;
    ControlCommand command;
    enum class Text { None, Optional, Expression, Timing } text;
};
constexpr Command Commands[] = {
    {"start", "recording goes on, after stop, vftrace_pause or a trigger", ControlCommand::Start, Command::Text::None},
    {"stop", "recording stops; the time until start is shown as vftrace_pause", ControlCommand::Stop,
     Command::Text::None},
    {"snapshot [FILE]", "the recording so far is written as a file of its own; default: beside the recording",
     ControlCommand::Snapshot, Command::Text::Optional},
    {"exclude REGEX", "functions whose names match are not recorded any more", ControlCommand::Exclude,
     Command::Text::Expression},
    {"include REGEX", "functions whose names match are recorded, whatever was excluded before", ControlCommand::Include,
     Command::Text::Expression},
    {"timing HOW", "calls are timed otherwise from now on: ", ControlCommand::Timing, Command::Text::Timing},
    {"status", "whether it records", ControlCommand::Status, Command::Text::None},
};

std::vector<Choice> timing_choices() { return {{"exact", ""}, {"adaptive", ""}, {"budget", ""}, {"budget=", ""}}; }

std::vector<Action> actions_of_ctl() {
    std::vector<Action> actions;
    for (const Command& command : Commands) {
        actions.push_back({command.spelling, command.help});
        if (command.text == Command::Text::Timing) {
            actions.back().help += config::allowed_timings;
            actions.back().choices = timing_choices;
        }
    }
    return actions;
}

struct Target {
    std::string file, name;
    std::unique_ptr<ControlPage> page;
};

std::string name_of(const Recording& r) {
    return std::to_string(r.pid) + (r.of_a_job() && r.rank >= 0 ? " (rank " + std::to_string(r.rank) + ")" : "");
}

std::vector<Target> targets_of(const char* where) {
    std::vector<Target> targets;
    std::uint32_t pid = 0;
    if (parse_number(where, pid)) {
        for (const MappedRecording& recording : recordings_of_process(pid))
            targets.push_back({recording.path, std::to_string(pid), nullptr});
        return targets;
    }
    RecordingsFound found = recordings_of({where});
    std::erase_if(found.recordings, [](const Recording& r) { return r.merged || r.snapshot || !r.may_be_written(); });
    std::stable_sort(found.recordings.begin(), found.recordings.end(), [](const Recording& a, const Recording& b) {
        return std::pair(a.rank, a.pid) < std::pair(b.rank, b.pid);
    });
    for (const Recording& recording : found.recordings)
        targets.push_back({recording.file, name_of(recording), nullptr});
    if (targets.empty())
        throw std::runtime_error(std::string(where) + ": no process writes a recording there");
    return targets;
}

double seconds_now() {
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) / 1e9;
}

bool print(const Target& target, bool done, const std::string& text) {
    std::printf("%s: %s%s\n", base::foreign_text(target.name).c_str(),
                done ? "" : "refused: ", base::foreign_text(text).c_str());
    return done;
}

// All are asked before the first answer is waited for.
int give(std::vector<Target>& targets, const Command& command, const std::string& text, const CtlOptions& options) {
    bool good = true;
    for (Target& target : targets)
        try {
            target.page = std::make_unique<ControlPage>(target.file);
            target.page->ask(command.command, text);
        } catch (const std::runtime_error& error) {
            good = print(target, false, error.what());
        }
    const double end = seconds_now() + options.patience;
    for (const Target& target : targets) {
        if (!target.page)
            continue;
        auto answer = target.page->answer();
        for (; !answer && seconds_now() < end; answer = target.page->answer()) {
            constexpr timespec Step{0, 5'000'000};
            ::nanosleep(&Step, nullptr);
        }
        if (answer)
            good &= print(target, answer->done, answer->text);
        else {
            std::printf("%s: no answer: it has called no instrumented function meanwhile, and obeys at its next call\n",
                        base::foreign_text(target.name).c_str());
            good = false;
        }
    }
    return exit_code(good);
}

} // namespace

int verb_ctl(int argc, char** argv) {
    CtlOptions options;
    const std::vector<Action> actions = actions_of_ctl();
    const Take take_wait = [&](const Given& given) {
        const bool good =
            parse_number(given.value, options.patience) && options.patience >= 0 && options.patience <= 86400;
        return good ? 0 : given.refuse("needs seconds from 0 to 86400");
    };
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] PID|FILE|DIR COMMAND"},
         .about =
             "Gives a command to a program that is being recorded, by its process, by its recording, or to all whose recordings\n"
             "are in DIR, and prints what each answers.\n",
         .actions = actions,
         .options = {{"--wait S", "seconds that a program may take to answer; default: 1", take_wait}},
         .after =
             "A program sees a command at one of its next calls of an instrumented function, in a tenth of a second where it\n"
             "calls some all the time. The exit code is 1 where one has refused or did not answer in time.\n",
         .options_first = true});
    if (early)
        return *early;
    if (argc - optind < 2)
        return usage_error(argv[0], argc == optind ? "a PID, FILE or DIR is missing" : "a COMMAND is missing");
    const std::string name = argv[optind + 1];
    const std::vector<std::string> names = names_of(actions);
    const auto found = static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
    if (found == names.size())
        return usage_error(argv[0], "no such command: ", (name + did_you_mean(name, names)).c_str());
    const Command* command = &Commands[found];
    const int texts = argc - optind - 2;
    if (texts == 0 && command->text == Command::Text::Expression)
        return usage_error(argv[0], "a REGEX is missing for ", name.c_str());
    if (texts == 0 && command->text == Command::Text::Timing)
        return usage_error(argv[0], "timing is one of ", std::string(config::allowed_timings).c_str());
    if (texts > (command->text == Command::Text::None ? 0 : 1))
        return usage_error(argv[0], "too many arguments: ", argv[argc - 1]);
    std::string text = texts == 1 ? argv[optind + 2] : "";
    if (command->text == Command::Text::Expression)
        if (const symbols::Pattern pattern(text); !pattern.valid())
            return usage_error(argv[0], "no valid regular expression: ", pattern.error().c_str());
    if (command->text == Command::Text::Timing && !config::parse_timing(text))
        return usage_error(argv[0], ("no such timing: " + text + "; it is one of ").c_str(),
                           std::string(config::allowed_timings).c_str());
    if (command->command == ControlCommand::Snapshot && !text.empty())
        text = std::filesystem::absolute(text); // the program may be in another folder
    if (text.size() > ControlPage::MostText)
        return usage_error(argv[0], "longer than the 231 bytes that a command may have: ", text.c_str());
    std::vector<Target> targets = targets_of(argv[optind]);
    if (command->command == ControlCommand::Snapshot && !text.empty() && targets.size() > 1)
        return usage_error(argv[0], "several programs cannot write one snapshot: ", text.c_str());
    return give(targets, *command, text, options);
}

} // namespace vftr::cli
