// SPDX-License-Identifier: BSD-3-Clause
#include "report/process_tree_text.hpp"

#include "report/command_text.hpp"
#include "report/number_text.hpp"
#include "report/process_line.hpp"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

namespace vftr::report {
namespace {

using analysis::NoNodeIndex;
using analysis::ProcessNode;
using analysis::ProcessTree;
using analysis::Recording;

constexpr std::size_t LeastCommand = 24;  // characters that are left for a command at any depth
constexpr std::size_t LongestPath = 4096; // characters
constexpr std::size_t DeepestIndent = 30; // levels; lines of deeper levels show their depth as a number

// Titles of the columns; the last one is that of the command.
constexpr const char* TreeTitles[] = {"PID", "RANK", "START[s]", "END[s]", "TIME[s]", "ENDED", "PROGRAM"};

struct Line {
    std::string pid, rank, start, end, duration, ended;
    std::size_t depth = 0;
    bool next = false; // whether the process became this program by exec
    const Recording* command = nullptr;
    std::string text; // shown instead of a command
};

// Cuts the end of a string; limit 0: nothing is cut.
std::string cut(const std::string& text, std::size_t limit) { return head(text, limit == 0 ? text.size() : limit); }

std::string seconds_between(std::uint64_t from, std::uint64_t to) {
    const bool negative = to < from;
    return (negative ? "-" : "") + seconds(static_cast<double>(negative ? from - to : to - from), 3);
}

// Sums over several processes that are shown in one line.
struct Alike {
    std::size_t processes = 0, under = 0;
    std::uint64_t first_start = UINT64_MAX, last_end = 0, duration = 0;
    const Recording* example = nullptr;
};
using Kind = std::pair<std::string, std::string>; // program, ending

class TreeText {
public:
    TreeText(const ProcessTree& tree, const TreeStyle& style) : tree_(tree), style_(style) {}

    std::string text() {
        add_children(tree_.roots(), 0, 0, true);
        while (!ahead_.empty()) {
            const Step step = ahead_.back();
            ahead_.pop_back();
            if (step.sum)
                add_sum(step);
            else
                add_node(step);
        }
        return table();
    }

private:
    struct Step {
        std::uint32_t node; // for a sum: one of its processes
        std::size_t depth;
        bool next = false;
        std::uint64_t origin = 0; // the moment to which START and END are relative
        bool root = false;
        std::optional<Alike> sum{};
    };

    bool shown(std::uint32_t node) const { return style_.shown.empty() || style_.shown[node]; }

    std::optional<Kind> kind_of(std::uint32_t node) const {
        const Recording* first = tree_.recording(node);
        const Recording* last = last_program(tree_, node);
        if (!first || !last || tree_.nodes()[node].kind != ProcessNode::Kind::Program)
            return std::nullopt;
        return Kind{first->executable, ending_text(*last)};
    }

    // Puts `nodes` on the stack, the first one on top, and below them the sums of the processes beyond most_alike.
    void add_children(const std::vector<std::uint32_t>& nodes, std::size_t depth, std::uint64_t origin, bool root) {
        std::vector<Step> steps;
        std::map<Kind, std::size_t> count;
        std::map<Kind, std::size_t> sums; // index in `summed`
        std::vector<Step> summed;
        for (std::uint32_t node : nodes) {
            if (!shown(node))
                continue;
            const std::optional<Kind> kind = style_.most_alike ? kind_of(node) : std::nullopt;
            if (!kind || ++count[*kind] <= style_.most_alike) {
                steps.push_back({node, depth, false, root ? tree_.nodes()[node].start_realtime_ns : origin, root});
                continue;
            }
            auto [place, is_new] = sums.try_emplace(*kind, summed.size());
            if (is_new)
                summed.push_back({node, depth, false, root ? 0 : origin, root, Alike{}});
            add_to(*summed[place->second].sum, node);
        }
        steps.insert(steps.end(), summed.begin(), summed.end());
        ahead_.insert(ahead_.end(), std::make_move_iterator(steps.rbegin()), std::make_move_iterator(steps.rend()));
    }

    void add_to(Alike& sum, std::uint32_t node) const {
        const Recording *first = tree_.recording(node), *last = last_program(tree_, node);
        ++sum.processes;
        sum.under += tree_.processes_under(node) - 1;
        sum.first_start = std::min(sum.first_start, first->start_realtime_ns);
        sum.last_end = std::max(sum.last_end, last->end_realtime_ns);
        sum.duration += last->end_realtime_ns - std::min(first->start_realtime_ns, last->end_realtime_ns);
        sum.example = first;
    }

    void add_sum(const Step& step) {
        const Alike& sum = *step.sum;
        const std::uint64_t origin = step.origin ? step.origin : sum.first_start;
        Line line;
        line.depth = step.depth;
        line.start = seconds_between(origin, sum.first_start);
        line.end = seconds_between(origin, sum.last_end);
        line.duration = seconds(static_cast<double>(sum.duration), 3);
        line.ended = ending_text(*last_program(tree_, step.node));
        line.text = "(" + std::to_string(sum.processes) + " more of " + sum.example->program() +
                    (sum.under ? ", which started " + std::to_string(sum.under) + " others" : "") + ")";
        if (step.root)
            add_heading(sum.first_start, sum.example->host, sum.processes + sum.under);
        lines_.push_back(std::move(line));
    }

    void add_heading(std::uint64_t start, const std::string& host, std::uint64_t processes) {
        Line line;
        line.text = date(start) + (host.empty() ? "" : " on " + fit(host, 64)) + ": " + std::to_string(processes) +
                    (processes == 1 ? " process" : " processes");
        headings_.emplace_back(lines_.size(), line.text);
    }

    void add_node(const Step& step) {
        const ProcessNode& node = tree_.nodes()[step.node];
        if (step.root && !step.next)
            add_heading(node.start_realtime_ns, host_of(step.node), tree_.processes_under(step.node));
        lines_.push_back(line_of(process_line(tree_, step.node), step));
        if (node.next != NoNodeIndex && shown(node.next))
            ahead_.push_back({node.next, step.depth, true, step.origin, step.root, {}});
        add_children(node.children, step.depth + 1, step.origin, false);
    }

    std::string host_of(std::uint32_t root) const {
        std::string host;
        tree_.walk(root, [&](std::uint32_t node, std::uint32_t) {
            if (const Recording* r = tree_.recording(node); r && host.empty())
                host = r->host;
            return host.empty();
        });
        return host;
    }

    static Line line_of(const ProcessLine& process, const Step& step) {
        Line line;
        line.depth = step.depth;
        line.next = step.next;
        line.text = process.title;
        line.command = process.program;
        line.ended = process.ended;
        if (const Recording* program = process.program) {
            line.pid = std::to_string(program->pid);
            if (program->mpi && program->rank >= 0)
                line.rank = std::to_string(program->rank);
        }
        if (process.times_known) {
            line.start = seconds_between(step.origin, process.start);
            line.duration = seconds_between(process.start, process.end);
        }
        if (process.end_known)
            line.end = seconds_between(step.origin, process.end);
        return line;
    }

    std::string command_of(const Line& line, std::size_t room) const {
        const std::size_t indent = 2 * std::min(line.depth, DeepestIndent);
        std::string text(indent, ' ');
        if (line.depth > DeepestIndent)
            text += "[level " + std::to_string(line.depth) + "] ";
        if (line.next)
            text += "-> ";
        const std::size_t limit = room == 0 ? 0 : std::max(LeastCommand, room - std::min(room, width(text)));
        return text + (line.text.empty() && line.command ? command_text(*line.command, limit) : cut(line.text, limit));
    }

    std::string table() const {
        if (lines_.empty())
            return {};
        struct Column {
            const char* title;
            std::string Line::*cell;
            bool left;
        };
        constexpr Column Columns[] = {{TreeTitles[0], &Line::pid, false},      {TreeTitles[1], &Line::rank, false},
                                      {TreeTitles[2], &Line::start, false},    {TreeTitles[3], &Line::end, false},
                                      {TreeTitles[4], &Line::duration, false}, {TreeTitles[5], &Line::ended, true}};
        std::size_t widths[std::size(Columns)], used = 0;
        for (std::size_t c = 0; c < std::size(Columns); ++c) {
            widths[c] = width(Columns[c].title);
            for (const Line& line : lines_)
                widths[c] = std::max(widths[c], width(line.*Columns[c].cell));
            used += widths[c] + 2;
        }
        auto row = [&](auto cell) {
            std::string text;
            for (std::size_t c = 0; c < std::size(Columns); ++c) {
                const std::string value = cell(Columns[c]);
                const std::string blanks(widths[c] - width(value), ' ');
                text += (Columns[c].left ? value + blanks : blanks + value) + "  ";
            }
            return text;
        };
        const std::size_t room = style_.width == 0 ? 0 : style_.width - std::min(style_.width - 1, used);
        std::string text =
            row([](const Column& column) { return std::string(column.title); }) + TreeTitles[std::size(Columns)] + '\n';
        std::size_t heading = 0;
        for (std::size_t i = 0; i < lines_.size(); ++i) {
            if (heading < headings_.size() && headings_[heading].first == i)
                text += (i == 0 ? "" : "\n") + headings_[heading++].second + '\n';
            text +=
                row([&](const Column& column) { return lines_[i].*column.cell; }) + command_of(lines_[i], room) + '\n';
        }
        if (!tree_.snapshots().empty())
            text += '\n';
        for (const ProcessTree::Snapshot& snapshot : tree_.snapshots())
            text += fit(snapshot.file, LongestPath) + " is a snapshot of the recording " +
                    fit(snapshot.of, LongestPath) + ", which has more and is the one that counts.\n";
        return text;
    }

    const ProcessTree& tree_;
    const TreeStyle& style_;
    std::vector<Step> ahead_;
    std::vector<Line> lines_;
    std::vector<std::pair<std::size_t, std::string>> headings_; // by line: the heading before it
};

} // namespace

std::string process_tree_text(const ProcessTree& tree, const TreeStyle& style) { return TreeText(tree, style).text(); }

bool begins_as_process_tree(std::string_view text) {
    std::istringstream words(std::string(text.substr(0, text.find('\n'))));
    std::string word;
    for (const char* title : TreeTitles)
        if (!(words >> word) || word != title)
            return false;
    return text.find('\n') != text.npos && !(words >> word);
}

} // namespace vftr::report
