// SPDX-License-Identifier: BSD-3-Clause
//
// Identifies this process, and the process that a pid denotes, by what the kernel reports. The functions open, read and
// close files; they use neither malloc nor locks, so that forked children can call them. errno may change.
#pragma once

#include <cstddef>
#include <cstdint>
#include <sys/types.h>

namespace vftr::base {

// Facts about a process from /proc/<pid>/stat (see proc(5)). All fields are 0 if there is no such process, or no /proc.
struct ProcessStat {
    char state; // 'R', 'S', 'T', 'Z', …
    std::uint64_t threads;
    std::uint64_t start; // see process_start
};
ProcessStat process_stat(pid_t pid);

// When the kernel started a process, in clock ticks since boot (field 22 of /proc/<pid>/stat). Together with the pid it
// identifies a process; exec does not change it. 0: there is no such process, or no /proc.
std::uint64_t process_start(pid_t pid);

// The inode of the pid namespace of this process (pid_namespaces(7)). It tells whether a pid that another process has
// stored denotes a process here. 0: there is no /proc.
std::uint64_t pid_namespace();
// Whether pids of this namespace may denote processes here. An unknown namespace (0) counts as such.
bool is_own_pid_namespace(std::uint64_t pid_namespace);

// Whether the given process is running. One that has ended but whose parent has not waited for it is not. start: its
// process_start, or 0 if unknown. pid_namespace: the namespace of the pid, or 0 if unknown; the result is false for a
// namespace other than this process's, whose pids mean nothing here.
bool process_lives(pid_t pid, std::uint64_t start, std::uint64_t pid_namespace = 0);

// Copies this process's command line as in /proc/self/cmdline: each argument is 0-terminated, and the whole is
// truncated to `room` bytes. Returns the number of bytes, 0 if there is no /proc.
std::size_t read_arguments(char* out, std::size_t room);

// The path with which the kernel was asked to execute this program, for systems without /proc; "" if it is not known.
// It may be relative, or that of a script.
const char* executed_path();

// True for the process that prints job-wide messages: the one that its launcher numbers first, and also a process that
// has not got a rank from any launcher. Reads the environment.
bool prints_job_messages();
// True if a launcher of MPI jobs started this process, or one of its ancestors, as a rank.
bool launched_as_rank();
// The rank that the launcher assigned; 0 if none.
std::int64_t launched_rank();

} // namespace vftr::base
