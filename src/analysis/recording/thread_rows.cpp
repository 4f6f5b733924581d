// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/thread_rows.hpp"

#include "analysis/merge/merge_threads.hpp"
#include "analysis/profile/each_node.hpp"
#include "analysis/profile/whole_ns.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

namespace vftr::analysis {
namespace {

// "std::get<0>(…)", "void std::__invoke_impl<…>(…)", "void (*&std::forward<…>(…))()", or mangled.
bool is_of_standard_library(std::string_view name) {
    for (const char* begin : {"std::", "_ZSt", "_ZNSt", "_ZNKSt"})
        if (name.starts_with(begin))
            return true;
    const std::size_t open = name.find_first_of("<(");
    if (name.find(" std::") < open) // the result type comes before it
        return true;
    return open != name.npos && name.substr(open).starts_with("(*") && name.find("std::", open) < name.find('<', open);
}

// The origin that all threads of the record have in common.
vfd::ThreadOrigin common_origin(const vfd::ThreadView& view) {
    vfd::ThreadOrigin common = view.record->origin;
    for (const vfd::ThreadLife& life : view.lives) {
        if (life.origin.thread != common.thread)
            common.thread = vfd::NoThread;
        if (life.origin.node != common.node)
            common.node = vfd::NoNode;
        if (life.origin.function != common.function)
            common.function = 0;
    }
    return common;
}

bool is_taking_part(const vfd::Node& node) {
    return node.kind == vfd::NodeKind::Root || node.kind == vfd::NodeKind::AttributedWork;
}

struct Sums {
    std::uint64_t calls = 0;
    // In ticks. It is a sum of exclusive times, as work for other threads is in no inclusive time of the thread's own
    // tree.
    std::uint64_t in_functions = 0;
};

Sums sums_of(const vfd::ThreadView& view, const ThreadTimes& times) {
    Sums sums;
    for_each_node(view, [&](std::uint32_t id, const vfd::Node& node) {
        if (!is_taking_part(node))
            sums.calls += vfd::calls_of(node);
        if (id != 0)
            sums.in_functions += times.of[id].exclusive;
    });
    return sums;
}

} // namespace

std::uint16_t StartFunctions::module_at(std::uint64_t address, std::uint64_t ticks) const {
    for (const vfd::ModuleView& view : image_.modules()) {
        const vfd::ModuleRecord& module = *view.record;
        if (address >= module.start && address < module.end && (module.unloaded == 0 || module.unloaded > ticks))
            return static_cast<std::uint16_t>(module.id);
    }
    return 0;
}

bool StartFunctions::has_recorded_functions(std::uint16_t module) {
    if (recorded_.empty()) {
        recorded_.resize(std::size_t{1} << 16);
        for (const vfd::ThreadView& view : image_.threads())
            for_each_node(view, [&](std::uint32_t, const vfd::Node& node) {
                if (node.kind == vfd::NodeKind::Function && !(node.flags & vfd::NodeUnrecorded))
                    recorded_[node.module] = true;
            });
    }
    return recorded_[module];
}

std::string StartFunctions::of(const vfd::ThreadView& view, const vfd::ThreadOrigin& origin) {
    if (origin.function != 0) {
        vfd::Node node{};
        node.kind = vfd::NodeKind::Function;
        node.key = origin.function;
        node.module = module_at(origin.function, origin.created);
        if (has_recorded_functions(node.module))
            return names_.of(node);
    }
    return view.record->reused == 0 ? first_recorded(view) : "";
}

// Node ids ascend in the order of first calls, so the first match is the earliest function.
std::string StartFunctions::first_recorded(const vfd::ThreadView& view) {
    std::uint32_t first = 1;
    while (first < view.node_count && view.node(first).flags & vfd::NodeUnrecorded)
        ++first;
    if (first >= view.node_count || view.node(first).kind != vfd::NodeKind::Function)
        return "";
    for (std::uint32_t id = first; id < view.node_count; ++id)
        if (const vfd::Node& node = view.node(id);
            node.kind == vfd::NodeKind::Function && !(node.flags & vfd::NodeUnrecorded))
            if (const std::string& name = names_.of(node); !is_of_standard_library(name))
                return name;
    return names_.of(view.node(first));
}

bool only_workers(const vfd::ThreadView& view) {
    return view.record->flags & vfd::ThreadOpenMp &&
           std::all_of(view.lives.begin(), view.lives.end(),
                       [](const vfd::ThreadLife& life) { return life.flags & vfd::ThreadOpenMp; });
}

std::uint64_t ThreadRows::ns_of(std::uint64_t ticks) const {
    return whole_ns(static_cast<double>(ticks) * image_.clock().ns_per_tick());
}

void ThreadRows::add(const vfd::ThreadView& view, const ThreadTimes& times, std::uint64_t end) {
    const vfd::FileHeader& header = image_.header();
    const std::uint64_t start = header.start.ticks;
    auto since_start = [&](std::uint64_t ticks) { return ns_of(ticks > start ? ticks - start : 0); };
    const Sums sums = sums_of(view, times);
    ThreadRow row;
    row.id = {std::max(header.rank, 0), header.pid, view.record->index};
    row.tid = view.record->tid;
    row.threads = view.record->reused + 1;
    row.worker = only_workers(view);
    row.begin = since_start(view.first_begin());
    row.end = since_start(end);
    row.life = ns_of(times.life + view.record->preempted);
    row.cpu = view.record->cpu_ns;
    row.waiting = ns_of(view.record->preempted);
    row.in_functions = ns_of(sums.in_functions);
    row.calls = sums.calls;
    entries_.push_back({&view, std::move(row)});
}

void ThreadRows::finish(Profile& profile, const PathOfNode& place) {
    for (Entry& entry : entries_) {
        profile.thread_totals.add(entry.row);
        if (entries_.size() == 1)
            return;
        const vfd::ThreadOrigin origin = common_origin(*entry.view);
        if (origin.function != 0 || entry.view->lives.empty())
            entry.row.function = functions_.of(*entry.view, origin);
        if (origin.thread != vfd::NoThread) {
            entry.row.parent = origin.thread;
            if (origin.node != vfd::NoNode)
                entry.row.node = place(origin.thread, origin.node);
        }
        profile.threads.push_back(std::move(entry.row));
    }
    keep_longest_threads(profile);
}

} // namespace vftr::analysis
