// SPDX-License-Identifier: BSD-3-Clause
//
// Where this process stands among those that are recorded together: how it began, and what its results are called for
// that.
//
// The results of a program that a user starts have plain names, and a later run replaces them. A process that a
// recorded one started or forked may be one of thousands of its name: its results have the pid in their names, and
// never replace anything. A program that a process goes on as (exec) is named as the one before.
#pragma once

#include "inherit/provenance.hpp"

#include <sys/types.h>

namespace vftr::session {

struct RecordingOrigin {
    bool forked = false;            // begun in a forked child of a recorded process
    inherit::Provenance provenance; // else what VFTR_PARENT says; pid 0: nothing
    bool successor = false;         // of the program before in this same process (exec)

    bool followed() const { return !forked && provenance.pid != 0; }
    // Neither started by the user nor the successor of one that was.
    bool is_child() const { return forked || (followed() && !(successor && provenance.token[0] == '\0')); }
};

// From the value of VFTR_PARENT, which may be nullptr. process_start_realtime_ns: when the process `own` began, 0 where
// that is not known: a recording of its pid that is older than that is of another process that had the pid before.
RecordingOrigin origin_of(const char* parent, pid_t own, std::uint64_t process_start_realtime_ns);
// Of this process. forked: it has the memory of a process that had begun to record.
RecordingOrigin own_origin(bool forked);

} // namespace vftr::session
