// SPDX-License-Identifier: BSD-3-Clause
//
// Writes and reads numbers and strings as bytes: unsigned numbers in LEB128 (7 bits a byte, low ones first), strings as
// their size and their bytes.
#pragma once

#include "base/leb128.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vftr::analysis {

class ByteWriter {
public:
    // Reserves memory for about as many more bytes. Without it most bytes are copied, and their memory is fetched from
    // the kernel, more than once.
    void expect(std::size_t bytes) { bytes_.reserve(used_ + bytes); }
    void number(std::uint64_t value) {
        auto* out = reinterpret_cast<std::uint8_t*>(room(base::MostLeb128Bytes + 1));
        used_ += static_cast<std::size_t>(base::put_leb128(out, value) - out);
    }
    void signed_number(std::int64_t value) { number(base::zigzag(static_cast<std::uint64_t>(value))); }
    void bytes(std::span<const std::byte> bytes) {
        std::copy(bytes.begin(), bytes.end(), room(bytes.size()));
        used_ += bytes.size();
    }
    void string(const std::string& value) {
        number(value.size());
        value.copy(reinterpret_cast<char*>(room(value.size())), value.size());
        used_ += value.size();
    }
    std::vector<std::byte> take() {
        bytes_.resize(std::exchange(used_, 0));
        return std::exchange(bytes_, {});
    }

private:
    // Room for as many bytes behind those already written.
    std::byte* room(std::size_t bytes) {
        constexpr std::size_t Step = 4096;
        if (bytes_.size() - used_ < bytes)
            bytes_.resize(used_ + std::max(bytes, Step));
        return bytes_.data() + used_;
    }

    std::vector<std::byte> bytes_;
    std::size_t used_ = 0;
};

// Reads untrusted bytes. Where they end too early or are invalid, it throws vfd::Error with the offset.
class ByteReader {
public:
    ByteReader(std::span<const std::byte> bytes, const std::string& label) : bytes_(bytes), label_(label) {}

    std::uint64_t number() {
        const auto* const begin = reinterpret_cast<const std::uint8_t*>(bytes_.data()) + at_;
        const std::uint8_t* at = begin;
        std::uint64_t value;
        const bool sound = base::get_leb128(at, begin + (bytes_.size() - at_), value);
        at_ += static_cast<std::size_t>(at - begin);
        if (!sound)
            fail(at - begin == base::MostLeb128Bytes ? "a number has more than 64 bits" : "it ends too early");
        return value;
    }
    std::int64_t signed_number() { return static_cast<std::int64_t>(base::unzigzag(number())); }
    // Reads a number, which must be at most `limit`.
    template <typename Result = std::uint64_t>
    Result number_up_to(std::uint64_t limit, const char* what) {
        return static_cast<Result>(checked(number(), limit, what));
    }
    // Reads the number of elements that follow, each of which has at least `smallest` bytes.
    std::size_t count(std::size_t smallest, const char* what) {
        const std::uint64_t number_of = number(); // consumes bytes, so it comes first
        return checked(number_of, (bytes_.size() - at_) / smallest, what);
    }
    std::string string() {
        std::size_t size = count(1, "the size of a string");
        std::string value(reinterpret_cast<const char*>(bytes_.data()) + at_, size);
        at_ += size;
        return value;
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
