// SPDX-License-Identifier: BSD-3-Clause
//
// Records as columns: the values of one field from all records, one after the other in LEB128, then those of the next
// field (vfd.5, "Columns"). Records of one kind resemble each other, so most numbers take one byte, or none where they
// belong to a run of zeros.
//
// Writing allocates memory as a column grows. Reading allocates none and accepts any bytes.
#pragma once

#include "base/leb128.hpp"

#include <cstring>
#include <initializer_list>
#include <span>
#include <vector>

namespace vftr::vfd {

// A column of numbers that are stored as they are.
class Column {
public:
    void reserve(std::size_t bytes) { bytes_.resize(bytes + base::MostLeb128Bytes + 1); }
    void add(std::uint64_t value) {
        if (bytes_.size() - size_ < base::MostLeb128Bytes + 1)
            bytes_.resize(2 * bytes_.size() + 64);
        size_ = static_cast<std::size_t>(base::put_leb128(bytes_.data() + size_, value) - bytes_.data());
    }
    std::span<const std::byte> bytes() const { return std::as_bytes(std::span(bytes_).first(size_)); }

private:
    std::vector<std::uint8_t> bytes_;
    std::size_t size_ = 0;
};

// A column of numbers that are mostly 0: a run of zeros is stored as a 0 and the number of zeros that follow it.
class SparseColumn {
public:
    void add(std::uint64_t value) {
        if (value == 0) {
            ++zeros_;
            return;
        }
        end();
        column_.add(value);
    }
    // Must be called after the last number.
    void end() {
        if (zeros_ == 0)
            return;
        column_.add(0);
        column_.add(zeros_ - 1);
        zeros_ = 0;
    }
    std::span<const std::byte> bytes() const { return column_.bytes(); }

private:
    Column column_;
    std::uint64_t zeros_ = 0;
};

// Concatenates the columns; the size of each is stored before it.
inline std::vector<std::byte> join_columns(std::initializer_list<std::span<const std::byte>> columns) {
    std::size_t most = 0;
    for (std::span<const std::byte> column : columns)
        most += base::MostLeb128Bytes + 1 + column.size();
    std::vector<std::byte> joined(most);
    auto* const begin = reinterpret_cast<std::uint8_t*>(joined.data());
    std::uint8_t* out = begin;
    for (std::span<const std::byte> column : columns) {
        out = base::put_leb128(out, column.size());
        if (!column.empty())
            std::memcpy(out, column.data(), column.size());
        out += column.size();
    }
    joined.resize(static_cast<std::size_t>(out - begin));
    return joined;
}

// Reads a column. A number that is truncated or too large is read as 0, and the column is not sound any more.
class ColumnReader {
public:
    explicit ColumnReader(std::span<const std::byte> bytes)
        : at_(reinterpret_cast<const std::uint8_t*>(bytes.data())), end_(at_ + bytes.size()) {}

    std::uint64_t next() {
        std::uint64_t value;
        sound_ &= base::get_leb128(at_, end_, value);
        return value;
    }
    std::size_t rest() const { return static_cast<std::size_t>(end_ - at_); } // bytes
    bool sound() const { return sound_; }
    // True if everything was read and was valid.
    bool finished() const { return sound_ && at_ == end_; }
    // Returns the next column of those that join_columns has concatenated.
    ColumnReader part() {
        const std::uint64_t size = next();
        sound_ &= size <= rest();
        const std::uint8_t* begin = at_;
        at_ += sound_ ? size : 0;
        return ColumnReader(begin, at_);
    }

private:
    ColumnReader(const std::uint8_t* at, const std::uint8_t* end) : at_(at), end_(end) {}

    const std::uint8_t* at_;
    const std::uint8_t* end_;
    bool sound_ = true;
};

class SparseColumnReader {
public:
    explicit SparseColumnReader(ColumnReader column) : column_(column) {}

    std::uint64_t next() {
        if (zeros_ != 0) {
            --zeros_;
            return 0;
        }
        const std::uint64_t value = column_.next();
        if (value == 0)
            zeros_ = column_.next();
        return value;
    }
    bool finished() const { return column_.finished() && zeros_ == 0; }

private:
    ColumnReader column_;
    std::uint64_t zeros_ = 0;
};

} // namespace vftr::vfd
