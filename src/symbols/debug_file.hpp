// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the symbols of a stripped object: `strip` and the packages of distributions put them in a separate file, which
// is found by the object's build-id or by its debug link.
#pragma once

#include "symbols/elf_file.hpp"

#include <span>

namespace vftr::symbols {

inline constexpr const char* system_debug_folder = "/usr/lib/debug";

// Returns <folder>/.build-id/xx/yyyy.debug if it exists and has this build-id.
std::optional<ElfFile> debug_file_of(std::span<const std::uint8_t> build_id,
                                     const std::string& folder = system_debug_folder);

// Tries this first and then the debug link of `object`, whose file is at `path`: in the same folder, in .debug/ in that
// folder, and in <folder>/<path of that folder>. A linked file must have the object's build-id or, if one of them has
// none, the checksum in the link.
std::optional<ElfFile> debug_file_of(const ElfFile& object, const std::string& path,
                                     const std::string& folder = system_debug_folder);

} // namespace vftr::symbols
