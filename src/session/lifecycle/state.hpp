// SPDX-License-Identifier: BSD-3-Clause
//
// What the files of this room share: the process's session. Made by start(), never destroyed (hooks may come late).
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

namespace vftr::session {

struct Session {
    config::Loaded loaded;
    output::Destination output;
    RecordingOrigin origin;
    base::Moment begin{}; // when it was about to begin
    std::int32_t rank = -1, size = 0;
    std::string results;    // basename of the results, once claimed
    std::string rank_files; // rank 0: basename that all ranks' recordings have; empty where that is not known
    std::unique_ptr<analysis::Profile> others; // rank 0: of the other ranks
    analysis::Numbering numbering;             // STIDs that stay as they were when the ranks' profiles were collated
    record::CoreWait ending;                   // since the clock was stopped
    bool collated = false;        // nothing of the job is missing in rank 0's profile, as far as this rank knows
    base::SpinLock resolver_lock; // for the next two: names in call paths that the program asks for
    std::unique_ptr<symbols::Resolver> resolver; // made anew when modules have come since
    std::uint32_t resolver_modules = 0;
    Session* of_parent = nullptr; // of a forked child: not freed, as it may have been in use at the fork, but known,
                                  // also to those who look for leaks
};

// nullptr before the first start.
extern Session* session;

// Sets up the recorder for this process. false: nothing will be recorded.
bool start(Session& fresh);

} // namespace vftr::session
