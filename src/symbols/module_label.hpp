// SPDX-License-Identifier: BSD-3-Clause
//
// How a function without a symbol is named: "plugin.so+0x1130", by the file name of its module;
// "plugin.so{1a2b3c4d}+0x1130" with what tells the module from others of that file name. Profiles keep the long form,
// as whoever merges two of them knows nothing of each other's modules; a table shows the short one where there is one
// module of that name only.
#pragma once

#include "symbols/symbols.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace vftr::symbols {

// The last part of the path; a label as it is.
std::string module_label(const Module& module);
// The same with the identity: eight digits of the build-id; without one, of a hash of path and size, which are the same
// on all machines of a job. Labels of what is no file have none.
std::string long_module_label(const Module& module);

// The same for functions that have names: of one library whatever the folder that it was loaded from, as ranks may have
// it in several.
std::string object_label(const Module& module);

struct OffsetName {
    std::string_view label, id, offset; // "plugin.so", "1a2b3c4d", "+0x1130"
};
// nullopt: it is no such name with an identity.
std::optional<OffsetName> parse_offset_name(std::string_view name);
// The short form of any name.
std::string without_module_id(std::string_view name);

} // namespace vftr::symbols
