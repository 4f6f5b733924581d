// SPDX-License-Identifier: BSD-3-Clause
#include "patch/encoding.hpp"

namespace vftr::patch {

unsigned Encoding::byte() {
    if (at_ >= code_.size()) {
        bad_ = true;
        return 0;
    }
    return code_[at_++];
}

std::uint64_t Encoding::number(unsigned bytes, bool is_signed) {
    std::uint64_t value = 0;
    for (unsigned i = 0; i < bytes; ++i)
        value |= std::uint64_t{byte()} << 8 * i;
    if (is_signed && bytes != 0 && bytes < 8 && value >> (8 * bytes - 1) & 1)
        value -= std::uint64_t{1} << 8 * bytes;
    return value;
}

void Encoding::prefixes() {
    for (unsigned next; at_ < code_.size(); ++at_) {
        next = code_[at_];
        if (next == 0x66)
            operand16_ = true;
        else if (next == 0x67)
            address32_ = true;
        else if (next == 0xf2 || next == 0xf3)
            repeat_ = next;
        else if (next == 0xf0)
            lock_ = true;
        else if (next == 0x64 || next == 0x65)
            thread_local_ = true;
        else if (next != 0x2e && next != 0x36 && next != 0x3e && next != 0x26)
            break;
    }
    if (at_ < code_.size() && (code_[at_] & 0xf0) == 0x40)
        rex_ = code_[at_++];
}

void Encoding::operands() {
    const unsigned modrm = byte();
    mod_ = modrm >> 6;
    digit_ = modrm >> 3 & 7;
    reg_ = digit_ | (rex_ & 4) << 1;
    rm_ = (modrm & 7) | (rex_ & 1) << 3;
    if (mod_ == 3)
        return;
    unsigned displacement = mod_ == 1 ? 1 : mod_ == 2 ? 4 : 0;
    if ((modrm & 7) == 4) {
        const unsigned sib = byte(), index = (sib >> 3 & 7) | (rex_ & 2) << 2;
        if (index != 4)
            index_ = index;
        scale_ = 1u << (sib >> 6);
        if ((sib & 7) == 5 && mod_ == 0)
            displacement = 4;
        else
            base_ = (sib & 7) | (rex_ & 1) << 3;
    } else if ((modrm & 7) == 5 && mod_ == 0) {
        displacement = 4;
        from_ip_ = true;
    } else {
        base_ = rm_;
    }
    displacement_ = number(displacement, true);
}

void Encoding::follow(char shape) {
    switch (shape) {
    case None:
        return;
    case M:
        return operands();
    case MB:
        operands();
        [[fallthrough]];
    case B1:
    case R1:
        immediate_ = number(1, true);
        return;
    case W1:
        immediate_ = number(2, false);
        return;
    case MZ:
        operands();
        [[fallthrough]];
    case Z1:
        immediate_ = number(size_z(), true);
        return;
    case V1:
        immediate_ = number(wide() ? 8 : size_z(), false);
        return;
    case A1:
        immediate_ = number(address32_ ? 4 : 8, false);
        return;
    case E3:
        number(3, false);
        return;
    case R4: // with the prefix 66, AMD processors decode another length
        bad_ |= operand16_ && !wide();
        immediate_ = number(4, true);
        return;
    case Group3:
        operands();
        number(digit_ < 2 ? 1 : 0, true);
        return;
    case Group3Z:
        operands();
        number(digit_ < 2 ? size_z() : 0, true);
        return;
    default:
        bad_ = true;
    }
}

} // namespace vftr::patch
