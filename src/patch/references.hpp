// SPDX-License-Identifier: BSD-3-Clause
//
// Places in an object's text that may name one of its functions: that is where its hook calls are, also those that were
// inlined into others.
//
// A function's address is in machine code as a distance from the next instruction, as that of a slot that holds it, or
// as a number. All bytes are looked through for these, which takes about a millisecond for a MiB; decoding all of the
// text would take ten times as long. By chance, others look alike: each place is only a hint.
#pragma once

#include "patch/extent.hpp"
#include "patch/hook_calls.hpp"
#include "record/loaded_object.hpp"

#include <cstdint>

namespace vftr::patch {

// The function's object stays loaded meanwhile.
using FoundReference = void(void* context, std::uint64_t address);
void find_references(std::uint64_t function, FoundReference* found, void* context);

// Places in the object's text that look like calls of hooks, by rising addresses.
void find_hook_calls(const record::LoadedObject& object, HookCalls& calls, FoundReference* found, void* context);

// Whether the text loads the address where it begins, as what is instrumented itself does for its own hooks.
bool names_itself(const Extent& text);

} // namespace vftr::patch
