// SPDX-License-Identifier: BSD-3-Clause
//
// What the program has said of functions while it ran, by their places in files. A forked child goes on with it,
// whatever another thread of its parent was doing at the fork: an entry is complete before the list leads to it, and
// stays where it is for good. (To hold a lock over the fork was considered: handlers of fork take the program's locks,
// and a thread that holds one of these may be waiting for ours.)
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::filter {

enum class RuntimeOverride : unsigned char { None, Exclude, Include };

// Never destroyed. Written by one thread at a time, read by any.
class RuntimeOverrides {
public:
    bool none() const { return newest_.load(std::memory_order_acquire) == nullptr; }
    RuntimeOverride of(std::string_view place) const {
        const Entry* entry = find(place);
        return entry ? entry->runtime_override.load(std::memory_order_relaxed) : RuntimeOverride::None;
    }
    // Allocates where nothing was said of the place before.
    void set(std::string place, RuntimeOverride runtime_override) {
        if (Entry* entry = find(place))
            entry->runtime_override.store(runtime_override, std::memory_order_relaxed);
        else
            newest_.store(new Entry{std::move(place), runtime_override, newest_.load(std::memory_order_relaxed)},
                          std::memory_order_release);
    }

private:
    struct Entry {
        const std::string place;
        std::atomic<RuntimeOverride> runtime_override;
        Entry* const older;
    };
    Entry* find(std::string_view place) const {
        Entry* entry = newest_.load(std::memory_order_acquire);
        while (entry && entry->place != place)
            entry = entry->older;
        return entry;
    }

    std::atomic<Entry*> newest_{nullptr};
};

} // namespace vftr::filter
