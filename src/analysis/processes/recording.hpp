// SPDX-License-Identifier: BSD-3-Clause
//
// What the header of a recording says about its process: its identity, its parent, and how it ended. Headers are
// untrusted: pids, times and strings may hold anything.
#pragma once

#include "vfd/format.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace vftr::analysis {

enum class Ending : std::uint8_t {
    Runs,     // not closed, and the process still runs
    Exit,     // normal exit
    Left,     // ended by _exit or the like
    Executed, // the process went on as another program
    Killed,   // not closed, and the process is gone; or sealed by vftr recover
    Unknown,  // not closed and from another host, or a snapshot
};

// The machine that the reader runs on. It tells whether the process with a pid from a header still lives.
struct Machine {
    std::string hostname;
    std::function<bool(std::uint32_t pid, std::uint64_t process_start, std::uint64_t pid_namespace)> lives;

    static Machine here();
};

struct Recording {
    std::string file;
    bool merged = false;   // FileKind::Merged: the recording of all ranks of a job
    bool snapshot = false; // a copy that a process has made of its recording while it ran
    std::uint32_t pid = 0;
    std::uint64_t process_start = 0; // 0: not known
    std::uint64_t pid_namespace = 0; // the pid namespace of the pids; 0: not known
    std::string host;
    std::uint64_t start_realtime_ns = 0;
    bool closed = false;               // complete, will not change any more
    std::uint64_t end_realtime_ns = 0; // where not closed, the latest known moment
    bool forked = false;
    std::uint32_t parent_pid = 0;
    std::optional<vfd::RecordingId> parent; // the parent recording, if the process was told it
    bool mpi = false;
    std::int32_t rank = -1;
    std::int32_t size = 1;              // ranks of its MPI job
    std::string basename;               // base name of its result files
    std::string executable;             // path
    std::vector<std::string> arguments; // argv[0] first
    bool arguments_cut = false;
    Ending ending = Ending::Unknown;
    std::optional<std::int32_t> exit_status;

    std::string program() const; // the file name of the executable
    bool of_a_job() const { return mpi && size > 1; }
    bool may_be_written() const { return ending == Ending::Runs || ending == Ending::Unknown; }
};

Recording recording_of(const vfd::FileHeader& header, std::string file, const Machine& machine);

} // namespace vftr::analysis
