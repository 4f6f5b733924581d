// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/symbol_index.hpp"

#include "symbols/name_clean.hpp"

#include <algorithm>

namespace vftr::symbols {

namespace {

constexpr std::uint32_t no_entry = SymbolIndex::None;
enum EntryFlags : std::uint8_t {
    // A local symbol of a source file that is not Fortran, or one whose underscore must be kept.
    Foreign = 1,
    Unsized = 2, // extends to the next symbol
};
// Limit for the sum of all names, because offsets have 32 bits.
constexpr std::size_t max_name_bytes = 0xffffffff;
constexpr int max_nesting = 16; // number of nested functions that a search follows

std::size_t leading_underscores(std::string_view name) { return std::min(name.find_first_not_of('_'), name.size()); }

} // namespace

void SymbolIndex::add(const FunctionSymbol& function, std::string_view name, bool foreign) {
    if (name.size() >= max_name_bytes - names_.size())
        return;
    entries_.push_back({.start = function.start,
                        .end = function.end,
                        .name = static_cast<std::uint32_t>(names_.size()),
                        .rank = function.rank,
                        .flags = static_cast<std::uint8_t>((foreign ? Foreign : 0) | (function.sized ? 0 : Unsized)),
                        .enclosing = no_entry});
    names_.append(name).push_back('\0');
}

void SymbolIndex::set_foreign(const std::unordered_set<std::uint64_t>& starts) {
    for (Entry& entry : entries_)
        if (starts.contains(entry.start))
            entry.flags |= Foreign;
}

void SymbolIndex::finish() {
    std::sort(entries_.begin(), entries_.end(), [this](const Entry& a, const Entry& b) { return before(a, b); });
    drop_aliases();
    drop_covered_labels();
    end_at_next();
    link_enclosing();
    entries_.shrink_to_fit();
}

std::string_view SymbolIndex::name_of(const Entry& entry) const { return names_.c_str() + entry.name; }

bool SymbolIndex::is_weak(const Entry& entry) const {
    return entry.rank == FunctionSymbol::weak_rank || (is_local(entry) && is_hidden_cxx(name_of(entry)));
}

bool SymbolIndex::before(const Entry& a, const Entry& b) const {
    if (a.start != b.start)
        return a.start < b.start;
    if (a.rank != b.rank)
        return a.rank < b.rank;
    const auto name_a = name_of(a), name_b = name_of(b);
    const auto dashes_a = leading_underscores(name_a), dashes_b = leading_underscores(name_b);
    if (dashes_a != dashes_b)
        return dashes_a < dashes_b;
    if (name_a.size() != name_b.size())
        return name_a.size() < name_b.size();
    return name_a < name_b;
}

// Keeps only the first entry of each address; if that one has no size, it takes the size of an alias.
void SymbolIndex::drop_aliases() {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (kept == 0 || entries_[kept - 1].start != entries_[i].start) {
            entries_[kept++] = entries_[i];
        } else if (Entry& best = entries_[kept - 1];
                   (best.flags & Unsized) != 0 && (entries_[i].flags & Unsized) == 0) {
            best.end = entries_[i].end;
            best.flags &= ~Unsized;
        }
    }
    entries_.resize(kept);
}

void SymbolIndex::drop_covered_labels() {
    std::uint64_t covered = 0;
    std::erase_if(entries_, [&covered](const Entry& entry) {
        if (entry.rank >= FunctionSymbol::label_rank)
            return entry.start < covered;
        if ((entry.flags & Unsized) == 0)
            covered = std::max(covered, entry.end);
        return false;
    });
}

void SymbolIndex::end_at_next() {
    for (std::size_t i = 0; i + 1 < entries_.size(); ++i)
        if ((entries_[i].flags & Unsized) != 0)
            entries_[i].end = std::min(entries_[i].end, entries_[i + 1].start);
}

void SymbolIndex::link_enclosing() {
    for (std::uint32_t i = 1; i < entries_.size(); ++i) {
        std::uint32_t outer = i - 1;
        while (outer != no_entry && entries_[outer].end <= entries_[i].start)
            outer = entries_[outer].enclosing;
        entries_[i].enclosing = outer;
    }
}

SymbolIndex::Function SymbolIndex::at(std::size_t index) const {
    const Entry& entry = entries_[index];
    return {.start = entry.start,
            .end = entry.end,
            .enclosing = entry.enclosing,
            .name = name_of(entry),
            .fortran = fortran_ && (entry.flags & Foreign) == 0,
            .local = is_local(entry),
            .weak = is_weak(entry)};
}

std::optional<SymbolIndex::Found> SymbolIndex::find(std::uint64_t address) const {
    const auto next = std::upper_bound(entries_.begin(), entries_.end(), address,
                                       [](std::uint64_t value, const Entry& entry) { return value < entry.start; });
    if (next == entries_.begin())
        return std::nullopt;
    auto candidate = static_cast<std::uint32_t>(next - entries_.begin() - 1);
    for (int depth = 0; depth < max_nesting && candidate != no_entry; ++depth) {
        const Entry& entry = entries_[candidate];
        if (address < entry.end)
            return Found{name_of(entry), entry.start, fortran_ && (entry.flags & Foreign) == 0, is_local(entry),
                         is_weak(entry)};
        candidate = entry.enclosing;
    }
    return std::nullopt;
}

} // namespace vftr::symbols
