// SPDX-License-Identifier: BSD-3-Clause
//
// The calls of our hooks in a piece of machine code, with the function that each is certainly for.
//
// A compiler inlines functions with their hook calls, so in the text of one function there may be hook calls for many,
// and only those of excluded ones are to go. A call that is taken out for the wrong function would lose what was to be
// recorded, and nobody would notice; so what is not certain stays, and costs a flag test.
//
// Which function a call is for is its first argument (rdi). Compilers put it there just before, or copy it from a
// register that calls leave alone (rbx, rbp, r12 … r15), which they have loaded before a loop. So the values of
// registers are followed along all ways through the code (flow.hpp). What makes it certain is that no way is missed.
// There are these, and where one of them may be unknown, the rule is a narrower one:
//
//   * Jumps with a target, also to another part of the function and back (f.cold, control_flow_graph.hpp): all pieces
//   of text are read that this one leads to, and
//     what these lead to; whatever comes back brings nothing that is known. Too many, one that cannot be read, or one
//     with a jump through a register: narrow.
//   * Jumps through registers: those of a switch, whose table is where the registers say. All others, so also those of
//   computed gotos: narrow.
//   * Exceptions: landing pads stand in a table. Narrow where it is not understood.
//   * Ways to the begin: those of a function bring nothing. But the piece may be a later part of one, which other
//   pieces enter
//     anywhere, and none of these needs to be found from here. It is a function if a hook is called in it with its own
//     begin, or if a direct call leads to its begin. Else: narrow.
//   * Places whose address is taken, or that are called: nothing is known there. longjmp brings the registers that
//   setjmp saw, as if it returned once more.
//   * What none of these leads to is not executed. If it is anything else than padding, something was missed: narrow.
//
// Even a way that was missed does harm only where two functions share a call: a compiler gives each call of a hook a
// constant, and makes one call of two that differ only where it joins equal ends of lines, by jumps with a target.
//
// The narrow rule follows values within straight lines. They end wherever a jump leads to, and behind calls that may
// not return (all but those of hooks): what stands there may be reached otherwise.
//
// With either rule, a register that calls leave alone and that is never given another value (but the caller's, that it
// gets back at the end), has it wherever it is used as a function's address; with the narrow one only if all that leads
// into the text is known besides jumps through registers.
//
// The code is read from the begin of the function to its end. If an instruction is not known there, or a jump leads
// into the midst of another one, then what we read is not what is executed, and there are no sites.
#pragma once

#include "patch/flow.hpp"

#include <cstdint>

namespace vftr::patch {

// One byte that makes a call of a hook harmless.
struct Site {
    std::uint64_t address = 0;
    std::uint8_t was = 0, becomes = 0;
    std::uint8_t rest[4] = {}; // of the instruction, as it stays, behind that byte
};

struct Workspace {
    ControlFlowGraph::Space graph;
    Flow::Space flow;
    alignas(16) std::byte search[4096]; // a hook runs on whatever stack its caller has
};

// Gives each site to found(context, function, site). Returns how many calls of hooks there are besides of which it is
// not certain which function they are for.
using FoundSite = void(void* context, std::uint64_t function, const Site& site);
std::size_t find_sites(const Code& code, const Text& text, Surroundings& around, HookCalls& calls, Workspace& space,
                       FoundSite* found, void* context);

} // namespace vftr::patch
