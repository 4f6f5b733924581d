// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of the processes that a set of recordings belongs to.
//
// Which recordings belong to one process. A process is identified by host, pid and the time when it started. The
// programs that it runs one after the other by exec are a chain of recordings. A recording is identified by its pid and
// the nanosecond when it began, and its descendants name it so in their headers. Where a recording does not name its
// parent (VFTR_PARENT was lost or not followed), the pid of the parent process is used, if a recording of that pid on
// that host was under way at that moment; a process that got the same pid later is another one.
//
// A recording that is named but missing gets a node without a recording, so that siblings stay together. Damaged
// headers may name each other in a circle, which is cut at the earliest recording.
#pragma once

#include "analysis/processes/recording.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {

inline constexpr std::uint32_t NoNodeIndex = 0xffffffff;

struct ProcessNode {
    enum class Kind : std::uint8_t {
        Program, // one recording: a process, or what it became by exec
        Job,     // an MPI job: its ranks are the first of the children
        Missing, // a process that others name, but whose recording is missing
    };
    Kind kind = Kind::Program;
    std::uint32_t recording = NoNodeIndex; // index; for a job the merged recording of all ranks, if there is one
    vfd::RecordingId id{};                 // for Missing: as others name it; start is 0 where only the pid is known
    std::uint32_t parent = NoNodeIndex;
    std::uint32_t next = NoNodeIndex;    // the next program of the process (exec); not among the parent's children
    std::uint32_t ranks = 0;             // for a job: how many of the children are ranks
    std::vector<std::uint32_t> children; // ranks by number, then by start
    std::uint64_t start_realtime_ns = 0; // without a recording, the start of the first child
};

class ProcessTree {
public:
    // Several files may hold the same recording, of which only the most complete one is kept. A snapshot is the last
    // choice; otherwise the file that ends latest is preferred, then a closed file to an open one, and the process's
    // own file to the merged one.
    explicit ProcessTree(std::vector<Recording> recordings);

    const std::vector<Recording>& recordings() const { return recordings_; } // by start
    // A file that was left out because it is an earlier state of one of recordings().
    struct Snapshot {
        std::string file;
        std::string of; // the file that has more of the same recording
    };
    const std::vector<Snapshot>& snapshots() const { return snapshots_; }
    const std::vector<ProcessNode>& nodes() const { return nodes_; }
    const std::vector<std::uint32_t>& roots() const { return roots_; } // by start
    const Recording* recording(std::uint32_t node) const {
        return nodes_[node].recording == NoNodeIndex ? nullptr : &recordings_[nodes_[node].recording];
    }

    // Calls visit(node, depth) for `node`, its descendants and the next programs of its process. The children of a
    // program come before the next program of the process, which has the same depth. If visit returns false, the node's
    // children are left out.
    template <class Visit>
    void walk(std::uint32_t node, Visit visit) const;

    // By node: whether it is `root`, one of the next programs of its process, or a descendant of these.
    std::vector<bool> descendants_of(const vfd::RecordingId& root) const;
    // The number of processes in a subtree. A job counts as its ranks, a Missing node does not count.
    std::uint64_t processes_under(std::uint32_t node) const;

private:
    friend class TreeBuilder; // tree_builder.cpp, as is the constructor
    void keep_best(std::vector<Recording> all);

    std::vector<Recording> recordings_;
    std::vector<Snapshot> snapshots_;
    std::vector<ProcessNode> nodes_;
    std::vector<std::uint32_t> roots_;
};

// A tree may be as deep as there are files, so this does not recurse.
template <class Visit>
void ProcessTree::walk(std::uint32_t node, Visit visit) const {
    struct Step {
        std::uint32_t node, depth;
    };
    std::vector<Step> ahead{{node, 0}};
    while (!ahead.empty()) {
        const Step step = ahead.back();
        ahead.pop_back();
        const ProcessNode& here = nodes_[step.node];
        if (here.next != NoNodeIndex)
            ahead.push_back({here.next, step.depth});
        if (visit(step.node, step.depth))
            for (std::size_t i = here.children.size(); i-- > 0;)
                ahead.push_back({here.children[i], step.depth + 1});
    }
}

} // namespace vftr::analysis
