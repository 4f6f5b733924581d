// SPDX-License-Identifier: BSD-3-Clause
//
// The runtime overrides that the program has set, by the functions' files and the offsets in them (called "place"
// here). A forked child can use them whatever another thread of its parent was doing at the fork: an entry is complete
// before it is linked into the list, and is never moved or freed. (To hold a lock during fork was considered: handlers
// of fork take the program's locks, and a thread that holds one of those may be waiting for this lock.)
#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::filter {

enum class RuntimeOverride : unsigned char { None, Exclude, Include };

// Never destroyed. One thread at a time may write, and any thread may read.
class RuntimeOverrides {
public:
    bool none() const { return newest_.load(std::memory_order_acquire) == nullptr; }
    RuntimeOverride of(std::string_view place) const {
        const Entry* entry = find(place);
        return entry ? entry->runtime_override.load(std::memory_order_relaxed) : RuntimeOverride::None;
    }
    // Allocates if there is no override for this place yet.
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
