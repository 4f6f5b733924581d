// SPDX-License-Identifier: BSD-3-Clause
#include "follow/ancestor.hpp"

namespace vftr::follow {

namespace {

Ancestor ours;

} // namespace

const Ancestor& ancestor() { return ours; }

void set_ancestor(const vfd::FileHeader& header, bool plain_names) {
    ours.recording = {header.pid, header.start.realtime_ns, header.generation + 1, {}};
    ours.plain_names = plain_names;
}

} // namespace vftr::follow
