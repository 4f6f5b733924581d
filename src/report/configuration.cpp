// SPDX-License-Identifier: BSD-3-Clause
#include "base/foreign_text.hpp"
#include "report/section.hpp"

namespace vftr::report {
namespace {

bool wanted(const Context& context) {
    return context.config.print_config;
}

std::string text(Context& context) {
    std::string out = context.config_source.empty()
                          ? "Vftrace default configuration:"
                          : "Vftrace configuration read from \"" + base::foreign_text(context.config_source) + '"';
    return out + '\n' + config::print_json(context.config);
}

} // namespace

extern const Section section_configuration{"", wanted, text};

} // namespace vftr::report
