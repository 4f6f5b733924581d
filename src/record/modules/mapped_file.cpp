// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/mapped_file.hpp"

#include "base/descriptor.hpp"
#include "symbols/process_maps.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::record {

namespace {

// The longest line: a path of newlines only, each written as four characters.
constexpr std::size_t LongestLine = 4 * MappedFile::LongestPath + 512;
char buffer[2 * LongestLine];

// Finds the line of the mapping that contains `address`; the result points into the buffer.
bool find_line(int fd, std::uint64_t address, symbols::MapsLine& line) {
    std::size_t have = 0;
    for (;;) {
        ssize_t n = ::read(fd, buffer + have, sizeof buffer - have);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return false;
        have += static_cast<std::size_t>(n);
        std::string_view text(buffer, have);
        for (std::size_t end; (end = text.find('\n')) != text.npos; text.remove_prefix(end + 1))
            if (symbols::parse_maps_line(text.substr(0, end), line) && address >= line.start && address < line.end)
                return true;
        if (text.size() == sizeof buffer)
            return false; // no valid line is that long
        std::memmove(buffer, text.data(), text.size());
        have = text.size();
    }
}

FileIdentity identity_of(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
            static_cast<std::uint64_t>(info.st_size),
            static_cast<std::uint64_t>(info.st_mtim.tv_sec) * 1'000'000'000 +
                static_cast<std::uint64_t>(info.st_mtim.tv_nsec)};
}

// Whether the mapped file is the one at this path. Some file systems show other device numbers in maps than in stat. So
// where the kernel's path says that the file is there, the path and the inode number suffice.
bool is_at(const char* path, const symbols::MapsLine& line, bool by_its_path, FileIdentity& identity) {
    struct stat info {};
    if (stat(path, &info) != 0 || static_cast<std::uint64_t>(info.st_ino) != line.inode ||
        (static_cast<std::uint64_t>(info.st_dev) != line.device && !by_its_path))
        return false;
    identity = identity_of(info);
    return true;
}

void set_path(MappedFile& file, std::string_view path) {
    file.path_size = std::min(path.size(), MappedFile::LongestPath);
    std::memcpy(file.path, path.data(), file.path_size);
    file.path[file.path_size] = '\0';
}

void identify(const symbols::MapsLine& line, MappedFile& result) {
    const bool marked = line.path.ends_with(symbols::deleted_mark);
    set_path(result, line.path);
    if (line.inode == 0 || is_at(result.path, line, !marked, result.identity))
        return;
    result.path_size = symbols::unescape_path({result.path, result.path_size}, result.path);
    result.path[result.path_size] = '\0';
    if (is_at(result.path, line, !marked, result.identity))
        return;
    if (marked && line.path.starts_with('/') && !line.path.starts_with("/memfd:"))
        result.path[result.path_size -= symbols::deleted_mark.size()] = '\0';
    if (!is_at("/proc/self/exe", line, false, result.identity))
        result.identity = {line.device, line.inode, 0, 0};
}

} // namespace

void find_mapped_file(std::uint64_t address, MappedFile& result) {
    result.identity = {};
    result.path[0] = '\0';
    result.path_size = 0;
    int fd = base::open_file("/proc/self/maps", O_RDONLY);
    if (fd < 0)
        return;
    symbols::MapsLine line;
    if (find_line(fd, address, line))
        identify(line, result);
    base::close_file(fd);
}

} // namespace vftr::record
