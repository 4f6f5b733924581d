// SPDX-License-Identifier: BSD-3-Clause
//
// Where the bytes of an export go: a file that is being replaced, or standard output. They are collected and passed on
// in large pieces. After an error it takes no more, and the error is told by whoever owns the file. Beyond a limit it
// only counts, which tells how large the whole would be.
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
    // False: it could not be written. It throws nothing, as who writes may do so while it is destroyed.
    using To = std::function<bool(std::span<const std::byte>)>;
    // `most` bytes are passed on, or a few less.
    explicit Sink(To to, std::uint64_t most = ~std::uint64_t{0}) : to_(std::move(to)), most_(most) {}

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
    // How many bytes came before the latest flush().
    std::uint64_t bytes() const { return bytes_; }
    bool is_too_large() const { return bytes_ > most_; }

private:
    static constexpr std::size_t Piece = std::size_t{1} << 16;
    To to_;
    std::uint64_t most_, bytes_ = 0;
    std::string buffer_;
    bool good_ = true;
};

// What write() gives to a sink.
template <class Write>
std::string bytes_of(Write write) {
    std::string bytes;
    Sink sink([&](std::span<const std::byte> piece) {
        bytes.append(reinterpret_cast<const char*>(piece.data()), piece.size());
        return true;
    });
    write(sink);
    sink.flush();
    return bytes;
}

} // namespace vftr::exports
