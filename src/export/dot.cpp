// SPDX-License-Identifier: BSD-3-Clause
//
// The call graph in the language of graphviz. Functions are boxes, redder the more exclusive time they have; an arrow
// has the number of calls and is as thick as the time below it is long. What is below --min-share of all time is left
// out: a function by its inclusive time, a call by the time below it. With several parts each is a graph of its own in
// the file.
#include "export/call_graph.hpp"
#include "export/format.hpp"
#include "report/number_text.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

std::string in_label(std::string_view text) {
    std::string result;
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        result += c;
    }
    return result;
}

// What pictures with tooltips, as SVG, show where the pointer is.
std::string tooltip(const SourcePlace* place) {
    return place ? ", tooltip=\"" + in_label(place->file) + ':' + std::to_string(place->line) + '"' : std::string();
}

// A line of a label, broken between words, as a long one would make the picture as wide.
std::string in_lines(const std::string& text) {
    constexpr std::size_t Width = 100;
    std::string result;
    std::size_t begin = 0;
    while (text.size() - begin > Width) {
        const std::size_t space = text.rfind(' ', begin + Width);
        if (space == std::string::npos || space <= begin)
            break;
        result += "\\n" + in_label(std::string_view(text).substr(begin, space - begin));
        begin = space + 1;
    }
    return result + "\\n" + in_label(std::string_view(text).substr(begin));
}

void write_part(const Subject& subject, const Part& part, const Options& options, Sink& sink) {
    const CallGraph graph = call_graph(part.profile);
    std::uint64_t all = 0;
    for (const CallGraph::Function& function : graph.functions)
        all += function.exclusive;
    const double whole = std::max(static_cast<double>(all), 1.0);
    const auto percent = [&](std::uint64_t ns) { return 100 * static_cast<double>(ns) / whole; };
    const auto shown = [&](std::uint32_t id) { return percent(graph.functions[id].inclusive) >= options.min_share; };
    std::size_t left_out = 0;
    sink.text(
        "digraph \"" + in_label(subject.application + ": " + part.title) +
        "\" {\n  node [shape=box, style=filled, fontname=\"sans-serif\"];\n  edge [fontname=\"sans-serif\", fontsize=10];\n");
    for (std::uint32_t id = 0; id < graph.functions.size(); ++id) {
        const CallGraph::Function& function = graph.functions[id];
        if (!shown(id)) {
            ++left_out;
            continue;
        }
        const double own = percent(function.exclusive);
        sink.text("  f" + std::to_string(id) + " [label=\"" + in_label(function.name) + "\\n" + report::fixed(own, 1) +
                  " % of " + report::fixed(percent(function.inclusive), 1) + " %\\n" + std::to_string(function.calls) +
                  " calls\"" + tooltip(subject.place_of(part.profile, function.node)) + ", fillcolor=\"0.05 " +
                  report::fixed(std::min(own / 50, 1.0), 3) + " 1.0\"];\n");
    }
    for (const auto& [edge, calls] : graph.calls)
        if (shown(edge.first) && shown(edge.second) && percent(calls.inclusive) >= options.min_share)
            sink.text("  f" + std::to_string(edge.first) + " -> f" + std::to_string(edge.second) + " [label=\"" +
                      std::to_string(calls.calls) +
                      "\", penwidth=" + report::fixed(0.5 + percent(calls.inclusive) / 20, 2) + "];\n");
    std::string label = subject.application + ", " + part.title;
    if (left_out != 0)
        label += "\\n" + std::to_string(left_out) + " functions with less than " + report::fixed(options.min_share, 2) +
                 " % of the time are left out";
    for (const std::string& remark : subject.remarks)
        label += in_lines(remark);
    sink.text("  label=\"" + label + "\";\n}\n");
}

} // namespace

void write_dot(const Subject& subject, const Options& options, Sink& sink) {
    for (const Part& part : subject.parts)
        write_part(subject, part, options, sink);
}

} // namespace vftr::exports
