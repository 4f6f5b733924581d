// SPDX-License-Identifier: BSD-3-Clause
#include "record/threads/own_thread.hpp"

#include "base/clock.hpp"
#include "base/sleep.hpp"
#include "base/system_call.hpp"
#include "record/hot/thread_state.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <ctime>
#include <linux/futex.h>
#include <sys/prctl.h>
#include <unistd.h>

namespace vftr::record {

namespace {
constexpr std::size_t StackBytes = 256 * 1024;
}

bool OwnThread::begin(CreateThread* create, void* (*run)(void*)) {
    life = Life::Works;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_t attributes;
    bool created = false;
    if (create && pthread_attr_init(&attributes) == 0) {
        pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
        pthread_attr_t small = attributes;
        pthread_attr_setstacksize(&small, StackBytes);
        pthread_sigmask(SIG_SETMASK, &all, &before);
        pthread_t thread;
        // A program with much thread-local storage needs more stack.
        created = create(&thread, &small, run, nullptr) == 0 || create(&thread, &attributes, run, nullptr) == 0;
        pthread_sigmask(SIG_SETMASK, &before, nullptr);
        pthread_attr_destroy(&attributes);
    }
    if (!created)
        life = Life::None;
    return created;
}

void OwnThread::has_begun() {
    current = &refused_state;
    prctl(PR_SET_NAME, "vftrace");
    prctl(PR_SET_TIMERSLACK, 1);
}

void OwnThread::call() {
    calls.fetch_add(1);
    base::system_call(SYS_futex, &calls, FUTEX_WAKE_PRIVATE, INT_MAX);
}

// Where the kernel may not be asked to wait (because of a seccomp filter of the program), the thread sleeps for a while
// instead, as it would otherwise use up a processor.
void OwnThread::wait_for_call(std::uint32_t seen, std::uint64_t longest_ns) {
    const std::uint64_t ns = std::min<std::uint64_t>(longest_ns, 1'000'000'000'000);
    timespec longest{};
    longest.tv_sec = static_cast<time_t>(ns / 1'000'000'000);
    longest.tv_nsec = static_cast<long>(ns % 1'000'000'000);
    const long answer = base::system_call(SYS_futex, &calls, FUTEX_WAIT_PRIVATE, seen, &longest);
    if (answer != 0 && answer != -EAGAIN && answer != -EINTR && answer != -ETIMEDOUT)
        base::sleep_microseconds(10'000);
}

bool OwnThread::end(std::uint64_t longest_ns) {
    Life works = Life::Works;
    if (!life.compare_exchange_strong(works, Life::Ends))
        return false;
    call();
    const std::uint64_t latest = base::monotonic_ns() + longest_ns;
    while (life.load() != Life::Gone && base::monotonic_ns() < latest)
        base::sleep_microseconds(200);
    Life ends = Life::Ends;
    life.compare_exchange_strong(ends, Life::Stops);
    return true;
}

} // namespace vftr::record
