// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/process_tree.hpp"

#include "analysis/processes/job_groups.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace vftr::analysis {
namespace {

bool of_whole_job(const Recording& r) { return r.merged && r.of_a_job(); }

auto identity(const Recording& r) { return std::tie(r.start_realtime_ns, r.pid, r.host); }

bool better(const Recording& a, const Recording& b) {
    auto order = [](const Recording& r) {
        return std::tuple(r.snapshot, UINT64_MAX - r.end_realtime_ns, !r.closed, r.merged, std::string_view(r.file));
    };
    return order(a) < order(b);
}

constexpr std::uint64_t Slack = 1'000'000'000; // ns by which a process may outlive its recording

} // namespace

class TreeBuilder {
public:
    explicit TreeBuilder(ProcessTree& tree) : tree_(tree), nodes_(tree.nodes_) {}

    void build() {
        add_recordings();
        chain_programs();
        find_parents();
        chain_after_missing();
        make_jobs();
        cut_circles();
        make_lists();
        find_execs();
    }

private:
    const Recording& recording(std::uint32_t node) const { return *tree_.recording(node); }

    std::uint32_t add(ProcessNode::Kind kind, std::uint32_t recording = NoNodeIndex) {
        ProcessNode node;
        node.kind = kind;
        node.recording = recording;
        if (recording != NoNodeIndex) {
            const Recording& r = tree_.recordings_[recording];
            node.start_realtime_ns = r.start_realtime_ns;
            node.id = {r.pid, 0, r.start_realtime_ns};
        }
        nodes_.push_back(std::move(node));
        head_.push_back(static_cast<std::uint32_t>(nodes_.size() - 1));
        tail_.push_back(head_.back());
        return head_.back();
    }

    void add_recordings() {
        for (std::uint32_t i = 0; i < tree_.recordings_.size(); ++i) {
            const Recording& r = tree_.recordings_[i];
            const bool whole = of_whole_job(r);
            const std::uint32_t node = add(whole ? ProcessNode::Kind::Job : ProcessNode::Kind::Program, i);
            (whole ? whole_jobs_ : programs_).push_back(node);
            by_pid_[{r.host, r.pid_namespace, r.pid}].push_back(node);
        }
    }

    // The recording with this id; if there are several, one on this host is preferred.
    std::uint32_t find(const vfd::RecordingId& id, const std::string& host) const {
        std::uint32_t found = NoNodeIndex;
        // Recordings are sorted by start. The first one with an id is that of the process, the second one that of its
        // whole job.
        const auto& all = tree_.recordings_;
        auto at = std::lower_bound(
            all.begin(), all.end(), std::tuple(id.start_realtime_ns, id.pid),
            [](const Recording& r, const auto& key) { return std::tuple(r.start_realtime_ns, r.pid) < key; });
        for (; at != all.end() && at->start_realtime_ns == id.start_realtime_ns && at->pid == id.pid; ++at) {
            // The first nodes are those of the recordings, in their order.
            const auto node = static_cast<std::uint32_t>(at - all.begin());
            if (found == NoNodeIndex || (at->host == host && recording(found).host != host))
                found = node;
        }
        return found;
    }

    void append_program(std::uint32_t head, std::uint32_t program) {
        nodes_[tail_[head]].next = program;
        tail_[head] = tail_[program];
        for (std::uint32_t node = program; node != NoNodeIndex; node = nodes_[node].next)
            head_[node] = head;
    }

    // Chains the programs of each process in the order of their starts, so that each program comes after its
    // predecessors.
    void chain_programs() {
        std::map<std::tuple<std::string_view, std::uint64_t, std::uint32_t, std::uint64_t>, std::uint32_t> last;
        for (std::uint32_t node : programs_) {
            const Recording& r = recording(node);
            std::uint32_t before = NoNodeIndex;
            if (r.process_start != 0) {
                auto [place, is_new] = last.try_emplace({r.host, r.pid_namespace, r.pid, r.process_start}, node);
                if (!is_new)
                    before = std::exchange(place->second, node);
            } else if (r.parent && r.parent->pid == r.pid) {
                const std::uint32_t found = find(*r.parent, r.host);
                if (found < node && nodes_[found].kind == ProcessNode::Kind::Program && recording(found).host == r.host)
                    before = found;
            }
            if (before != NoNodeIndex)
                append_program(head_[before], node);
        }
    }

    std::uint32_t missing(const vfd::RecordingId& id, const std::string& host) {
        auto [place, is_new] =
            missing_.try_emplace({id.pid, id.start_realtime_ns, id.start_realtime_ns ? std::string() : host}, 0);
        if (is_new) {
            place->second = add(ProcessNode::Kind::Missing);
            nodes_[place->second].id = id;
        }
        return place->second;
    }

    void find_parents() {
        const auto count = static_cast<std::uint32_t>(nodes_.size());
        for (std::uint32_t node = 0; node < count; ++node) {
            if (head_[node] != node)
                continue;
            const std::uint32_t parent = parent_of(recording(node));
            nodes_[node].parent = parent != NoNodeIndex && head_[parent] == node ? NoNodeIndex : parent;
        }
    }

    std::uint32_t parent_of(const Recording& r) {
        if (r.parent && r.parent->pid != r.pid) {
            const std::uint32_t found = find(*r.parent, r.host);
            return found != NoNodeIndex ? found : missing(*r.parent, r.host);
        }
        if (r.parent || r.parent_pid <= 1 || r.parent_pid == r.pid)
            return NoNodeIndex;
        const std::uint32_t found = under_way(r.parent_pid, r);
        return found == NoNodeIndex && r.forked ? missing({r.parent_pid, 0, 0}, r.host) : found;
    }

    // The latest recording with that pid that began before the child's, if its process may still have been running
    // then.
    std::uint32_t under_way(std::uint32_t pid, const Recording& child) const {
        auto all = by_pid_.find({child.host, child.pid_namespace, pid});
        if (all == by_pid_.end())
            return NoNodeIndex;
        std::uint32_t found = NoNodeIndex;
        for (std::uint32_t node : all->second) // sorted by start
            if (recording(node).start_realtime_ns <= child.start_realtime_ns)
                found = node;
        if (found == NoNodeIndex)
            return found;
        const Recording& r = recording(found);
        const bool over = (r.ending == Ending::Exit || r.ending == Ending::Left || r.ending == Ending::Killed) &&
                          r.end_realtime_ns + Slack < child.start_realtime_ns;
        return over ? NoNodeIndex : found;
    }

    // Chains a program to its missing predecessor in the same process, where other recordings descend from that
    // predecessor.
    void chain_after_missing() {
        for (std::uint32_t node : programs_) {
            const Recording& r = recording(node);
            if (head_[node] != node || !r.parent || r.parent->pid != r.pid)
                continue;
            auto place = missing_.find({r.pid, r.parent->start_realtime_ns, std::string()});
            if (place != missing_.end())
                append_program(place->second, node);
        }
    }

    void make_jobs() {
        std::vector<RankOfJob> ranks;
        for (std::uint32_t head : programs_) {
            if (head_[head] != head)
                continue;
            for (std::uint32_t node = head; node != NoNodeIndex; node = nodes_[node].next)
                if (recording(node).of_a_job()) {
                    ranks.push_back({&recording(node), head, nodes_[head].parent});
                    break;
                }
        }
        for (const JobGroup& group : job_groups(std::move(ranks)))
            make_job(group);
    }

    void make_job(const JobGroup& group) {
        auto found = std::find_if(whole_jobs_.begin(), whole_jobs_.end(), [&](std::uint32_t node) {
            return nodes_[node].ranks == 0 && node != group.front().parent && is_of_group(recording(node), group);
        });
        if (found == whole_jobs_.end() && group.size() == 1)
            return; // a single rank needs no node of a job
        const std::uint32_t job = found != whole_jobs_.end() ? *found : add(ProcessNode::Kind::Job);
        nodes_[job].parent = group.front().parent;
        nodes_[job].ranks = static_cast<std::uint32_t>(group.size());
        for (const RankOfJob& rank : group) {
            nodes_[rank.node].parent = job;
            nodes_[job].children.push_back(rank.node);
            const std::uint64_t start = nodes_[rank.node].start_realtime_ns;
            if (nodes_[job].start_realtime_ns == 0 || start < nodes_[job].start_realtime_ns)
                nodes_[job].start_realtime_ns = start;
        }
    }

    std::uint32_t above(std::uint32_t head) const {
        const std::uint32_t parent = nodes_[head].parent;
        return parent == NoNodeIndex ? NoNodeIndex : head_[parent];
    }

    void cut_circles() {
        enum : std::uint8_t { New, OnPath, Done };
        std::vector<std::uint8_t> state(nodes_.size(), New);
        std::vector<std::uint32_t> path;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node) {
            path.clear();
            std::uint32_t at = head_[node];
            for (; at != NoNodeIndex && state[at] == New; at = above(at)) {
                state[at] = OnPath;
                path.push_back(at);
            }
            if (at != NoNodeIndex && state[at] == OnPath)
                cut_circle_of(at);
            for (std::uint32_t done : path)
                state[done] = Done;
        }
    }

    void cut_circle_of(std::uint32_t head) {
        std::uint32_t first = head;
        for (std::uint32_t at = above(head); at != head; at = above(at))
            if (is_rank_of_job(first) ||
                (!is_rank_of_job(at) && nodes_[at].start_realtime_ns < nodes_[first].start_realtime_ns))
                first = at;
        nodes_[first].parent = NoNodeIndex;
    }
    bool is_rank_of_job(std::uint32_t node) const {
        const std::uint32_t parent = nodes_[node].parent;
        if (parent == NoNodeIndex || nodes_[parent].kind != ProcessNode::Kind::Job)
            return false;
        const auto& children = nodes_[parent].children;
        return std::find(children.begin(), children.end(), node) != children.end();
    }

    bool earlier(std::uint32_t a, std::uint32_t b) const {
        return std::tie(nodes_[a].start_realtime_ns, nodes_[a].id.pid, a) <
               std::tie(nodes_[b].start_realtime_ns, nodes_[b].id.pid, b);
    }

    void make_lists() {
        std::vector<bool> listed(nodes_.size());
        for (const ProcessNode& job : nodes_)
            for (std::uint32_t rank : job.children)
                listed[rank] = true;
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            if (head_[node] == node && !listed[node] && nodes_[node].parent != NoNodeIndex)
                nodes_[nodes_[node].parent].children.push_back(node);
        auto by_start = [this](std::uint32_t a, std::uint32_t b) { return earlier(a, b); };
        for (ProcessNode& node : nodes_) {
            std::sort(node.children.begin() + node.ranks, node.children.end(), by_start);
            if (node.start_realtime_ns == 0 && !node.children.empty())
                node.start_realtime_ns = nodes_[node.children.front()].start_realtime_ns;
        }
        for (std::uint32_t node = 0; node < nodes_.size(); ++node)
            if (head_[node] == node && nodes_[node].parent == NoNodeIndex)
                tree_.roots_.push_back(node);
        std::sort(tree_.roots_.begin(), tree_.roots_.end(), by_start);
    }

    // Without a checkpoint the file of a program does not tell of its exec, but the existence of the next program does.
    void find_execs() {
        for (const ProcessNode& node : nodes_)
            if (node.kind == ProcessNode::Kind::Program && node.next != NoNodeIndex)
                if (Ending& ending = tree_.recordings_[node.recording].ending;
                    ending == Ending::Killed || ending == Ending::Unknown || ending == Ending::Runs)
                    ending = Ending::Executed;
    }

    ProcessTree& tree_;
    std::vector<ProcessNode>& nodes_;
    std::vector<std::uint32_t> head_; // by node: the first program of its process
    std::vector<std::uint32_t> tail_; // by first program: the last one of its process
    std::vector<std::uint32_t> programs_, whole_jobs_;
    // The recordings by host, pid namespace and pid.
    std::map<std::tuple<std::string, std::uint64_t, std::uint32_t>, std::vector<std::uint32_t>> by_pid_;
    std::map<std::tuple<std::uint32_t, std::uint64_t, std::string>, std::uint32_t> missing_;
};

// Sorts by start, and keeps the best file of each recording. The recording of a whole job differs from that of its rank
// 0.
void ProcessTree::keep_best(std::vector<Recording> all) {
    std::sort(all.begin(), all.end(), [](const Recording& a, const Recording& b) {
        const auto left = std::tuple(identity(a), of_whole_job(a)), right = std::tuple(identity(b), of_whole_job(b));
        return left != right ? left < right : better(a, b);
    });
    for (Recording& r : all) {
        const bool first = recordings_.empty() || identity(recordings_.back()) != identity(r) ||
                           of_whole_job(recordings_.back()) != of_whole_job(r);
        if (!first && r.snapshot)
            snapshots_.push_back({std::move(r.file), recordings_.back().file});
        else if (first)
            recordings_.push_back(std::move(r));
    }
}

ProcessTree::ProcessTree(std::vector<Recording> recordings) {
    keep_best(std::move(recordings));
    TreeBuilder(*this).build();
}

} // namespace vftr::analysis
