// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/processes.hpp"

#include "base/foreign_text.hpp"
#include "report/command_text.hpp"
#include "report/process_line.hpp"

#include <algorithm>
#include <vector>

namespace vftr::exports {
namespace {

using analysis::NoNodeIndex;
using analysis::ProcessNode;
using analysis::ProcessTree;
using report::ProcessLine;

// Where nothing is known of a moment, it is the first one.
class Lives {
public:
    Lives(const ProcessTree& tree, std::span<const std::uint32_t> part_of, JsonWriter& json)
        : tree_(tree), part_of_(part_of), json_(json), is_next_(tree.nodes().size()) {
        for (const ProcessNode& node : tree.nodes())
            if (node.next != NoNodeIndex)
                is_next_[node.next] = true;
        for (const std::uint32_t root : tree.roots())
            if (const std::uint64_t start = tree.nodes()[root].start_realtime_ns; start != 0)
                first_ = std::min(first_, start);
    }

    void write(std::uint32_t node, std::uint32_t depth) {
        const ProcessLine line = report::process_line(tree_, node);
        json_.object([&] {
            json_.member("depth", std::uint64_t{depth});
            if (is_next_[node])
                json_.member("next", true);
            json_.member("one", tree_.nodes()[node].kind == ProcessNode::Kind::Program);
            if (line.program)
                write_program(*line.program);
            const std::uint64_t start = since_first(tree_.nodes()[node].start_realtime_ns);
            json_.member("start_ns", start);
            json_.member("end_ns", std::max(since_first(line.end), start));
            json_.member("open", !line.end_known);
            json_.member("ended", line.ended);
            json_.member("command", base::foreign_text(line.program && line.title.empty()
                                                           ? report::command_text(*line.program, MostCommand)
                                                           : line.title));
            const std::uint32_t recording = tree_.nodes()[node].recording;
            if (recording != NoNodeIndex && part_of_[recording] != NoNodeIndex)
                json_.member("part", std::uint64_t{part_of_[recording]});
        });
    }

private:
    static constexpr std::size_t MostCommand = 1000; // characters

    void write_program(const analysis::Recording& program) {
        json_.member("pid", std::uint64_t{program.pid});
        if (program.mpi && program.rank >= 0)
            json_.member("rank", static_cast<std::uint64_t>(program.rank));
        json_.member("host", base::foreign_text(program.host));
    }
    std::uint64_t since_first(std::uint64_t moment) const { return moment - std::min(moment, first_); }

    const ProcessTree& tree_;
    const std::span<const std::uint32_t> part_of_;
    JsonWriter& json_;
    std::vector<bool> is_next_; // by node: whether its process was another program before
    std::uint64_t first_ = ~std::uint64_t{0};
};

} // namespace

void write_processes(const ProcessTree& tree, std::span<const std::uint32_t> part_of, JsonWriter& json) {
    Lives lives(tree, part_of, json);
    json.array([&] {
        for (const std::uint32_t root : tree.roots())
            tree.walk(root, [&](std::uint32_t node, std::uint32_t depth) {
                lives.write(node, depth);
                return true;
            });
    });
}

} // namespace vftr::exports
