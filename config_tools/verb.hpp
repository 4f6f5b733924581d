// SPDX-License-Identifier: BSD-3-Clause
//
// A verb of the vftr command: a function `int verb_<name>(int argc, char** argv)` in a file of its own, with argv[0] =
// "vftr <name>", and a row in verbs.def. It reads its options by a table (syntax/syntax.hpp) and returns the exit code:
// 0, 1 for trouble with the data (thrown vfd::Error and std::exception are turned into one line and 1 by main), 2 for
// wrong usage.
#pragma once

#include <span>

namespace vftr::cli {

#define VFTR_VERB(name, summary) int verb_##name(int argc, char** argv);
#define VFTR_NAMED_VERB(name, shown, summary) VFTR_VERB(name, summary)
#include "config_tools/verbs.def"
#undef VFTR_NAMED_VERB
#undef VFTR_VERB

struct Verb {
    const char* name;
    const char* summary; // nullptr: for scripts alone, not listed
    int (*run)(int, char**);
};
std::span<const Verb> verbs(); // in the order of verbs.def

// The commands of Vftrace 2.0, under whose names vftr is installed as well. They take the arguments of 2.0 and have no
// options.
int command_generate_default_config(int argc, char** argv);
int command_check_config(int argc, char** argv);

// Compilers of MPI: vftr cc --mpi and the like, under a name that build systems take.
int command_mpicc(int argc, char** argv);
int command_mpicxx(int argc, char** argv);
int command_mpifort(int argc, char** argv);

// Prints one line on stderr and returns 2.
int usage_error(const char* verb, const char* message, const char* what = "");

} // namespace vftr::cli
