// SPDX-License-Identifier: BSD-3-Clause
#include "follow/readable.hpp"

#include "base/memory.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sys/uio.h>

namespace vftr::follow {

OwnMemory::OwnMemory()
    : pid_(base::system_call(SYS_getpid)), longest_string_(32 * base::page_size()) {} // Linux: MAX_ARG_STRLEN

Readable OwnMemory::page(std::uintptr_t at) {
    at -= at % Page;
    if (std::find(good_, good_ + Remembered, at) != good_ + Remembered)
        return at != 0 ? Readable::Yes : Readable::No;
    char byte;
    iovec here{&byte, 1}, there{reinterpret_cast<void*>(at), 1};
    long result = base::system_call(SYS_process_vm_readv, pid_, &here, 1, &there, 1, 0);
    if (result == 1) {
        good_[next_++ % Remembered] = at;
        return Readable::Yes;
    }
    return result == -EFAULT ? Readable::No : Readable::Unknown;
}

Readable OwnMemory::bytes(const void* at, std::size_t count) {
    if (count == 0)
        return Readable::Yes;
    auto address = reinterpret_cast<std::uintptr_t>(at);
    if (address + (count - 1) < address)
        return Readable::No;
    const std::uintptr_t pages = (address + (count - 1)) / Page - address / Page + 1;
    for (std::uintptr_t i = 0; i < pages; ++i)
        if (Readable r = page((address / Page + i) * Page); r != Readable::Yes)
            return r;
    return Readable::Yes;
}

Readable OwnMemory::text(const char* text) {
    for (std::size_t seen = 0; seen <= longest_string_;) {
        auto address = reinterpret_cast<std::uintptr_t>(text + seen);
        if (Readable r = page(address); r != Readable::Yes)
            return r;
        std::size_t rest = Page - address % Page;
        std::size_t length = strnlen(text + seen, rest);
        if (length < rest)
            return seen + length < longest_string_ ? Readable::Yes : Readable::No;
        seen += rest;
    }
    return Readable::No;
}

Readable OwnMemory::list(char* const* list) {
    if (!list)
        return Readable::Yes;
    for (;; ++list) {
        if (Readable r = bytes(list, sizeof *list); r != Readable::Yes)
            return r;
        if (!*list)
            return Readable::Yes;
        if (Readable r = text(*list); r != Readable::Yes)
            return r;
    }
}

} // namespace vftr::follow
