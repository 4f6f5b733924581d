// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the calls of vftrace's hooks in a piece of machine code, each with the function that it certainly belongs to.
//
// A compiler inlines functions together with their hook calls, so the code of one function may have hook calls for
// many, and only those of excluded functions must go. If a call were taken out for the wrong function, events would be
// lost without notice. Therefore calls that are not certain stay, at the cost of a flag test.
//
// The function that a call belongs to is its first argument (rdi). Compilers load the argument just before the call, or
// copy it from a register that calls preserve (rbx, rbp, r12 … r15), which they have loaded before a loop. Therefore
// the values of registers are followed along all paths through the code (flow.hpp). The result is certain only if no
// path is missed. There are the following kinds of paths; if one of them may be unknown, a narrower rule is used:
//
//   * Jumps with a direct target, also to another part of the function and back (f.cold, control_flow_graph.hpp). All
//     pieces of code are read to which this one leads, and those to which these lead. Nothing is known about registers
//     where control comes back. If there are too many pieces, or one that cannot be read, or one with a jump through a
//     register: narrow rule.
//   * Jumps through registers: those of a switch, whose table is found by the contents of registers. If there are
//     others, as those of computed gotos: narrow rule.
//   * Exceptions: landing pads are listed in a table. If it is not understood: narrow rule.
//   * Entries at the beginning. If the piece is a whole function, nothing is known about registers there. But the piece
//     may be a later part of a function, into which other pieces jump anywhere, and these pieces need not be found from
//     here. It counts as a function if it calls a hook with its own beginning as argument, or if a direct call has its
//     beginning as target. Else: narrow rule.
//   * Points whose address is taken, or that are called: nothing is known about registers there. After a longjmp, the
//     registers are those that setjmp saw, as if it returned once more.
//   * Code that none of these paths reaches is not executed. If it is not just padding, a path was missed: narrow rule.
//
// Even a missed path does harm only if two functions share a call. A compiler gives each hook call a constant argument,
// and merges two calls with different arguments only when it joins equal tails of code, by jumps with a direct target.
//
// The narrow rule follows values within straight-line code only. That ends at every jump target and behind every call
// that may not return (all but those of hooks), because the code there may be reached on another path.
//
// With both rules, a register that calls preserve and that is never set to another value (except to the caller's, which
// it gets back at the end) has this value wherever it is used as a function's address. With the narrow rule this holds
// only if all entries into the code are known, apart from jumps through registers.
//
// The code is decoded from the beginning of the function to its end. If an instruction is not known, or a jump leads
// into the middle of an instruction, the decoded instructions may not be those that are executed, and no sites are
// reported.
#pragma once

#include "patch/flow.hpp"

#include <cstdint>

namespace vftr::patch {

// A hook call that can be made harmless, and the byte that does it.
struct Site {
    std::uint64_t address = 0;
    std::uint8_t was = 0, becomes = 0;
    std::uint8_t rest[4] = {}; // the bytes of the instruction behind that byte, which do not change
};

struct Workspace {
    ControlFlowGraph::Space graph;
    Flow::Space flow;
    // Memory of the analysis, because a hook may run on a small stack.
    alignas(16) std::byte search[4096];
};

// Calls found(context, function, site) for each site. Returns the number of the other hook calls, for which it is not
// certain to which function they belong.
using FoundSite = void(void* context, std::uint64_t function, const Site& site);
std::size_t find_sites(const Code& code, const ProcessMemory& memory, Surroundings& around, HookCalls& calls,
                       Workspace& space, FoundSite* found, void* context);

} // namespace vftr::patch
