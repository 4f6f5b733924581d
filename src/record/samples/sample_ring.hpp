// SPDX-License-Identifier: BSD-3-Clause
//
// Samples that the kernel takes of one thread, in a ring that it shares with the process (perf_event_open(2)).
//
// The event is the software clock of the thread's CPU time, which needs no hardware counter and which users may have
// where kernel.perf_event_paranoid is 2 or less, as long as the kernel itself is left out. No signal tells of a sample:
// whoever reads the ring looks at it when that is convenient. The event lives as long as the mapping of the ring, so
// the descriptor is closed at once. The mapping is not inherited by a forked child, and neither is the event.
//
// Layout and memory order of the ring: perf_event_open(2), "MMAP layout", and <linux/perf_event.h>.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <linux/perf_event.h>
#include <span>

namespace vftr::record {

// All zeros is a ring that is not open. Any thread may ask whether it is open; it takes its samples, or closes it,
// where no other thread does so meanwhile.
class SampleRing {
public:
    // Has the calling thread sampled each `period_ns` of its CPU time in user mode. Returns 0 or a negative errno:
    // -ENOMEM where a user may lock no more memory for rings (perf_event_mlock_kb for each processor, and
    // RLIMIT_MEMLOCK), else that of perf_event_open(2). It takes about 35 µs, and up to 12 ms where no process has had
    // an event for a second (the kernel then changes its own text).
    int open(std::uint64_t period_ns);
    // Takes about 30 µs. May be called by another thread.
    void close();

    bool is_open() const { return page() != nullptr; }
    // Empty where it is not open. A hook that goes on in a forked child finds zeros there, which are no samples
    // (record/stacks/interrupted_hook.hpp).
    std::span<std::byte> mapping() const;
    // May be called by the thread that opened it, also while another one drains it.
    bool has_samples() const {
        const perf_event_mmap_page* const page = this->page();
        return page && __atomic_load_n(&page->data_head, __ATOMIC_RELAXED) !=
                           __atomic_load_n(&page->data_tail, __ATOMIC_RELAXED);
    }
    // Calls take(address, count) for what has come since the last time; address 0: the kernel had no room for so many
    // samples.
    template <class Take>
    void drain(Take take) {
        perf_event_mmap_page* const page = this->page();
        const std::uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
        std::uint64_t at = __atomic_load_n(&page->data_tail, __ATOMIC_RELAXED);
        const std::byte* const data = reinterpret_cast<const std::byte*>(page) + page->data_offset;
        while (at != head) {
            // Records are multiples of 8 bytes long. A sample is its header and its address; PERF_RECORD_LOST has an id
            // and a number.
            const std::uint64_t words = word(data, at);
            perf_event_header header;
            __builtin_memcpy(&header, &words, sizeof header);
            if (header.size < sizeof header || header.size > head - at)
                break;
            if (header.type == PERF_RECORD_SAMPLE)
                take(word(data, at + 8), std::uint64_t{1});
            else if (header.type == PERF_RECORD_LOST)
                take(std::uint64_t{0}, word(data, at + 16));
            at += header.size;
        }
        __atomic_store_n(&page->data_tail, head, __ATOMIC_RELEASE);
    }

private:
    // 2048 samples: those of two seconds or more in a function that calls no hook. Where there is not so much memory,
    // those of an eighth of that time.
    static constexpr std::size_t DataBytes = 32768, FewDataBytes = 4096;

    std::uint64_t word(const std::byte* data, std::uint64_t at) const {
        std::uint64_t value;
        __builtin_memcpy(&value, data + at % data_bytes_, sizeof value);
        return value;
    }

    perf_event_mmap_page* page() const { return __atomic_load_n(&page_, __ATOMIC_ACQUIRE); }

    perf_event_mmap_page* page_;
    std::size_t data_bytes_; // the kernel says so in the page, too, but not to a forked child
};

} // namespace vftr::record
