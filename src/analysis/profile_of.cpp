// SPDX-License-Identifier: BSD-3-Clause
//
// From one process's recording to a Profile: threads are summed path by path in ticks, and turned
// into nanoseconds once, at the end.
//
// What a thread did for another (Attached nodes) counts below the path of that other (placement.hpp), and in the inclusive time of all that
// called that path, not of what the thread itself was in meanwhile: the inclusive time of a function that forked a team is that of all of the
// team's threads. What a thread has noted for constructs is no help: it is of the outermost call of a recursion, in which tasks are executed that
// belong to other paths, and in these again calls of that recursion. So where threads have worked for each other, the inclusive time of
// constructs, of what stands below them and of what called them is the sum of the exclusive times of all that stands below. Of all other
// paths it is what the recorder has measured.
#include "analysis/flat_map.hpp"
#include "analysis/messages_of.hpp"
#include "analysis/naming.hpp"
#include "analysis/openmp_of.hpp"
#include "analysis/placement.hpp"
#include "analysis/profile.hpp"
#include "analysis/serialize.hpp"
#include "analysis/thread_rows.hpp"
#include "analysis/thread_times.hpp"
#include "analysis/whole_ns.hpp"
#include "config/config.hpp"
#include "symbols/printable.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/image.hpp"
#include "vfd/remark.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <unordered_map>

namespace vftr::analysis {
namespace {

// Indices of names. Names of several functions may be the same text, and each costs a hash of it
// only once.
class NameTable {
public:
    NameTable(const vfd::Image& image, std::vector<std::string>& names)
        : resolver_(image), names_(names) {}

    std::uint32_t index_of(const vfd::Node& node) {
        const std::string& name = resolver_.of(node); // lives as long as the resolver
        std::uint32_t& index = by_place_[reinterpret_cast<std::uintptr_t>(&name)];
        if (index == FlatMap::Missing)
            index = index_of_text(name);
        return index;
    }
    // `name` outlives the table.
    std::uint32_t index_of_text(const std::string& name) {
        auto [text, is_new] = by_text_.try_emplace(name, names_.size());
        if (is_new)
            names_.push_back(name);
        return text->second;
    }
    Names& names() { return resolver_; }

private:
    Names resolver_;
    std::vector<std::string>& names_;
    FlatMap by_place_;
    std::unordered_map<std::string_view, std::uint32_t> by_text_;
};

class Builder {
public:
    explicit Builder(const vfd::Image& image)
        : image_(image), names_(image, profile_.names),
          placement_(image, [this](std::uint32_t parent, const vfd::Node& node) { return child(parent, node); }),
          rows_(image, names_.names()), regions_(image, placement_) {
        std::size_t most_nodes = 0;
        for (const vfd::ThreadView& thread : image.threads())
            most_nodes = std::max<std::size_t>(most_nodes, thread.node_count);
        profile_.nodes.reserve(most_nodes + 1);
        exclusive_.reserve(most_nodes + 1);
        inclusive_.reserve(most_nodes + 1);
        raw_exclusive_.reserve(most_nodes + 1);
        raw_inclusive_.reserve(most_nodes + 1);
        overhead_.reserve(most_nodes + 1);
        in_thread_.reserve(most_nodes + 1);
        paths_ = FlatMap(most_nodes + 1);
        add_root();
    }

    Profile build() {
        for (const vfd::ThreadView& thread : image_.threads())
            add_thread(thread);
        add_up_constructs();
        fill_times();
        fill_summary();
        auto place = [this](std::uint32_t thread, std::uint32_t node) { return place_of(thread, node); };
        fill_messages(profile_, image_, place, matrix_per_callpath());
        rows_.finish(profile_, place);
        regions_.finish(profile_, place);
        return std::move(profile_);
    }

private:
    void add_root() {
        vfd::Node root{};
        root.kind = NodeKind::Root;
        append(0, names_.index_of(root), NodeKind::Root);
    }

    std::uint32_t append(std::uint32_t parent, std::uint32_t name, NodeKind kind) {
        PathNode path;
        path.parent = parent;
        path.name = name;
        path.kind = kind;
        path.ranks = 1;
        profile_.nodes.push_back(path);
        exclusive_.push_back(0);
        inclusive_.push_back(0);
        raw_exclusive_.push_back(0);
        raw_inclusive_.push_back(0);
        meant_.push_back(false);
        overhead_.push_back(0);
        in_thread_.push_back({});
        return static_cast<std::uint32_t>(profile_.nodes.size() - 1);
    }

    std::uint32_t child(std::uint32_t parent, const vfd::Node& node) {
        std::uint32_t name = names_.index_of(node);
        std::uint32_t& index = paths_[path_key(parent, name)];
        if (index == FlatMap::Missing)
            index = append(parent, name, node.kind);
        return index;
    }

    void add_thread(const vfd::ThreadView& thread) {
        if (thread.node_count == 0)
            return;
        std::vector<const vfd::Node*> nodes = nodes_of(thread);
        ThreadTimes times = thread_times(thread, image_.header().costs, end_of(*thread.record));
        const auto place = static_cast<std::uint32_t>(&thread - image_.threads().data());
        double hooks = 0, mpi = 0;
        for (std::uint32_t id = 0; id < nodes.size(); ++id) {
            const vfd::Node& node = *nodes[id];
            // A path that was never called matters only as the caller of others.
            const std::uint64_t calls = vfd::calls_of(node);
            if (id != 0 && !calls && !times.exclusive[id] && !times.inclusive[id])
                continue;
            const std::uint32_t index = placement_.place({place, id});
            PathNode& path = profile_.nodes[index];
            const bool attached = node.kind == NodeKind::Attached;
            path.calls += attached && !runs_task({place, id}) ? 0 : calls;
            path.precise |= (node.flags & vfd::NodePrecise) != 0;
            path.excluded |= node.skip == vfd::SkipExcluded;
            const bool idle = id == 0 && only_workers(thread);
            count_exclusive(idle ? idle_path(thread, times) : index, *thread.record, times.exclusive[id]);
            raw_exclusive_[index] += idle ? 0 : times.raw_exclusive[id];
            if (attached) {
                attached_ = true;
                meant_[index] = true;
            }
            inclusive_[index] += attached ? 0 : times.inclusive[id];
            raw_inclusive_[index] += attached ? 0 : times.raw_inclusive[id];
            overhead_[index] += times.overhead[id];
            (node.kind == NodeKind::Mpi ? mpi : hooks) += times.overhead[id];
            if (!times.untimed.empty() && times.variance[id] + static_cast<double>(times.untimed[id]) > 0)
                count_estimate(index, times.untimed[id], times.variance[id]);
            if (id != 0 && nodes[node.parent]->kind == NodeKind::Overflow)
                profile_.summary.overflow_calls += calls;
        }
        add_overhead(hooks * image_.ns_per_tick(), mpi * image_.ns_per_tick());
        add_counters(*thread.record);
        rows_.add(thread, times, end_of(*thread.record));
        regions_.add(place, times);
    }

    // Of an Attached node: nobody else counts the calls of a task.
    bool runs_task(NodeOfThread attached) const {
        const auto meant = placement_.attachments().meant(attached);
        if (!meant)
            return false;
        const vfd::Node& node = image_.threads()[meant->thread].node(meant->node);
        return node.kind == NodeKind::OpenMp && vfd::construct_of(node.key) == vfd::Construct::Task;
    }

    void count_estimate(std::uint32_t path, std::uint64_t untimed, double variance) {
        estimated_.resize(std::max<std::size_t>(estimated_.size(), path + 1));
        estimated_[path].untimed += untimed;
        estimated_[path].variance += variance;
    }

    void add_up_constructs() {
        if (!attached_)
            return;
        const std::vector<PathNode>& nodes = profile_.nodes;
        std::vector<bool> within(nodes.size()), shared(nodes.size());
        for (std::size_t i = 1; i < nodes.size(); ++i)
            within[i] = shared[i] = meant_[i] || nodes[i].kind == NodeKind::OpenMp || within[nodes[i].parent];
        for (std::size_t i = nodes.size(); i-- > 1;)
            if (shared[i])
                shared[nodes[i].parent] = true;
        shared[0] = true;
        add_up(exclusive_, shared, inclusive_);
        add_up(raw_exclusive_, shared, raw_inclusive_);
    }

    void add_up(std::vector<std::uint64_t> sum, const std::vector<bool>& wanted, std::vector<std::uint64_t>& inclusive) const {
        for (std::size_t i = sum.size(); i-- > 1;)
            sum[profile_.nodes[i].parent] += sum[i];
        for (std::size_t i = 0; i < sum.size(); ++i)
            if (wanted[i])
                inclusive[i] = sum[i];
    }

    // A worker of an OpenMP runtime does nothing outside of what it records.
    std::uint32_t idle_path(const vfd::ThreadView& thread, const ThreadTimes& times) {
        std::uint32_t name = names_.index_of_text(idle_);
        std::uint32_t& index = paths_[path_key(0, name)];
        if (index == FlatMap::Missing)
            index = append(0, name, NodeKind::OpenMp);
        profile_.nodes[index].calls += 1 + std::uint64_t{thread.record->reused};
        inclusive_[index] += times.exclusive[0];
        raw_exclusive_[index] += times.raw_exclusive[0];
        raw_inclusive_[index] += times.raw_exclusive[0];
        return index;
    }

    // Several nodes of one thread may be one path.
    void count_exclusive(std::uint32_t path, const vfd::ThreadRecord& record, std::uint64_t exclusive) {
        exclusive_[path] += exclusive;
        InThread& latest = in_thread_[path];
        if (latest.threads == 0 || latest.index != record.index) {
            ++latest.threads;
            latest.index = record.index;
            latest.exclusive = 0;
        }
        latest.exclusive += exclusive;
        latest.longest = std::max(latest.longest, latest.exclusive);
    }

    static std::vector<const vfd::Node*> nodes_of(const vfd::ThreadView& thread) {
        std::vector<const vfd::Node*> nodes;
        nodes.reserve(thread.node_count);
        for (std::span<const vfd::Node> chunk : thread.node_chunks)
            for (const vfd::Node& node : chunk) {
                if (nodes.size() == thread.node_count)
                    break;
                nodes.push_back(&node);
            }
        return nodes;
    }

    std::uint64_t end_of(const vfd::ThreadRecord& record) const {
        return record.end ? record.end : std::max(image_.end_ticks(), record.last);
    }

    // Threads run side by side: the program waits for the one that lost most.
    void add_overhead(double hooks, double mpi) {
        Summary& summary = profile_.summary;
        if (hooks + mpi > static_cast<double>(summary.hook_overhead + summary.mpi_overhead)) {
            summary.hook_overhead = whole_ns(hooks);
            summary.mpi_overhead = whole_ns(mpi);
        }
    }

    void add_counters(const vfd::ThreadRecord& record) {
        Summary& summary = profile_.summary;
        summary.threads += 1 + std::uint64_t{record.reused};
        summary.dropped += record.dropped;
        summary.vanished += record.vanished;
        // A forked child leaves functions that its parent entered.
        if (!(image_.header().flags & vfd::FlagForked))
            summary.unmatched += record.unmatched;
    }

    std::uint32_t place_of(std::uint32_t thread, std::uint32_t node) const {
        const vfd::ThreadView* view = image_.thread(thread);
        if (!view || node >= view->node_count)
            return vfd::NoNode;
        return placement_.known({static_cast<std::uint32_t>(view - image_.threads().data()), node});
    }

    bool matrix_per_callpath() const {
        return !image_.traffic().empty() && !image_.config_text().empty() &&
               config::parse(std::string(image_.config_text()), image_.label())
                   .config.mpi_matrix_per_callpath;
    }

    void fill_times() {
        const double ns = image_.ns_per_tick();
        const std::int32_t rank = std::max(image_.header().rank, 0);
        auto of_one_rank = [&](std::uint64_t ticks) {
            std::uint64_t value = whole_ns(static_cast<double>(ticks) * ns);
            return RankStat{value, value, value, rank, rank};
        };
        for (std::size_t i = 0; i < profile_.nodes.size(); ++i) {
            PathNode& path = profile_.nodes[i];
            path.exclusive = of_one_rank(exclusive_[i]);
            path.inclusive = of_one_rank(inclusive_[i]);
            path.raw_exclusive = whole_ns(static_cast<double>(raw_exclusive_[i]) * ns);
            path.raw_inclusive = whole_ns(static_cast<double>(raw_inclusive_[i]) * ns);
            path.overhead = whole_ns(overhead_[i] * ns);
            if (i < estimated_.size()) {
                path.estimated = estimated_[i].untimed;
                path.variance = whole_us2(estimated_[i].variance * ns * ns);
            }
            path.threads = in_thread_[i].threads;
            path.longest_thread = whole_ns(static_cast<double>(in_thread_[i].longest) * ns);
            profile_.summary.runtime_sum += path.exclusive.sum;
        }
        profile_.first_rank = rank;
        profile_.rank_count = 1;
    }

    void fill_summary() {
        const vfd::FileHeader& header = image_.header();
        Summary& summary = profile_.summary;
        std::uint64_t end = image_.end_ticks();
        summary.start_realtime_ns = header.start.realtime_ns;
        summary.end_realtime_ns = image_.to_realtime_ns(end);
        if (end > header.start.ticks)
            summary.runtime =
                whole_ns(static_cast<double>(end - header.start.ticks) * image_.ns_per_tick());
        summary.memory_bytes = header.memory_bytes ? header.memory_bytes : header.file_end;
        summary.unfinished = image_.closed() ? 0 : 1;
        summary.recovered = header.flags & vfd::FlagRecovered ? 1 : 0;
        summary.processes = 1;
        summary.max_call_paths = header.max_call_paths;
        summary.mpi = (header.flags & vfd::FlagMpi) != 0;
        summary.file_lost = (header.flags & vfd::FlagFileLost) != 0;
        summary.messages_lost = (header.flags & vfd::FlagMessagesLost) != 0;
        const std::string path = vfd::text_of(header.executable);
        profile_.application = path.substr(path.rfind('/') + 1);
        profile_.config_text = image_.config_text();
        for (const vfd::NameView& name : image_.names())
            if (name.kind == NodeKind::Root)
                take_remark(name.name);
    }

    void take_remark(std::string_view text) {
        if (text.starts_with(vfd::HookCallsStay))
            profile_.hook_calls_stay = symbols::printable(std::string(text.substr(vfd::HookCallsStay.size())));
        if (!text.starts_with(vfd::HookCallsOut))
            return;
        text.remove_prefix(vfd::HookCallsOut.size());
        std::uint64_t count = 0;
        if (std::from_chars(text.data(), text.data() + text.size(), count).ec == std::errc())
            profile_.summary.hook_calls_out = count;
    }

    const std::string idle_ = "omp idle";
    const vfd::Image& image_;
    Profile profile_;
    NameTable names_;
    FlatMap paths_;
    Placement placement_;
    ThreadRows rows_;
    RegionTimes regions_;
    struct InThread {
        std::uint32_t threads = 0, index = 0;         // how many have the path; the latest of them
        std::uint64_t exclusive = 0, longest = 0; // ticks of that one; the most
    };
    std::vector<InThread> in_thread_; // by index in the profile
    // Ticks, by index in the profile.
    std::vector<std::uint64_t> exclusive_, inclusive_, raw_exclusive_, raw_inclusive_;
    struct Estimated {
        std::uint64_t untimed = 0;
        double variance = 0; // ticks²
    };
    std::vector<Estimated> estimated_; // up to the last path that has some
    std::vector<bool> meant_; // by Attached nodes
    bool attached_ = false;   // there are some
    std::vector<double> overhead_;
};

} // namespace

Profile profile_of(const vfd::Image& image) {
    return Builder(image).build();
}

Profile load_profile(const vfd::Image& image) {
    if (image.header().kind == vfd::FileKind::Merged)
        return deserialize(image.profile_bytes(), image.label());
    return profile_of(image);
}

} // namespace vftr::analysis
