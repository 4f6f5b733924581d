// SPDX-License-Identifier: BSD-3-Clause
//
// Identifies the file that a module was loaded from, whatever file is at its path now.
//
// A path proves nothing, because files are deleted, rebuilt and replaced while programs run. The build-id does: the
// linker computes it from the contents. If there is none, device, inode, size and modification time together identify a
// file: a file that replaces another one has another inode, and one that is overwritten in place has another time.
#pragma once

#include "symbols/elf_file.hpp"
#include "symbols/symbols.hpp"

#include <string>
#include <string_view>

namespace vftr::symbols {

// Returns the key that identifies the module among all modules of all processes: its build-id in hex or, without one,
// "n" and 32 hex digits, which are a hash of path, device, inode, size and time. It is empty if neither is known. It is
// the same in every run and on every machine.
std::string module_key(const Module& module);

// Returns the last component of the path in a form that is safe in file names for shells and terminals: letters, digits
// and "._+-"; all other characters become '_'. It is cut at 48 bytes.
std::string readable_name(std::string_view path);

// False for labels ([vdso], anonymous memory, a memfd), which must not be opened as paths.
bool is_file_path(std::string_view path);

// Whether the open file is the one that was loaded. If not, `reason` says why, without the path.
bool is_loaded_file(const ElfFile& file, const Module& module, std::string& reason);

} // namespace vftr::symbols
