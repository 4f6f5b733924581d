// SPDX-License-Identifier: BSD-3-Clause
//
// /proc/<pid>/maps: what a process has mapped where, and what follows from it: at which bias an object was loaded,
// which file it is. The own process knows its biases exactly (dl_iterate_phdr); this is for other processes.
//
// The load bias. A linker may put the end of one segment and the begin of the next on one page of the file: lld aligns
// p_offset and p_vaddr of the text to each other, not to the page. The kernel maps whole pages, so the mapping begins
// at p_offset truncated to the page, and its address is that of p_vaddr truncated likewise. Whoever takes the first
// PT_LOAD that overlaps the mapping takes the data before the text and is wrong by a page. Therefore: executable
// mappings and executable segments only, the mapping's offset within the segment's pages, bias = (start − offset) −
// (p_vaddr − p_offset).
//
// The path runs to the end of the line, blanks and all. The kernel writes a newline in it as \012, and adds "
// (deleted)" where the file is not at that path any more; but a name may really have these characters, so only device
// and inode tell (identity.hpp).
#pragma once

#include "symbols/symbols.hpp"

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
    std::uint64_t device = 0; // 0: no file. On some file systems (btrfs) not what stat(2) says
    std::uint64_t inode = 0;
    std::string path{}; // as written, \012 and " (deleted)" included; "" and "[…]" are no files
};

// One line without its newline; `path` is a part of it. Allocates nothing: the recorder uses it too. false: it is none.
struct MapsLine {
    std::uint64_t start, end, offset, device, inode;
    bool executable;
    std::string_view path;
};
bool parse_maps_line(std::string_view line, MapsLine& result);
// The path as the file system has it, in a buffer of at least as many bytes; returns its length.
std::size_t unescape_path(std::string_view path, char* out);
// What the kernel adds to the path of a file that is gone from there.
inline constexpr std::string_view deleted_mark = " (deleted)";

// The lines of a maps file; those that are none are skipped.
std::vector<Mapping> parse_maps(std::string_view text);
// Of a process that lives. Empty where it cannot be read.
std::vector<Mapping> maps_of(std::int32_t process);

// A PT_LOAD that is executable.
struct CodeSegment {
    std::uint64_t offset, address, file_size;
};
// 0 for an executable at a fixed address. nullopt: the mapping is none of these segments.
std::optional<std::uint64_t> load_bias(const Mapping& mapping, std::span<const CodeSegment> segments);

// Paths in /proc that open what the process has mapped, whatever has become of the file: /proc/<pid>/exe, and where
// permitted the entries of /proc/<pid>/map_files in the module's range. process 0: the own one.
std::vector<std::string> paths_in_process(std::int32_t process, const Module& module);

// The objects that a process has mapped executable, one each whatever mprotect has made of its text, with path,
// identity, build-id and bias. `path` is that of the file, or a label where none has the mapped content any more.
std::vector<Module> modules_in_process(std::int32_t process);

} // namespace vftr::symbols
