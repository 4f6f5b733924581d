// SPDX-License-Identifier: BSD-3-Clause
//
// Can what a program gives to exec be read?
//
// The kernel answers bad pointers with EFAULT and goes on; a wrapper that looks at them first would end the program
// instead. So the kernel is asked before (process_vm_readv on ourselves), page by page; pages that were found good are
// remembered, since arguments and environment lie close together. In a child of vfork, in a signal handler: plain
// system calls only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::follow {

enum class Readable {
    Yes,
    No,      // for certain; or a text is longer than the kernel takes (E2BIG)
    Unknown, // the kernel does not tell (a sandbox)
};

class OwnMemory {
public:
    OwnMemory();

    Readable bytes(const void* at, std::size_t count);
    // Up to its end, where that comes within what the kernel takes as one argument.
    Readable text(const char* text);
    // A list of texts that ends with a nullptr; nullptr itself is an empty one for the kernel.
    Readable list(char* const* list);

private:
    static constexpr std::size_t Page = 4096; // or a part of one
    Readable page(std::uintptr_t at);

    static constexpr unsigned Remembered = 8;
    std::uintptr_t good_[Remembered] = {};
    unsigned next_ = 0;
    long pid_;
    std::size_t longest_string_;
};

} // namespace vftr::follow
