// SPDX-License-Identifier: BSD-3-Clause
//
// A verb of the vftr command: a function `int verb_<name>(int argc, char** argv)` in a file of its own, with argv[0] =
// "vftr <name>", and a row in verbs.def. It parses with getopt_long and returns the exit code: 0, 1 for trouble with
// the data (thrown vfd::Error and std::exception are turned into one line and 1 by main), 2 for wrong usage.
#pragma once

namespace vftr::cli {

#define VFTR_VERB(name, summary) int verb_##name(int argc, char** argv);
#include "verbs.def"
#undef VFTR_VERB

// One line on stderr, and 2.
int usage_error(const char* verb, const char* message, const char* what = "");

// The same for what getopt_long returned on an option that it cannot use: '?' or ':'. Its list of short options begins with ':', so that
// it says nothing itself.
int option_error(int returned, char** argv);

} // namespace vftr::cli
