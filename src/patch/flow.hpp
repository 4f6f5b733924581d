// SPDX-License-Identifier: BSD-3-Clause
//
// What the registers hold at each place of a piece of text, whichever of the ways to it is taken: constants are
// followed along all ways (forward, from the begin), and where ways meet, only what is the same on all of them is
// known. This begins with the assumption that nothing is reached, and goes over the text until nothing changes any
// more; only then it is true.
//
// The ways are jumps and what follows an instruction; through tables of a switch, which are read; from all that is
// covered by a landing pad to it, with the registers that calls leave alone, as unwinding restores them; and places
// that are entered from elsewhere (control_flow_graph.hpp), where nothing is known. What a call does not leave alone is
// not known behind it; where it may not return, the way behind it is one too many, which only makes less known.
//
// So it must not miss a way. Where there may be others, it says that nothing is known of this text: a jump that is none
// of these, or an instruction that no way leads to, though it is no padding. Memory: a record for each place that jumps
// lead to.
#pragma once

#include "patch/control_flow_graph.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class Flow {
public:
    // For a text that has more, nothing is known.
    static constexpr std::size_t MaxTargets = 1 << 13;
    struct Target {
        bool reached;
        Registers registers;
    };
    struct Space {
        Target targets[MaxTargets];
    };

    // The control-flow graph is complete.
    Flow(const Code& code, const Text& text, ControlFlowGraph& graph, Space& space)
        : code_(code), text_(text), graph_(graph), space_(space) {}

    // false: nothing is known.
    bool run();
    // visit(offset, instruction, registers before it), of all that is reached.
    template <class Visit>
    void for_each(Visit visit) {
        walk([&](std::uint64_t at, const Instruction& each, const Registers& registers) {
            visit(at, each, registers);
            return true;
        });
    }

private:
    // Compilers' programs need four or five.
    static constexpr unsigned MaxRounds = 64;

    Target& target(std::uint64_t place) { return space_.targets[graph_.targets().number_of(place)]; }
    bool begin();
    bool follow_all();
    bool follow_jumps(const Instruction& each, const Registers& behind);
    bool follow_table(std::uint64_t table, bool of_addresses, const Registers& registers);
    void flow_to(std::uint64_t place, const Registers& registers);
    bool is_all_reached();

    // From line to line: false where nothing more is to be seen.
    template <class Visit>
    bool walk(Visit visit) {
        Registers registers;
        bool reached = false;
        return code_.for_each([&](std::uint64_t at, const Instruction& each) {
            if (graph_.is_target(at)) {
                if (reached)
                    flow_to(at, registers);
                reached = target(at).reached;
                registers = target(at).registers;
            }
            if (!reached)
                return skipped(at, each);
            if (!visit(at, each, registers))
                return false;
            registers.follow(each, graph_.loaded(each));
            reached = !goes_off(each.does);
            return true;
        });
    }
    bool skipped(std::uint64_t at, const Instruction& each);

    const Code& code_;
    const Text& text_;
    ControlFlowGraph& graph_;
    Space& space_;
    bool changed_ = false, new_targets_ = false, all_reached_ = false;
};

} // namespace vftr::patch
