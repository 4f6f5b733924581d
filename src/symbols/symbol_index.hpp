// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one object, or those of them that are wanted, by address. Built once, then only searched.
//
// An untyped label counts as long as no function of known size covers it. A symbol of size 0 reaches to the next one.
//
// One address often has several names (aliases, constructors, weak copies). Which one is shown must
// not depend on the order in a symbol table, so it is the first by: function before label, global
// before weak before local, fewest leading underscores, shortest, then byte order.
//
// A million symbols are common, so an entry is small, names are in one string, and the only sort is by address.
#pragma once

#include "base/own_allocator.hpp"
#include "symbols/function_symbol.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace vftr::symbols {

class SymbolIndex {
public:
    struct Found {
        std::string_view name;
        std::uint64_t start;
        bool fortran; // compiled from Fortran, as far as the file tells
        bool local;   // a function that other source files do not see
        bool weak;    // the same function in all objects that have it (name_clean.hpp), if its symbol is weak or was
    };

    // Adds a function of this name. foreign: it is local to a source file that is not Fortran.
    void add(const FunctionSymbol& function, std::string_view name, bool foreign);
    // The object holds Fortran (fortran_traces.hpp).
    void set_fortran() { fortran_ = true; }
    // The functions that begin here are as those that are foreign.
    void set_foreign(const std::unordered_set<std::uint64_t>& starts);
    bool has_fortran() const { return fortran_; }
    // After the last add, before the first find.
    void finish();

    std::optional<Found> find(std::uint64_t address) const;
    std::size_t size() const { return entries_.size(); }

    // The functions in order of their addresses, no two of which are equal.
    struct Function {
        std::uint64_t start, end;
        std::uint32_t enclosing; // function that begins earlier and reaches into this one; None
        std::string_view name;
        bool fortran, local, weak;
    };
    static constexpr std::uint32_t None = 0xffffffff;
    Function at(std::size_t index) const;

private:
    struct Entry {
        std::uint64_t start, end;
        std::uint32_t name;      // offset into names_, where it ends with a zero byte
        std::uint8_t rank;       // FunctionSymbol
        std::uint8_t flags;      // EntryFlags
        std::uint32_t enclosing; // entry that begins earlier and reaches into this one
    };

    std::string_view name_of(const Entry& entry) const;
    static bool is_local(const Entry& entry) { return entry.rank == FunctionSymbol::local_rank; }
    bool is_weak(const Entry& entry) const;
    bool before(const Entry& a, const Entry& b) const;
    void drop_aliases();
    void drop_covered_labels();
    void end_at_next();
    void link_enclosing();

    std::basic_string<char, std::char_traits<char>, base::OwnAllocator<char>> names_;
    std::vector<Entry, base::OwnAllocator<Entry>> entries_;
    bool fortran_ = false;
};

} // namespace vftr::symbols
