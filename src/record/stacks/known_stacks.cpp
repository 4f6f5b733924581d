// SPDX-License-Identifier: BSD-3-Clause
#include "record/stacks/known_stacks.hpp"

#include "base/cancellation.hpp"
#include "base/maps_reader.hpp"
#include "base/own_descriptors.hpp"
#include "base/system_call.hpp"

#include <atomic>
#include <cerrno>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

extern "C" {
extern void* __libc_stack_end __attribute__((weak));
}

namespace vftr::record {

namespace {

// Size of the stack that the C library gives a thread if RLIMIT_STACK does not tell, and how much of it the thread's
// own data may take at the upper end.
constexpr std::uint64_t UsualStack = 2 << 20, ThreadData = 65536;
// Assumed size of the first thread's stack without a limit: nothing else is mapped so near to it.
constexpr std::uint64_t WithoutLimit = std::uint64_t{1} << 36;

std::uint64_t stack_limit(std::uint64_t without) {
    rlimit limit;
    return getrlimit(RLIMIT_STACK, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ? without : limit.rlim_cur;
}

StackRange below(std::uint64_t high, std::uint64_t bytes) { return {high > bytes ? high - bytes : 0, high}; }

struct KnownStack {
    std::atomic<std::uint64_t> low, high; // low is 0 if there is none, or if it is being changed
};
constexpr std::uint32_t MostKnown = 4096;
KnownStack known[MostKnown];
std::atomic<std::uint32_t> known_count; // number of all that were ever remembered

bool read_known(const KnownStack& stack, StackRange& range) {
    range.low = stack.low.load(std::memory_order_acquire);
    range.high = stack.high.load(std::memory_order_acquire);
    return range.low != 0 && stack.low.load(std::memory_order_relaxed) == range.low;
}

// Returns the same as read(2). The kernel may forbid it.
long read_own_memory(std::uint64_t address, void* to, std::size_t bytes) {
    iovec here{to, bytes}, there{reinterpret_cast<void*>(address), bytes};
    return base::system_call(SYS_process_vm_readv, base::system_call(SYS_getpid), &here, 1, &there, 1, 0);
}

} // namespace

// glibc keeps a thread's descriptor at the upper end of its stack. The first thread of a forked child may run on what
// was another thread's stack in the parent.
StackRange find_own_stack(bool& grows) {
    StackRange of_process{};
    if (&__libc_stack_end)
        of_process = below(reinterpret_cast<std::uint64_t>(__libc_stack_end), stack_limit(WithoutLimit));
    StackRange of_thread = below(static_cast<std::uint64_t>(pthread_self()), stack_limit(UsualStack) - ThreadData);
    auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
    bool first = base::system_call(SYS_gettid) == static_cast<long>(getpid());
    grows = of_process.high != 0 && (of_process.holds(here) || (first && !of_thread.holds(here)));
    return grows ? of_process : of_thread;
}

bool find_mapping(std::uint64_t address, StackRange& mapping) {
    base::CancellationDeferred deferred;
    bool found = false;
    base::with_own_descriptors([&] {
        char buffer[base::MapsLineWithoutPath];
        base::MapsReader maps(base::OwnMaps, buffer);
        for (base::MapsLine line; !found && maps.next(line);)
            if (line.holds(address)) {
                mapping = {line.start, line.end};
                found = true;
            }
    });
    return found;
}

namespace {

// Whether there may be memory at an address that could not be read.
bool may_be_there(long result, std::uint64_t address) {
    StackRange mapping;
    return result != -EFAULT && find_mapping(address, mapping);
}

} // namespace

namespace {

bool may_be_text_address(std::uint64_t word) {
    char buffer[base::MapsLineWithoutPath];
    base::MapsReader maps(base::OwnMaps, buffer);
    base::MapsLine line;
    if (!maps.next(line))
        return true;
    do
        if (line.holds(word))
            return line.executable;
    while (maps.next(line));
    return false;
}

} // namespace

bool may_hold_text_address(std::uint64_t address) {
    std::uint64_t word;
    const long result = read_own_memory(address, &word, sizeof word);
    if (result != static_cast<long>(sizeof word))
        return may_be_there(result, address);
    base::CancellationDeferred deferred;
    bool may_be = true;
    base::with_own_descriptors([&] { may_be = may_be_text_address(word); });
    return may_be;
}

bool may_be_readable(std::uint64_t address) {
    char byte;
    const long result = read_own_memory(address, &byte, sizeof byte);
    return result == 1 || may_be_there(result, address);
}

void remember_known_stack(const StackRange& range) {
    StackRange before;
    if (find_known_stack(range.low, before) && before.low == range.low && before.high == range.high)
        return;
    KnownStack& stack = known[known_count.fetch_add(1) % MostKnown];
    stack.low.store(0, std::memory_order_relaxed);
    stack.high.store(range.high, std::memory_order_release);
    stack.low.store(range.low, std::memory_order_release);
}

bool find_known_stack(std::uint64_t stack_pointer, StackRange& range) {
    const std::uint32_t count = known_count.load(std::memory_order_acquire);
    for (std::uint32_t i = 0; i < count && i < MostKnown; ++i)
        if (read_known(known[(count - 1 - i) % MostKnown], range) && range.holds(stack_pointer))
            return true;
    return false;
}

} // namespace vftr::record
