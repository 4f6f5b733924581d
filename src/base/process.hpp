// SPDX-License-Identifier: BSD-3-Clause
//
// Which process this is, and which one a pid means, as the kernel tells it. Open, read, close; no malloc, no locks:
// also in forked children. errno may change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace vftr::base {

// Of a process, from /proc/<pid>/stat (see proc(5)). All 0: there is no such process, or no /proc.
struct ProcessStat {
    char state; // 'R', 'S', 'T', 'Z', …
    std::uint64_t threads;
    std::uint64_t start; // see process_start
};
ProcessStat process_stat(pid_t pid);

// When the kernel started a process, in clock ticks since boot (field 22 of /proc/<pid>/stat): with the pid the
// identity of a process, which an exec does not change. 0: there is no such process, or no /proc.
std::uint64_t process_start(pid_t pid);

// The inode of the pid namespace that this process is in (pid_namespaces(7)), which tells whether a pid that another
// process has written down means a process here. 0: there is no /proc.
std::uint64_t pid_namespace();
// Whether pids of this namespace may mean processes here. So do those of which it is not known (0).
bool is_own_pid_namespace(std::uint64_t pid_namespace);

// Whether the process that is meant runs. One that its parent has not waited for does not. start: its process_start, 0
// where that is not known. pid_namespace: that of the pid, 0 where that is not known. False for another one than the
// own: its pids say nothing here.
bool process_lives(pid_t pid, std::uint64_t start, std::uint64_t pid_namespace = 0);

// The own command line as in /proc/self/cmdline: each argument 0-terminated, cut where it is longer than `room`.
// Returns the bytes, 0 where there is none.
std::size_t read_arguments(char* out, std::size_t room);

// The path by which the kernel was asked to execute this program, for where there is no /proc; "" where it does not
// tell. It may be relative, or that of a script.
const char* executed_path();

// Of the processes of a job, one says what concerns them all: the one that its launcher counts as the first. True as
// well where no launcher has told a rank. Reads the environment.
bool speaks_for_the_job();
// A launcher of MPI jobs started this process, or one that it descends from, as a rank.
bool launched_as_rank();
// The rank that it was launched as; 0 where it was not.
std::int64_t launched_rank();

} // namespace vftr::base
