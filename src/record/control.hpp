// SPDX-License-Identifier: BSD-3-Clause
//
// Commands from outside (vfd/control.hpp), as the recorder sees them: a thread looks for one when it reads its clocks,
// and at each event while the recording is stopped. What they do is in session/control.cpp.
#pragma once

#include "record/recorder.hpp"

namespace vftr::record {

inline bool is_asked() {
    const vfd::Control& control = recorder.writer.header().control;
    return __atomic_load_n(&control.asked, __ATOMIC_RELAXED) != __atomic_load_n(&control.answered, __ATOMIC_RELAXED);
}

} // namespace vftr::record
