// SPDX-License-Identifier: BSD-3-Clause
//
// Which sites were found for which functions, and which pieces of text were looked through. Memory from the kernel, some at a time; nothing in it
// is ever moved or freed. One thread at a time.
#pragma once

#include "patch/sites.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class Book {
public:
    struct Line {
        Site site;
        std::uint64_t function; // 0: forgotten
        std::uint32_t next_of_function, next_of_page;
    };

    // Empty. false: no memory.
    bool create();
    // false: no memory, or too many.
    bool add(std::uint64_t function, const Site& site);

    // The text around this address was looked through for the function's calls.
    bool was_examined(std::uint64_t function, std::uint64_t address);
    void note_examined(std::uint64_t function, std::uint64_t start, std::uint64_t bytes);
    // All of the function.
    void forget(std::uint64_t function);

    // A moment: what was added before it has a smaller number.
    std::uint32_t now() const { return count_; }
    // Those added since then.
    template <class Visit>
    void for_each_of(std::uint64_t function, std::uint32_t since, Visit visit) {
        for (std::uint32_t id = lines_ ? by_function_[slot(function)] : 0; id != 0 && id >= since; id = lines_[id].next_of_function)
            if (lines_[id].function == function && is_site(lines_[id]))
                visit(lines_[id].site);
    }
    // Of any function, also where another thread of the parent of this forked child was just adding one.
    template <class Visit>
    void for_each(Visit visit) {
        for (std::uint32_t id = 1; lines_ && id < count_; ++id)
            if (is_site(lines_[id]))
                visit(lines_[id].site);
    }
    template <class Visit>
    void for_each_in(std::uint64_t start, std::uint64_t end, Visit visit) {
        for (std::uint64_t page = start / Page; lines_ && page <= (end - 1) / Page; ++page)
            for (std::uint32_t id = by_page_[slot(page)]; id != 0; id = lines_[id].next_of_page)
                if (is_site(lines_[id]) && lines_[id].site.address >= start && lines_[id].site.address < end)
                    visit(lines_[id].site);
    }

private:
    static constexpr std::uint64_t Page = 4096;
    static constexpr std::uint32_t Slots = 1 << 14, MaxLines = 1 << 18;
    static std::size_t slot(std::uint64_t key) { return key * 0x9e3779b97f4a7c15u >> (64 - 14); }
    // Other lines say what was examined; their bytes have the length.
    static bool is_site(const Line& line) { return line.function != 0 && line.site.was != line.site.becomes; }
    Line* append(std::uint64_t function, const Site& site);

    Line* lines_ = nullptr;
    std::uint32_t count_ = 1; // from 1; 0: none
    std::uint32_t* by_function_ = nullptr;
    std::uint32_t* by_page_ = nullptr;
};

} // namespace vftr::patch
