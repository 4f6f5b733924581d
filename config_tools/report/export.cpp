// SPDX-License-Identifier: BSD-3-Clause
//
// vftr export: the profile or the timeline of a run in the formats of other tools.
#include "config_tools/exit_code.hpp"
#include "config_tools/report/export_options.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/interruption.hpp"
#include "config_tools/report/run_input.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "export/tables/tables.hpp"
#include "report/report.hpp"

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace vftr::cli {
namespace {

// One of the files, or folders, that are written.
struct ExportOutput {
    const exports::Format* format;
    exports::Options options;
    std::string path;
};

// `stem` is what they are named after.
std::vector<ExportOutput> outputs(const ExportOptions& wanted, const std::string& stem) {
    std::vector<ExportOutput> all;
    const auto add = [&](const exports::Format& format, const exports::Table* table) {
        ExportOutput& output = all.emplace_back(ExportOutput{&format, wanted.format, wanted.output});
        output.options.table = table;
        if (wanted.output.empty())
            output.path = stem + '.' + (table ? std::string(table->name) + '.' : "") + std::string(format.suffix) +
                          (wanted.format.split ? "s" : "");
    };
    for (const exports::Format* format : wanted.formats)
        if (wanted.tables.empty() || !has_tables(*format))
            add(*format, nullptr);
        else
            for (const exports::Table* table : wanted.tables)
                add(*format, table);
    return all;
}

} // namespace

void refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code error; // "-" is no file
    for (const std::string& input : inputs)
        if (std::filesystem::equivalent(output, input, error))
            throw std::runtime_error(base::foreign_text(output) +
                                     ": this is a file to be exported; give another one to --output");
}

int export_files(const ExportOptions& wanted, const std::vector<std::string>& inputs) {
    const RunInput input(inputs);
    const Interruption interruption;
    ExportedRun exported(input, wanted);
    if (!wanted.output.empty())
        refuse_input(wanted.output, inputs);
    const RunFiles& files = input.files();
    for (const ExportOutput& output : outputs(wanted, report::log_stem(files.basename(), -1, files.size())))
        exported.write(*output.format, output.options, output.path);
    return exit_code(input.all_readable());
}

int verb_export(int argc, char** argv) {
    ExportOptions wanted;
    if (const auto early = read_export_options(argc, argv, wanted))
        return *early;
    return export_files(wanted, {argv + optind, argv + argc});
}

} // namespace vftr::cli
