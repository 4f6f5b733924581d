// SPDX-License-Identifier: BSD-3-Clause
//
// One call tree of all runs of both sides. A place is a call path of it. It is made of the runs' paths by their
// functions; matched_tree.hpp then tells it of renamed functions and moved subtrees.
//
// It costs a look-up in a hash table per path and run, and that once more where something was renamed.
#pragma once

#include "analysis/profile/profile.hpp"
#include "compare/function_keys.hpp"
#include "compare/sides.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vftr::analysis {
class FlatMap;
}

namespace vftr::compare {

inline constexpr std::uint32_t Nowhere = ~std::uint32_t{0};

struct Rename {
    std::uint32_t from, to; // functions
};

class CombinedTree {
public:
    explicit CombinedTree(const Runs& runs);

    // Makes the tree of the same runs again with the new names for both sides.
    void rename(const Runs& runs, const std::vector<Rename>& renames);
    // Puts paths of the base where the new side has them. By place: where that is; Nowhere: it has not moved.
    void move_base(const std::vector<std::uint32_t>& moved_to);

    // Names and paths only, so that whatever writes names and paths of a profile can be used. A place is the index of
    // its node; parents come before their callees. Names are by function.
    const analysis::Profile& paths() const { return paths_; }
    std::size_t size() const { return paths_.nodes.size(); }
    std::uint32_t parent(std::uint32_t place) const { return paths_.nodes[place].parent; }
    std::uint32_t function(std::uint32_t place) const { return paths_.nodes[place].name; }

    // By node of a run: its place.
    const std::vector<std::uint32_t>& places(std::size_t side, std::size_t run) const { return places_[side][run]; }

    // How many runs of a side have the place.
    std::uint32_t runs_with(std::size_t side, std::uint32_t place) const { return runs_with_[side][place]; }
    bool is_in(std::size_t side, std::uint32_t place) const { return runs_with_[side][place] != 0; }
    bool is_in_both(std::uint32_t place) const { return is_in(Base, place) && is_in(New, place); }
    // Calls of a rank of a run on average.
    double calls(std::size_t side, std::uint32_t place) const { return calls_[side][place]; }

    // Where the base has a subtree that the new side has here; Nowhere: it has not moved. Only its uppermost place.
    std::uint32_t moved_from(std::uint32_t place) const { return moved_from_[place]; }
    // The function of the base that has this one's name now; Nowhere: it has always had it.
    std::uint32_t renamed_from(std::uint32_t function) const { return renamed_from_[function]; }

private:
    void build(const Runs& runs);
    std::uint32_t place_of(analysis::FlatMap& index, std::uint32_t parent, std::uint32_t function,
                           analysis::NodeKind kind);

    FunctionKeys functions_;
    analysis::Profile paths_;
    PerSide<std::vector<std::vector<std::uint32_t>>> places_; // by run, by node
    PerSide<std::vector<std::uint32_t>> runs_with_;           // by place
    PerSide<std::vector<double>> calls_;                      // by place
    std::vector<std::uint32_t> moved_from_;                   // by place
    std::vector<std::uint32_t> renamed_from_, name_now_;      // by function
};

} // namespace vftr::compare
