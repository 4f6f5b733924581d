// SPDX-License-Identifier: BSD-3-Clause
//
// What this process passes on to the programs that it starts, and the configuration of this process.
//
// A process that records nothing itself (a preloaded shell) has to know its processes.* options before its first exec.
// So the configuration is read when the library starts, and used again when recording begins. The parts that the
// wrappers of exec need are kept here as plain memory, which can be read in a child of vfork, in a signal handler and
// by any thread.
#pragma once

#include "config/config.hpp"
#include "inherit/environment.hpp"

#include <string>

namespace vftr::follow {

// Called once by the library's constructor, before the program can call exec. Before this call nothing is followed.
// Never throws.
void prepare();

// Called when recording begins. `directory` is the absolute path of the directory for the results. Never throws.
void recording_begins(const std::string& directory, const config::Config& config);

const inherit::InheritedEnvironment& inherited_environment();

struct Options {
    bool checkpoint = true;           // processes.checkpoint
    bool chain = true;                // processes.follow, as the exec trace shows it
    const char* trace_path = nullptr; // absolute path of the exec trace; nullptr: none is written
};
const Options& options();

// The configuration of this process, from VFTR_CONFIG and the other variables of the environment. It is read when the
// library starts, and again if VFTR_CONFIG has changed since or if the configuration had mistakes; the previous result
// is freed then. Relative paths are meant from the working directory at the start, or where VFTR_CONFIG was found to
// have changed: the program may go elsewhere (a daemon, to "/") before it is recorded, or before a forked child is.
// Returns nullptr while it is being read (an instrumented malloc may call hooks, which come here). Not thread-safe:
// only the thread that starts the recording calls it. May throw.
const config::Loaded* configuration();

// Prints the mistakes of the configuration and its ineffective options: once in a tree of processes with the same
// configuration, and on one rank of a job only.
void report_configuration_mistakes();

} // namespace vftr::follow
