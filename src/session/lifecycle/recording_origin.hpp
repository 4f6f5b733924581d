// SPDX-License-Identifier: BSD-3-Clause
//
// The process role of this process among those that are recorded together: how it began, and how its results are named
// because of that.
//
// The results of a program that a user starts have plain names, and a later run replaces them. A process that was
// started or forked by a recorded one may be one of thousands with the same name: its results have the pid in their
// names, and never replace anything. If a process executes another program (exec), that program's results are named by
// the same rule as those of the program before.
#pragma once

#include "inherit/provenance.hpp"

#include <sys/types.h>

namespace vftr::session {

struct RecordingOrigin {
    bool forked = false;            // the recording began in a forked child of a recorded process
    inherit::Provenance provenance; // if not forked: the value of VFTR_PARENT; pid 0: there is none
    bool successor = false;         // this process was recorded before it executed this program (exec)

    bool followed() const { return !forked && provenance.pid != 0; }
    // The program was not started by the user, nor is it the successor (by exec) of one that was.
    bool is_child() const { return forked || (followed() && !(successor && provenance.token[0] == '\0')); }
};

// Derives the origin from the value of VFTR_PARENT, which may be nullptr. process_start_realtime_ns: when the process
// `own` began, or 0 if that is not known; a recording of its pid that is older than that belongs to another process,
// which had the pid before.
RecordingOrigin origin_of(const char* parent, pid_t own, std::uint64_t process_start_realtime_ns);
// The origin of this process. forked: it has a copy of the memory of a process that had begun to record.
RecordingOrigin own_origin(bool forked);

} // namespace vftr::session
