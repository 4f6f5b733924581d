// SPDX-License-Identifier: BSD-3-Clause
#include "patch/hook_site_index.hpp"

#include "base/memory.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>

namespace vftr::patch {

namespace {

std::uint64_t digest_of(std::span<const std::uint8_t> bytes) {
    std::uint64_t digest = bytes.size();
    for (std::size_t at = 0; at < bytes.size(); at += sizeof digest) {
        std::uint64_t next = 0;
        std::memcpy(&next, &bytes[at], std::min(sizeof next, bytes.size() - at));
        digest = (digest ^ next) * 0x9e3779b97f4a7c15u;
        digest ^= digest >> 29;
    }
    return digest;
}

} // namespace

bool HookSiteIndex::create() {
    constexpr std::size_t heads = 2 * Slots * sizeof(std::uint32_t) + Slots * sizeof(std::uint64_t),
                          bytes = heads + MaxLines * sizeof(Line);
    if (by_function_)
        base::unmap(by_function_, bytes);
    auto* place = by_function_ = static_cast<std::uint32_t*>(base::map_anonymous(bytes));
    lines_ = nullptr;
    if (!place)
        return false;
    by_piece_ = place + Slots;
    out_ = reinterpret_cast<std::uint64_t*>(place + 2 * Slots);
    lines_ = reinterpret_cast<Line*>(out_ + Slots);
    count_ = 1;
    return true;
}

HookSiteIndex::Line* HookSiteIndex::append(std::uint64_t function, const Site& site) {
    if (!lines_ || count_ == MaxLines)
        return nullptr;
    Line& line = lines_[count_];
    std::uint32_t& head = by_function_[slot(function)];
    line = {site, function, head, 0};
    // The line is complete, so that it may be counted (for_each).
    std::atomic_ref(count_).store(count_ + 1, std::memory_order_release);
    head = count_ - 1;
    return &line;
}

bool HookSiteIndex::add(std::uint64_t function, const Site& site) {
    bool known = false;
    for_each_of_in(function, site.address, site.address + 1, [&](Site&) { known = true; });
    Line* line = known ? nullptr : append(function, site);
    if (line) {
        std::uint32_t& head = by_piece_[slot(site.address / Piece)];
        line->next_of_piece = head;
        head = static_cast<std::uint32_t>(line - lines_);
    }
    return known || line;
}

bool HookSiteIndex::was_scanned(std::uint64_t function, std::uint64_t address) {
    bool found = false;
    for_each_line_of(function, [&](const Line& line) {
        std::uint32_t length;
        std::memcpy(&length, line.site.rest, sizeof length);
        found |= line.site.was == line.site.becomes && address - line.site.address < length;
    });
    return found;
}

void HookSiteIndex::note_scanned(std::uint64_t function, std::uint64_t start, std::uint64_t bytes) {
    Site text{start};
    const auto length = static_cast<std::uint32_t>(bytes);
    std::memcpy(text.rest, &length, sizeof length);
    append(function, text);
}

bool HookSiteIndex::has_scanned(const Code& code) {
    bool found = false;
    const std::uint64_t digest = digest_of(code.bytes);
    for_each_line_of(key_of(code), [&](const Line& line) { found |= line.site.address == digest; });
    return found;
}

void HookSiteIndex::note_scanned(const Code& code) { append(key_of(code), Site{digest_of(code.bytes)}); }

void HookSiteIndex::forget(std::uint64_t function) {
    for_each_line_of(function, [](Line& line) { line.function = 0; });
    forget_scanned();
}

void HookSiteIndex::forget_scanned() {
    for (std::uint32_t id = 1; lines_ && id < count_; ++id)
        if (!is_site(lines_[id]))
            lines_[id].function = 0;
    if (lines_)
        std::memset(out_, 0, Slots * sizeof *out_);
}

std::span<const Site* const> HookSiteIndex::sorted_sites(std::span<const std::uint64_t> functions) {
    if (!list_)
        list_ = static_cast<const Site**>(base::map_anonymous(MaxLines * sizeof *list_));
    std::size_t count = 0;
    for (const std::uint64_t function : functions)
        for_each_of(function, [&](const Site& site) {
            if (list_ && count < MaxLines)
                list_[count++] = &site;
        });
    std::sort(list_, list_ + count, [](const Site* a, const Site* b) { return a->address < b->address; });
    return {list_, count};
}

bool HookSiteIndex::is_out(std::uint64_t function) const {
    bool found = false;
    for (unsigned probe = 0; lines_ && probe < Probes; ++probe)
        found |= out_slot(function, probe) == function;
    return found && function != 0;
}

void HookSiteIndex::set_out(std::uint64_t function, bool out) {
    const bool was = is_out(function);
    for (unsigned probe = 0; lines_ && was != out && probe < Probes; ++probe)
        if (std::uint64_t& there = out_slot(function, probe); there == (out ? 0 : function)) {
            there = out ? function : 0;
            return;
        }
}

} // namespace vftr::patch
