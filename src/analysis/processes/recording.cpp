// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/recording.hpp"

#include "base/process.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vftr::analysis {
namespace {

using vfd::string_of;

// Each argument ends with a zero byte. In a full field the last one may be cut, without a zero byte.
void read_arguments(const vfd::FileHeader& header, Recording& recording) {
    std::string_view rest(header.arguments, sizeof header.arguments);
    rest = rest.substr(0, rest.find_last_not_of('\0') + 1);
    recording.arguments_cut = rest.size() + 1 >= sizeof header.arguments;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\0'), rest.size());
        recording.arguments.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

Ending ending_of(const vfd::FileHeader& header, const Recording& recording, const Machine& machine) {
    const bool here = recording.host == machine.hostname;
    const auto lives = [&] { return machine.lives(recording.pid, recording.process_start, recording.pid_namespace); };
    if (recording.snapshot) // its process ran on, for an unknown time
        return here && lives() ? Ending::Runs : Ending::Unknown;
    switch (header.state) {
    case vfd::FileState::Sealed:
        return header.flags & vfd::FlagRecovered ? Ending::Killed : Ending::Exit;
    case vfd::FileState::Executed:
        return Ending::Executed;
    case vfd::FileState::Exited:
        return Ending::Left;
    default:
        if (!here)
            return Ending::Unknown;
        return lives() ? Ending::Runs : Ending::Killed;
    }
}

} // namespace

Machine Machine::here() {
    return {vfd::own_hostname(), [](std::uint32_t pid, std::uint64_t start, std::uint64_t pid_namespace) {
                return base::process_lives(static_cast<pid_t>(pid), start, pid_namespace);
            }};
}

std::string Recording::program() const {
    std::string name = executable.substr(executable.rfind('/') + 1);
    return name.empty() ? "(unknown program)" : name;
}

Recording recording_of(const vfd::FileHeader& header, std::string file, const Machine& machine) {
    Recording recording;
    recording.file = std::move(file);
    recording.merged = header.kind == vfd::FileKind::Merged;
    recording.snapshot = header.flags & vfd::FlagSnapshot;
    recording.pid = header.pid;
    recording.process_start = header.process_start;
    recording.pid_namespace = header.pid_namespace;
    recording.host = string_of(header.hostname);
    recording.start_realtime_ns = header.start.realtime_ns;
    recording.closed = header.state != vfd::FileState::Open;
    const vfd::ClockPair& latest = header.last[header.last_index & 1];
    recording.end_realtime_ns =
        std::max(header.start.realtime_ns, header.end.realtime_ns ? header.end.realtime_ns : latest.realtime_ns);
    recording.forked = header.flags & vfd::FlagForked;
    recording.parent_pid = header.parent_pid;
    if ((header.flags & vfd::FlagFollowed) && header.parent.pid != 0)
        recording.parent = header.parent;
    recording.mpi = header.flags & vfd::FlagMpi;
    recording.rank = recording.mpi ? header.rank : -1;
    recording.size = recording.mpi ? std::max(header.size, 1) : 1;
    recording.basename = string_of(header.basename);
    recording.executable = string_of(header.executable);
    read_arguments(header, recording);
    recording.ending = ending_of(header, recording, machine);
    if (header.flags & vfd::FlagExitStatus)
        recording.exit_status = header.exit_status;
    return recording;
}

} // namespace vftr::analysis
