// SPDX-License-Identifier: BSD-3-Clause
//
// vftr export: the profile or the timeline of a run in the formats of other tools.
#include "config_tools/report/export_options.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/run_input.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "report/report.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace vftr::cli {
namespace {

void refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code error;
    for (const std::string& input : inputs)
        if (std::filesystem::equivalent(output, input, error))
            throw std::runtime_error(base::foreign_text(output) +
                                     ": this is a file to be exported; give another one to --output");
}

} // namespace

int export_files(const ExportOptions& wanted, const std::vector<std::string>& inputs) {
    const RunInput input(inputs);
    ExportedRun exported(input, wanted);
    if (!wanted.output.empty() && wanted.output != "-")
        refuse_input(wanted.output, inputs);
    const RunFiles& files = input.files();
    const std::string stem = report::log_stem(files.basename(), -1, files.size());
    for (const exports::Format* format : wanted.formats)
        exported.write(*format, wanted.output.empty()
                                    ? stem + '.' + std::string(format->suffix) + (wanted.format.split ? "s" : "")
                                    : wanted.output);
    return input.all_readable() ? 0 : 1;
}

int verb_export(int argc, char** argv) {
    ExportOptions wanted;
    if (const auto early = read_export_options(argc, argv, wanted))
        return *early;
    return export_files(wanted, {argv + optind, argv + argc});
}

} // namespace vftr::cli
