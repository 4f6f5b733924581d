// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/own_name.hpp"

#include "config/config.hpp"

#include <cstdlib>
#include <utility>

namespace vftr::cli {
namespace {

void check_configuration(const config::Loaded& loaded, Findings& findings) {
    bool bad = false;
    for (const config::Problem& problem : loaded.problems) {
        bad = true;
        const std::string see = problem.line
                                    ? own_command("config") + " check " + problem.file + " says what is allowed"
                                : problem.file == "the environment" ? "mend or unset it"
                                                                    : "mend it or unset VFTR_CONFIG";
        std::string what = config::to_line(problem);
        what.erase(what.find_last_not_of('.') + 1); // the remedy follows
        findings.problem(std::move(what), see);
    }
    if (bad)
        return;
    findings.ok(loaded.source.empty() ? "the configuration: the defaults" : "the configuration: " + loaded.source);
    for (const config::Problem& problem : loaded.ineffective)
        findings.ok(config::to_line(problem));
}

} // namespace

void check_environment(Findings& findings) {
    if (config::off_by_environment())
        findings.problem("VFTR_OFF is set, so nothing is recorded", "unset VFTR_OFF");
    config::Loaded loaded = config::load_environment();
    check_configuration(loaded, findings);
    if (loaded.config.off)
        findings.problem("the configuration switches recording off", "remove \"off\": true");
    if (!loaded.config.include_cxx_prelude)
        findings.ok("what runs before main is not recorded (option include_cxx_prelude)");
    if (!loaded.config.processes_follow)
        findings.ok(
            "programs that a recorded program starts are not followed (option processes.follow, VFTR_EXEC_CHAIN)");
}

} // namespace vftr::cli
