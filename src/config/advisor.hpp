// SPDX-License-Identifier: BSD-3-Clause
//
// Gives advice for a key that is no option: suggests what was probably meant.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace vftr::config {

// The number of edits (insert, delete, replace) that turn one string into the other.
std::size_t levenshtein(std::string_view a, std::string_view b);

// The name in `valid` that was probably meant; "" if none is similar.
std::string_view nearest(std::string_view name, std::span<const std::string_view> valid);

// The message about `name`, which is no key of `place`. `place` is the name of a section, or "hwprof.counters[3]";
// `valid` are its keys. The message has several lines, without a newline at the end.
std::string advise(std::string_view place, std::string_view name, std::span<const std::string_view> valid);

// True if another section than `place` has a key of this name.
bool belongs_elsewhere(std::string_view place, std::string_view name);

} // namespace vftr::config
