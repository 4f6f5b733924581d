// SPDX-License-Identifier: BSD-3-Clause
#include "patch/obstacles.hpp"

#include "base/descriptor.hpp"
#include "base/file_beginning.hpp"
#include "base/memory.hpp"
#include "base/valgrind.hpp"
#include "patch/process_memory.hpp"

#include <cstdint>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

// Functions of the sanitizers, wherever their run-time libraries are.
extern "C" {
void __asan_init() __attribute__((weak));
void __tsan_init() __attribute__((weak));
void __msan_init() __attribute__((weak));
void __hwasan_init() __attribute__((weak));
}

namespace vftr::patch {

namespace {

bool in_sanitizer() { return __asan_init || __tsan_init || __msan_init || __hwasan_init; }

// Whether the machine code of a file may be executed after it was changed. This is tried with a private page of the
// executable. SELinux calls that execmod and forbids it when the process then makes the page executable;
// prctl(PR_SET_MDWE) and systemd's MemoryDenyWriteExecute forbid it, too. It also tests whether the kernel lets this
// process write to pages that may only be executed, as it does for debuggers.
bool may_change_text() {
    const int file = base::open_file("/proc/self/exe", O_RDONLY);
    if (file < 0)
        return false;
    const std::size_t bytes = base::page_size();
    void* page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
    base::close_file(file);
    if (page == MAP_FAILED)
        return false;
    auto* first = static_cast<volatile std::uint8_t*>(page);
    const std::uint8_t other = static_cast<std::uint8_t>(*first + 1);
    *first = other;
    const bool allowed =
        ::mprotect(page, bytes, PROT_READ | PROT_EXEC) == 0 &&
        ProcessMemory().write(reinterpret_cast<std::uint64_t>(page), static_cast<std::uint8_t>(other + 1)) &&
        *first != other;
    ::munmap(page, bytes);
    return allowed;
}

} // namespace

bool is_traced() {
    char text[512]; // the line is among the first ones
    const std::string_view status(text, base::read_beginning("/proc/self/status", text, sizeof text));
    constexpr std::string_view name = "TracerPid:\t";
    const std::size_t at = status.find(name);
    return at == std::string_view::npos || status.substr(at + name.size(), 2) != "0\n";
}

const char* obstacle() {
#ifndef __x86_64__
    return "this is not an x86-64 machine";
#endif
    if (base::ask_valgrind(base::ValgrindRequest::RunningOn) != 0)
        return "this is Valgrind";
    if (in_sanitizer())
        return "the program has a sanitizer";
    if (!ProcessMemory().is_open())
        return "/proc/self/mem cannot be written to";
    if (is_traced())
        return "a debugger or tracer is attached";
    if (!may_change_text())
        return "the system forbids changed text";
    if (!prepare_synchronise())
        return "the kernel has no membarrier for changed text";
    return nullptr;
}

} // namespace vftr::patch
