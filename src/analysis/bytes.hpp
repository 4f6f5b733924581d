// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers and texts as bytes: unsigned numbers in LEB128 (7 bits a byte, low ones first), texts as
// size and bytes.
#pragma once

#include "vfd/image.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vftr::analysis {

class ByteWriter {
public:
    void number(std::uint64_t value) {
        for (; value >= 0x80; value >>= 7)
            bytes_.push_back(static_cast<std::byte>(value | 0x80));
        bytes_.push_back(static_cast<std::byte>(value));
    }
    void signed_number(std::int64_t value) {
        number(static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63));
    }
    void text(const std::string& text) {
        number(text.size());
        auto* data = reinterpret_cast<const std::byte*>(text.data());
        bytes_.insert(bytes_.end(), data, data + text.size());
    }
    std::vector<std::byte> take() { return std::move(bytes_); }

private:
    std::vector<std::byte> bytes_;
};

// Reads untrusted bytes; throws vfd::Error with the place where they end too early or make no
// sense.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, const std::string& label)
        : bytes_(bytes), label_(label) {}

    std::uint64_t number() {
        std::uint64_t value = 0;
        for (unsigned shift = 0;; shift += 7) {
            if (at_ == bytes_.size())
                fail("it ends too early");
            auto byte = static_cast<std::uint64_t>(bytes_[at_++]);
            if (shift == 63 && byte > 1)
                fail("a number has more than 64 bits");
            value |= (byte & 0x7f) << shift;
            if (byte < 0x80)
                return value;
        }
    }
    std::int64_t signed_number() {
        std::uint64_t value = number();
        return static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
    }
    // A number that may be at most `limit`.
    template <typename Result = std::uint64_t>
    Result number_up_to(std::uint64_t limit, const char* what) {
        return static_cast<Result>(checked(number(), limit, what));
    }
    // The number of elements that follow, each of at least `smallest` bytes.
    std::size_t count(std::size_t smallest, const char* what) {
        const std::uint64_t number_of = number(); // takes bytes itself
        return checked(number_of, (bytes_.size() - at_) / smallest, what);
    }
    std::string text() {
        std::size_t size = count(1, "the size of a text");
        std::string text(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
        at_ += size;
        return text;
    }
    bool at_end() const { return at_ == bytes_.size(); }

    [[noreturn]] void fail(const std::string& reason) const {
        throw vfd::Error(label_, at_, "damaged profile: " + reason);
    }

private:
    std::uint64_t checked(std::uint64_t value, std::uint64_t limit, const char* what) const {
        if (value > limit)
            fail(std::string(what) + " is out of range");
        return value;
    }

    std::span<const std::byte> bytes_;
    const std::string& label_;
    std::size_t at_ = 0;
};

} // namespace vftr::analysis
