// SPDX-License-Identifier: BSD-3-Clause
//
// The only way to print messages from inside the user's process: one write(2) to stderr per message, without stdio and
// malloc, and errno is preserved. The format is "vftrace: warning: …\n".
//
// A message is written only if stderr is still the file that it was when the program started, or a terminal. A program
// may close stderr, and the next file that it opens gets the same number: then a message would end up in the middle of
// a user's file. A daemon that has redirected stderr does not expect messages from vftrace either.
#pragma once

#include <cstddef>
#include <string_view>

namespace vftr::base {

// The arguments are concatenated; the line is cut at 1000 bytes. Async-signal-safe.
void warn(std::string_view a, std::string_view b = {}, std::string_view c = {}, std::string_view d = {},
          std::string_view e = {});
// As warn, but prints only the first time in the life of the process, so that a full disk causes one warning and not
// one for each file.
void warn_of_output(std::string_view a, std::string_view b = {}, std::string_view c = {}, std::string_view d = {},
                    std::string_view e = {});
// Remembers the present stderr as the one of the program's start. The library calls this when it is loaded; elsewhere
// the first message does it.
void remember_stderr();

// Writes `text` unchanged; it may have several lines.
void write_stderr(std::string_view text);

// Converts a number to a string in a buffer of its own.
struct Number {
    explicit Number(unsigned long long value);
    operator std::string_view() const { return {begin, static_cast<std::size_t>(end - begin)}; }
    char digits[24];
    char* begin;
    char* end;
};

// Returns the description of an errno without malloc or locale.
std::string_view error_text(int error);

} // namespace vftr::base
