// SPDX-License-Identifier: BSD-3-Clause
//
// The session of this process, which the files of this room share. It is made when recording begins and never destroyed
// (hooks may be called late).
#pragma once

#include "analysis/merge/numbering.hpp"
#include "analysis/profile/profile.hpp"
#include "base/clock.hpp"
#include "base/memory.hpp"
#include "config/config.hpp"
#include "output/output.hpp"
#include "record/timing/off_cpu.hpp"
#include "session/lifecycle/recording_origin.hpp"
#include "symbols/symbols.hpp"

#include <memory>
#include <string>
#include <vector>

namespace vftr::session {

struct Session {
    config::Loaded loaded;
    output::Destination output;
    RecordingOrigin origin;
    base::Moment begin{}; // when the start of the recording began
    std::int32_t rank = -1, size = 0;
    std::string results;                       // basename of the results, once claimed
    std::string rank_files;                    // rank 0: basename of all ranks' recordings; empty if that is not known
    std::unique_ptr<analysis::Profile> others; // rank 0: the merged profile of the other ranks
    analysis::Numbering numbering;             // STIDs that stay as they were when the ranks' profiles were collated
    record::CoreWait ending;                   // time waited for a core since the clock was stopped
    bool collated = false;            // nothing of the job is missing in rank 0's profile, as far as this rank knows
    std::uint64_t calls_collated = 0; // number of calls that this rank had recorded when its profile was collated
    std::vector<std::string> taken_files;        // rank 0: recordings of which all is in the results, to be removed
    base::SpinLock resolver_lock;                // protects the next two, which give the names for vftrace_get_stack
    std::unique_ptr<symbols::Resolver> resolver; // made anew when modules were loaded since
    std::uint32_t resolver_modules = 0;
    Session* of_parent = nullptr; // in a forked child, the parent's session: not freed, as it may have been in use at
                                  // the fork, but kept here so that leak checkers find it
};

// nullptr before the first start.
extern Session* session;

// Sets up the recorder for this process. Returns false if nothing will be recorded.
bool start(Session& fresh);

} // namespace vftr::session
