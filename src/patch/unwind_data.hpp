// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the exception unwind tables byte by byte. Data beyond the end, and numbers that are too long, are read as 0;
// ok() then returns false.
#pragma once

#include "base/leb128.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace vftr::patch {

// The encodings of addresses as the Linux Standard Base numbers them ("Exception Frames", DW_EH_PE_…). Only those are
// listed that linkers and compilers write for x86-64.
enum AddressForm : std::uint8_t {
    Absolute8 = 0x00,
    Leb128 = 0x01,
    Unsigned4 = 0x03,
    FromPlace = 0x1b,
    FromTable = 0x3b,
    Indirect = 0x80,
    Omitted = 0xff
};

class UnwindData {
public:
    // `address` is that of the first byte.
    UnwindData(std::span<const std::uint8_t> bytes, std::uint64_t address) : bytes_(bytes), address_(address) {}

    bool ok() const { return ok_; }
    std::uint64_t address() const { return address_ + at_; }
    std::uint8_t byte() { return fixed<std::uint8_t>(); }

    template <class Number>
    Number fixed() {
        Number number{};
        if (has(sizeof number)) {
            std::memcpy(&number, &bytes_[at_], sizeof number);
            at_ += sizeof number;
        }
        return number;
    }
    // Also reads a signed number if only its length matters.
    std::uint64_t leb128() {
        const std::uint8_t* const begin = bytes_.data() + at_;
        const std::uint8_t* at = begin;
        std::uint64_t value;
        ok_ &= base::get_leb128(at, bytes_.data() + bytes_.size(), value);
        at_ += static_cast<std::size_t>(at - begin);
        return ok_ ? value : 0;
    }
    // Returns 0, also if the encoding is none of these.
    std::uint64_t number(std::uint8_t form) {
        const std::uint64_t place = address();
        switch (form & ~Indirect) {
        case Absolute8:
            return fixed<std::uint64_t>();
        case Leb128:
            return leb128();
        case Unsigned4:
            return fixed<std::uint32_t>();
        case FromPlace:
            return to_address(place, fixed<std::int32_t>());
        default:
            ok_ = false;
            return 0;
        }
    }

    static std::uint64_t to_address(std::uint64_t from, std::int32_t distance) {
        return from + static_cast<std::uint64_t>(std::int64_t{distance});
    }

private:
    bool has(std::size_t bytes) { return ok_ = ok_ && bytes_.size() - at_ >= bytes; }

    std::span<const std::uint8_t> bytes_;
    std::uint64_t address_;
    std::size_t at_ = 0;
    bool ok_ = true;
};

} // namespace vftr::patch
