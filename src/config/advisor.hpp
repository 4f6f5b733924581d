// SPDX-License-Identifier: BSD-3-Clause
//
// Advice for a key that is no option: what was probably meant.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vftr::config {

// Edits (insert, delete, replace) that turn one text into the other.
std::size_t levenshtein(std::string_view a, std::string_view b);

// Which of `valid` was probably meant; "" if none is like it.
std::string_view nearest(std::string_view name, std::span<const std::string_view> valid);

// The message about `name`, which is no key of `place`: the name of a section, or
// "hwprof.counters[3]". `valid` are the keys of that place. Lines without a newline at the end.
std::string advise(std::string_view place, std::string_view name, std::span<const std::string_view> valid);

// True if another section than `place` has a key of this name.
bool belongs_elsewhere(std::string_view place, std::string_view name);

} // namespace vftr::config
