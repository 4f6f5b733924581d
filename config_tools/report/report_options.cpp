// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/report_options.hpp"

#include "config_tools/own_name.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/painted_text.hpp"

#include "analysis/recording/naming.hpp"
#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"
#include "report/report.hpp"

#include <cstdio>
#include <cstring>
#include <stdexcept>

namespace vftr::cli {
namespace {

void write_file(const std::string& path, const std::string& text) {
    if (const int error = base::replace_file(path, text.data(), text.size()))
        throw std::runtime_error(path + ": " + std::strerror(error));
}

} // namespace

config::Loaded report_config(const ReportOptions& options, const std::string& text, const std::string& label,
                             const std::string& source) {
    if (options.config) {
        config::Loaded loaded = config::load_file(options.config);
        bool bad = false;
        for (const config::Problem& problem : loaded.problems) {
            print_text(config::to_text(problem), stderr);
            bad |= problem.severity == config::Problem::Severity::Error;
        }
        if (bad)
            throw std::runtime_error(std::string(options.config) + ": the configuration has errors");
        return loaded;
    }
    if (text.empty())
        return {};
    // What was right where the program ran, such as a directory, may be wrong here and does not
    // matter.
    config::Loaded loaded = config::parse(text, label);
    loaded.source = source;
    return loaded;
}

void take_name_options(const ReportOptions& options) {
    if (!options.config)
        return;
    symbols::NameOptions names;
    const config::Config config = config::load_file(options.config).config; // report_config tells of its mistakes
    names.demangle_cxx = config.demangle_cxx;
    names.strip_module_names = config.strip_module_names;
    analysis::set_name_options(names);
}

void tell_of_kept_names(const vfd::Image& image) {
    static bool told = false;
    const std::string options = told ? "" : analysis::options_of_kept_names(image);
    if (options.empty())
        return;
    told = true;
    const bool merged = image.header().kind == vfd::FileKind::Merged;
    tell_note(own_command("report"),
              image.label() + ": " + (merged ? "functions keep" : "some functions keep") +
                  " the names that the run gave them (" + options + "), since " +
                  (merged ? "a merged profile has no others" : "the file has no others of these"));
}

void write_logs(const ReportOptions& options, const analysis::Profile& profile, const config::Loaded& config,
                const std::string& stem, const std::vector<analysis::PathDurations>* durations) {
    const char* separator = "";
    for (const report::LogFile& log : report::make_log(profile, config.config, config.source, {}, durations)) {
        if (options.directory) {
            write_file(std::string(options.directory) + '/' + stem + log.suffix + ".log", log.text);
        } else {
            std::fputs(separator, stdout);
            print_text(log.text);
        }
        separator = "\n";
    }
}

} // namespace vftr::cli
