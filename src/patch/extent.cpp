// SPDX-License-Identifier: BSD-3-Clause
#include "patch/extent.hpp"

#include "record/loaded_object.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace vftr::patch {

namespace {

// The forms that linkers and compilers write for x86-64, and no other (Linux Standard Base, "Exception Frames"; DWARF's names for them):
// distances of 32 bits, from the entry's own place or from the begin of the table.
constexpr std::uint8_t Version = 1, FromPlace = 0x1b, FromTable = 0x3b, Count = 0x03;

struct Header {
    std::uint8_t version, frame_form, count_form, table_form;
    std::int32_t frame;
    std::uint32_t count;
};
struct Row {
    std::int32_t function, entry;
};
// As far as we read it. The form of `function` stands elsewhere; that it leads to where the table says proves it.
struct Entry {
    std::uint32_t length, common;
    std::int32_t function;
    std::uint32_t size;
};

std::uint64_t at_distance(std::uint64_t from, std::int32_t distance) {
    return from + static_cast<std::uint64_t>(std::int64_t{distance});
}

// Within a segment of the object: what the dynamic linker says of its begin and end is less in a static program.
template <class Thing>
bool fetch(const record::LoadedObject& object, std::uint64_t address, Thing& thing) {
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (const std::uint64_t offset = address - object.bias - segment.p_vaddr;
            segment.p_type == PT_LOAD && offset < segment.p_filesz && segment.p_filesz - offset >= sizeof thing) {
            std::memcpy(&thing, reinterpret_cast<const void*>(address), sizeof thing);
            return true;
        }
    return false;
}

// The last row whose function begins at or before `address`.
bool find_row(const record::LoadedObject& object, std::uint64_t table, std::uint32_t count, std::uint64_t address, Row& found) {
    std::uint32_t low = 0, high = count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        Row row;
        if (!fetch(object, table + sizeof(Header) + std::uint64_t{middle} * sizeof row, row))
            return false;
        if (at_distance(table, row.function) <= address) {
            found = row;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0;
}

} // namespace

Extent extent_of(std::uint64_t address) {
    record::LoadedObject object;
    if (!record::find_loaded_object(address, object))
        return {};
    for (const auto& segment : std::span(object.headers, object.header_count)) {
        if (segment.p_type != PT_GNU_EH_FRAME)
            continue;
        const std::uint64_t table = object.bias + segment.p_vaddr;
        Header header;
        Row row;
        Entry entry;
        if (!fetch(object, table, header) || header.version != Version || header.frame_form != FromPlace || header.count_form != Count ||
            header.table_form != FromTable || !find_row(object, table, header.count, address, row))
            return {};
        const std::uint64_t start = at_distance(table, row.function), place = at_distance(table, row.entry);
        if (!fetch(object, place, entry) || at_distance(place + offsetof(Entry, function), entry.function) != start ||
            address - start >= entry.size)
            return {};
        return {start, start + entry.size};
    }
    return {};
}

} // namespace vftr::patch
