// SPDX-License-Identifier: BSD-3-Clause
//
// The environment of the next program: what it needs so that we record it too, and nothing else.
//
// This is computed in whatever process is about to call exec: perhaps a child of vfork, which runs on its parent's
// memory and stack while the parent waits. So nothing here allocates, takes a lock, or calls anything but plain system
// calls; what it needs of this process is collected beforehand (InheritedEnvironment), and room for the result is the
// caller's. Where it does not fit, or there is nothing to change, the result is the very environment that the program
// gave. errno is kept.
//
// What the program sets for its child always wins over what we would pass on, and VFTR_OFF there keeps our hands off it
// altogether. With options.def's processes.follow off, and for AT_SECURE, nothing is touched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vftr::inherit {

// What a child's environment is made from. Plain memory, filled at start-up and when recording begins
// (inherited_environment.hpp). Strings are never freed; nullptr: not to be set.
struct InheritedEnvironment {
    bool follow = false;                                 // processes.follow, and we are not switched off
    bool propagate = false;                              // processes.propagate_env
    bool preloaded = false;                              // LD_PRELOAD brought us: the next program needs it as well
    bool secure = false;                                 // AT_SECURE
    const char* library = nullptr;                       // what to write into LD_PRELOAD: the own real path
    const char* library_as_given = nullptr;              // the entry of LD_PRELOAD that brought us
    std::uint64_t library_device = 0, library_inode = 0; // of the file that is loaded
    const char* output_directory = nullptr;              // absolute: of the recording
    const char* output_as_given = nullptr;               // the VFTR_OUTPUT_DIRECTORY that this process got
    const char* trace_path = nullptr;                    // absolute: of processes.trace_path, where it is relative
    const char* trace_as_given = nullptr;                // the VFTR_EXEC_TRACE_PATH that this process got
    const char* parent_as_given = nullptr;               // the VFTR_PARENT that this process got
    const char* config = nullptr;                        // absolute: of the file that VFTR_CONFIG named
    const char* config_as_given = nullptr;               // the VFTR_CONFIG that this process read
    const char* config_in_environment =
        nullptr; // the VFTR_CONFIG whose mistakes were told, by this process or one that it descends from
};

struct Plan {
    char* const* environment;
    const char* action; // what became of LD_PRELOAD, as the trace says it: disabled unchanged present appended
                        // secure-skip failed
};

// original: the program's envp, nullptr counts as empty. own: environ of this process. parent: the value of VFTR_PARENT
// (provenance.hpp),
// "" passes on what this process has. scratch must be aligned for pointers and live as long as the result, which also
// points into original and own. An exec that fails with E2BIG with a changed environment may succeed with the original
// one: the caller tries that.
Plan child_environment(const InheritedEnvironment& inherited, char* const* original, char* const* own,
                       std::string_view parent, void* scratch, std::size_t bytes);
// Bytes of scratch that are enough for it; 0 where it needs none.
std::size_t scratch_needed(const InheritedEnvironment& inherited, char* const* original, char* const* own,
                           std::string_view parent);

} // namespace vftr::inherit
