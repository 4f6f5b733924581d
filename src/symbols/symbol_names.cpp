// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_names.hpp"

#include <algorithm>

namespace vftr::symbols {

namespace {

constexpr std::uint64_t large_bytes = 1 << 16;
constexpr std::uint64_t small_bytes = 256; // more than most names have
// A name that begins at most this far behind the latest one counts as requested in order.
constexpr std::uint64_t near = 4096;

// After so many names that were not at hand, a table that is not larger than this is read as a whole: a program calls
// most of its functions, whose names lie in any order.
constexpr std::uint32_t ManySearches = 32;
constexpr std::uint64_t WholeBytes = 1 << 18;

} // namespace

bool SymbolNames::find(const Piece& piece, std::uint64_t offset, std::string_view& name) const {
    if (offset < piece.begin || offset >= piece.end())
        return false;
    name = std::string_view(piece.bytes).substr(offset - piece.begin);
    const auto length = name.find('\0');
    if (length == name.npos && piece.end() < part_.size)
        return false;
    name = name.substr(0, length);
    return true;
}

void SymbolNames::read(Piece& piece, std::uint64_t offset, std::uint64_t bytes) const {
    piece.begin = offset;
    piece.bytes.resize(std::min(bytes, part_.size - offset));
    const ssize_t got = file_->read_at(part_.offset + offset, piece.bytes.data(), piece.bytes.size());
    piece.bytes.resize(got > 0 ? static_cast<std::size_t>(got) : 0);
}

std::string_view SymbolNames::at(std::uint32_t offset) {
    if (offset == 0 || offset >= part_.size)
        return {};
    std::string_view name;
    if (find(large_, offset, name) || find(small_, offset, name))
        return name;
    if (++searches_ == ManySearches && part_.size <= WholeBytes) {
        read(large_, 0, part_.size);
        if (find(large_, offset, name))
            return name;
    }
    const auto follows = [offset](const Piece& piece) { return offset >= piece.begin && offset < piece.end() + near; };
    const bool in_order = follows(large_) || follows(small_);
    Piece& piece = in_order ? large_ : small_;
    for (std::uint64_t bytes = in_order ? large_bytes : small_bytes;; bytes *= 2) {
        read(piece, offset, bytes);
        if (find(piece, offset, name))
            return name;
        if (piece.bytes.size() < std::min(bytes, part_.size - offset)) // the file was truncated
            return {};
    }
}

bool SymbolNames::find_in_order(std::uint64_t offset, std::string_view& name) {
    for (std::uint64_t bytes = large_bytes; !find(large_, offset, name); bytes *= 2) {
        read(large_, offset, bytes);
        if (large_.bytes.size() < std::min(bytes, part_.size - offset)) // the file was truncated
            return find(large_, offset, name);
    }
    return true;
}

} // namespace vftr::symbols
