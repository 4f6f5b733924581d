// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/mapped_file.hpp"

#include "base/maps_reader.hpp"
#include "base/modification_time.hpp"
#include "base/own_descriptors.hpp"
#include "symbols/process_maps.hpp"

#include <algorithm>
#include <cstring>
#include <string_view>
#include <sys/stat.h>

namespace vftr::record {

namespace {

// The longest line: a path of newlines only, each written as four characters.
char buffer[4 * MappedFile::LongestPath + base::MapsLineWithoutPath];

FileIdentity identity_of(const struct stat& info) {
    return {static_cast<std::uint64_t>(info.st_dev), static_cast<std::uint64_t>(info.st_ino),
            static_cast<std::uint64_t>(info.st_size), base::modification_time(info)};
}

// Whether the mapped file is the one at this path. Some file systems show other device numbers in maps than in stat. So
// where the kernel's path says that the file is there, the path and the inode number suffice.
bool is_at(const char* path, const base::MapsLine& line, bool by_its_path, FileIdentity& identity) {
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

void identify(const base::MapsLine& line, MappedFile& result) {
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
    base::with_own_descriptors([&] {
        base::MapsReader maps(base::OwnMaps, buffer);
        for (base::MapsLine line; maps.next(line);)
            if (line.holds(address))
                return identify(line, result);
    });
}

} // namespace vftr::record
