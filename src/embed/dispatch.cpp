// SPDX-License-Identifier: BSD-3-Clause
//
// Turns events of the recorder into calls of callbacks (record/subscription.hpp).
//
// No object with a destructor may live at the call of a callback: pthread_exit in a callback unwinds these frames with
// the program's unwinder, which must find nothing to do here.
#include "embed/dispatch.hpp"
#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "embed/callback_names.hpp"
#include "embed/clock.hpp"
#include "embed/guarded_call.hpp"
#include "embed/registration.hpp"
#include "record/entries/message_totals.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/hot/thread_state.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"
#include "record/timing/adaptive.hpp"
#include "vftrace_callbacks.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>

namespace vftr::embed {

using record::recorder;
using record::Subscription;
using record::ThreadState;
using vfd::NodeKind;

namespace {

std::uint64_t path_of(const ThreadState& state, std::uint32_t node) {
    return std::uint64_t{state.record->index} << 32 | node;
}

// To be used between begin_call and end_call.
template <class Event>
VFTR_INLINE void call(Subscription& subscription, void (*function)(void*, const Event*), void* user,
                      const Event& event) {
    ++subscription.delivered;
    guarded_call(reinterpret_cast<void (*)(void*, const void*)>(function), user, &event);
}

const void* as_pointer(std::uint64_t address) { return reinterpret_cast<const void*>(address); }

// The number of ranks at the other end.
std::uint32_t peers_of(const record::Transfer& transfer) {
    if (transfer.span == vfd::Span::Rank)
        return 1;
    const auto all = static_cast<std::uint32_t>(recorder.groups.size_of(transfer.target));
    return all - (transfer.span == vfd::Span::Others && all != 0);
}

std::uint32_t kind_of(NodeKind kind) {
    switch (kind) {
    case NodeKind::Function:
        return VFTRACE_FUNCTION;
    case NodeKind::Mpi:
        return VFTRACE_MPI_CALL;
    case NodeKind::OpenMp:
        return VFTRACE_OPENMP;
    default:
        return VFTRACE_REGION;
    }
}

// False for entries that are no calls of the program; these are not reported.
bool is_call(NodeKind kind) {
    return kind == NodeKind::Function || kind == NodeKind::Region || kind == NodeKind::Mpi || kind == NodeKind::OpenMp;
}

// Copies the thread's number and the kernel's thread id, which are adjacent in both structs, as one word.
VFTR_INLINE void copy_thread(const vfd::ThreadRecord& from, vftrace_call_event& to) {
    static_assert(offsetof(vfd::ThreadRecord, tid) == offsetof(vfd::ThreadRecord, index) + 4 &&
                  offsetof(vftrace_call_event, tid) == offsetof(vftrace_call_event, thread) + 4);
    std::memcpy(reinterpret_cast<char*>(&to) + offsetof(vftrace_call_event, thread),
                reinterpret_cast<const char*>(&from) + offsetof(vfd::ThreadRecord, index), 8);
}

VFTR_INLINE vftrace_call_event call_event(ThreadState& state, std::uint32_t id, std::uint64_t time_ns, const char* name,
                                          NodeKind kind, std::uint32_t flags) {
    const std::uint64_t key = state.nodes[id].key;
    const bool function = kind == NodeKind::Function;
    vftrace_call_event event;
    event.size = sizeof event;
    event.time_ns = time_ns;
    event.path = path_of(state, id);
    event.address = as_pointer(function ? key : kind == NodeKind::OpenMp ? key & vfd::AddressMask : 0);
    event.name = name;
    copy_thread(*state.record, event);
    event.kind = function ? std::uint32_t{VFTRACE_FUNCTION} : kind_of(kind);
    event.flags = flags;
    return event;
}

enum class Half { Enter, Leave };

// Calls the callback that function_of selects from those that are set.
template <Half half, class FunctionOf>
VFTR_INLINE void dispatch_call(ThreadState& state, std::uint32_t id, NodeKind kind, std::uint64_t now,
                               std::uint32_t flags, FunctionOf function_of) {
    Subscription& subscription = state.subscription;
    int& error = *subscription.error;
    const int saved = error;
    const char* name =
        name_of(state, id); // what may have to call others comes first, as long as there is little to be kept meanwhile
    const std::uint64_t time_ns = time_of_event(subscription, now);
    const Registration* r = begin_call(subscription);
    auto* function = r ? function_of(r->callbacks) : nullptr;
    if (VFTR_LIKELY(function != nullptr)) {
        const vftrace_call_event event = call_event(state, id, time_ns, name, kind, flags);
        if (half == Half::Enter && VFTR_UNLIKELY(name == nullptr))
            ++subscription.nameless;
        call(subscription, function, r->callbacks.user, event);
    }
    end_call(subscription);
    error = saved;
}

VFTR_INLINE void dispatch_enter_of(ThreadState& state, NodeKind kind, std::uint64_t now, std::uint32_t flags) {
    state.top->flags |= vfd::FrameReported;
    dispatch_call<Half::Enter>(state, state.top->node, kind, now, flags, [kind](const vftrace_callbacks& callbacks) {
        return kind == NodeKind::Function ? callbacks.function_enter : callbacks.region_enter;
    });
}

VFTR_INLINE void dispatch_leave_of(ThreadState& state, std::uint32_t id, NodeKind kind, std::uint64_t now,
                                   std::uint32_t flags) {
    dispatch_call<Half::Leave>(state, id, kind, now, flags, [kind](const vftrace_callbacks& callbacks) {
        return kind == NodeKind::Function ? callbacks.function_leave : callbacks.region_leave;
    });
}

// The event for thread_started and thread_ended.
vftrace_thread_event thread_event(ThreadState& state, std::uint64_t now) {
    const vfd::ThreadRecord& record = *state.record;
    vftrace_thread_event event{};
    event.size = sizeof event;
    event.time_ns = time_of_event(state.subscription, now);
    event.thread = record.index;
    event.tid = record.tid;
    event.parent = record.origin.thread;
    event.parent_path =
        record.origin.thread == vfd::NoThread ? 0 : std::uint64_t{record.origin.thread} << 32 | record.origin.node;
    event.start = as_pointer(record.origin.function);
    event.created_ns = monotonic_of(state.subscription, record.origin.created);
    return event;
}

std::uint64_t bit_if(bool set, std::uint64_t bit) { return set ? bit : 0; }

std::uint64_t stream_of(const vftrace_callbacks& c) {
    return bit_if(c.function_enter || c.function_leave, record::StreamFunctions) |
           bit_if(c.region_enter || c.region_leave, record::StreamNamed);
}

std::uint64_t wants_of(const vftrace_callbacks& c) {
    return bit_if(c.mpi, record::WantsMessages) | bit_if(c.module_loaded, record::WantsModules) |
           bit_if(c.thread_started || c.thread_ended, record::WantsThreads);
}

enum class Change { Started, WasRunning, Ended };

void dispatch_thread(ThreadState& state, Change change, std::uint64_t now) {
    Subscription& subscription = state.subscription;
    if (!(subscription.wants & record::WantsThreads))
        return;
    base::preserving_errno([&] {
        const Registration* r = begin_call(subscription);
        auto* function = !r                        ? nullptr
                         : change == Change::Ended ? r->callbacks.thread_ended
                                                   : r->callbacks.thread_started;
        if (function) {
            vftrace_thread_event event = thread_event(state, now);
            event.flags = change == Change::WasRunning ? VFTRACE_RUNNING : 0;
            call(subscription, function, r->callbacks.user, event);
        }
        end_call(subscription);
    });
}

constexpr std::uint32_t MostModules = 4096;

struct ToldModule {
    std::atomic<std::uint64_t> told; // generation of the callbacks << 32 | how often the module has been loaded again
    std::atomic<const char*> path;
};
ToldModule told_modules[MostModules + 1];
std::atomic<bool> any_told; // The table is 64 KiB: each of its pages that a forked child writes to is copied.

const char* path_of(std::uint16_t id, const vfd::ModuleRecord& record) {
    const char* path = told_modules[id].path.load(std::memory_order_acquire);
    if (!path) {
        any_told.store(true, std::memory_order_relaxed);
        path = keep_text(reinterpret_cast<const char*>(&record + 1) + record.build_id_size, record.path_size);
        told_modules[id].path.store(path, std::memory_order_release);
    }
    return path;
}

void dispatch_modules(ThreadState& state) {
    for (std::uint32_t id = 1; id <= recorder.modules.count() && state.subscription.wants & record::WantsModules;
         ++id) {
        const auto module = static_cast<std::uint16_t>(id);
        if (recorder.modules.has_paths(module) && !recorder.modules.unloaded(module))
            dispatch_module(module);
    }
}

// Sets up what the thread reports from now on. Returns true if the callbacks are other ones than before.
bool take_up_callbacks(ThreadState& state) {
    Subscription& subscription = state.subscription;
    subscription.error = &errno;
    const Registration* r = begin_call(subscription);
    const std::uint64_t generation = r ? r->generation : 0;
    const bool fresh = r && generation != subscription.generation;
    subscription.generation = generation;
    subscription.wants = r ? wants_of(r->callbacks) : 0;
    state.stream = (state.stream & record::StreamFile) | (r ? stream_of(r->callbacks) : 0);
    if (state.stream & record::StreamFunctions)
        record::time_all_calls(state);
    end_call(subscription);
    if (state.stream & record::StreamCallbacks || subscription.wants)
        read_clocks(subscription);
    return fresh;
}

std::uint32_t flags_now(const ThreadState& state) { return state.subscription.moving ? VFTRACE_MOVED : 0; }
std::uint32_t flag_if_paused(const ThreadState& state) {
    return state.recording_state == record::GuardPaused ? VFTRACE_PAUSED : 0;
}

} // namespace

void dispatch_enter(ThreadState& state, std::uint64_t now) {
    const NodeKind kind = state.nodes[state.top->node].kind;
    if (is_call(kind))
        dispatch_enter_of(state, kind, now, flags_now(state));
}

void dispatch_leave(ThreadState& state, const vfd::Frame& frame, std::uint64_t now, bool vanished) {
    const std::uint32_t flags = flags_now(state) | flag_if_paused(state) | (vanished ? VFTRACE_VANISHED : 0);
    dispatch_leave_of(state, frame.node, state.nodes[frame.node].kind, now, flags);
}

void dispatch_enter_and_end(ThreadState& state, std::uint64_t now) {
    dispatch_enter_of(state, NodeKind::Function, now, 0);
    release_guard(state);
}

void dispatch_leave_and_end(ThreadState& state, const vfd::Frame& frame, std::uint64_t now) {
    dispatch_leave_of(state, frame.node, NodeKind::Function, now, flag_if_paused(state));
    release_guard(state);
}

void follow_subscriptions(ThreadState& state, std::uint64_t now) {
    if (VFTR_LIKELY(state.subscription.generation == 0 && !published.load(std::memory_order_relaxed)))
        return;
    if (!take_up_callbacks(state))
        return;
    dispatch_thread(state, Change::WasRunning, now);
    dispatch_modules(state);
}

void dispatch_thread_begin(ThreadState& state, std::uint64_t now) {
    state.subscription.latest_ns = 0;
    take_up_callbacks(state);
    dispatch_thread(state, Change::Started, now);
    dispatch_modules(state);
}

void dispatch_thread_end(ThreadState& state, std::uint64_t now) { dispatch_thread(state, Change::Ended, now); }

static void report_module(ThreadState& state, std::uint16_t id, const record::ModuleEntry* entry) {
    Subscription& subscription = state.subscription;
    const vfd::ModuleRecord& module = *entry->record;
    const char* path = path_of(id, module);
    const Registration* r = begin_call(subscription);
    if (r && r->callbacks.module_loaded) {
        vftrace_module_event event{};
        event.size = sizeof event;
        event.time_ns = time_of_event(subscription, base::read_ticks());
        event.path = path;
        event.build_id = module.build_id_size == 0 ? nullptr : reinterpret_cast<const unsigned char*>(&module + 1);
        event.build_id_size = module.build_id_size;
        event.start = module.start;
        event.end = module.end;
        event.bias = module.bias;
        event.thread = state.record->index;
        event.tid = state.record->tid;
        call(subscription, r->callbacks.module_loaded, r->callbacks.user, event);
    }
    end_call(subscription);
}

void dispatch_module(std::uint16_t id) {
    ThreadState& state = *record::current;
    Subscription& subscription = state.subscription;
    const record::ModuleEntry* entry = recorder.modules.entry(id);
    if (VFTR_LIKELY(!(subscription.wants & record::WantsModules)) || !entry || id > MostModules)
        return;
    const std::uint64_t life = subscription.generation << 32 | __atomic_load_n(&entry->returns, __ATOMIC_RELAXED);
    any_told.store(true, std::memory_order_relaxed);
    if (told_modules[id].told.exchange(life) == life)
        return;
    base::preserving_errno([&] { report_module(state, id, entry); });
}

static void report_transfer(ThreadState& state, const record::Transfer& transfer) {
    Subscription& subscription = state.subscription;
    const record::CallInstance& place = transfer.place;
    const ThreadState* began = record::thread_of(place.thread);
    const std::uint32_t peers = peers_of(transfer);
    const Registration* r = begin_call(subscription);
    if (r && r->callbacks.mpi) {
        const bool single = transfer.span == vfd::Span::Rank;
        vftrace_mpi_event event{};
        event.size = sizeof event;
        event.start_ns = monotonic_of(subscription, place.enter);
        event.end_ns = std::max(event.start_ns, monotonic_of(subscription, transfer.end));
        event.path = std::uint64_t{place.thread} << 32 | place.node;
        event.name = began ? look_up_name(began->nodes[place.node]) : nullptr;
        event.bytes = transfer.bytes;
        event.thread = state.record->index;
        event.tid = state.record->tid;
        event.kind = static_cast<std::uint32_t>(transfer.direction);
        event.peer = single ? static_cast<std::int32_t>(transfer.target & ~vfd::ForeignRank) : -1;
        event.peers = peers;
        event.tag = transfer.tag;
        event.flags = single && transfer.target & vfd::ForeignRank ? VFTRACE_FOREIGN : 0;
        call(subscription, r->callbacks.mpi, r->callbacks.user, event);
    }
    end_call(subscription);
}

void dispatch_transfer(ThreadState& state, const record::Transfer& transfer) {
    base::preserving_errno([&] { report_transfer(state, transfer); });
}

void forget_modules() {
    if (!any_told.exchange(false))
        return;
    for (ToldModule& module : told_modules) {
        module.told = 0;
        module.path = nullptr;
    }
}

} // namespace vftr::embed
