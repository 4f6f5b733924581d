// SPDX-License-Identifier: BSD-3-Clause
//
// vftr ps: which recordings in a folder are being written now.
#include "config_tools/exit_code.hpp"
#include "config_tools/files/writer_of.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"
#include "config_tools/watch/terminal.hpp"

#include "base/foreign_text.hpp"
#include "base/process.hpp"
#include "report/command_text.hpp"
#include "report/number_text.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cstdio>

namespace vftr::cli {
namespace {

using analysis::Ending;
using analysis::Recording;

std::string state_of(const Recording& recording) {
    if (recording.ending == Ending::Unknown)
        return !recording.snapshot && recording.host == vfd::own_hostname() ? "perhaps in a container"
                                                                            : "on " + report::fit(recording.host, 64);
    const pid_t pid = static_cast<pid_t>(recording.pid);
    if (!base::process_lives(pid, recording.process_start, recording.pid_namespace)) // or it has ended since we looked
        return holder_of(recording.pid_namespace, recording.file) == WriterOf::Runs ? "in a container" : "ended";
    switch (base::process_stat(pid).state) {
    case 'R':
        return "runs";
    case 'D':
        return "waits for a device";
    case 'T':
    case 't':
        return "stopped";
    default:
        return "sleeps";
    }
}

// With as many blanks before or behind it as `width` takes.
std::string cell(const std::string& text, std::size_t width, bool left) {
    const std::string blanks(width - std::min(width, report::width(text)), ' ');
    return left ? base::foreign_text(text) + blanks : blanks + base::foreign_text(text);
}

void print(const std::vector<Recording>& recordings, bool wide) {
    std::vector<std::string> states;
    std::size_t state_width = 5;
    for (const Recording& r : recordings) {
        states.push_back(state_of(r));
        state_width = std::max(state_width, report::width(states.back()));
    }
    std::printf("    PID    RANK    TIME[s]  %s  PROGRAM\n", cell("STATE", state_width, true).c_str());
    const std::size_t columns = output_size().columns, used = 31 + state_width;
    const std::size_t room = wide ? 0 : std::max<std::size_t>(24, columns - std::min(columns, used));
    for (std::size_t i = 0; i < recordings.size(); ++i) {
        const Recording& r = recordings[i];
        const std::string rank = r.mpi && r.rank >= 0 ? std::to_string(r.rank) : "";
        const std::string time = report::seconds(static_cast<double>(r.end_realtime_ns - r.start_realtime_ns), 1);
        std::printf("%s  %s  %s  %s  %s\n", cell(std::to_string(r.pid), 7, false).c_str(), cell(rank, 6, false).c_str(),
                    cell(time, 9, false).c_str(), cell(states[i], state_width, true).c_str(),
                    report::command_text(r, room).c_str());
    }
}

} // namespace

int verb_ps(int argc, char** argv) {
    bool wide = false;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] [DIR]"},
         .about = "Lists the recordings in DIR (default: the current folder) that processes are writing now.\n",
         .options = {{"-w, --wide", "command lines are not cut to the width of the terminal", flag(wide)}}});
    if (early)
        return *early;
    if (argc - optind > 1)
        return usage_error(argv[0], "one DIR at most, not also ", argv[optind + 1]);
    RecordingsFound found = recordings_of({optind < argc ? argv[optind] : "."});
    std::erase_if(found.recordings, [](const Recording& r) { return !r.may_be_written(); });
    std::stable_sort(found.recordings.begin(), found.recordings.end(),
                     [](const Recording& a, const Recording& b) { return a.start_realtime_ns < b.start_realtime_ns; });
    print(found.recordings, wide);
    return exit_code(found.unreadable == 0);
}

} // namespace vftr::cli
