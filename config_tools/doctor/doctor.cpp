// SPDX-License-Identifier: BSD-3-Clause
//
// vftr doctor: why was nothing recorded?
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/run/launcher_line.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/painted_text.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <cstdio>

namespace vftr::cli {
namespace {

void print(const Findings& findings) {
    for (const Finding& finding : findings.all())
        print_text((finding.good ? "ok: " : "problem: ") + base::foreign_text(finding.text) + '\n');
}

} // namespace

bool Findings::good() const {
    return std::all_of(all_.begin(), all_.end(), [](const Finding& finding) { return finding.good; });
}

void check_all(const std::string& name, Findings& findings) {
    if (std::optional<Program> program = find_in_file(name, findings)) {
        std::optional<std::vector<LoadedObject>> objects = load_order(*program, findings);
        if (objects) {
            check_instrumentation(*program, *objects, findings);
            check_mpi(*program, *objects, findings);
            check_openmp(*program, *objects, findings);
        }
    }
    check_environment(findings);
    check_output(findings);
    check_limits(limits_of_this_process(), findings);
    check_samples(sample_permission(), findings);
}

int verb_doctor(int argc, char** argv) {
    const char* token = nullptr;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[--] COMMAND [ARGUMENT…]", "FILE"},
         .about =
             "Says why a program would not be recorded, and what helps: a line for each thing that was looked at.\n"
             "Nothing of the program is run. Of a launcher (mpirun -n 2 ./prog) the launcher is, with a look at the\n"
             "environment of its processes in place of the program.\n",
         .options = {{"--probe=TOKEN", "", text(token)}},
         .after = "Exit code: 0 it would be recorded, 1 there is a problem, 2 wrong usage.\n",
         .options_first = true});
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a COMMAND or FILE is missing");
    std::vector<std::string> command(argv + optind, argv + argc);
    if (token) {
        probe(token, command[0]);
        return 0;
    }
    Findings findings;
    if (std::size_t program = program_in(command))
        check_launched(command, program, findings);
    else
        check_all(command[0], findings);
    print(findings);
    return exit_code(findings.good());
}

} // namespace vftr::cli
