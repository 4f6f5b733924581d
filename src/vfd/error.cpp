// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/error.hpp"

#include <utility>

namespace vftr::vfd {

namespace {

std::string one_line(const std::string& file, std::uint64_t offset, const std::string& reason) {
    std::string text = file + ": ";
    if (offset != 0)
        text += "at byte " + std::to_string(offset) + ": ";
    return text + reason;
}

} // namespace

Error::Error(std::string file, std::uint64_t offset, const std::string& reason)
    : std::runtime_error(one_line(file, offset, reason)), file_(std::move(file)), offset_(offset) {}

} // namespace vftr::vfd
