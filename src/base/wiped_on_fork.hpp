// SPDX-License-Identifier: BSD-3-Clause
//
// An object that a forked child finds all zeros, whatever kind of fork it was (map_wiped_on_fork() says how). It is
// made when it is first needed, in memory of its own.
#pragma once

#include "base/memory.hpp"

#include <atomic>

namespace vftr::base {

// All zeros must be a value of T, which is never destroyed. Any thread may use it.
template <class T>
class WipedOnFork {
public:
    // nullptr: it was not made.
    T* get() const { return object_.load(std::memory_order_acquire); }
    explicit operator bool() const { return get(); }
    T* operator->() const { return get(); }
    T& operator*() const { return *get(); }

    // Makes the object if this was not done in this process or a parent of it; nullptr: no memory. No other thread sees
    // the object before prepare(object) is done. If two threads are the first ones, the object of one remains unused;
    // it cannot be unmapped, as a fork handler may have to wipe it.
    template <class Prepare>
    T* make(Prepare prepare) {
        T* found = get();
        if (found)
            return found;
        auto* fresh = static_cast<T*>(map_wiped_on_fork(sizeof(T)));
        if (!fresh)
            return nullptr;
        prepare(*fresh);
        return object_.compare_exchange_strong(found, fresh, std::memory_order_acq_rel) ? fresh : found;
    }
    T* make() {
        return make([](T&) {});
    }
    // The next make() makes another object. The memory of this one is not returned.
    void forget() { object_.store(nullptr, std::memory_order_release); }

private:
    std::atomic<T*> object_{nullptr};
};

} // namespace vftr::base
