// SPDX-License-Identifier: BSD-3-Clause
#include "patch/flow.hpp"

namespace vftr::patch {

namespace {

// Padding between the parts of a function, which is never executed: short and long nops, and int3.
bool is_padding(std::span<const std::uint8_t> bytes, const Instruction& each) {
    const std::uint8_t opcode = bytes[each.opcode_at];
    return opcode == 0x90 || opcode == 0xcc || (opcode == 0x0f && bytes[each.opcode_at + 1u] == 0x1f);
}

} // namespace

bool Flow::run() {
    do {
        new_targets_ = false;
        if (!begin())
            return false;
        unsigned rounds = 0;
        do {
            changed_ = false;
            all_reached_ = true;
            if ((!follow_all() && !new_targets_) || ++rounds == MaxRounds)
                return false;
        } while (changed_ && !new_targets_);
    } while (new_targets_);
    return all_reached_;
}

bool Flow::begin() {
    const std::size_t count = graph_.targets().count(code_.bytes.size());
    if (count > MaxTargets)
        return false;
    for (std::size_t i = 0; i < count; ++i)
        space_.targets[i] = {};
    for (std::uint64_t at = 0; at < code_.bytes.size(); ++at)
        if (graph_.entered_from_elsewhere(at) && graph_.begins_block(at))
            target(at) = {true, graph_.anywhere()};
    return true;
}

bool Flow::skipped(std::uint64_t at, const Instruction& each) {
    all_reached_ = all_reached_ && is_padding(code_.bytes.subspan(at), each);
    return true;
}

// Effect one round. Returns false if some path is not known.
bool Flow::follow_all() {
    LandingPads pads(code_.pads, code_.address);
    LandingPads::Row row;
    bool more = pads.next(row);
    return walk([&](std::uint64_t at, const Instruction& each, const Registers& registers) {
        while (more && row.end <= code_.address + at)
            more = pads.next(row);
        if (more && row.begin <= code_.address + at && code_.has(row.pad)) {
            Registers kept = registers;
            kept.forget(changed_by_calls);
            flow_to(row.pad - code_.address, kept);
        }
        return follow_jumps(each, registers) && !new_targets_;
    });
}

bool Flow::follow_jumps(const Instruction& each, const Registers& registers) {
    switch (each.effect) {
    case Effect::Branch:
    case Effect::Jump:
        if (code_.has(each.target)) {
            Registers behind = registers;
            behind.forget(each.written); // the loop instructions change rcx
            flow_to(each.target - code_.address, behind);
        }
        return true;
    case Effect::JumpsTo: {
        const auto table = registers.table(each.from);
        return table && follow_table(*table, false, registers);
    }
    case Effect::JumpsByTable:
        return follow_table(each.target, true, registers);
    default:
        return each.effect != Effect::JumpElsewhere;
    }
}

// The table ends before the first entry that does not lead to an instruction. If the data behind the table looks like
// more entries, this only adds paths that do not exist.
bool Flow::follow_table(std::uint64_t table, bool of_addresses, const Registers& registers) {
    std::size_t count = 0;
    for (;; ++count) {
        std::uint64_t address = 0;
        std::int32_t distance = 0;
        if (!(of_addresses ? memory_.read(table + count * sizeof address, &address, sizeof address)
                           : memory_.read(table + count * sizeof distance, &distance, sizeof distance)))
            break;
        if (!of_addresses)
            address = UnwindData::to_address(table, distance);
        if (!graph_.add_case(address, new_targets_))
            break;
        if (new_targets_)
            continue;
        if (code_.has(address))
            flow_to(address - code_.address, registers);
    }
    return count != 0 && graph_.is_complete();
}

void Flow::flow_to(std::uint64_t place, const Registers& registers) {
    Target& there = target(place);
    if (!there.reached) {
        there = {true, registers};
        changed_ = true;
    } else if (there.registers.keep_common(registers)) {
        changed_ = true;
    }
}

} // namespace vftr::patch
