// SPDX-License-Identifier: BSD-3-Clause
//
// Checks whether the arguments that a program gives to exec can be read.
//
// The kernel answers bad pointers with EFAULT; a wrapper that read them would end the program instead. So the kernel is
// asked first, page by page, by process_vm_readv on this process itself. Pages that were found readable are remembered,
// since arguments and environment lie close together. This uses plain system calls only, so it may be called in a child
// of vfork and in a signal handler.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::follow {

enum class Readable {
    Yes,
    No,      // certainly not; or a string is longer than the kernel takes as one argument (E2BIG)
    Unknown, // the kernel refuses to answer (in a sandbox)
};

class OwnMemory {
public:
    OwnMemory();

    Readable bytes(const void* at, std::size_t count);
    // A 0-terminated string that is no longer than what the kernel takes as one argument.
    Readable text(const char* text);
    // A list of strings that ends with a nullptr. The kernel takes nullptr itself for an empty list.
    Readable list(char* const* list);

private:
    static constexpr std::size_t Page = 4096; // the smallest page size; larger pages are checked in such parts
    Readable page(std::uintptr_t at);

    static constexpr unsigned Remembered = 8;
    std::uintptr_t good_[Remembered] = {};
    unsigned next_ = 0;
    long pid_;
    std::size_t longest_string_;
};

} // namespace vftr::follow
