// SPDX-License-Identifier: BSD-3-Clause
//
// The common part of all MPI wrappers: enter the call tree, call the MPI library, leave.
//
// Why nested calls are recognised by a frame address: an MPI library may use its own public functions (a Fortran
// binding calls the C function, a collective call is made of sends), but only the calls of the program shall be
// recorded. While a call runs, its frame address is kept per thread. A call from further down the same stack is nested
// and is passed through without a record. A plain depth counter would stay raised for ever after an error handler that
// jumps out (longjmp). An address shows that its frame is gone: it then lies below the caller's, or is no longer on the
// recorder's shadow stack. If a function of the program stands on that stack above the outer call, the MPI library has
// called back, and the call is the program's.
//
// Cost: one load and one branch each for the key, the thread's frame and the MPI function, besides the two hooks.
#pragma once

#include "base/clock.hpp"
#include "base/compiler.hpp"
#include "base/errno_preserved.hpp"
#include "mpi/pmpi.hpp"
#include "record/entries/message_totals.hpp"
#include "record/entries/named.hpp"
#include "record/recorder.hpp"
#include "record/timing/one_time_work_scope.hpp"

#include <atomic>
#include <cstdint>

namespace vftr::mpi {

// The frame address of the MPI call that this thread is in; 0 outside of MPI calls.
__attribute__((tls_model("initial-exec"))) extern thread_local constinit std::uint64_t current_call;

// What is known of one MPI function after its first call. There is one object per wrapper; it is constant-initialised,
// and any thread may use it.
class Function {
public:
    explicit constexpr Function(const char* name) : name_(name) {}

    const char* name() const { return name_; }

    // The function's key in the call tree; 0 while nothing is recorded.
    std::uint64_t key(std::uint64_t frame) {
        const std::uint64_t key = key_.load(std::memory_order_relaxed);
        if (VFTR_LIKELY(key != 0))
            return key;
        return off() ? 0 : intern(frame);
    }

    // The key of the function's region "<name>_sync" (show_sync_time).
    std::uint64_t sync_key();

    // Returns `linked` or, if that is null, what find() found at the first call.
    template <typename Target>
    Target* next(Target* linked, const char* symbol) {
        return VFTR_LIKELY(linked != nullptr) ? linked : reinterpret_cast<Target*>(found(symbol));
    }

private:
    static bool off() { return record::recorder.phase.load(std::memory_order_relaxed) == record::Phase::Off; }
    // Two threads may do this at once; both get the same key. An MPI call may be the first event that is seen of a
    // process or thread: entering without a key starts the recording, and after that there are keys.
    VFTR_COLD std::uint64_t intern(std::uint64_t frame) {
        const base::ErrnoPreserved preserved;
        std::uint64_t key = record::intern(name_, vfd::NodeKind::Mpi);
        if (key == 0) {
            record::enter_named(0, vfd::NodeKind::Mpi, frame);
            key = record::intern(name_, vfd::NodeKind::Mpi);
        }
        if (key != 0)
            key_.store(key, std::memory_order_relaxed);
        return key;
    }
    VFTR_COLD void* found(const char* symbol) {
        void* address = found_.load(std::memory_order_relaxed);
        if (!address) {
            const record::OneTimeWork work;
            found_.store(address = find(symbol), std::memory_order_relaxed);
        }
        return address;
    }

    const char* name_;
    std::atomic<std::uint64_t> key_{0};
    std::atomic<void*> found_{nullptr};
    std::atomic<std::uint64_t> sync_key_{0};
};

// State that all calls share. It is set when MPI has been initialised; every call reads it.
struct Calls {
    std::atomic<bool> joined{false};           // rank and size are known, or cannot be known
    std::atomic<bool> log_messages{false};     // until MPI ends
    std::atomic<bool> messages_stopped{false}; // by MPI_Pcontrol(0), with mpi.pcontrol "messages"
    std::atomic<bool> stream_messages{false};  // messages also go into the event stream
    std::atomic<bool> show_sync_time{false};   // until MPI ends
};
inline constinit Calls calls;

// For the first recorded call of a process whose MPI_Init was not seen (another language's binding has called
// PMPI_Init).
void join_late();

// Lives from a wrapper's begin to its end.
class Call {
public:
    Call(Function& function, void* frame) : outer_(current_call) {
        const auto address = reinterpret_cast<std::uint64_t>(frame);
        if (VFTR_UNLIKELY(outer_ != 0 && address < outer_) && nested())
            return;
        current_call = address;
        key_ = function.key(address);
        if (key_ != 0 && !record::enter_mpi(key_, address))
            key_ = 0;
        if (VFTR_UNLIKELY(!calls.joined.load(std::memory_order_relaxed)) && key_ != 0)
            join_late();
        tracks_ = calls.log_messages.load(std::memory_order_relaxed);
        records_ = tracks_ && key_ != 0 && !calls.messages_stopped.load(std::memory_order_relaxed);
    }
    ~Call() {
        if (VFTR_LIKELY(key_ != 0))
            record::leave_mpi(key_, plain_ ? end_ : 0);
        current_call = outer_;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

    // The MPI library has returned. The messages of this call end now; this is the only clock read for them. They began
    // with the call, whose begin moves later on if what follows has to do something for the first time: that is no time
    // of the call (OneTimeWork), but the messages were under way before.
    void ended(int error) {
        error_ = error;
        if (!logs_messages())
            return;
        end_ = base::read_ticks();
        place_ = record::innermost_call();
    }
    bool succeeded() const { return error_ == MPI_SUCCESS; }
    int error() const { return error_; }
    std::uint64_t end() const { return end_; }
    // To be called after the MPI library's part. Returns the call instance in which the messages of this call begin.
    record::CallInstance place() const {
        record::CallInstance place = place_;
        if (VFTR_UNLIKELY(synchronised_ != 0))
            place.enter = synchronised_;
        return place;
    }
    // All ranks have come (show_sync_time): the messages begin now, and not with the call's entry.
    void set_synchronised(std::uint64_t ticks) { synchronised_ = ticks; }

    // Whether requests are followed: messages are wanted, even if none is recorded now.
    bool tracks() const { return tracks_; }
    // Whether messages are recorded now: tracks(), not stopped, no pause, and the call was entered in the tree.
    bool logs_messages() const { return records_; }

    // Whether the call has made a request already; further messages are added to that one.
    bool has_request() const { return has_request_; }
    void set_has_request() { has_request_ = true; }
    // After the clock was read for the messages of this call, the recorder has done nothing but what it does for each
    // call of this kind. So the call ends at that time, and the clock is not read once more.
    void set_plain() { plain_ = true; }

private:
    // True: the MPI library itself has made this call. If instrumented code of the program stands in between (an
    // operation, an attribute's callback, an error handler), the call is the program's. If the outer frame is gone, a
    // jump has left it.
    VFTR_COLD bool nested() {
        const record::OpenCall state = record::mpi_call_state(outer_);
        if (state == record::OpenCall::Gone)
            outer_ = 0;
        return state == record::OpenCall::Innermost;
    }

    std::uint64_t outer_;
    std::uint64_t key_ = 0;
    std::uint64_t end_ = 0;
    std::uint64_t synchronised_ = 0; // ticks
    record::CallInstance place_{};
    int error_ = MPI_SUCCESS;
    bool tracks_ = false;
    bool records_ = false;
    bool has_request_ = false;
    bool plain_ = false;
};

} // namespace vftr::mpi

#define VFTR_NEXT(function, name) (function).next(&name, #name)
