// SPDX-License-Identifier: BSD-3-Clause
//
// The one way to speak to the user from inside their process: one write(2) to stderr per message, no stdio,
// no malloc, errno kept. Format "vftrace: warning: …\n".
//
// A message is written only while stderr is what it was when the program started, or a terminal. A program may close
// it, and what it opens then gets its number: a line of ours would stand in the middle of a user's file. A daemon that
// moved it elsewhere wants no words from us.
#pragma once

#include <string_view>

namespace vftr::base {

// Each piece is appended; the line is cut at 1000 bytes. Async-signal-safe.
void warn(std::string_view a, std::string_view b = {}, std::string_view c = {}, std::string_view d = {},
          std::string_view e = {});
// As warn, but only the first time in the life of the process: a full disk gives one warning, not one per file.
void warn_of_output(std::string_view a, std::string_view b = {}, std::string_view c = {}, std::string_view d = {},
                    std::string_view e = {});
// Takes stderr as it is now for what it was at start. The library does so when it is loaded.
void remember_stderr();

// Writes text as it is (several lines).
void write_stderr(std::string_view text);

// A number as text, in the caller's buffer.
struct Number {
    explicit Number(unsigned long long value);
    operator std::string_view() const { return {begin, static_cast<std::size_t>(end - begin)}; }
    char digits[24];
    char* begin;
    char* end;
};

// The text of an errno, without malloc or locale.
std::string_view error_text(int error);

} // namespace vftr::base
