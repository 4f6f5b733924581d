// SPDX-License-Identifier: BSD-3-Clause
#include "record/recorder.hpp"

vftr::record::Recorder vftr::record::recorder;
