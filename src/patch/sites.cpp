// SPDX-License-Identifier: BSD-3-Clause
#include "patch/sites.hpp"

#include <cstring>
#include <new>
#include <type_traits>

namespace vftr::patch {

namespace {

class Search {
public:
    Search(const Code& code, const ProcessMemory& memory, Surroundings& around, HookCalls& calls, Workspace& space)
        : code_(code), calls_(calls), around_(around), graph_(code, memory, around, calls, space.graph),
          flow_(code, memory, graph_, space.flow) {}

    std::size_t run(FoundSite* found, void* context) {
        std::size_t uncertain = 0;
        const auto consider = [&](std::uint64_t at, const Instruction& each, const Registers& registers) {
            if (!calls_hook(each))
                return;
            if (const auto function = registers[Rdi])
                add(at, each, *function, found, context);
            else
                ++uncertain;
        };
        if (!graph_.take())
            return 0;
        const bool is_whole = graph_.is_complete() && (names_itself() || around_.is_called(code_.address));
        if (is_whole && flow_.run())
            flow_.for_each(consider);
        else
            for_each_in_lines(is_whole ? graph_.anywhere() : Registers{}, consider);
        return uncertain;
    }

private:
    bool calls_hook(const Instruction& each) {
        switch (each.effect) {
        case Effect::Call:
        case Effect::Jump:
            return calls_.leads_to_hook(each.target);
        case Effect::CallThrough:
        case Effect::JumpThrough:
            return calls_.is_hook_slot(each.target);
        default:
            return false;
        }
    }

    // Follows values within straight-line code only. At its beginning, the registers have the values of `anywhere`.
    template <class Visit>
    void for_each_in_lines(const Registers& anywhere, Visit visit) {
        Registers registers = anywhere;
        code_.for_each([&](std::uint64_t at, const Instruction& each) {
            if (graph_.begins_block(at))
                registers = anywhere;
            visit(at, each, registers);
            if (never_falls_through(each.effect) || (is_call(each.effect) && !calls_hook(each)))
                registers = anywhere;
            else
                registers.follow(each, graph_.loaded(each));
            return true;
        });
    }

    // Whether a hook is called with the address at which this piece begins, so that the piece is a function and not a
    // later part of one.
    bool names_itself() {
        bool found = false;
        for_each_in_lines({}, [&](std::uint64_t, const Instruction& each, const Registers& registers) {
            found = found || (registers[Rdi] == code_.address && calls_hook(each));
        });
        return found;
    }

    void add(std::uint64_t at, const Instruction& each, std::uint64_t function, FoundSite* found, void* context) {
        at += each.opcode_at;
        Site site{code_.address + at, code_.bytes[at]};
        if (site.was == 0xe8)
            site.becomes = 0xa9;
        else if (site.was == 0xff && each.effect == Effect::CallThrough)
            site.becomes = 0x3b;
        else if (site.was == 0xe9 || site.was == 0xff)
            site.becomes = 0xc3;
        else
            return; // a short jump
        if (!each.changeable)
            return;
        std::memcpy(site.rest, &code_.bytes[at + 1], sizeof site.rest);
        found(context, function, site);
    }

    const Code& code_;
    HookCalls& calls_;
    Surroundings& around_;
    ControlFlowGraph graph_;
    Flow flow_;
};

} // namespace

std::size_t find_sites(const Code& code, const ProcessMemory& memory, Surroundings& around, HookCalls& calls,
                       Workspace& space, FoundSite* found, void* context) {
    static_assert(sizeof(Search) <= sizeof space.search && std::is_trivially_destructible_v<Search>);
    return code.bytes.size() <= MaxCodeBytes
               ? (new (space.search) Search(code, memory, around, calls, space))->run(found, context)
               : 0;
}

} // namespace vftr::patch
