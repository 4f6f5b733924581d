// SPDX-License-Identifier: BSD-3-Clause
//
// Where the symbols of a stripped object went: `strip` and the packages of a distribution leave
// them in a separate file, named by the object's build-id or by its debug link.
#pragma once

#include "symbols/elf_file.hpp"

#include <span>

namespace vftr::symbols {

inline constexpr const char* system_debug_folder = "/usr/lib/debug";

// <folder>/.build-id/xx/yyyy.debug, if it is there and carries that very build-id.
std::optional<ElfFile> debug_file_of(std::span<const std::uint8_t> build_id,
                                     const std::string& folder = system_debug_folder);

// The same, else by the debug link of `object`, which lies at `path`: beside it, in .debug/ beside
// it, in <folder>/<its folder>. A linked file must have the object's build-id or, where one of them
// has none, the link's checksum.
std::optional<ElfFile> debug_file_of(const ElfFile& object, const std::string& path,
                                     const std::string& folder = system_debug_folder);

} // namespace vftr::symbols
