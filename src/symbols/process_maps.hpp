// SPDX-License-Identifier: BSD-3-Clause
//
// Derives from /proc/<pid>/maps (base/maps_reader.hpp) the load bias of each object that a process has mapped, and the
// file that it is. A process knows its own biases exactly (dl_iterate_phdr); these functions are for other processes.
//
// How the load bias is computed: a linker may put the end of one segment and the beginning of the next on the same page
// of the file; lld aligns p_offset and p_vaddr of the code segment to each other but not to a page. The kernel maps
// whole pages, so the mapping begins at p_offset rounded down to a page, and its address is p_vaddr rounded down in the
// same way. Taking the first PT_LOAD that overlaps the mapping would find the data before the code and be wrong by a
// page. Therefore only executable mappings and executable segments are considered, the mapping's offset must be within
// the pages of the segment, and bias = (start − offset) − (p_vaddr − p_offset).
//
// The path extends to the end of the line, including blanks. The kernel writes a newline in it as \012, and adds "
// (deleted)" if the file is no longer at that path. A name may really contain these characters, so only device and
// inode are conclusive (identity.hpp).
#pragma once

#include "symbols/symbols.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

struct Mapping {
    std::uint64_t start = 0, end = 0;
    std::uint64_t offset = 0; // in the file
    bool executable = false;
    // 0: not a file. On some file systems (btrfs) it is not the device that stat(2) reports.
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::string path{}; // as in the line, including \012 and " (deleted)"; "" and "[…]" are not files
};

// Writes the path as the file system has it to a buffer of at least the same size, and returns its length.
std::size_t unescape_path(std::string_view path, char* out);
// The suffix that the kernel adds to the path of a file that is no longer there.
inline constexpr std::string_view deleted_mark = " (deleted)";

// Reads a maps file; invalid lines are skipped.
std::vector<Mapping> maps_in(const std::string& path);
// Returns the mappings of a running process, or an empty list if they cannot be read.
std::vector<Mapping> maps_of(std::int32_t process);

// An executable PT_LOAD segment.
struct CodeSegment {
    std::uint64_t offset, address, file_size;
};
// Returns 0 for an executable at a fixed address, and nullopt if the mapping belongs to none of these segments.
std::optional<std::uint64_t> load_bias(const Mapping& mapping, std::span<const CodeSegment> segments);

// Returns paths in /proc by which files can be opened that the process has mapped, even if they were deleted or
// replaced: /proc/<pid>/exe and, if permitted, the entries of /proc/<pid>/map_files in the module's range. process 0
// means this process.
std::vector<std::string> paths_in_process(std::int32_t process, const Module& module);

// Returns the objects that a process has mapped executable, with path, identity, build-id and bias. Each object is
// listed once, into however many mappings mprotect has split its code. `path` is that of the file, or a label if no
// file has the mapped contents any more.
std::vector<Module> modules_in_process(std::int32_t process);

} // namespace vftr::symbols
