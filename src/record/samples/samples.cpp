// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples/samples.hpp"

#include "base/clock.hpp"
#include "base/cpu_time.hpp"
#include "base/errno_preserved.hpp"
#include "base/signal_mask.hpp"
#include "base/system_call.hpp"
#include "record/modules/modules.hpp"
#include "record/recorder.hpp"
#include "record/samples/sample_cost.hpp"

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <linux/prctl.h>
#include <optional>
#include <utility>

namespace vftr::record {

namespace {

constexpr std::uint64_t FirstBegin = 200'000'000, TimePerBegin = 50'000'000; // ns of the process's life
// Who ends the recording has the lock for some microseconds. Who never gives it back has left a hook by a jump; then
// the ring stays, and gets no more samples.
constexpr int MostTries = 1000;
constexpr std::uint32_t MostWithAddresses = 16384; // records of a thread: 400 KiB

bool under_seccomp() { return base::system_call(SYS_prctl, PR_GET_SECCOMP) != 0; }

std::uint64_t own_cpu_ns() {
    const double ns = base::thread_cpu_ns();
    return ns > 0 ? static_cast<std::uint64_t>(ns) : 0;
}

// Nanoseconds of CPU time, or a negative errno. The first thread finds out what samples cost.
std::int64_t sample_period() {
    if (!recorder.settings.samples_adapt)
        return static_cast<std::int64_t>(recorder.settings.sample_cpu_ns);
    std::uint64_t known = recorder.adapted_sample_ns.load(std::memory_order_relaxed);
    if (known == 0) {
        const std::int64_t cost = cost_of_a_sample();
        if (cost < 0)
            return cost;
        const std::uint64_t period = period_for(static_cast<std::uint64_t>(cost));
        if (recorder.adapted_sample_ns.compare_exchange_strong(known, period))
            known = period;
    }
    return static_cast<std::int64_t>(known);
}

// Has the calling thread sampled. Returns 0 or a negative errno.
int open_ring(SampleRing& ring) {
    const std::int64_t period = under_seccomp() ? -EPERM : sample_period();
    if (period < 0)
        return static_cast<int>(period);
    std::atomic_ref(recorder.writer.header().sample_ns)
        .store(static_cast<std::uint64_t>(period), std::memory_order_relaxed);
    return ring.open(static_cast<std::uint64_t>(period));
}

bool is_refused_for_good(int error) { return error == -EACCES || error == -EPERM || error == -ENOSYS; }

// Whether one more thread may begin now.
bool take_begin() {
    const std::uint64_t life = base::monotonic_ns() - recorder.writer.header().start.monotonic_ns;
    if (life < FirstBegin)
        return false;
    const std::uint64_t most = life / TimePerBegin * recorder.thread_count.load(std::memory_order_relaxed);
    std::uint32_t begun = recorder.sampled_threads.load(std::memory_order_relaxed);
    do {
        if (begun >= most)
            return false;
    } while (!recorder.sampled_threads.compare_exchange_weak(begun, begun + 1, std::memory_order_relaxed));
    return true;
}

// For one thread at a time; nobody waits. It is no base::SpinLock, as a ThreadState has to be assignable. Whoever has
// it has interruptions deferred: a record of samples may need a new segment, after which a cancellation would unwind
// the thread past this object, whose destructor the program's unwinder cannot run (base/signal_mask.hpp).
class RingLock {
public:
    explicit RingLock(ThreadSamples& samples)
        : held_(samples.held), mine_(!held_.exchange(true, std::memory_order_acquire)) {}
    ~RingLock() {
        if (mine_)
            held_.store(false, std::memory_order_release);
    }
    RingLock(const RingLock&) = delete;
    bool is_mine() const { return mine_; }

private:
    std::atomic_ref<bool> held_;
    const bool mine_;
};

// libvftrace.so, if that is not the program itself (libvftrace.a).
std::uint16_t own_module() {
    static std::atomic<std::uint16_t> known{0};
    std::uint16_t own = known.load(std::memory_order_relaxed);
    if (own == 0) {
        own = recorder.modules.find(reinterpret_cast<std::uint64_t>(&own_module));
        known.store(own, std::memory_order_relaxed);
    }
    return own == recorder.modules.executable() ? 0 : own;
}

SampleKey key_of(const ThreadState& state, std::uint64_t address, std::uint32_t node) {
    SampleKey key{address, node, address == 0 ? std::uint16_t{0} : recorder.modules.find(address), 0};
    const ModuleEntry* module = recorder.modules.entry(key.module);
    if (module && (key.module == own_module() || state.samples.records.size() >= MostWithAddresses))
        key.address = module->start;
    return key;
}

void add(ThreadState& state, std::uint64_t address, std::uint32_t node, std::uint64_t count) {
    const SampleKey key = key_of(state, address, node);
    if (vfd::CpuSample* sample = state.samples.records.at(key, state.record->index))
        std::atomic_ref(sample->count).fetch_add(count, std::memory_order_relaxed);
}

// The thread that adds to the samples of this thread record, if it lives.
ThreadState* living_thread(std::uint32_t record) {
    ThreadState* state = recorder.threads.load(std::memory_order_acquire);
    while (state && state->record->index != record)
        state = state->next;
    return state;
}

} // namespace

bool begin_samples(ThreadState& state) {
    if (recorder.settings.sample_cpu_ns == 0 || state.samples.ring.is_open() || state.is_shared ||
        recorder.sampling_is_refused.load(std::memory_order_relaxed) || !take_begin())
        return false;
    base::preserving_errno([&] {
        const base::InterruptionsDeferred blocked;
        const int error = open_ring(state.samples.ring);
        if (error == 0)
            state.record->unsampled_cpu_ns += own_cpu_ns();
        if (is_refused_for_good(error))
            recorder.sampling_is_refused.store(true, std::memory_order_relaxed);
        else if (error == -ENOMEM && !std::exchange(state.samples.without_ring, true))
            recorder.threads_without_ring.fetch_add(1, std::memory_order_relaxed);
    });
    return true;
}

void take_samples(ThreadState& state, std::uint32_t node) {
    const base::InterruptionsDeferred blocked;
    const RingLock lock(state.samples);
    if (lock.is_mine() && state.samples.ring.has_samples())
        state.samples.ring.drain([&](std::uint64_t address, std::uint64_t count) { add(state, address, node, count); });
}

void end_samples(ThreadState& state) {
    state.samples.without_ring = false;
    if (!state.samples.ring.is_open()) {
        if (recorder.settings.sample_cpu_ns != 0)
            state.record->unsampled_cpu_ns += own_cpu_ns();
        return;
    }
    take_samples(state, state.top->node);
    base::preserving_errno([&] {
        const base::InterruptionsDeferred blocked;
        for (int tries = 0; tries < MostTries && state.samples.ring.is_open(); ++tries) {
            const RingLock lock(state.samples);
            if (lock.is_mine())
                state.samples.ring.close();
            else
                base::system_call(SYS_sched_yield);
        }
    });
}

// Another thread may call a function meanwhile: either path is right.
__attribute__((no_sanitize("thread"))) void take_samples_of_all_threads() {
    for (ThreadState* state = recorder.threads.load(std::memory_order_acquire); state; state = state->next)
        if (state->samples.ring.is_open() && state->top)
            take_samples(*state, state->top->node);
}

void for_each_sample_record(const std::function<void(vfd::CpuSample&)>& visit) {
    const base::InterruptionsDeferred blocked;
    vfd::Writer::Reading reading(recorder.writer);
    recorder.writer.for_each([&](const vfd::SegmentHeader& segment, const std::byte* payload) {
        if (segment.kind != vfd::SegmentKind::Samples)
            return;
        ThreadState* const living = living_thread(segment.thread);
        std::optional<RingLock> lock;
        if (living && !lock.emplace(living->samples).is_mine())
            return;
        // The memory is the recorder's own, which it shows to readers.
        const auto records = const_cast<vfd::CpuSample*>(reinterpret_cast<const vfd::CpuSample*>(payload));
        const std::uint64_t used = std::atomic_ref(const_cast<std::uint64_t&>(segment.used)).load();
        for (std::size_t i = 0; i < used / sizeof(vfd::CpuSample); ++i)
            visit(records[i]);
    });
}

} // namespace vftr::record
