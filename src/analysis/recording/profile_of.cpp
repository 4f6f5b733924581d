// SPDX-License-Identifier: BSD-3-Clause
//
// Makes a Profile from one process's recording: the threads' times are added up path by path.
#include "analysis/merge/flat_map.hpp"
#include "analysis/merge/serialize.hpp"
#include "analysis/profile/each_node.hpp"
#include "analysis/profile/lost_time.hpp"
#include "analysis/profile/profile.hpp"
#include "analysis/profile/waiting.hpp"
#include "analysis/profile/whole_ns.hpp"
#include "analysis/recording/breakdown_of.hpp"
#include "analysis/recording/durations_of.hpp"
#include "analysis/recording/messages_of.hpp"
#include "analysis/recording/name_table.hpp"
#include "analysis/recording/openmp_of.hpp"
#include "analysis/recording/path_times.hpp"
#include "analysis/recording/placement.hpp"
#include "analysis/recording/recording_summary.hpp"
#include "analysis/recording/thread_rows.hpp"
#include "analysis/recording/thread_samples.hpp"
#include "analysis/recording/thread_times.hpp"
#include "base/large_array.hpp"
#include "config/config.hpp"
#include "symbols/module_label.hpp"
#include "symbols/qualified_name.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>

namespace vftr::analysis {
namespace {

class Builder {
public:
    // `selected` is empty, or takes the threads that are wanted.
    explicit Builder(const vfd::Image& image, const std::function<bool(std::uint32_t)>& selected)
        : image_(image), selected_(selected), names_(image, profile_.names),
          placement_(image, [this](std::uint32_t parent, const vfd::Node& node) { return child(parent, node); }),
          rows_(image, names_.names()), regions_(image, placement_), breakdown_(image, names_.names()) {
        std::size_t most_nodes = 0, trees = 0;
        for (const vfd::ThreadView& thread : image.threads()) {
            most_nodes = std::max<std::size_t>(most_nodes, thread.node_count);
            trees += thread.node_count != 0;
        }
        // The paths below such a node are placed elsewhere in the tree.
        one_tree_ = trees == 1 && !placement_.attribution().any_node();
        base::expect_writes(profile_.nodes, most_nodes + 1);
        times_.reserve(most_nodes + 1);
        add_root();
    }

    Profile build() {
        for (const vfd::ThreadView& thread : image_.threads())
            add_thread(thread);
        const std::int32_t rank = std::max(image_.header().rank, 0);
        times_.finish(image_.clock().ns_per_tick());
        profile_.first_rank = rank;
        profile_.rank_count = 1;
        for (const PathNode& path : profile_.nodes)
            profile_.summary.runtime_sum += path.exclusive;
        fill_summary(profile_, image_, lost_time(std::move(losses_)));
        auto place = [this](std::uint32_t thread, std::uint32_t node) { return place_of(thread, node); };
        fill_messages(profile_, image_, place, matrix_per_callpath());
        fill_durations(profile_, image_, place);
        rows_.finish(profile_, place);
        regions_.finish(profile_, place);
        profile_.breakdown = breakdown_.finish();
        add_ending(profile_, image_.header());
        return std::move(profile_);
    }

private:
    void add_root() {
        vfd::Node root{};
        root.kind = NodeKind::Root;
        append(0, names_.index_of(root), NodeKind::Root);
    }

    std::uint32_t append(std::uint32_t parent, std::uint32_t name, NodeKind kind) {
        PathNode& path = profile_.nodes.emplace_back();
        path.parent = parent;
        path.name = name;
        path.kind = kind;
        path.ranks = 1;
        times_.append();
        return static_cast<std::uint32_t>(profile_.nodes.size() - 1);
    }

    // Returns the path for a node below `parent`. Where the process has only one tree, each node is a path of its own
    // as long as no two functions have the same name, so no look-up is needed. In a tree of many paths each look-up is
    // a cache miss.
    std::uint32_t child(std::uint32_t parent, const vfd::Node& node) {
        std::uint32_t name = names_.index_of(node);
        if (is_outlined_function(profile_.nodes[parent].kind, node.kind, profile_.names[name])) {
            index_paths(); // several nodes may be one path then
            return parent;
        }
        if (one_tree_ && !names_.has_synonyms())
            return append(parent, name, node.kind);
        index_paths();
        std::uint32_t& index = paths_[path_key(parent, name)];
        if (index == FlatMap::Missing)
            index = append(parent, name, node.kind);
        return index;
    }

    // Puts all paths into paths_, which is kept up to date from now on.
    void index_paths() {
        one_tree_ = false;
        if (std::exchange(indexed_, true))
            return;
        paths_ = FlatMap(profile_.nodes.capacity());
        for (std::uint32_t i = 1; i < profile_.nodes.size(); ++i)
            paths_[path_key(profile_.nodes[i].parent, profile_.nodes[i].name)] = i;
    }

    void add_thread(const vfd::ThreadView& thread) {
        if (thread.node_count == 0 || !is_selected(*thread.record))
            return;
        ThreadTimes times = thread_times(thread, image_.header().costs, end_of(image_, *thread.record));
        unhooked_ = use_samples_of(image_, thread, names_, times);
        const auto place = static_cast<std::uint32_t>(&thread - image_.threads().data());
        double hooks = 0, mpi = 0;
        times_.begin_thread();
        breakdown_.begin(thread, times);
        std::uint32_t overflow = vfd::NoNode; // the node above calls for which there was no node left
        for_each_node(thread, [&](std::uint32_t id, const vfd::Node& node) {
            if (node.kind == NodeKind::Overflow)
                overflow = id;
            // A path that was never called matters only as a caller of others, which place() adds when it is needed.
            const std::uint64_t calls = vfd::calls_of(node);
            if (id != 0 && !calls && !times.of[id].exclusive && !times.of[id].inclusive)
                return;
            add_node(thread, {place, id}, node, calls, times);
            breakdown_.add(id, node);
            (node.kind == NodeKind::Mpi ? mpi : hooks) += times.of[id].overhead;
            if (overflow != vfd::NoNode && id != 0 && node.parent == overflow)
                add_overflow(overflow, calls);
        });
        add_unhooked(place);
        breakdown_.end();
        // A record that several threads used one after the other has the begin of the latest one only, so 0 is used
        // instead.
        losses_.push_back({thread.record->reused ? 0 : thread.record->begin,
                           end_of(image_, *thread.record),
                           {hooks, mpi, static_cast<double>(thread.record->preempted),
                            static_cast<double>(times.one_time_work), times.overhead_error}});
        add_counters(thread);
        rows_.add(thread, times, end_of(image_, *thread.record));
        regions_.add(place, times);
    }

    // The time of a node's callees without hooks, which is not its path's own.
    std::uint64_t unhooked_below(std::uint32_t id) const {
        std::uint64_t ticks = 0;
        const auto before = [](const UnhookedTime& time, std::uint32_t node) { return time.node < node; };
        for (auto time = std::lower_bound(unhooked_.begin(), unhooked_.end(), id, before);
             time != unhooked_.end() && time->node == id; ++time)
            ticks += time->ticks;
        return ticks;
    }

    void add_unhooked(std::uint32_t place) {
        for (const UnhookedTime& time : unhooked_) {
            const std::uint32_t caller = placement_.place({place, time.node});
            const std::uint32_t index = unhooked_path(caller, time.name);
            times_.add_exclusive(index, time.ticks, time.ticks);
            times_.add_estimate(index, 0, time.variance);
            if (index == caller)
                continue;
            times_.add_inclusive(index, time.ticks, time.ticks);
            times_.add_estimate(caller, 0, time.variance);
        }
    }
    std::uint32_t unhooked_path(std::uint32_t caller, std::uint32_t name) {
        if (profile_.nodes[caller].kind == NodeKind::OpenMp) // an outlined function, whose work is the construct's
            return caller;
        index_paths();
        std::uint32_t& index = paths_[path_key(caller, name)];
        if (index == FlatMap::Missing)
            index = append(caller, name, NodeKind::Unhooked);
        return index;
    }

    bool is_selected(const vfd::ThreadRecord& record) const { return !selected_ || selected_(record.index); }

    // The first call beyond the limit creates the overflow node, so a smaller id means that space ran out before. A
    // forked child may have inherited the node from its parent.
    void add_overflow(std::uint32_t node, std::uint64_t calls) {
        profile_.summary.overflow_calls += calls;
        profile_.summary.short_of_space |=
            calls != 0 && node < image_.header().max_call_paths && !(image_.header().flags & vfd::FlagForked);
    }

    void add_node(const vfd::ThreadView& thread, NodeOfThread at, const vfd::Node& node, std::uint64_t calls,
                  const ThreadTimes& times) {
        const std::uint32_t id = at.node,
                            index = placement_.place(at, node, [this](std::uint32_t parent, const vfd::Node&callee) {
                                return child(parent, callee);
                            });
        const bool attributed = node.kind == NodeKind::AttributedWork;
        PathNode& path = profile_.nodes[index];
        if (node.kind == NodeKind::Function &&
            path.kind == NodeKind::OpenMp) // outlined from that construct: its call is part of the construct's
            return add_time(thread, id, index, times, false);
        path.calls += attributed && !runs_task(at) ? 0 : calls;
        if (!times.unseen.empty()) {
            path.calls += times.unseen[id].calls;
            path.unseen += times.unseen[id].calls;
            path.unseen_error += times.unseen[id].error;
        }
        path.precise |= (node.flags & vfd::NodePrecise) != 0;
        path.excluded |= node.countdown == vfd::CountdownUnrecorded;
        if (attributed)
            times_.set_target(index);
        else
            times_.add_inclusive(index, times.of[id].inclusive, times.of[id].raw_inclusive);
        add_time(thread, id, index, times, true);
    }

    // Adds the times of the node itself. `counts` says whether its calls are calls of the path.
    void add_time(const vfd::ThreadView& thread, std::uint32_t id, std::uint32_t index, const ThreadTimes& times,
                  bool counts) {
        const bool idle = id == 0 && only_workers(thread);
        const NodeTimes& of = times.of[id];
        std::uint64_t exclusive = of.exclusive, raw_exclusive = of.raw_exclusive;
        if (!unhooked_.empty()) {
            const std::uint64_t below = unhooked_below(id);
            exclusive -= std::min(exclusive, below);
            raw_exclusive -= std::min(raw_exclusive, below);
        }
        times_.add_exclusive(idle ? idle_path(thread, times) : index, exclusive, raw_exclusive);
        times_.add_overhead(index, of.overhead);
        times_.add_unknown(index, times.unknown[id]);
        if (!times.count_only.empty() && times.variance[id] + static_cast<double>(times.count_only[id]) > 0)
            times_.add_estimate(index, counts ? times.count_only[id] : 0, times.variance[id]);
    }

    // Whether the target of an AttributedWork node is a task, whose calls no other node counts.
    bool runs_task(NodeOfThread attributed) const {
        const auto target = placement_.attribution().target(attributed);
        if (!target)
            return false;
        const vfd::Node& node = image_.threads()[target->thread].node(target->node);
        return node.kind == NodeKind::OpenMp && vfd::construct_of(node.key) == vfd::Construct::Task;
    }

    // The path for the own time of a worker's root: a worker of an OpenMP runtime is idle there.
    std::uint32_t idle_path(const vfd::ThreadView& thread, const ThreadTimes& times) {
        index_paths();
        std::uint32_t name = names_.index_of_text(idle_);
        std::uint32_t& index = paths_[path_key(0, name)];
        if (index == FlatMap::Missing)
            index = append(0, name, NodeKind::OpenMp);
        profile_.nodes[index].calls += 1 + std::uint64_t{thread.record->reused};
        times_.add_inclusive(index, times.of[0].exclusive, times.of[0].raw_exclusive);
        return index;
    }

    void add_counters(const vfd::ThreadView& thread) {
        const vfd::ThreadRecord& record = *thread.record;
        Summary& summary = profile_.summary;
        summary.threads += 1 + std::uint64_t{record.reused};
        summary.cpu += record.cpu_ns;
        if (image_.header().sample_ns != 0 && !has_enough_samples(thread))
            summary.cpu_without_samples += record.cpu_ns;
        summary.dropped += record.dropped_calls != 0 ? record.dropped_calls : record.dropped / 2; // of an older file
        summary.shared_calls += record.shared_calls;
        summary.vanished += record.vanished;
        // A forked child leaves functions that its parent has entered, so these do not count.
        if (!(image_.header().flags & vfd::FlagForked))
            summary.unmatched += record.unmatched;
    }

    std::uint32_t place_of(std::uint32_t thread, std::uint32_t node) const {
        const vfd::ThreadView* view = image_.thread(thread);
        if (!view || node >= view->node_count || !is_selected(*view->record))
            return vfd::NoNode;
        return placement_.known({static_cast<std::uint32_t>(view - image_.threads().data()), node});
    }

    bool matrix_per_callpath() const {
        return !image_.traffic().empty() && !image_.config_text().empty() &&
               config::parse(std::string(image_.config_text()), image_.label()).config.mpi_matrix_per_callpath;
    }

    const std::string idle_ = IdleName;
    const vfd::Image& image_;
    const std::function<bool(std::uint32_t)>& selected_;
    Profile profile_;
    std::vector<ThreadLoss> losses_;
    std::vector<UnhookedTime> unhooked_; // of the thread that is being added
    NameTable names_;
    FlatMap paths_; // filled if indexed_
    bool one_tree_ = false, indexed_ = false;
    PathTimes times_{profile_.nodes};
    Placement placement_;
    ThreadRows rows_;
    RegionTimes regions_;
    ProcessBreakdown breakdown_;
};

} // namespace

Profile profile_of(const vfd::Image& image) { return Builder(image, {}).build(); }

Profile profile_of(const vfd::Image& image, const std::function<bool(std::uint32_t)>& selected) {
    return Builder(image, selected).build();
}

Profile load_profile(const vfd::Image& image) {
    if (image.header().kind == vfd::FileKind::Merged)
        return deserialize(image.profile_bytes(), image.label());
    return profile_of(image);
}

} // namespace vftr::analysis
