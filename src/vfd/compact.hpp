// SPDX-License-Identifier: BSD-3-Clause
//
// Writes a recording as a file that is no larger than its contents. While a process records, its file consists of whole
// mapped pages with room for growth, and a thousand short processes would leave a hundred megabytes of zeros. Here
// every segment is cut to its used bytes, and segments follow each other in steps of 64 bytes (FileHeader::page_size).
// A thread has one segment each for its call tree, its estimates and its shadow stack; the former two are columns
// (columns.hpp). Segments that are superseded are left out.
#pragma once

#include "vfd/column_segments.hpp"
#include "vfd/image.hpp"

#include <cstddef>
#include <deque>
#include <functional>
#include <span>
#include <vector>

namespace vftr::vfd {

class Compact {
public:
    // `image` must outlive this object. The header is written as given, except for the fields that describe the layout.
    // more_names is the payload of an additional Names segment.
    Compact(const Image& image, const FileHeader& header, std::vector<std::byte> more_names = {});
    Compact(const Compact&) = delete;
    Compact& operator=(const Compact&) = delete;

    std::uint64_t size() const { return size_; }
    // Calls write(bytes) for the parts of the file, from front to back, until it returns false. Returns true if it
    // never did.
    bool write(const std::function<bool(std::span<const std::byte>)>& write) const;

private:
    void add(const SegmentHeader& like, std::span<const std::byte> payload);
    void add_thread(const ThreadView& thread);
    void add_columns(SegmentHeader like, std::size_t count, std::vector<std::byte> columns);
    void begin(SegmentHeader header, std::uint64_t used);
    void add_bytes(std::span<const std::byte> bytes);
    void pad();

    FileHeader header_;
    std::deque<SegmentHeader> headers_;
    std::deque<ThreadRecord> records_;
    std::deque<std::vector<std::byte>> columns_;
    ColumnPacker packer_;
    std::vector<std::byte> names_;
    std::vector<std::span<const std::byte>> parts_;
    std::uint64_t size_ = 0;
};

} // namespace vftr::vfd
