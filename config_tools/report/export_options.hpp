// SPDX-License-Identifier: BSD-3-Clause
//
// The options of vftr export.
#pragma once

#include "config_tools/syntax/syntax.hpp"

#include "analysis/timeline/selection.hpp"
#include "export/format.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {

struct ExportOptions {
    std::vector<const exports::Format*> formats;
    std::string output; // empty: named after the run; "-": standard output
    bool each_rank = false, each_thread = false, no_timeline = false, lines = false;
    bool source = false; // with the source text of functions; takes `lines`
    exports::Options format;
    analysis::Selection selection;
    std::optional<std::uint64_t> most_bytes;   // of a timeline; nullopt: what the format's reader stands
    std::vector<const exports::Table*> tables; // of csv, a file each; empty: that of the call paths
    std::string needs_timeline;                // the option that selects parts of a timeline
};

// Reads the command line up to the files, at which optind is then. Returns an exit code where that is all: after --help
// or a wrong usage, which it has told. Throws std::runtime_error for a format or a table that there is not.
std::optional<int> read_export_options(int argc, char** argv, ExportOptions& wanted);

// Options that other verbs have, too.
Option max_size_option(ExportOptions& wanted, const char* help);
Option ranks_option(ExportOptions& wanted);

// Writes these files, or all those of folders, in the wanted formats. Returns the exit code; 1 where a file of a folder
// could not be read, which it has told. Throws std::runtime_error.
int export_files(const ExportOptions& wanted, const std::vector<std::string>& inputs);

// Throws std::runtime_error where the output is one of the inputs.
void refuse_input(const std::string& output, const std::vector<std::string>& inputs);

// Whether the format is one of the tables of the log, which --table chooses.
bool has_tables(const exports::Format& format);
// Whether it draws ranks side by side (Subject::rank_functions).
bool has_ranks_side_by_side(const exports::Format& format);

// Throws std::runtime_error for a name that is no format's.
const exports::Format& export_format(std::string_view name);

// The format of the page of vftr html, and its usual size. Throws std::runtime_error where it was not built.
const exports::Format& page_format();
inline constexpr std::uint64_t UsualPageBytes = 20'000'000; // can be mailed

} // namespace vftr::cli
