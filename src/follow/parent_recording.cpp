// SPDX-License-Identifier: BSD-3-Clause
#include "follow/parent_recording.hpp"

#include <cstdio>

namespace vftr::follow {

namespace {

ParentRecording ours;

} // namespace

const ParentRecording& parent_recording() { return ours; }

void set_parent_recording(const vfd::FileHeader& header, bool plain_names, const char* job_token) {
    ours.recording = {header.pid, header.start.realtime_ns, header.generation + 1, {}};
    ours.plain_names = plain_names;
    ours.is_rank = job_token != nullptr;
    if (job_token)
        std::snprintf(ours.recording.token, sizeof ours.recording.token, "%s", job_token);
}

} // namespace vftr::follow
