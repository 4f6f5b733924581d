// SPDX-License-Identifier: BSD-3-Clause
//
// Whole new files that take the name of what was there before.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>

namespace vftr::base {

// Writes a whole new file beside its name, then moves it there, so that what was there is replaced and never written
// to. The contents are what `write` gives to the sink it is called with, which returns false where that could not be
// written; then `write` returns false too. It may also do so, or throw, where it gives up by itself: then nothing takes
// the name. 0 or errno, which is ECANCELED where `write` gave up.
using FileSink = std::function<bool(std::span<const std::byte>)>;
int replace_file(const std::string& path, const std::function<bool(const FileSink&)>& write);
int replace_file(const std::string& path, const void* data, std::size_t size);

} // namespace vftr::base
