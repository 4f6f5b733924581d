// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/file_copy.hpp"

#include "base/descriptor.hpp"
#include "base/message.hpp"
#include "base/whole_io.hpp"
#include "vfd/segments.hpp"
#include "vfd/version3.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::vfd {
namespace {

class CopiedFile {
public:
    CopiedFile(const std::string& path, const std::string& name)
        : name_(name), number_(base::open_file_or_errno(path.c_str(), O_RDONLY | O_NONBLOCK)) {
        struct stat status {};
        if (number_ < 0)
            fail("cannot open: ");
        if (::fstat(number_, &status) != 0 || !S_ISREG(status.st_mode)) {
            base::close_file(number_);
            throw Error(name, 0, "not a regular file");
        }
        size_ = static_cast<std::uint64_t>(status.st_size);
    }
    ~CopiedFile() { base::close_file(number_); }
    CopiedFile(const CopiedFile&) = delete;
    CopiedFile& operator=(const CopiedFile&) = delete;

    std::uint64_t size() const { return size_; }
    FileData data() const { return FileData(number_, size_); }

    void read(void* to, std::uint64_t bytes, std::uint64_t at) const {
        if (!read_if_there(to, bytes, at))
            throw Error(name_, at, "the file is cut off");
    }

    // Returns false if the file ends before.
    bool read_if_there(void* to, std::uint64_t bytes, std::uint64_t at) const {
        const ssize_t n = base::read_at(number_, to, bytes, at);
        if (n < 0)
            fail("cannot read: ");
        return static_cast<std::uint64_t>(n) == bytes;
    }

private:
    [[noreturn]] void fail(const char* what) const {
        throw Error(name_, 0, std::string(what) + std::string(base::error_text(errno)));
    }

    const std::string& name_;
    int number_;
    std::uint64_t size_ = 0;
};

bool wanted(SegmentKind kind) {
    return kind != SegmentKind::Events && kind != SegmentKind::Packed && kind != SegmentKind::Free;
}

FileHeader header_of(const CopiedFile& file, const Source& source) {
    FileHeader raw;
    file.read(&raw, sizeof raw, 0);
    return checked_header(raw, source);
}

} // namespace

FileHeader read_header(const std::string& path) {
    if (is_version3(path))
        return read_version3(path).header;
    return header_of(CopiedFile(path, path), Source::of_memory(path));
}

FileCopy::FileCopy(const std::string& path, const std::string& name) : path_(name) {
    const CopiedFile file(path, path_);
    const Source source = Source::of_memory(path_);
    header_ = header_of(file, source);
    const std::uint64_t end = file.size();
    const FileData data = file.data();
    std::uint64_t used = 0;
    for (std::uint64_t at = header_.header_size; at <= end && end - at >= sizeof(SegmentHeader);) {
        auto segment = std::make_unique<SegmentHeader>();
        if (!file.read_if_there(segment.get(), sizeof *segment, at))
            break; // a process that ends truncates what it has not used (Writer::retire_cut)
        if (segment->magic != SegmentMagic) {
            at = next_segment_offset(at, header_, data);
            continue;
        }
        const Extent payload = checked_extent(*segment, end - at, header_, source);
        const std::uint64_t capacity = segment->capacity;
        used += payload.used;
        if (!data.may_hold(used))
            throw Error(path_, at, "damaged segment: more bytes used than the file has on the disk");
        if (wanted(segment->kind)) {
            payloads_.push_back(std::make_unique_for_overwrite<std::byte[]>(payload.used));
            file.read(payloads_.back().get(), payload.used, at + payload.offset);
            segments_.push_back({segment.get(), {payloads_.back().get(), payload.used}});
            headers_.push_back(std::move(segment));
        } else if (segment->kind != SegmentKind::Free) {
            ++events_.segments;
            events_.packed += segment->kind == SegmentKind::Packed;
            events_.bytes += payload.used;
        }
        at += capacity;
    }
}

Image FileCopy::image_at(const ClockPair& now) const {
    FileHeader header = header_;
    if (header.state == FileState::Open && now.ticks > header.start.ticks &&
        now.monotonic_ns > header.start.monotonic_ns)
        header.last[header.last_index] = now;
    return Image::of_memory(header, segments_, path_);
}

} // namespace vftr::vfd
