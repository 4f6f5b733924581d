// SPDX-License-Identifier: BSD-3-Clause
#include "base/maps_reader.hpp"

#include "base/descriptor.hpp"
#include "base/system_call.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/sysmacros.h>
#include <utility>

namespace vftr::base {

namespace {

// Removes a number and the character behind it from the front. Returns false if they are not there.
bool take(std::string_view& text, int base, char behind, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
    const auto used = static_cast<std::size_t>(end - text.data());
    if (error != std::errc() || used == 0 || used >= text.size() || *end != behind)
        return false;
    text.remove_prefix(used + 1);
    return true;
}

bool take_permissions(std::string_view& text, bool& executable) {
    if (text.size() < 5 || text[4] != ' ' || (text[0] != 'r' && text[0] != '-') || (text[1] != 'w' && text[1] != '-') ||
        (text[2] != 'x' && text[2] != '-') || (text[3] != 'p' && text[3] != 's'))
        return false;
    executable = text[2] == 'x';
    text.remove_prefix(5);
    return true;
}

} // namespace

bool parse_maps_line(std::string_view line, MapsLine& result) {
    std::uint64_t major = 0, minor = 0;
    if (!take(line, 16, '-', result.start) || !take(line, 16, ' ', result.end) || result.end <= result.start ||
        !take_permissions(line, result.executable) || !take(line, 16, ' ', result.offset) ||
        !take(line, 16, ':', major) || !take(line, 16, ' ', minor))
        return false;
    const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), result.inode);
    if (error != std::errc())
        return false;
    line.remove_prefix(static_cast<std::size_t>(end - line.data()));
    if (!line.empty() && line[0] != ' ')
        return false;
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    result.path = line;
    result.device = makedev(static_cast<unsigned>(major), static_cast<unsigned>(minor));
    return true;
}

MapsReader::MapsReader(const char* path, std::span<char> buffer) : fd_(open_file(path, O_RDONLY)), buffer_(buffer) {}

MapsReader::~MapsReader() {
    if (fd_ >= 0)
        close_file(fd_);
}

// Reads more behind what is there. Returns false at the end of the file.
bool MapsReader::fill() {
    end_ -= begin_;
    std::memmove(buffer_.data(), buffer_.data() + std::exchange(begin_, 0), end_);
    long read;
    do
        read = fd_ < 0 ? 0 : system_call(SYS_read, fd_, buffer_.data() + end_, buffer_.size() - end_);
    while (read == -EINTR);
    end_ += static_cast<std::size_t>(std::max(read, 0L));
    return read > 0;
}

bool MapsReader::next(MapsLine& line) {
    for (;;) {
        const std::size_t newline = std::string_view(buffer_.data() + begin_, end_ - begin_).find('\n');
        const bool ends = newline != std::string_view::npos;
        if (!ends && end_ - begin_ < buffer_.size() && fill())
            continue;
        if (begin_ == end_)
            return false;
        const std::string_view text(buffer_.data() + begin_, ends ? newline : end_ - begin_);
        begin_ += text.size() + ends;
        if (!std::exchange(in_line_, !ends) && parse_maps_line(text, line))
            return true;
    }
}

} // namespace vftr::base
