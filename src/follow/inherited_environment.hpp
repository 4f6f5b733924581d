// SPDX-License-Identifier: BSD-3-Clause
//
// What this process hands on to the programs that it starts, and its configuration.
//
// A process that records nothing itself (a preloaded shell) has to know its processes.* options before its first exec,
// so the configuration is read when the library starts, and used again when recording begins. What a wrapper of exec
// needs of it is kept here as plain memory: it may be read in a child of vfork, in a signal handler, by any thread.
#pragma once

#include "config/config.hpp"
#include "inherit/environment.hpp"

#include <string>

namespace vftr::follow {

// Once, when the library starts (constructor), before the program can call exec. Before it nothing is followed. Never
// throws.
void prepare();

// Recording begins: `directory` is where its results go, absolute. Never throws.
void recording_begins(const std::string& directory, const config::Config& config);

const inherit::InheritedEnvironment& inherited_environment();

struct Options {
    bool checkpoint = true;           // processes.checkpoint
    bool chain = true;                // processes.follow, for the trace
    const char* trace_path = nullptr; // absolute; nullptr: no trace
};
const Options& options();

// The configuration of this process: VFTR_CONFIG and what else the environment says. Read when the library starts, and
// again if VFTR_CONFIG has changed since or there was something wrong; what it gave before is freed then. nullptr while
// it is being read (a malloc that calls hooks). Not thread-safe: the one who starts the recording calls it. May throw.
const config::Loaded* configuration();

// Says what is wrong with the configuration, and what it asks for in vain: once in a tree of processes that have the
// same, on one rank of a job.
void report_configuration_mistakes();

} // namespace vftr::follow
