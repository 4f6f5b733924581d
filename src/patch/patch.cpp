// SPDX-License-Identifier: BSD-3-Clause
#include "patch/patch.hpp"

namespace vftr::patch {

bool possible() {
    return false;
}

std::size_t take_out(std::uint64_t, std::uint64_t) {
    return 0;
}

void put_back(std::uint64_t) {}

} // namespace vftr::patch
