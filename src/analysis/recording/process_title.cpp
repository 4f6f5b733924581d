// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/process_title.hpp"

#include "base/foreign_text.hpp"
#include "vfd/header_fields.hpp"

namespace vftr::analysis {

std::string process_title(const vfd::Image& image) {
    const vfd::FileHeader& header = image.header();
    std::string program = vfd::string_of(header.executable);
    program.erase(0, program.rfind('/') + 1);
    const std::string process = base::foreign_text(program) + " (" + std::to_string(header.pid) + ")";
    const std::string rank = "rank " + std::to_string(header.rank);
    if (header.flags & vfd::FlagMpi && !(header.flags & vfd::FlagForked))
        return rank;
    return header.size > 1 ? rank + ": " + process : process;
}

} // namespace vftr::analysis
