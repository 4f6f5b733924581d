// SPDX-License-Identifier: BSD-3-Clause
//
// What every MPI wrapper does: enter the call tree, call the MPI library, leave.
//
// Why a frame address tells nested calls. An MPI library may use its own public functions (a
// Fortran binding that calls the C one, a collective made of sends); only what the program calls is
// to be seen. While a call runs, its frame address is kept per thread: a call from further down the
// same stack is nested and passed through. A plain depth would stay raised for ever after an error
// handler that jumps out (longjmp); an address that lies below the caller's, or that is no longer
// on the recorder's shadow stack, shows that its frame is gone.
//
// Cost: a load and a branch each for the key, the thread's frame and the MPI function, besides the
// two hooks.
#pragma once

#include "base/compiler.hpp"
#include "mpi/pmpi.hpp"
#include "record/named.hpp"
#include "record/recorder.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>

namespace vftr::mpi {

// The frame of the MPI call that this thread is in, 0 outside.
__attribute__((tls_model("initial-exec"))) extern thread_local constinit std::uint64_t current_call;

// What is known of one MPI function after its first call. One per wrapper; constant-initialised,
// any thread.
class Function {
public:
    explicit constexpr Function(const char* name) : name_(name) {}

    // Its key in the call tree; 0 while nothing is recorded.
    std::uint64_t key(std::uint64_t frame) {
        const std::uint64_t key = key_.load(std::memory_order_relaxed);
        if (VFTR_LIKELY(key != 0))
            return key;
        return off() ? 0 : intern(frame);
    }

    // `linked`, or what find() once found where that is null.
    template <typename Target>
    Target* next(Target* linked, const char* symbol) {
        return VFTR_LIKELY(linked != nullptr) ? linked : reinterpret_cast<Target*>(found(symbol));
    }

private:
    static bool off() {
        return record::recorder.phase.load(std::memory_order_relaxed) == record::Phase::Off;
    }
    // Two threads may do this at once: both get the same. An MPI call may be the first that is seen
    // of a process or thread; to enter with no key starts the recording, after which there are
    // keys.
    VFTR_COLD std::uint64_t intern(std::uint64_t frame) {
        const int saved = errno;
        std::uint64_t key = record::intern(name_, vfd::NodeKind::Mpi);
        if (key == 0) {
            record::enter_named(0, vfd::NodeKind::Mpi, frame);
            key = record::intern(name_, vfd::NodeKind::Mpi);
        }
        if (key != 0)
            key_.store(key, std::memory_order_relaxed);
        errno = saved;
        return key;
    }
    VFTR_COLD void* found(const char* symbol) {
        void* address = found_.load(std::memory_order_relaxed);
        if (!address)
            found_.store(address = find(symbol), std::memory_order_relaxed);
        return address;
    }

    const char* name_;
    std::atomic<std::uint64_t> key_{0};
    std::atomic<void*> found_{nullptr};
};

// The time between a wrapper's begin and end.
class Call {
public:
    Call(Function& function, void* frame) : outer_(current_call) {
        const auto address = reinterpret_cast<std::uint64_t>(frame);
        if (VFTR_UNLIKELY(outer_ != 0 && address < outer_)) {
            if (record::mpi_call_open(outer_))
                return;
            outer_ = 0;
        }
        current_call = address;
        key_ = function.key(address);
        if (key_ != 0 && !record::enter_named(key_, vfd::NodeKind::Mpi, address))
            key_ = 0;
    }
    ~Call() {
        if (VFTR_LIKELY(key_ != 0))
            record::leave_named(key_);
        current_call = outer_;
    }
    Call(const Call&) = delete;
    Call& operator=(const Call&) = delete;

private:
    std::uint64_t outer_;
    std::uint64_t key_ = 0;
};

} // namespace vftr::mpi

#define VFTR_NEXT(function, name) (function).next(&name, #name)
