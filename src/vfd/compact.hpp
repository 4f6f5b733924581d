// SPDX-License-Identifier: BSD-3-Clause
//
// A recording as a file that is no larger than what it says. While a process records, its file has whole pages that are
// mapped, with room for what is to come; a thousand short processes would leave a hundred megabytes of zeros. Here
// every segment is cut to what it holds, one behind the other in steps of 64 bytes (FileHeader::page_size), one segment
// each for the call tree, the estimates and the shadow stack of a thread, the former two as columns (columns.hpp), and
// nothing that is superseded.
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
    // Of an image, which must outlive it, with this header: the layout's fields are set here.
    // more_names: what a further Names segment holds.
    Compact(const Image& image, const FileHeader& header, std::vector<std::byte> more_names = {});
    Compact(const Compact&) = delete;
    Compact& operator=(const Compact&) = delete;

    std::uint64_t size() const { return size_; }
    // Calls write(bytes) for the parts of the file, front to back, until it returns false; returns whether it never
    // did.
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
