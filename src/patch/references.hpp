// SPDX-License-Identifier: BSD-3-Clause
//
// Places in an object's text that may name one of its functions: that is where its hook calls are, also those that were inlined into others.
//
// A function's address is in machine code as a distance from the next instruction, as that of a slot that holds it, or as a number. All bytes are
// looked through for these, which takes about a millisecond for a MiB; decoding all of the text would take ten times as long. By chance,
// others look alike: each place is only a hint.
#pragma once

#include <cstdint>

namespace vftr::patch {

// The function's object stays loaded meanwhile.
using FoundReference = void(void* context, std::uint64_t address);
void find_references(std::uint64_t function, FoundReference* found, void* context);

// Whether a direct call leads there from somewhere in its object, which takes a tenth of a millisecond for each MiB. bytes: of text that may be
// looked through at most, and is taken from that.
bool is_called(std::uint64_t address, std::size_t& bytes);

} // namespace vftr::patch
