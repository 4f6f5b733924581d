// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/processes/thread_tree.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <utility>

namespace vftr::analysis {
namespace {

constexpr std::size_t NoParent = ~std::size_t{0};

std::vector<ThreadInTree> by_begin(const vfd::Image& image) {
    std::vector<ThreadInTree> threads;
    for (std::size_t place = 0; place < image.threads().size(); ++place) {
        const vfd::ThreadView& view = image.threads()[place];
        for (const vfd::ThreadLife& life : view.lives)
            threads.push_back({place, life, false, 0});
        const vfd::ThreadRecord& record = *view.record;
        const std::uint64_t end = record.end ? record.end : std::max(image.end_ticks(), record.last);
        threads.push_back({place, {record.tid, record.flags, record.begin, end, record.origin}, true, 0});
    }
    std::stable_sort(threads.begin(), threads.end(),
                     [](const ThreadInTree& a, const ThreadInTree& b) { return a.life.begin < b.life.begin; });
    return threads;
}

// The thread that used a record at that moment.
std::size_t user_of(const std::vector<std::size_t>& users, const std::vector<ThreadInTree>& threads,
                    std::uint64_t ticks) {
    auto later = std::upper_bound(users.begin(), users.end(), ticks, [&](std::uint64_t moment, std::size_t user) {
        return moment < threads[user].life.begin;
    });
    return later == users.begin() ? NoParent : *(later - 1);
}

} // namespace

std::vector<ThreadInTree> thread_tree(const vfd::Image& image) {
    std::vector<ThreadInTree> threads = by_begin(image);
    std::map<std::uint32_t, std::vector<std::size_t>> users; // by ThreadRecord::index, in the order of begins
    std::vector<std::vector<std::size_t>> created(threads.size());
    std::vector<std::size_t> pending; // a stack, the next thread on top
    for (std::size_t i = 0; i < threads.size(); ++i) {
        const vfd::ThreadOrigin& origin = threads[i].life.origin;
        auto creators = users.find(origin.thread); // only threads that began before this one, so there are no circles
        std::size_t parent = NoParent;
        if (creators != users.end())
            parent = user_of(creators->second, threads, origin.created ? origin.created : threads[i].life.begin);
        if (parent == NoParent)
            pending.push_back(i);
        else
            created[parent].push_back(i);
        users[image.threads()[threads[i].place].record->index].push_back(i);
    }
    std::reverse(pending.begin(), pending.end());
    std::vector<ThreadInTree> tree;
    while (!pending.empty()) {
        const std::size_t at = pending.back();
        pending.pop_back();
        tree.push_back(threads[at]);
        for (auto child = created[at].rbegin(); child != created[at].rend(); ++child) {
            threads[*child].depth = threads[at].depth + 1;
            pending.push_back(*child);
        }
    }
    return tree;
}

} // namespace vftr::analysis
