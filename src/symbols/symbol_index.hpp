// SPDX-License-Identifier: BSD-3-Clause
//
// The functions of one object, or a selection of them, by address. It is built once and then only searched.
//
// An untyped label counts if no function of known size covers it. A symbol of size 0 extends to the next one.
//
// An address often has several names (aliases, constructors, weak copies). The name that is shown must not depend on
// the order of a symbol table. It is the first one in this order: function before label, global before weak before
// local, fewest leading underscores, shortest, then byte order.
//
// Objects with a million symbols are common, so entries are small, names are in one string, and entries are sorted only
// by address.
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
        bool fortran; // compiled from Fortran, as far as the file shows that
        bool local;   // other source files do not see this function
        // The function is the same one in all objects that have it (name_clean.hpp), provided that its symbol is weak
        // or was weak.
        bool weak;
    };

    // Adds a function with this name. foreign: it is local to a source file that is not Fortran.
    void add(const FunctionSymbol& function, std::string_view name, bool foreign);
    // Notes that the object contains Fortran (fortran_traces.hpp).
    void set_fortran() { fortran_ = true; }
    // Marks the functions that begin at these addresses as foreign.
    void set_foreign(const std::unordered_set<std::uint64_t>& starts);
    bool has_fortran() const { return fortran_; }
    // Must be called after the last add and before the first find.
    void finish();

    std::optional<Found> find(std::uint64_t address) const;
    std::size_t size() const { return entries_.size(); }

    // One of the functions, which are in order of their addresses; no two have the same address.
    struct Function {
        std::uint64_t start, end;
        std::uint32_t enclosing; // index of a function that begins earlier and extends into this one; None
        std::string_view name;
        bool fortran, local, weak;
    };
    static constexpr std::uint32_t None = 0xffffffff;
    Function at(std::size_t index) const;

private:
    struct Entry {
        std::uint64_t start, end;
        std::uint32_t name;      // offset into names_, where the name is 0-terminated
        std::uint8_t rank;       // see FunctionSymbol
        std::uint8_t flags;      // EntryFlags
        std::uint32_t enclosing; // index of an entry that begins earlier and extends into this one
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
