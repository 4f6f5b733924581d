// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/two_runs_page.hpp"

#include "config_tools/compare/two_runs.hpp"
#include "config_tools/exit_code.hpp"
#include "config_tools/report/export_file.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/interruption.hpp"
#include "config_tools/report/run_input.hpp"

#include "compare/comparison_page.hpp"
#include "export/html/page_data.hpp"
#include "report/report.hpp"

#include <array>
#include <cstdint>
#include <utility>

namespace vftr::cli {
namespace {

// What the page shows of a side.
class ShownRun {
public:
    // `wanted` outlives the object. Files that are no recordings were told when both sides were read.
    ShownRun(const ExportOptions& wanted, const ShownSides& sides, std::size_t side)
        : input_(sides.paths[side], Complaints::None), run_(input_, wanted) {
        if (!sides.remarks[side].empty())
            run_.add_remark(sides.remarks[side]);
    }

    const RunInput& input() const { return input_; }
    ExportedRun& run() { return run_; }

private:
    const RunInput input_;
    ExportedRun run_;
};

std::string data_of(ExportedRun& run, const exports::Format& page, std::uint64_t most_bytes) {
    std::string bytes;
    run.with_subject(page, [&](exports::Subject& subject, analysis::RunTimeline* timeline) {
        bytes = exported_bytes(exports::data_format(page), subject, timeline, {}, most_bytes);
    });
    return bytes;
}

std::string difference_of(const TwoRuns& both) {
    return exports::bytes_of([&](exports::Sink& sink) {
        compare::write_comparison_page(both.functions(), both.paths(), both.tree(), both.runs()[compare::New].front(),
                                       sink);
    });
}

} // namespace

int write_two_runs_page(const ExportOptions& wanted, const std::vector<std::string>& base,
                        const std::vector<std::string>& next) {
    const exports::Format& page = *wanted.formats.front();
    ShownSides sides;
    std::string difference;
    { // without the profiles of all runs from then on
        const TwoRuns both(base, next);
        sides = both.shown();
        difference = difference_of(both);
    }
    const Interruption interruption;
    std::string base_data;
    {
        ShownRun shown(wanted, sides, compare::Base);
        const std::uint64_t half = wanted.most_bytes.value_or(~std::uint64_t{0}) / 2;
        base_data = data_of(shown.run(), page, half / 4 * 3); // base64 makes four bytes of three
    }
    ShownRun shown(wanted, sides, compare::New);
    shown.run().add_pieces({std::move(base_data), std::move(difference)});
    std::string path = wanted.output;
    if (path.empty()) {
        const RunFiles& files = shown.input().files();
        path = report::log_stem(files.basename(), -1, files.size()) + "_versus." + std::string(page.suffix);
    } else {
        refuse_input(path, base);
        refuse_input(path, next);
    }
    shown.run().write(page, wanted.format, path);
    return exit_code(sides.all_readable);
}

} // namespace vftr::cli
