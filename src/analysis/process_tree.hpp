// SPDX-License-Identifier: BSD-3-Clause
//
// The tree of processes that a set of recordings is of.
//
// What makes two recordings one process. (host, pid, start of the process) is a process; its programs, one after the
// other by exec, are a chain of recordings. A recording itself is (pid, when it began), in nanoseconds, which is how
// its descendants name it in their headers. Where a recording was not told whom it descends from (VFTR_PARENT was lost
// or not followed), the pid of its parent says so, if a recording of that pid on that host was under way at that
// moment; a pid used again later is another process.
//
// Recordings that are named and not there leave a node without recording, so that siblings stay together. Damaged
// headers may name each other in a circle: it is cut at the earliest one.
#pragma once

#include "analysis/recording.hpp"

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
        Missing, // a process that others name; its recording is not there
    };
    Kind kind = Kind::Program;
    std::uint32_t recording = NoNodeIndex; // index; of a job: the one of all its ranks, if there is one
    vfd::RecordingId id{};                 // of a Missing one: as it was named; start 0 where only the pid is known
    std::uint32_t parent = NoNodeIndex;
    std::uint32_t next = NoNodeIndex;    // what the process went on as (exec); not among the children of the parent
    std::uint32_t ranks = 0;             // of a job: how many of the children are ranks
    std::vector<std::uint32_t> children; // ranks by number, then by start
    std::uint64_t start_realtime_ns = 0; // without a recording: that of the first child
};

class ProcessTree {
public:
    // Of the files of one recording the most complete one stays: a snapshot is the last choice, then the one that ends
    // latest is taken, a closed one before an open one, and the process's own before the merged one.
    explicit ProcessTree(std::vector<Recording> recordings);

    const std::vector<Recording>& recordings() const { return recordings_; } // by start
    // Files that were left out, as they are earlier states of one of recordings().
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

    // Calls visit(node, depth) for `node`, its children and what it went on as, in the order in which a reader expects
    // them: children before the next program of the process. Depth of a next program is that of the first. False from
    // visit leaves the children out.
    template <class Visit>
    void walk(std::uint32_t node, Visit visit) const;

    // By node: `root` itself, what it went on as, and all that descends from them.
    std::vector<bool> descendants_of(const vfd::RecordingId& root) const;
    // How many processes a subtree has (a job counts its ranks); a Missing one is none.
    std::uint64_t processes_under(std::uint32_t node) const;

private:
    friend class TreeBuilder; // tree_builder.cpp, as is the constructor
    void keep_best(std::vector<Recording> all);

    std::vector<Recording> recordings_;
    std::vector<Snapshot> snapshots_;
    std::vector<ProcessNode> nodes_;
    std::vector<std::uint32_t> roots_;
};

// Trees may be as deep as there are files, so there is no recursion.
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
