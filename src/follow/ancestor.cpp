// SPDX-License-Identifier: BSD-3-Clause
#include "follow/ancestor.hpp"

#include <cstdio>

namespace vftr::follow {

namespace {

Ancestor ours;

} // namespace

const Ancestor& ancestor() { return ours; }

void set_ancestor(const vfd::FileHeader& header, bool plain_names, const char* job_token) {
    ours.recording = {header.pid, header.start.realtime_ns, header.generation + 1, {}};
    ours.plain_names = plain_names;
    ours.is_rank = job_token != nullptr;
    if (job_token)
        std::snprintf(ours.recording.token, sizeof ours.recording.token, "%s", job_token);
}

} // namespace vftr::follow
