// SPDX-License-Identifier: BSD-3-Clause
#include "report/distinct_names.hpp"

#include "base/foreign_text.hpp"
#include "report/number_text.hpp"
#include "report/short_name.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_set>
#include <utility>

namespace vftr::report {
namespace {

// The number of names whose parts are kept until it is known which of them look alike; they take about 2 KiB each. The
// parts of further names are found again where they are needed.
constexpr std::size_t MostParsed = 2048;

struct Short {
    std::string text;
    Keep keep = Keep::Class;
    std::optional<LongName> parsed = {};
};
using Names = std::vector<std::string_view>;
using Groups = std::unordered_map<std::string, Names>; // the full names that share a short form, by that form

Groups grouped(const std::unordered_map<std::string_view, Short>& shortened) {
    Groups groups;
    for (const auto& [name, known] : shortened)
        groups[known.text].push_back(name);
    return groups;
}

// Uses another order of shortening for these names, if it gives more different short forms.
void distinguish(const Names& alike, std::unordered_map<std::string_view, Short>& shortened, std::size_t limit,
                 std::size_t bound) {
    constexpr std::array<Keep, 2> Orders = {Keep::Parameters, Keep::Arguments};
    std::array<std::vector<std::string>, Orders.size()> texts;
    for (std::string_view name : alike) {
        const Short& known = shortened[name];
        const std::optional<LongName> again = known.parsed ? std::nullopt : std::optional<LongName>(name);
        const LongName& parsed = known.parsed ? *known.parsed : *again;
        for (std::size_t order = 0; order < Orders.size(); ++order)
            texts[order].push_back(parsed.shortened(limit, bound, Orders[order]));
    }
    std::size_t most = 1;
    for (std::size_t order = 0; order < Orders.size(); ++order) {
        const std::size_t count = std::unordered_set<std::string_view>(texts[order].begin(), texts[order].end()).size();
        if (count <= most)
            continue;
        most = count;
        for (std::size_t i = 0; i < alike.size(); ++i)
            shortened[alike[i]].text = texts[order][i], shortened[alike[i]].keep = Orders[order];
    }
}

bool stays(std::string_view name, std::size_t limit) {
    if (name.size() > limit && width(name) > limit)
        return false;
    return base::is_plain_ascii(name) || base::foreign_text(name) == name;
}

} // namespace

DistinctNames::DistinctNames(const std::vector<std::string_view>& names, std::size_t limit, std::size_t bound)
    : limit_(limit), bound_(bound) {
    std::unordered_map<std::string_view, Short> changed;
    for (std::string_view name : names)
        if (!stays(name, limit))
            if (const auto [place, is_new] = changed.try_emplace(name); is_new) {
                LongName parsed(name);
                place->second.text = parsed.shortened(limit, bound, Keep::Class);
                if (changed.size() <= MostParsed)
                    place->second.parsed.emplace(std::move(parsed));
            }
    if (changed.empty())
        return;
    for (auto& [text, alike] : grouped(changed))
        if (alike.size() > 1)
            distinguish(alike, changed, limit, bound);
    const Groups groups = grouped(changed);
    // All other texts in the table.
    std::unordered_set<std::string> taken;
    for (std::string_view name : names)
        if (!changed.contains(name))
            if (std::string text(name); groups.contains(text))
                taken.insert(std::move(text));
    std::vector<std::string_view> numbered;
    for (const auto& [text, alike] : groups)
        if (alike.size() == 1 && !taken.contains(text))
            short_names_.emplace(alike.front(), text);
        else
            numbered.insert(numbered.end(), alike.begin(), alike.end());
    if (numbered.empty())
        return;
    std::ranges::sort(numbered);
    for (std::string_view name : names)
        if (!changed.contains(name))
            taken.emplace(name);
    for (const auto& [name, text] : short_names_)
        taken.insert(text);
    std::unordered_map<std::string_view, std::size_t> numbers; // the latest number of each short form
    for (std::string_view name : numbered) {
        const Short& known = changed[name];
        std::size_t& number = numbers[known.text];
        std::string text;
        do {
            const std::string mark = "#" + std::to_string(++number);
            const std::size_t room = std::min(limit, mark.size());
            const bool fits = width(known.text) + mark.size() <= limit;
            text = (fits ? known.text : short_name(name, limit - room, bound - room, known.keep)) + mark;
        } while (!taken.insert(text).second);
        short_names_.emplace(name, std::move(text));
    }
}

std::string DistinctNames::of(std::string_view name) const {
    if (const auto found = short_names_.find(name); found != short_names_.end())
        return found->second;
    return stays(name, limit_) ? std::string(name) : short_name(name, limit_, bound_);
}

} // namespace vftr::report
