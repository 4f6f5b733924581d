// SPDX-License-Identifier: BSD-3-Clause
#include "record/samples/sample_ring.hpp"

#include "base/cpu_clock_event.hpp"
#include "base/memory.hpp"
#include "base/own_descriptors.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <cerrno>
#include <sys/mman.h>

namespace vftr::record {

int SampleRing::open(std::uint64_t period_ns) {
    const perf_event_attr attr = base::cpu_clock_event(period_ns);
    long mapped = 0;
    // The thread that the kernel samples is told by its id, as the helper that may open the event is another one.
    const long thread = base::system_call(SYS_gettid);
    base::with_own_descriptors([&] {
        const long event = base::system_call(SYS_perf_event_open, &attr, thread, -1, -1, PERF_FLAG_FD_CLOEXEC);
        if (event < 0) {
            mapped = event;
            return;
        }
        for (const std::size_t bytes : {DataBytes, std::max(FewDataBytes, base::page_size())}) {
            data_bytes_ = bytes;
            mapped = base::system_call(SYS_mmap, nullptr, base::page_size() + bytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                       event, 0);
            if (!base::is_error(mapped))
                break;
            mapped = -ENOMEM; // the kernel says EPERM
        }
        base::system_call(SYS_close, event);
    });
    if (base::is_error(mapped))
        return static_cast<int>(mapped);
    std::atomic_ref(page_).store(reinterpret_cast<perf_event_mmap_page*>(mapped), std::memory_order_release);
    return 0;
}

std::span<std::byte> SampleRing::mapping() const {
    perf_event_mmap_page* const page = this->page();
    return {reinterpret_cast<std::byte*>(page), page ? base::page_size() + data_bytes_ : 0};
}

void SampleRing::close() {
    const std::span<std::byte> mapping = this->mapping();
    if (std::atomic_ref(page_).exchange(nullptr, std::memory_order_relaxed))
        base::system_call(SYS_munmap, mapping.data(), mapping.size());
}

} // namespace vftr::record
