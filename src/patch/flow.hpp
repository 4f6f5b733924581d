// SPDX-License-Identifier: BSD-3-Clause
//
// A data flow analysis: it computes which constants the registers hold at each point of a piece of machine code,
// whatever path led there. Constants are propagated forward along all paths from the entry, and where paths meet, only
// values are kept that are the same on all of them. The analysis starts with the assumption that nothing is reached,
// and iterates over the code until nothing changes any more; its result is valid only then.
//
// Paths are: jumps; the fall-through from an instruction to the next; jumps through the tables of a switch, which are
// read; the step from any instruction that a landing pad covers to the pad, with the registers that calls preserve,
// because unwinding restores them; and entries from other pieces (control_flow_graph.hpp), where nothing is known.
// After a call, the registers that calls do not preserve are unknown. If the call does not return, the path behind it
// does not exist, but assuming it only loses knowledge.
//
// The analysis must not miss a path. If there may be others, it reports that nothing is known about this piece: if a
// jump is none of the above, or if no path leads to some instruction that is not padding. It needs one record for each
// target of a jump.
#pragma once

#include "patch/control_flow_graph.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class Flow {
public:
    // Nothing is known about a piece that has more targets.
    static constexpr std::size_t MaxTargets = 1 << 13;
    struct Target {
        bool reached;
        Registers registers;
    };
    struct Space {
        Target targets[MaxTargets];
    };

    // `graph` must be built already.
    Flow(const Code& code, const ProcessMemory& memory, ControlFlowGraph& graph, Space& space)
        : code_(code), memory_(memory), graph_(graph), space_(space) {}

    // Returns false if nothing is known about this piece.
    bool run();
    // Calls visit(offset, instruction, registers before it) for all instructions that are reached.
    template <class Visit>
    void for_each(Visit visit) {
        walk([&](std::uint64_t at, const Instruction& each, const Registers& registers) {
            visit(at, each, registers);
            return true;
        });
    }

private:
    // Code from compilers needs four or five rounds.
    static constexpr unsigned MaxRounds = 64;

    Target& target(std::uint64_t place) { return space_.targets[graph_.targets().number_of(place)]; }
    bool begin();
    bool follow_all();
    bool follow_jumps(const Instruction& each, const Registers& behind);
    bool follow_table(std::uint64_t table, bool of_addresses, const Registers& registers);
    void flow_to(std::uint64_t place, const Registers& registers);
    bool is_all_reached();

    // Walks over the instructions in order, and returns false if it was ended early.
    template <class Visit>
    bool walk(Visit visit) {
        Registers registers;
        bool reached = false;
        return code_.for_each([&](std::uint64_t at, const Instruction& each) {
            if (graph_.begins_block(at)) {
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
            reached = !never_falls_through(each.effect);
            return true;
        });
    }
    bool skipped(std::uint64_t at, const Instruction& each);

    const Code& code_;
    const ProcessMemory& memory_;
    ControlFlowGraph& graph_;
    Space& space_;
    bool changed_ = false, new_targets_ = false, all_reached_ = false;
};

} // namespace vftr::patch
