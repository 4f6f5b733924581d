// SPDX-License-Identifier: BSD-3-Clause
#include "export/sink.hpp"

namespace vftr::exports {

bool Sink::flush() {
    bytes_ += buffer_.size();
    if (is_too_large())
        buffer_.clear();
    good_ = good_ && (buffer_.empty() || to_(std::as_bytes(std::span(buffer_))));
    buffer_.clear();
    return good_;
}

} // namespace vftr::exports
