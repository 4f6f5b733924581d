// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/compare/two_runs_page.hpp"

#include "config_tools/compare/side_runs.hpp"
#include "config_tools/report/export_file.hpp"
#include "config_tools/report/exported_run.hpp"
#include "config_tools/report/interruption.hpp"
#include "config_tools/report/run_input.hpp"

#include "compare/comparison_page.hpp"
#include "compare/matched_tree.hpp"
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
    // `files` are those of the runs of the side. All outlive the object.
    ShownRun(const ExportOptions& wanted, const std::vector<std::string>& paths,
             const std::vector<std::vector<std::string>>& files)
        : input_(files.size() == 1 ? paths : files.front()), run_(input_, wanted) {
        if (files.size() > 1)
            run_.add_remark("This is the first of " + std::to_string(files.size()) +
                            " runs; the difference is that of all of them");
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

std::string difference_of(const compare::Runs& runs) {
    const compare::CombinedTree tree = compare::matched_tree(runs);
    const compare::Comparison functions = compare::compare(runs, tree, {}, {});
    compare::Measure by_path;
    by_path.paths = true;
    const compare::Comparison paths = compare::compare(runs, tree, by_path, {});
    return exports::bytes_of([&](exports::Sink& sink) {
        compare::write_comparison_page(functions, paths, tree, runs[compare::New].front(), sink);
    });
}

} // namespace

int write_two_runs_page(const ExportOptions& wanted, const std::vector<std::string>& base,
                        const std::vector<std::string>& next) {
    const exports::Format& page = *wanted.formats.front();
    SideRuns of_base = side_runs(base), of_next = side_runs(next);
    const bool all_readable = of_base.all_readable && of_next.all_readable;
    std::string difference = difference_of({std::move(of_base.profiles), std::move(of_next.profiles)});
    const Interruption interruption;
    std::string base_data;
    {
        ShownRun shown(wanted, base, of_base.files);
        const std::uint64_t half = wanted.most_bytes.value_or(~std::uint64_t{0}) / 2;
        base_data = data_of(shown.run(), page, half / 4 * 3); // base64 makes four bytes of three
    }
    ShownRun shown(wanted, next, of_next.files);
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
    return all_readable ? 0 : 1;
}

} // namespace vftr::cli
