// SPDX-License-Identifier: BSD-3-Clause
//
// The index of the hook sites that were found for each function, and of the pieces of machine code that were scanned.
// Its memory comes from the kernel and is populated as it is used; entries are never moved or freed. Only one thread at
// a time may use it.
#pragma once

#include "patch/sites.hpp" // Site

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::patch {

class HookSiteIndex {
public:
    struct Line {
        Site site;
        std::uint64_t function; // 0: the entry was forgotten
        std::uint32_t next_of_function, next_of_piece;
    };

    // Makes the index empty. Returns false if there is no memory.
    bool create();
    // Returns false if there is no memory or the index is full.
    bool add(std::uint64_t function, const Site& site);

    // Whether the code around this address was scanned for the calls of this function.
    bool was_scanned(std::uint64_t function, std::uint64_t address);
    void note_scanned(std::uint64_t function, std::uint64_t start, std::uint64_t bytes);
    // Whether exactly this code, compared by a hash of its bytes, was scanned for the calls of all functions.
    bool has_scanned(const Code& code);
    void note_scanned(const Code& code);
    // The same for an object, identified by the address at which it begins.
    bool has_scanned_object(std::uint64_t start) { return has_scanned({start, {}, {}}); }
    void note_scanned_object(std::uint64_t start) { note_scanned({start, {}, {}}); }
    // Forgets all sites of the function, and everything that was scanned.
    void forget(std::uint64_t function);
    // Forgets what was scanned and which functions are out, because other code may now be at these addresses.
    void forget_scanned();

    // The functions whose calls are to be taken out of each piece of code that is scanned. If there are very many, some
    // are not remembered.
    bool is_out(std::uint64_t function) const;
    void set_out(std::uint64_t function, bool out);

    template <class Visit>
    void for_each_of(std::uint64_t function, Visit visit) {
        for_each_line_of(function, [&](Line& line) {
            if (is_site(line))
                visit(line.site);
        });
    }
    // Visits the sites of all functions. It is safe in a forked child even if another thread of the parent was adding a
    // site during the fork.
    template <class Visit>
    void for_each(Visit visit) {
        for (std::uint32_t id = 1; lines_ && id < count_; ++id)
            if (is_site(lines_[id]))
                visit(lines_[id].site);
    }
    template <class Visit>
    void for_each_in(std::uint64_t start, std::uint64_t end, Visit visit) {
        for_each_line_in(start, end, [&](Line& line) { visit(line.site); });
    }
    template <class Visit>
    void for_each_of_in(std::uint64_t function, std::uint64_t start, std::uint64_t end, Visit visit) {
        for_each_line_in(start, end, [&](Line& line) {
            if (line.function == function)
                visit(line.site);
        });
    }
    // Fills the memory for a list with the sites of these functions, in the order of their addresses. The list is valid
    // until the next one is made, and empty if there is no memory.
    std::span<const Site* const> sorted_sites(std::span<const std::uint64_t> functions);
    // Visits the sites of all functions that are out.
    template <class Visit>
    void for_each_out(Visit visit) {
        for (std::uint32_t id = 1; lines_ && id < count_; ++id)
            if (is_site(lines_[id]) && is_out(lines_[id].function))
                visit(lines_[id].site);
    }
    template <class Visit>
    void for_each_out_in(std::uint64_t start, std::uint64_t end, Visit visit) {
        for_each_line_in(start, end, [&](Line& line) {
            if (is_out(line.function))
                visit(line.site);
        });
    }
    // Forgets all sites in this range, whatever their function, except those for which `stays` returns true.
    template <class Stays>
    void forget_in(std::uint64_t start, std::uint64_t end, Stays stays) {
        for_each_line_in(start, end, [&](Line& line) {
            if (!stays(line.site))
                line.function = 0;
        });
    }

private:
    static constexpr std::uint64_t Piece = 256; // of text: those of short functions are asked for one by one
    static constexpr std::uint32_t Slots = 1 << 14, MaxLines = 1 << 18, Probes = 16;
    static std::size_t slot(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u >> (64 - 14); }
    // Entries that are not sites record what was scanned: `rest` then holds the length of the code, or `address` a hash
    // of its bytes.
    static bool is_site(const Line& line) { return line.function != 0 && line.site.was != line.site.becomes; }
    // Entries for a piece of code are filed under a key that is not the address of any function.
    static std::uint64_t key_of(const Code& code) { return ~code.address; }
    template <class Visit>
    void for_each_line_of(std::uint64_t function, Visit visit) {
        for (std::uint32_t id = lines_ ? by_function_[slot(function)] : 0; id != 0; id = lines_[id].next_of_function)
            if (lines_[id].function == function)
                visit(lines_[id]);
    }
    template <class Visit>
    void for_each_line_in(std::uint64_t start, std::uint64_t end, Visit visit) {
        for (std::uint64_t piece = start / Piece; lines_ && piece <= (end - 1) / Piece; ++piece)
            for (std::uint32_t id = by_piece_[slot(piece)]; id != 0; id = lines_[id].next_of_piece)
                if (Line& line = lines_[id]; is_site(line) && line.site.address >= start && line.site.address < end)
                    visit(line);
    }
    Line* append(std::uint64_t function, const Site& site);
    std::uint64_t& out_slot(std::uint64_t function, unsigned probe) const {
        return out_[(slot(function) + probe) % Slots];
    }

    Line* lines_ = nullptr;
    std::uint32_t count_ = 1; // index of the next free line; they count from 1, and 0 means none
    std::uint32_t* by_function_ = nullptr;
    std::uint32_t* by_piece_ = nullptr;
    const Site** list_ = nullptr;  // room for MaxLines
    std::uint64_t* out_ = nullptr; // hash table; a function is in one of Probes slots
};

} // namespace vftr::patch
