// SPDX-License-Identifier: BSD-3-Clause
//
// Which file a module is, whatever lies at its path now.
//
// A path proves nothing: files are deleted, rebuilt and replaced while programs run. What proves something is the
// build-id, which the linker makes from the content; where there is none, device, inode, size and time of the last
// change together: a file that takes the place of another has another inode, one that is written over in place another
// time.
#pragma once

#include "symbols/elf_file.hpp"
#include "symbols/symbols.hpp"

#include <string>
#include <string_view>

namespace vftr::symbols {

// What names the module among all of all processes: its build-id in hex; else "n" and 32 hex digits, a hash of path,
// device, inode, size and time. Empty where neither is known. The same on every run and machine.
std::string module_key(const Module& module);

// The last part of the path, as a part of a file name that no shell and no terminal stumbles over: letters, digits and
// "._+-"; all else is '_'. Cut at 48 bytes.
std::string readable_name(std::string_view path);

// False for labels ([vdso], anonymous memory, a memfd): no file has that path, and none is to be opened by it.
bool is_file_path(std::string_view path);

// Whether the open file is what was loaded. `reason` says why not, without the path.
bool is_loaded_file(const ElfFile& file, const Module& module, std::string& reason);

} // namespace vftr::symbols
