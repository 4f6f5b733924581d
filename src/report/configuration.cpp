// SPDX-License-Identifier: BSD-3-Clause
#include "base/foreign_text.hpp"
#include "report/section.hpp"

namespace vftr::report {
namespace {

bool wants_configuration(const Context& context) { return context.config.print_config.on; }

std::string title(const Context& context, bool is_default) {
    if (!context.config_source.empty())
        return "Vftrace configuration read from \"" + base::foreign_text(context.config_source) + '"';
    return is_default ? "Vftrace default configuration:"
                      : "Vftrace default configuration, but for what the environment says:";
}

std::string configuration_text(Context& context) {
    const std::string changes = config::print_changes(context.config);
    return title(context, changes == "{}\n") + '\n' +
           (context.config.print_config.word.empty() ? changes : config::print_json(context.config));
}

} // namespace

extern const Section section_configuration{"", "", wants_configuration, append<configuration_text>};

} // namespace vftr::report
