// SPDX-License-Identifier: BSD-3-Clause
#include "patch/references.hpp"

#include "record/loaded_object.hpp"

#include <algorithm>
#include <cstring>
#include <span>

namespace vftr::patch {

namespace {

constexpr std::size_t MaxSlots = 8;

template <class Number>
Number number_at(std::uint64_t address) {
    Number number;
    std::memcpy(&number, reinterpret_cast<const void*>(address), sizeof number);
    return number;
}

// The segments of the file with these flags, as far as they are the file's: begin and end.
template <class Visit>
void for_each_segment(const record::LoadedObject& object, bool executable, Visit visit) {
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_R && executable == bool(segment.p_flags & PF_X))
            visit(object.bias + segment.p_vaddr, object.bias + segment.p_vaddr + segment.p_filesz);
}

} // namespace

void find_references(std::uint64_t function, FoundReference* found, void* context) {
    record::LoadedObject object;
    if (!record::find_loaded_object(function, object))
        return;
    std::uint64_t targets[1 + MaxSlots] = {function};
    std::size_t count = 1;
    for_each_segment(object, false, [&](std::uint64_t at, std::uint64_t end) {
        for (at = (at + 7) / 8 * 8; at + 8 <= end && count < std::size(targets); at += 8)
            if (number_at<std::uint64_t>(at) == function)
                targets[count++] = at;
    });
    const bool is_short = function >> 32 == 0;
    for_each_segment(object, true, [&](std::uint64_t at, std::uint64_t end) {
        for (; at + 4 <= end; ++at) {
            const auto number = number_at<std::int32_t>(at);
            const std::uint64_t reached = at + 4 + static_cast<std::uint64_t>(std::int64_t{number});
            bool is_one = is_short && static_cast<std::uint32_t>(number) == function;
            for (std::size_t i = 0; i < count; ++i)
                is_one |= reached == targets[i];
            if (is_one)
                found(context, at);
        }
    });
}

bool is_called(std::uint64_t address, std::size_t& bytes) {
    record::LoadedObject object;
    bool found = false;
    if (!record::find_loaded_object(address, object))
        return false;
    for_each_segment(object, true, [&](std::uint64_t at, std::uint64_t end) {
        constexpr std::size_t length = 5;
        end = std::min(end, at + bytes);
        bytes -= end - at;
        while (!found && at + length <= end) {
            const void* call = std::memchr(reinterpret_cast<const void*>(at), 0xe8, end - length + 1 - at);
            if (!call)
                return;
            at = reinterpret_cast<std::uint64_t>(call) + 1;
            found = at + 4 + static_cast<std::uint64_t>(std::int64_t{number_at<std::int32_t>(at)}) == address;
        }
    });
    return found;
}

} // namespace vftr::patch
