// SPDX-License-Identifier: BSD-3-Clause
#include "patch/decoder.hpp"

namespace vftr::patch {

Instruction Decoder::decode() {
    prefixes();
    const unsigned opcode = byte();
    found_.opcode_at = static_cast<std::uint8_t>(at_ - 1);
    // Such an opcode must not have REX or any of these legacy prefixes.
    const bool extended = opcode == 0x62 || opcode == 0xc4 || opcode == 0xc5;
    if (extended && (operand16_ || repeat_ != 0 || lock_ || rex_ != 0))
        return {};
    if (opcode == 0x0f)
        two_byte();
    else if (opcode == 0x62)
        evex();
    else if (extended)
        vex(opcode);
    else
        one_byte(opcode);
    if (bad_)
        return {};
    found_.length = static_cast<std::uint8_t>(at_);
    found_.changeable = !operand16_ && !lock_ && repeat_ == 0;
    if (is_relative_)
        found_.target += address_ + at_;
    return found_;
}

void Decoder::goes(Effect what, std::uint64_t relative) {
    found_.effect = what;
    found_.target = relative;
    is_relative_ = true;
}

void Decoder::sets(unsigned reg, std::uint64_t value) {
    found_.effect = Effect::Sets;
    found_.reg = static_cast<Register>(reg);
    found_.target = value;
}

void Decoder::writes_rm() {
    if (mod_ == 3)
        writes(rm_);
}

// Without REX, the register numbers 4 to 7 denote the second bytes of the first four registers.
void Decoder::writes_byte(unsigned reg) { writes(rex_ == 0 && reg < 8 ? reg & 3 : reg), writes(reg); }

void Decoder::writes_byte_rm() {
    if (mod_ == 3)
        writes_byte(rm_);
}

Instruction decode(std::span<const std::uint8_t> code, std::uint64_t address) {
    return Decoder(code, address).decode();
}

} // namespace vftr::patch
