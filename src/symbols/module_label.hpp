// SPDX-License-Identifier: BSD-3-Clause
//
// The names of functions without a symbol. The short form is "plugin.so+0x1130", by the file name of the module; the
// long form is "plugin.so{1a2b3c4d}+0x1130", with an id that distinguishes the module from others with that file name.
// Profiles contain the long form, because when two of them are merged, neither knows the modules of the other. A table
// shows the short form if only one module has that name.
#pragma once

#include "symbols/symbols.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::symbols {

// Returns the last component of the path; a label stays as it is.
std::string module_label(const Module& module);
// Returns the label with the id: eight digits of the build-id or, without one, of a hash of path and size, which are
// the same on all machines of a job. Modules that are not files have no id.
std::string long_module_label(const Module& module);

// The label that qualifies functions which have names. It is the same for one library whatever folder it was loaded
// from, because the ranks may have it in different folders.
std::string object_label(const Module& module);
// The same for the executable of a rank, whose functions are those of another program where ranks of one job run
// different ones: "solver{1a2b3c4d}*".
std::string executable_label(const Module& module);
bool is_executable_label(std::string_view label);
// The one of both that qualifies the module's functions; empty where none does.
std::string object_qualifier(const Module& module, const NameOptions& options);

struct OffsetName {
    std::string_view label, id, offset; // "plugin.so", "1a2b3c4d", "+0x1130"
};
// Returns nullopt if it is not such a name with an id.
std::optional<OffsetName> parse_offset_name(std::string_view name);
// Returns the short form of any name.
std::string without_module_id(std::string_view name);

} // namespace vftr::symbols
