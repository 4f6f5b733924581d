// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace vftr::vfd {

// The only exception type of the readers: file, offset in bytes, and reason; what() is one line with all three.
class Error : public std::runtime_error {
public:
    Error(std::string file, std::uint64_t offset, const std::string& reason);
    const std::string& file() const { return file_; }
    std::uint64_t offset() const { return offset_; }

private:
    std::string file_;
    std::uint64_t offset_;
};

} // namespace vftr::vfd
