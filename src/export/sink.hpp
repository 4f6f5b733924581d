// SPDX-License-Identifier: BSD-3-Clause
//
// Where the bytes of an export go: a file that is being replaced, or standard output. They are collected and passed on
// in large pieces. After an error it takes no more, and the error is told by whoever owns the file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::exports {

class Sink {
public:
    using To = std::function<bool(std::span<const std::byte>)>; // false: it could not be written
    explicit Sink(To to) : to_(std::move(to)) {}

    void text(std::string_view text) {
        buffer_ += text;
        if (buffer_.size() >= Piece)
            flush();
    }
    void number(std::uint64_t number) { text(std::to_string(number)); }
    void character(char c) {
        buffer_ += c;
        if (buffer_.size() >= Piece)
            flush();
    }
    // Passes on what is left. False: not all could be written.
    bool flush();

private:
    static constexpr std::size_t Piece = std::size_t{1} << 16;
    To to_;
    std::string buffer_;
    bool good_ = true;
};

} // namespace vftr::exports
