// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/module_label.hpp"

#include "base/foreign_text.hpp"
#include "symbols/identity.hpp"

#include <algorithm>

namespace vftr::symbols {

namespace {

constexpr std::size_t IdDigits = 8;

bool is_hex(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

} // namespace

std::string module_label(const Module& module) {
    return base::foreign_text(module.path.substr(module.path.rfind('/') + 1));
}

std::string long_module_label(const Module& module) {
    std::string label = module_label(module);
    if (label.empty() || !is_file_path(module.path))
        return label;
    // Device, inode and time differ between machines that have a copy.
    Module portable;
    portable.path = module.path;
    portable.build_id = module.build_id;
    portable.file_size = module.file_size;
    portable.inode = 1;
    const std::string key = module_key(portable);
    const std::size_t begin = module.build_id.empty() ? 1 : 0; // skips the "n"
    std::string id = key.substr(std::min(begin, key.size()), IdDigits);
    id.resize(IdDigits, '0');
    return label + '{' + id + '}';
}

std::string object_label(const Module& module) {
    Module anywhere = module;
    if (is_file_path(module.path))
        anywhere.path = module.path.substr(module.path.rfind('/'));
    return long_module_label(anywhere);
}

// After the id, so that no other label ends with it.
constexpr std::string_view ExecutableMark = "}*";

std::string executable_label(const Module& module) {
    std::string label = object_label(module);
    if (label.ends_with('}'))
        label += ExecutableMark.substr(1);
    return label;
}

bool is_executable_label(std::string_view label) { return label.ends_with(ExecutableMark); }

std::string object_qualifier(const Module& module, const NameOptions& options) {
    if (!module.executable)
        return object_label(module);
    return options.executables_apart ? executable_label(module) : std::string();
}

std::optional<OffsetName> parse_offset_name(std::string_view name) {
    if (name.empty() || !is_hex(name.back()))
        return std::nullopt; // as nearly all long names
    const std::size_t brace = name.rfind('{');
    if (brace == std::string_view::npos || brace == 0)
        return std::nullopt;
    const std::string_view id = name.substr(brace + 1, IdDigits),
                           rest = name.substr(std::min(name.size(), brace + 1 + IdDigits));
    if (id.size() != IdDigits || !std::all_of(id.begin(), id.end(), is_hex) || !rest.starts_with("}+0x"))
        return std::nullopt;
    const std::string_view offset = rest.substr(1), digits = rest.substr(4);
    if (digits.empty() || !std::all_of(digits.begin(), digits.end(), is_hex))
        return std::nullopt;
    return OffsetName{name.substr(0, brace), id, offset};
}

std::string without_module_id(std::string_view name) {
    const auto parts = parse_offset_name(name);
    return parts ? std::string(parts->label) + std::string(parts->offset) : std::string(name);
}

} // namespace vftr::symbols
