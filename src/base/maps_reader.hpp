// SPDX-License-Identifier: BSD-3-Clause
//
// Reads /proc/<pid>/maps, which lists what a process has mapped, line by line into a buffer of the caller. It uses
// neither malloc, locks nor stdio, does not set errno, and is no cancellation point, so it may run in a hook and on a
// small stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace vftr::base {

// One line. `path` is what follows the inode, up to the end of the line and as the kernel has written it; "" and "[…]"
// are not files.
struct MapsLine {
    std::uint64_t start, end, offset, device, inode;
    bool executable;
    std::string_view path;

    bool holds(std::uint64_t address) const { return address >= start && address < end; }
};
// Parses a line without its newline, of which `path` will be a part. Returns false if the line is invalid.
bool parse_maps_line(std::string_view line, MapsLine& result);

inline constexpr const char* OwnMaps = "/proc/self/maps";
// A buffer of this size holds all of a line but its path.
inline constexpr std::size_t MapsLineWithoutPath = 512;

class MapsReader {
public:
    // `buffer` must live as long as the reader. If a line is longer, its path is cut.
    MapsReader(const char* path, std::span<char> buffer);
    ~MapsReader();
    MapsReader(const MapsReader&) = delete;
    MapsReader& operator=(const MapsReader&) = delete;

    // Reads the next valid line. Its path is in the buffer until the next call. Returns false if there is none.
    bool next(MapsLine& line);

private:
    bool fill();

    const int fd_;
    const std::span<char> buffer_;
    std::size_t begin_ = 0, end_ = 0; // of what was read and not yet returned
    bool in_line_ = false;            // that is the rest of a line that was too long
};

} // namespace vftr::base
