// SPDX-License-Identifier: BSD-3-Clause
#include "patch/control_flow_graph.hpp"

#include <iterator>

namespace vftr::patch {

namespace {

bool jumps_directly(const Instruction& each) { return each.effect == Effect::Branch || each.effect == Effect::Jump; }
bool jumps_by_register(const Instruction& each) {
    return each.effect == Effect::JumpsTo || each.effect == Effect::JumpsByTable ||
           each.effect == Effect::JumpElsewhere;
}
// Whether its target is an address that control may reach other than by a jump: that of a call, or one that is stored
// for a later jump.
bool names(const Instruction& each) { return each.effect == Effect::Call || each.effect == Effect::Sets; }

} // namespace

void ControlFlowGraph::ConstantRegisters::add(Register reg, std::optional<std::uint64_t> another) {
    if (is[reg] == NotSet && another) {
        is[reg] = Same;
        value[reg] = *another;
    } else if (is[reg] != Same || another != value[reg]) {
        is[reg] = Differs;
    }
}

void ControlFlowGraph::ConstantRegisters::add(const ConstantRegisters& other) {
    for (unsigned reg = 0; reg < RegisterCount; ++reg)
        if (other.is[reg] != NotSet)
            add(static_cast<Register>(reg), other.only(static_cast<Register>(reg)));
}

bool ControlFlowGraph::take() {
    for (OffsetSet* each : {&space_.instructions, &space_.targets, &space_.entered})
        each->clear(code_.bytes.size());
    if (!read())
        return false;
    enter(code_.address);
    look_at_pads(code_);
    look_at_parts();
    return true;
}

bool ControlFlowGraph::read() {
    const bool readable = code_.for_each([&](std::uint64_t at, const Instruction& each) {
        space_.instructions.add(at);
        note_values(each, throughout_);
        const std::uint64_t place = each.target - code_.address;
        if (jumps_directly(each) && code_.has(each.target))
            space_.targets.add(place);
        else if (jumps_directly(each) && !calls_.leads_to_hook(each.target))
            lead_out(each.target);
        else if (names(each) && code_.has(each.target) && place != 0)
            space_.entered.add(place);
        return true;
    });
    for (std::uint64_t at = 0; readable && at < code_.bytes.size(); ++at) {
        if (space_.targets.has(at) && !space_.instructions.has(at))
            return false;
        // Otherwise it is a number that only looks like an address.
        if (space_.entered.has(at) && space_.instructions.has(at))
            space_.targets.add(at);
    }
    return readable;
}

std::optional<std::uint64_t> ControlFlowGraph::loaded(const Instruction& each) const {
    if (each.effect != Effect::Loads)
        return std::nullopt;
    Loaded& known = loaded_[each.target / 8 % std::size(loaded_)];
    if (known.from != each.target) {
        std::uint64_t value;
        const bool readable = memory_.read(each.target, &value, sizeof value);
        known = {each.target, readable ? std::optional(value) : std::nullopt};
    }
    return known.value;
}

void ControlFlowGraph::note_values(const Instruction& each, ConstantRegisters& throughout) const {
    if (each.effect == Effect::Pops || !(each.written & kept_by_calls))
        return;
    const auto value = each.effect == Effect::Sets ? std::optional(each.target) : loaded(each);
    for (unsigned reg = 0; reg < RegisterCount; ++reg)
        if (each.written & kept_by_calls & set_of(reg))
            throughout.add(static_cast<Register>(reg), value);
}

Registers ControlFlowGraph::anywhere() const {
    Registers registers;
    for (unsigned reg = 0; reg < RegisterCount; ++reg)
        if (const auto value = throughout_.only(static_cast<Register>(reg)))
            registers.set(static_cast<Register>(reg), *value);
    return registers;
}

void ControlFlowGraph::enter(std::uint64_t address) {
    const std::uint64_t place = address - code_.address;
    complete_ = complete_ && space_.instructions.has(place);
    space_.targets.add(place);
    space_.entered.add(place);
}

bool ControlFlowGraph::add_case(std::uint64_t address, bool& is_new) {
    if (code_.has(address)) {
        if (!space_.instructions.has(address - code_.address))
            return false;
        is_new |= space_.targets.add(address - code_.address);
        return true;
    }
    const Extent extent = around_.extent_at(address);
    Code piece;
    bool begins = false;
    if (!extent.known() || !around_.read(extent, piece))
        return false;
    piece.for_each([&](std::uint64_t at, const Instruction&) {
        begins = piece.address + at == address;
        return piece.address + at < address;
    });
    const std::size_t before = part_count_;
    if (begins)
        lead_out(address);
    is_new |= part_count_ != before;
    look_at_parts();
    return begins;
}

void ControlFlowGraph::lead_out(std::uint64_t address) {
    for (std::size_t i = 0; i < part_count_; ++i)
        if (parts_[i].has(address))
            return;
    if (calls_.is_stub(address))
        return;
    const Extent extent = around_.extent_at(address);
    if (part_count_ == MaxParts || !extent.known())
        complete_ = false;
    else
        parts_[part_count_++] = extent;
}

void ControlFlowGraph::look_at_pads(const Code& piece) {
    LandingPads pads(piece.pads, piece.address);
    for (LandingPads::Row row; pads.next(row);) {
        if (!code_.has(row.pad))
            lead_out(row.pad);
        else if (&piece != &code_ || !space_.instructions.has(row.pad - code_.address))
            enter(row.pad);
        else
            space_.targets.add(row.pad - code_.address);
    }
    complete_ = complete_ && pads.ok();
}

void ControlFlowGraph::look_at_parts() {
    for (; complete_ && looked_at_ < part_count_; ++looked_at_) {
        Code part;
        complete_ = around_.read(parts_[looked_at_], part);
        if (complete_)
            look_at(part);
    }
    if (returned_)
        throughout_.add(elsewhere_);
}

void ControlFlowGraph::look_at(const Code& part) {
    const bool readable = part.for_each([&](std::uint64_t, const Instruction& each) {
        note_values(each, elsewhere_);
        look_at_step(part, each);
        return !jumps_by_register(each);
    });
    look_at_pads(part);
    complete_ = complete_ && readable;
}

void ControlFlowGraph::look_at_step(const Code& part, const Instruction& each) {
    if (jumps_directly(each) && code_.has(each.target)) {
        returned_ = true;
        enter(each.target);
    } else if (jumps_directly(each) && !part.has(each.target) && !calls_.leads_to_hook(each.target)) {
        lead_out(each.target);
    } else if (names(each) && code_.has(each.target) && each.target != code_.address &&
               space_.instructions.has(each.target - code_.address)) {
        enter(each.target);
    }
}

} // namespace vftr::patch
