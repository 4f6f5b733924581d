// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory.hpp"

#include "base/own_mappings.hpp"
#include "base/race_detectors.hpp"
#include "base/system_call.hpp"

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace vftr::base {

OwnMappings own_mappings;

namespace {

void* checked(void* address) { return address == MAP_FAILED ? nullptr : address; }

// Memory that the kernel does not wipe. The entry is in a page of its own behind the memory that it describes.
struct ToWipe {
    void* address;
    std::size_t bytes;
    ToWipe* next;
};
std::atomic<ToWipe*> to_wipe{nullptr};

void wipe_in_child() {
    for (ToWipe* w = to_wipe.load(std::memory_order_acquire); w; w = w->next)
        std::memset(w->address, 0, w->bytes);
}

void* map_wiped_by_handler(std::size_t bytes) {
    static const bool registered = pthread_atfork(nullptr, nullptr, wipe_in_child) == 0;
    std::size_t pages = round_to_pages(bytes);
    void* address = registered ? map_anonymous(pages + sizeof(ToWipe)) : nullptr;
    if (!address)
        return nullptr;
    auto* entry = reinterpret_cast<ToWipe*>(static_cast<char*>(address) + pages);
    *entry = {address, bytes, to_wipe.load(std::memory_order_relaxed)};
    while (!to_wipe.compare_exchange_weak(entry->next, entry, std::memory_order_release)) {
    }
    return address;
}

} // namespace

std::size_t page_size() {
    static const std::size_t size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    return size;
}

std::size_t round_to_pages(std::size_t bytes) { return (bytes + page_size() - 1) / page_size() * page_size(); }

void* map_anonymous(std::size_t bytes) {
    void* address =
        checked(mmap(nullptr, round_to_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (address) {
        hide_from_race_detectors(address, round_to_pages(bytes));
        own_mappings.add(address, bytes);
    }
    return address;
}

void* map_wiped_on_fork(std::size_t bytes) {
    void* address = map_anonymous(bytes);
    if (address && madvise(address, round_to_pages(bytes), MADV_WIPEONFORK) != 0) {
        unmap(address, bytes);
        return map_wiped_by_handler(bytes);
    }
    return address;
}

void* reserve(std::size_t bytes) {
    return checked(mmap(nullptr, round_to_pages(bytes), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
}

bool map_anonymous_at(void* address, std::size_t bytes) {
    if (mmap(address, round_to_pages(bytes), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
        MAP_FAILED)
        return false;
    hide_from_race_detectors(address, round_to_pages(bytes));
    own_mappings.add(address, bytes);
    return true;
}

bool can_throw() {
    void* volatile memory = std::malloc(1 << 16); // without volatile, compilers remove the pair of calls
    void* const got = memory;
    std::free(got);
    return got != nullptr;
}

bool may_call_malloc() { return system_call(SYS_brk, nullptr) > 0; }

void touch(void* address, std::size_t bytes) {
    constexpr int PopulateWrite = 23; // MADV_POPULATE_WRITE, which older headers lack
    madvise(address, round_to_pages(bytes), PopulateWrite);
}

void unmap(void* address, std::size_t bytes) {
    own_mappings.remove(address);
    munmap(address, round_to_pages(bytes));
}

} // namespace vftr::base
