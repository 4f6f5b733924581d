// SPDX-License-Identifier: BSD-3-Clause
#include "record/timing/off_cpu.hpp"

#include "base/clock.hpp"
#include "base/own_descriptors.hpp"
#include "base/run_delay.hpp"
#include "base/system_call.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"

#include <algorithm>
#include <atomic>
#include <ctime>
#include <sys/resource.h>
#include <utility>

namespace vftr::record {

namespace {

// Queries the kernel, by system calls of our own: samples of those of the C library would look like the program's.
// False: it does not answer. (The CPU time that getrusage returns is that of the latest timer interrupt.) A thread that
// is due to be preempted is preempted on its return from the kernel, most likely in this function; the values from
// before and after then do not fit together, so the query is repeated.
bool query_kernel(OffCpuClock& clock) {
    constexpr int MostTries = 4;
    for (int tries = 0; tries < MostTries; ++tries) {
        const std::uint64_t begin = base::read_ticks();
        rusage usage{};
        timespec cpu{};
        if (base::system_call(SYS_getrusage, RUSAGE_THREAD, &usage) != 0 ||
            base::system_call(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &cpu) != 0)
            return false;
        clock.wall_ns = base::monotonic_ns();
        clock.cpu_ns =
            static_cast<std::uint64_t>(cpu.tv_sec) * 1'000'000'000u + static_cast<std::uint64_t>(cpu.tv_nsec);
        clock.voluntary = usage.ru_nvcsw;
        clock.involuntary = usage.ru_nivcsw;
        clock.asked = base::read_ticks();
        if (clock.asked - begin < LateSlowPath / 4)
            break;
    }
    return true;
}

// How long the thread has been in the run queue since the latest call, where that is sure.
std::uint64_t sure_run_delay(OffCpuClock& clock) {
    const std::uint64_t delay = base::run_delay_ns(), known = std::exchange(clock.run_delay_ns, delay),
                        unsure = std::exchange(clock.unsure_ns, 0);
    return delay > known + unsure ? delay - known - unsure : 0;
}

// The part of `absent` ns in which the thread could have run.
std::uint64_t preempted_part(OffCpuClock& clock, const OffCpuClock& before, std::uint64_t absent) {
    if (clock.voluntary == before.voluntary)
        return clock.involuntary == before.involuntary ? 0 : absent;
    if (clock.involuntary != before.involuntary)
        return std::min(absent, sure_run_delay(clock));
    // A wait: after it the thread was in the run queue for an unknown part of the time, which must not be taken for a
    // later preemption.
    constexpr std::uint64_t MostUnsure = 1'000'000; // ns: a query of 5 µs is half a percent of it
    clock.unsure_ns += absent;
    if (clock.unsure_ns >= MostUnsure)
        sure_run_delay(clock);
    return 0;
}

// Ticks of preemptions since the latest slow path: before the event at `now`, and after it, while the kernel was
// queried.
struct Preempted {
    std::uint64_t before = 0, within = 0;
};
Preempted preempted_since(ThreadState& state, std::uint64_t now) {
    OffCpuClock& clock = state.off_cpu;
    const OffCpuClock before = clock;
    clock.latest_slow_path = now;
    if (!query_kernel(clock))
        return {};
    clock.latest_slow_path = clock.asked;
    const std::uint64_t ran = clock.cpu_ns - before.cpu_ns, passed = clock.wall_ns - before.wall_ns;
    state.record->cpu_ns += ran;
    state.record->cpu_until = clock.asked;
    if (ran >= passed)
        return {};
    const std::uint64_t preempted_ns = preempted_part(clock, before, passed - ran);
    if (clock.voluntary == before.voluntary)
        clock.run_delay_ns += preempted_ns;
    const double ticks_per_ns = static_cast<double>(clock.asked - before.asked) / static_cast<double>(passed);
    const auto all = static_cast<std::uint64_t>(static_cast<double>(preempted_ns) * ticks_per_ns);
    const std::uint64_t within = clock.asked - now < ShortestPreemption ? 0 : std::min(all, clock.asked - now);
    return {std::min(all - within, now - before.latest_slow_path), within};
}

// Values of the thread that has started the recording, until it begins in it. tid 0: there is none.
OffCpuClock start;
std::atomic<long> start_tid{0};

bool is_timed(const vfd::Frame& frame) { return !(frame.flags & vfd::FrameNotTimed); }

// A wait stays a wait while others have the core. The waits of OpenMP are told from work by readers only; here they
// count if they are the innermost constructs.
bool keeps_its_time(const vfd::Node& node) {
    if (node.kind == vfd::NodeKind::OpenMp)
        return vfd::is_wait(vfd::construct_of(node.key));
    return node.kind == vfd::NodeKind::Mpi || node.kind == vfd::NodeKind::Pause;
}

// Whether the call is within a wait: a barrier that the library adds to a collective call is below that call.
bool is_in_wait(const ThreadState& state, const vfd::Frame* frame) {
    for (; frame > state.frames; --frame)
        if (keeps_its_time(state.nodes[frame->node]))
            return true;
    return false;
}

// Moves the begin of all running functions by `ticks`.
void shift_frames(ThreadState& state, vfd::Frame& innermost, std::uint64_t ticks) {
    for (vfd::Frame* frame = state.frames; frame <= &innermost; ++frame)
        frame->enter += ticks;
    state.record->preempted += ticks;
}

// Corrects the time of a function that has left, which is charged already.
void rewind(ThreadState& state, const vfd::Frame& left, std::uint64_t ticks) {
    vfd::Node& node = state.nodes[left.node];
    node.exclusive -= ticks;
    if (node.open == 0)
        node.inclusive -= ticks;
    state.top->child -= ticks;
}

// Cuts the ticks out of the innermost function that had been running for long enough at `now`, going outwards from
// `innermost`. Returns how many ticks were cut out.
std::uint64_t cut_out(ThreadState& state, vfd::Frame& innermost, std::uint64_t now, std::uint64_t ticks) {
    std::uint64_t above = 0; // time of the frames above
    for (vfd::Frame* frame = &innermost;; --frame) {
        if (!is_timed(*frame)) {
            above += frame->child;
            continue;
        }
        // A region that goes on beyond its function (frames.cpp) may have been moved behind the time of the event.
        const std::uint64_t lived = now > frame->enter ? now - frame->enter : 0;
        if (lived < ticks / 2 && frame != state.frames) {
            above = frame > state.top ? 0 : lived; // the caller's `child` includes the time of a function that has left
            continue;
        }
        const std::uint64_t others = frame->child + above;
        if (others >= lived || is_in_wait(state, frame))
            return 0;
        ticks = std::min(ticks, lived - others);
        if (frame > state.top)
            rewind(state, *frame, ticks);
        shift_frames(state, *frame, ticks);
        return ticks;
    }
}

} // namespace

void note_off_cpu_of_start() {
    start = {};
    start_tid = query_kernel(start) ? base::system_call(SYS_gettid) : 0;
    start.run_delay_ns = base::run_delay_ns();
}

void begin_off_cpu(ThreadState& state, std::uint64_t now) {
    const bool started = start_tid == state.record->tid && start_tid.exchange(0) != 0;
    state.off_cpu = started ? start : OffCpuClock{};
    state.off_cpu.latest_slow_path = now;
    if (!started && query_kernel(state.off_cpu))
        state.off_cpu.run_delay_ns = base::run_delay_ns(); // it waited for a core before its first event
}

void CoreWait::begin() {
    begin_ = {};
    query_kernel(begin_);
    begin_.run_delay_ns = base::run_delay_ns();
}

std::uint64_t CoreWait::ns() const {
    OffCpuClock now{};
    const bool is_other_thread = base::descriptor_table() != 0; // the kernel's clocks are that one's
    if (begin_.asked == 0 || is_other_thread || !query_kernel(now))
        return 0;
    const std::uint64_t ran = now.cpu_ns - begin_.cpu_ns, passed = now.wall_ns - begin_.wall_ns,
                        absent = passed > ran ? passed - ran : 0;
    const std::uint64_t delay = base::run_delay_ns();
    // A thread that was woken up also waits in the run queue, without being preempted.
    if (delay != 0)
        return std::min(absent, delay - begin_.run_delay_ns);
    return preempted_part(now, begin_, absent);
}

std::uint64_t query_preemption(ThreadState& state, vfd::Frame& innermost, std::uint64_t now) {
    if (!recorder.settings.cuts_preemptions_out)
        return 0;
    const Preempted ticks = preempted_since(state, now);
    const std::uint64_t before = ticks.before < ShortestPreemption ? 0 : cut_out(state, innermost, now, ticks.before);
    if (ticks.within != 0 && !is_in_wait(state, state.top))
        shift_frames(state, *state.top, ticks.within);
    return before;
}

std::uint64_t charge_off_cpu(ThreadState& state, std::uint64_t now) { return query_preemption(state, *state.top, now); }

void charge_off_cpu_here() {
    if (ThreadState* state = recorded_thread())
        charge_off_cpu(*state, base::read_ticks());
}

void go_on_off_cpu(ThreadState& state, std::uint64_t now) { preempted_since(state, now); }

} // namespace vftr::record
