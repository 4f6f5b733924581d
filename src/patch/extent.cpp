// SPDX-License-Identifier: BSD-3-Clause
#include "patch/extent.hpp"

#include "record/modules/loaded_object.hpp"

#include <cstddef>
#include <cstring>
#include <span>

namespace vftr::patch {

namespace {

// Only those encodings of numbers are supported that linkers and compilers write for x86-64: distances of 32 bits from
// the entry itself or from the beginning of the table.
constexpr std::uint8_t Version = 1;

struct Header {
    std::uint8_t version, frame_form, count_form, table_form;
    std::int32_t frame;
    std::uint32_t count;
};
struct Row {
    std::int32_t function, entry;
};
// The part of an entry that is needed. The encoding of `function` is defined elsewhere, and it is the right one if the
// result agrees with the table.
struct Entry {
    std::uint32_t length, common;
    std::int32_t function;
    std::uint32_t size;
};

// Returns the bytes from `address` to the end of its segment. The bounds that the dynamic linker reports are too small
// in a static program.
std::span<const std::uint8_t> bytes_from(const record::LoadedObject& object, std::uint64_t address) {
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (const std::uint64_t offset = address - object.bias - segment.p_vaddr;
            segment.p_type == PT_LOAD && offset < segment.p_filesz)
            return {reinterpret_cast<const std::uint8_t*>(address), segment.p_filesz - offset};
    return {};
}
template <class Thing>
bool fetch(const record::LoadedObject& object, std::uint64_t address, Thing& thing) {
    const auto bytes = bytes_from(object, address);
    if (bytes.size() < sizeof thing)
        return false;
    std::memcpy(&thing, bytes.data(), sizeof thing);
    return true;
}

// Finds the last row whose function begins at or before `address`.
bool find_row(const record::LoadedObject& object, std::uint64_t table, std::uint32_t count, std::uint64_t address,
              Row& found) {
    std::uint32_t low = 0, high = count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        Row row;
        if (!fetch(object, table + sizeof(Header) + std::uint64_t{middle} * sizeof row, row))
            return false;
        if (UnwindData::to_address(table, row.function) <= address) {
            found = row;
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low > 0;
}

// Returns the encoding of the pointer by which entries of this kind refer to the data about caught exceptions. Omitted:
// they have no such pointer. Absolute8: the encoding is not known.
std::uint8_t form_of_pads(UnwindData common) {
    common.fixed<std::uint32_t>(); // length
    if (common.fixed<std::uint32_t>() != 0 || common.byte() != Version)
        return Absolute8;
    char says[8] = {};
    for (char& each : says)
        if ((each = static_cast<char>(common.byte())) == 0)
            break;
    common.leb128();
    common.leb128();
    common.byte();
    common.leb128(); // length of the augmentation data
    if (says[0] != 'z' || says[sizeof says - 1] != 0)
        return says[0] == 0 ? Omitted : Absolute8;
    std::uint8_t form = Omitted;
    for (const char* each = says + 1; *each; ++each) {
        if (*each == 'L')
            form = common.byte();
        else if (*each == 'P')
            common.number(common.byte());
        else if (*each == 'R')
            common.byte();
        else if (*each != 'S' && *each != 'B')
            return Absolute8;
    }
    return common.ok() ? form : std::uint8_t{Absolute8};
}

PadTable pads_of(const record::LoadedObject& object, std::uint64_t place, const Entry& entry) {
    const std::uint64_t common = place + offsetof(Entry, common) - entry.common;
    const std::uint8_t form = form_of_pads({bytes_from(object, common), common});
    if (form != FromPlace && form != Unsigned4)
        return {{}, 0, form == Omitted};
    UnwindData rest(bytes_from(object, place + sizeof entry), place + sizeof entry);
    rest.leb128(); // length
    const std::uint64_t distance_at = rest.address(), address = rest.number(form);
    // A distance of 0 means that there are none, too.
    if (rest.ok() && (address == 0 || (form == FromPlace && address == distance_at)))
        return {};
    const auto bytes = bytes_from(object, address);
    return {bytes, address, rest.ok() && !bytes.empty()};
}

} // namespace

std::span<const std::uint8_t> unwind_tables_of(const record::LoadedObject& object) {
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (segment.p_type == PT_GNU_EH_FRAME)
            return bytes_from(object, object.bias + segment.p_vaddr);
    return {};
}

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
        if (!fetch(object, table, header) || header.version != Version || header.frame_form != FromPlace ||
            header.count_form != Unsigned4 || header.table_form != FromTable ||
            !find_row(object, table, header.count, address, row))
            return {};
        const std::uint64_t start = UnwindData::to_address(table, row.function),
                            place = UnwindData::to_address(table, row.entry);
        if (!fetch(object, place, entry) ||
            UnwindData::to_address(place + offsetof(Entry, function), entry.function) != start ||
            address - start >= entry.size)
            return {};
        return {start, start + entry.size, pads_of(object, place, entry)};
    }
    return {};
}

} // namespace vftr::patch
