// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the instructions of an object that may refer to one of its functions. The function's hook calls are there,
// including those that were inlined into other functions.
//
// In machine code, a function's address occurs as a distance from the next instruction, as the distance of a slot that
// holds it, or as a number. All bytes are searched for these, which takes about a millisecond for a MiB; decoding all
// of the code would take ten times as long. Other bytes may look the same by chance, so that each result is only a
// hint.
#pragma once

#include "patch/extent.hpp"
#include "patch/hook_calls.hpp"
#include "record/modules/loaded_object.hpp"

#include <cstdint>

namespace vftr::patch {

// The function's object must stay loaded meanwhile.
using FoundReference = void(void* context, std::uint64_t address);
void find_references(std::uint64_t function, FoundReference* found, void* context);

// Finds the addresses in the object's code that look like calls of hooks, in ascending order.
void find_hook_calls(const record::LoadedObject& object, HookCalls& calls, FoundReference* found, void* context);

// Whether the code contains the address at which it begins, as an instrumented function does for its own hooks.
bool names_itself(const Extent& text);

} // namespace vftr::patch
