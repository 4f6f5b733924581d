// SPDX-License-Identifier: BSD-3-Clause
//
// Every step is a counting sort, so a profile of a million paths takes only a few passes over it. Nothing recurses, so
// the depth of the tree does not matter.
#include "analysis/merge/merge_durations.hpp"
#include "analysis/merge/merge_messages.hpp"
#include "analysis/merge/merge_regions.hpp"
#include "analysis/merge/merge_threads.hpp"
#include "analysis/merge/renumber.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace vftr::analysis {
namespace {

using Indices = std::vector<std::uint32_t>;
constexpr std::uint32_t Done = 0xffffffff; // marks an element of `order` that is done; not an index

// Returns the indices of `input` sorted by key[i] (each less than `keys`); equal keys stay in the order of `input`.
// `first` gets the position where each key begins.
Indices sort_by_key(const Indices& input, const Indices& key, std::size_t keys, Indices& first) {
    first.assign(keys + 1, 0);
    for (std::uint32_t i : input)
        ++first[key[i] + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    Indices next(first.begin(), first.end() - 1), output(input.size());
    for (std::uint32_t i : input)
        output[next[key[i]]++] = i;
    return output;
}

// Drops unused and duplicate names, and sorts the others. `names` are the name indices of the paths, which are updated.
void sort_names(Profile& profile, Indices& names) {
    std::vector<bool> used(profile.names.size());
    for (std::uint32_t name : names)
        used[name] = true;
    Indices order;
    for (std::size_t i = 0; i < profile.names.size(); ++i)
        if (used[i])
            order.push_back(static_cast<std::uint32_t>(i));
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return profile.names[a] < profile.names[b]; });
    std::vector<std::string> sorted;
    sorted.reserve(order.size());
    Indices place(profile.names.size(), 0);
    for (std::uint32_t old : order) {
        if (sorted.empty() || sorted.back() != profile.names[old])
            sorted.push_back(profile.names[old]);
        place[old] = static_cast<std::uint32_t>(sorted.size() - 1);
    }
    for (std::uint32_t& name : names)
        name = place[name];
    profile.names = std::move(sorted);
}

// Fetches an element into the cache that a walk reaches some steps later.
template <class Element>
void prefetch(const Element& element) {
    constexpr std::size_t Line = 64;
    for (std::size_t at = 0; at < sizeof element; at += Line)
        __builtin_prefetch(reinterpret_cast<const char*>(&element) + at);
}

// Moves all[order[i]] to all[i], transformed by `finished`; `order` is overwritten. It works in place and visits each
// element once: with many paths, a second copy or another pass costs more than the work itself.
template <class Element, class Finished>
void permute(std::vector<Element>& all, Indices& order, Finished finished) {
    constexpr int Ahead = 8; // steps by which prefetching runs ahead, as each step would wait for memory
    for (std::uint32_t begin = 0; begin < order.size(); ++begin) {
        if (order[begin] == Done)
            continue;
        std::uint32_t later = order[begin];
        for (int step = 0; step < Ahead && later != begin; ++step)
            later = order[later];
        const Element first = all[begin];
        std::uint32_t at = begin;
        for (std::uint32_t from = order[at]; from != begin; from = order[at]) {
            if (later != begin) {
                prefetch(all[later]);
                later = order[later];
            }
            all[at] = finished(all[from], from);
            order[at] = Done;
            at = from;
        }
        all[at] = finished(first, begin);
        order[at] = Done;
    }
}

struct Links {
    Indices parents, names; // by path
};

Links links_of(const Profile& profile) {
    const std::size_t count = profile.nodes.size();
    Links links{Indices(count), Indices(count)};
    for (std::size_t i = 0; i < count; ++i) {
        links.parents[i] = profile.nodes[i].parent;
        links.names[i] = profile.nodes[i].name;
    }
    return links;
}

// The path that had index order[i] becomes path i, with the parent and name that `links` has for it; `links` is by the
// old indices.
void reorder(Profile& profile, Indices order, const Links& links) {
    Indices place(order.size());
    for (std::uint32_t at = 0; at < order.size(); ++at)
        place[order[at]] = at;
    if (!profile.extremes.empty()) {
        Indices again = order;
        permute(profile.extremes, again, [](const PathExtremes& extremes, std::uint32_t) { return extremes; });
    }
    permute(profile.nodes, order, [&](PathNode node, std::uint32_t old) {
        node.parent = place[links.parents[old]];
        node.name = links.names[old];
        return node;
    });
    renumber_messages(profile, place);
    renumber_threads(profile, place);
    renumber_regions(profile, place);
    renumber_durations(profile, place);
}

} // namespace

void canonicalise(Profile& profile) {
    if (profile.nodes.empty())
        return;
    const std::size_t count = profile.nodes.size();
    Links links = links_of(profile);
    Indices paths(count - 1), first;
    sort_names(profile, links.names);
    std::iota(paths.begin(), paths.end(), 1);
    paths = sort_by_key(paths, links.names, profile.names.size(), first);
    paths = sort_by_key(paths, links.parents, count,
                        first); // now the children of path 0 sorted by name, those of path 1, …

    Indices order{0}; // old indices, breadth first
    order.reserve(count);
    for (std::size_t at = 0; at < order.size(); ++at)
        for (std::uint32_t child = first[order[at]]; child < first[order[at] + 1]; ++child)
            order.push_back(paths[child]);

    profile.stids.clear();
    profile.shared_stids = 0;
    reorder(profile, std::move(order), links);
}

void renumber(Profile& profile, const Indices& order) { reorder(profile, order, links_of(profile)); }

} // namespace vftr::analysis
