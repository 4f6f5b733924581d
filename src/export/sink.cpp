// SPDX-License-Identifier: BSD-3-Clause
#include "export/sink.hpp"

namespace vftr::exports {

bool Sink::flush() {
    good_ = good_ && (buffer_.empty() || to_(std::as_bytes(std::span(buffer_))));
    buffer_.clear();
    return good_;
}

} // namespace vftr::exports
