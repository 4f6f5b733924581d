// SPDX-License-Identifier: BSD-3-Clause
//
// The text form of a timeline file. Scripts parse it, so its labels, columns and order are a contract.
#pragma once

#include "analysis/processes/thread_tree.hpp"
#include "analysis/recording/thread_rows.hpp"
#include "analysis/timeline/timeline.hpp"
#include "report/shown_names.hpp"
#include "vfd/image.hpp"

#include <cstdio>
#include <string>

namespace vftr::cli {

// Prints the parts of a dump one after the other. A path or a sample is written as soon as it is made, so a dump may be
// larger than memory. The owner of `out` checks it for errors.
class DumpText {
public:
    DumpText(const vfd::Image& image, const analysis::Timeline& timeline, std::FILE* out);

    void header();
    void threads();
    void stacks();
    void samples();

private:
    std::uint64_t thread_count() const;
    std::uint32_t id_of(std::uint32_t stack) const { return timeline_.stacks().stid(stack); }
    void thread(const analysis::ThreadInTree& thread, analysis::StartFunctions& functions);
    void offsets();
    void clock_offsets();
    void notes();
    void kept_parts();
    void packed_parts();
    void estimates();
    void add_transferred(const analysis::Message& message);
    void print_message(const analysis::Message& message, const std::string& transferred, std::uint32_t rank);
    // Adds "f*<main<init" to line_; the star marks a precise function.
    void add_path(std::uint32_t stack);
    void write_line();

    const vfd::Image& image_;
    const analysis::Timeline& timeline_;
    const report::ShownNames names_;
    std::FILE* out_;
    bool several_threads_;
    std::string line_;
};

} // namespace vftr::cli
