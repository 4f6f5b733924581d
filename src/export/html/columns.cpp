// SPDX-License-Identifier: BSD-3-Clause
#include "export/html/columns.hpp"

#include "export/depth_first.hpp"
#include "export/html/little_endian.hpp"
#include "report/shown_names.hpp"

#include <bit>
#include <functional>
#include <utility>

namespace vftr::exports {
namespace {

constexpr std::size_t ShortTitle = 60; // characters, as in the tables of a log

using analysis::Profile;

class Builder {
public:
    explicit Builder(const Profile& profile) : profile_(profile), order_(depth_first(profile)) {}

    TreeColumns built() {
        std::vector<std::uint32_t> row(profile_.nodes.size());
        for (std::uint32_t i = 0; i < order_.size(); ++i)
            row[order_[i].node] = i;
        add_u32("id", [&](std::uint32_t node) { return profile_.stid(node); });
        add_u32("parent", [&](std::uint32_t node) { return row[profile_.nodes[node].parent]; });
        add_u32("name", [&](std::uint32_t node) { return profile_.nodes[node].name; });
        add_u32("kind", [&](std::uint32_t node) { return static_cast<std::uint32_t>(profile_.nodes[node].kind); });
        add_u32("ranks", [&](std::uint32_t node) { return profile_.nodes[node].ranks; });
        add_u32("threads", [&](std::uint32_t node) { return profile_.nodes[node].threads; });
        add_f64("calls", [&](std::uint32_t node) { return profile_.nodes[node].calls; });
        add_f64("exclusive", [&](std::uint32_t node) { return profile_.nodes[node].exclusive; });
        add_f64("inclusive", [&](std::uint32_t node) { return profile_.nodes[node].inclusive; });
        add_f64("overhead", [&](std::uint32_t node) { return profile_.nodes[node].overhead; });
        if (profile_.rank_count > 1) {
            add_f64("exclusive_min", [&](std::uint32_t node) { return profile_.exclusive(node).min; });
            add_f64("exclusive_max", [&](std::uint32_t node) { return profile_.exclusive(node).max; });
            add_u32("exclusive_min_rank", [&](std::uint32_t node) { return rank(profile_.exclusive(node).min_rank); });
            add_u32("exclusive_max_rank", [&](std::uint32_t node) { return rank(profile_.exclusive(node).max_rank); });
        }
        const report::ShownNames names(profile_);
        for (std::uint32_t i = 0; i < profile_.names.size(); ++i) {
            const std::string& title = names.of_name(i);
            std::string brief = names.fitted(title, ShortTitle);
            built_.short_titles.push_back(brief == title ? std::string() : std::move(brief));
            built_.titles.push_back(title);
        }
        built_.rows = static_cast<std::uint32_t>(order_.size());
        built_.row_of = std::move(row);
        return std::move(built_);
    }

private:
    static std::uint32_t rank(std::int32_t number) { return static_cast<std::uint32_t>(number); }

    template <class Value>
    void add_u32(std::string_view name, Value value) {
        NumberColumn column{name, "u32", {}};
        column.bytes.reserve(order_.size() * sizeof(std::uint32_t));
        for (const Visit visit : order_)
            append_little_endian(column.bytes, std::uint32_t{value(visit.node)});
        built_.columns.push_back(std::move(column));
    }
    template <class Value>
    void add_f64(std::string_view name, Value value) {
        NumberColumn column{name, "f64", {}};
        column.bytes.reserve(order_.size() * sizeof(double));
        for (const Visit visit : order_)
            append_little_endian(column.bytes, std::bit_cast<std::uint64_t>(static_cast<double>(value(visit.node))));
        built_.columns.push_back(std::move(column));
    }

    const Profile& profile_;
    const std::vector<Visit> order_;
    TreeColumns built_;
};

} // namespace

TreeColumns path_columns(const Profile& profile) { return Builder(profile).built(); }

} // namespace vftr::exports
