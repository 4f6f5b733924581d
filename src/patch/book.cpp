// SPDX-License-Identifier: BSD-3-Clause
#include "patch/book.hpp"

#include "base/memory.hpp"

#include <atomic>
#include <cstring>

namespace vftr::patch {

bool Book::create() {
    constexpr std::size_t heads = 2 * Slots * sizeof(std::uint32_t), bytes = heads + MaxLines * sizeof(Line);
    if (by_function_)
        base::unmap(by_function_, bytes);
    auto* place = by_function_ = static_cast<std::uint32_t*>(base::map_anonymous(bytes));
    lines_ = nullptr;
    if (!place)
        return false;
    by_page_ = place + Slots;
    lines_ = reinterpret_cast<Line*>(place + 2 * Slots);
    count_ = 1;
    return true;
}

Book::Line* Book::append(std::uint64_t function, const Site& site) {
    if (!lines_ || count_ == MaxLines)
        return nullptr;
    Line& line = lines_[count_];
    std::uint32_t& head = by_function_[slot(function)];
    line = {site, function, head, 0};
    std::atomic_ref(count_).store(count_ + 1, std::memory_order_release); // complete lines count (for_each)
    head = count_ - 1;
    return &line;
}

bool Book::add(std::uint64_t function, const Site& site) {
    bool known = false;
    for_each_of(function, 0, [&](Site& other) { known |= other.address == site.address; });
    Line* line = known ? nullptr : append(function, site);
    if (line) {
        std::uint32_t& head = by_page_[slot(site.address / Page)];
        line->next_of_page = head;
        head = static_cast<std::uint32_t>(line - lines_);
    }
    return known || line;
}

bool Book::was_examined(std::uint64_t function, std::uint64_t address) {
    for (std::uint32_t id = lines_ ? by_function_[slot(function)] : 0; id != 0; id = lines_[id].next_of_function) {
        const Line& line = lines_[id];
        std::uint32_t length;
        std::memcpy(&length, line.site.rest, sizeof length);
        if (line.function == function && line.site.was == line.site.becomes && address - line.site.address < length)
            return true;
    }
    return false;
}

void Book::note_examined(std::uint64_t function, std::uint64_t start, std::uint64_t bytes) {
    Site text{start};
    const auto length = static_cast<std::uint32_t>(bytes);
    std::memcpy(text.rest, &length, sizeof length);
    append(function, text);
}

void Book::forget(std::uint64_t function) {
    for (std::uint32_t id = lines_ ? by_function_[slot(function)] : 0; id != 0; id = lines_[id].next_of_function)
        if (lines_[id].function == function)
            lines_[id].function = 0;
}

} // namespace vftr::patch
