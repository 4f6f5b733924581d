// SPDX-License-Identifier: BSD-3-Clause
//
// A verb of the vftr command: a function `int verb_<name>(int argc, char** argv)` in a file of its own, with argv[0] =
// "vftr <name>", and a row in verbs.def. It parses with read_options and returns the exit code: 0, 1 for trouble with
// the data (thrown vfd::Error and std::exception are turned into one line and 1 by main), 2 for wrong usage.
#pragma once

#include <functional>
#include <getopt.h>
#include <optional>

namespace vftr::cli {

#define VFTR_VERB(name, summary) int verb_##name(int argc, char** argv);
#include "verbs.def"
#undef VFTR_VERB

// What the commands of Vftrace 2.0 do, under whose names vftr is installed, too. Their arguments are those of 2.0: they
// have no options.
int command_generate_default_config(int argc, char** argv);
int command_check_config(int argc, char** argv);

// One line on stderr, and 2.
int usage_error(const char* verb, const char* message, const char* what = "");

// The options of a verb, by getopt_long: calls take(which) for each, with optarg and optind as ever; 0 from it: the
// option is good. --help (its 'h') calls help. Returns the exit code of a verb that ends here. `letters` begins with
// ':' (or "+:"), so that getopt_long says nothing itself.
std::optional<int> read_options(int argc, char** argv, const char* letters, const option* known, void (*help)(),
                                const std::function<int(int)>& take);

} // namespace vftr::cli
