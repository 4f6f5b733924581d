// SPDX-License-Identifier: BSD-3-Clause
//
// A table of descriptors of its own for work that opens files, where threads of the program could see them in theirs.
//
// The kernel gives a new descriptor the lowest free number. In a program that has closed its standard streams that is
// 0, 1 or 2, if only for the moment until the descriptor is moved (descriptor.hpp), and another thread that calls dup
// or dup2 in that moment gets a wrong number, fails, or takes a number that vftrace closes next. No system call puts a
// file that is not open yet on a number of one's choice: pidfd_getfd and SCM_RIGHTS take the lowest number as well.
//
// So where a standard stream is closed and the process has several threads, such work is done by a helper: a thread of
// this process (clone with CLONE_THREAD) that has a table of descriptors of its own, as CLONE_FILES is left out. What
// it maps, and what it writes to memory, is the process's; its descriptors end with it. It runs on the caller's stack
// and with the caller's thread-local data, like a child of vfork, while the caller waits. So to the C library it is the
// caller: locks, malloc and errno work as usual. Only the kernel tells the two apart: /proc/thread-self is the
// helper's.
//
// - The caller waits for a futex and not by CLONE_VFORK, since it could neither be stopped nor traced then, and a
//   debugger would take the helper for another process. It uses no stack meanwhile.
// - In both, all signals are blocked: a handler would run on a stack that the other uses. One that comes for the caller
//   is delivered afterwards.
// - The table is a copy, in which the program's own descriptors are closed at once, as far as their numbers show that
//   they are its own: otherwise the end of a pipe or the release of a lock could be delayed. The standard streams stay.
// - A thread that is created by a helper would have its table for good, so none may be. What is opened there lasts no
//   longer than the helper (OpenFile).
// - With one thread nobody can see the moment in which a number is taken, as signals are blocked for it. There the
//   helper would only be a second thread, in which some system calls fail (unshare, setns).
// - Without a helper (a seccomp filter or a limit of processes forbids it, Valgrind and qemu cannot do it) the work is
//   done in the caller's table, and the numbers are taken for a moment: what was recorded counts for more.
// - Another thread may close a standard stream just after this one has looked. That cannot be prevented at a price that
//   every program would pay; but where one was found closed once, the helper works also while all of them are open.
//
// It takes three system calls where all standard streams are open, and five more and a new thread where not.
// Any thread may call it, also with signals blocked, in a signal handler and within `work`.
#pragma once

#include "base/descriptor.hpp"

#include <cstdint>
#include <exception>
#include <utility>

namespace vftr::base {

// Calls work(data), which must not throw.
void with_own_descriptors(void (*work)(void*), void* data);

// Calls work(), which may throw.
template <class Work>
void with_own_descriptors(Work&& work) {
    struct Job {
        Work& work;
        std::exception_ptr thrown;
    } job{work, nullptr};
    with_own_descriptors(
        [](void* data) {
            Job& job = *static_cast<Job*>(data);
            try {
                job.work();
            } catch (...) {
                job.thrown = std::current_exception();
            }
        },
        &job);
    if (job.thrown)
        std::rethrow_exception(job.thrown);
}

// Which table of descriptors the calling thread has now: 0 is that of the process, other numbers are helpers'. No two
// helpers have the same.
std::uint64_t descriptor_table();

// Owns a file that may outlive the helper that has opened it.
class OpenFile {
public:
    OpenFile() = default;
    explicit OpenFile(int descriptor) : number_(descriptor), table_(descriptor_table()) {}
    OpenFile(OpenFile&& other) noexcept : number_(std::exchange(other.number_, -1)), table_(other.table_) {}
    OpenFile& operator=(OpenFile&& other) noexcept {
        std::swap(number_, other.number_);
        std::swap(table_, other.table_);
        return *this;
    }
    ~OpenFile() {
        if (is_here())
            close_file(number_);
    }

    int descriptor() const { return number_; }
    // Whether it is a descriptor where the calling thread runs now. If not, the file has to be opened again.
    bool is_here() const {
        const bool copied = table_ == 0 && number_ >= LowestDescriptor;
        return number_ >= 0 && (copied || table_ == descriptor_table());
    }

private:
    int number_ = -1;
    std::uint64_t table_ = 0;
};

} // namespace vftr::base
