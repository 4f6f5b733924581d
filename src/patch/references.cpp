// SPDX-License-Identifier: BSD-3-Clause
#include "patch/references.hpp"

#include "patch/code_segments.hpp"

#include <iterator>

namespace vftr::patch {

namespace {

constexpr std::size_t MaxSlots = 8;

// Whether the code begins like a stub.
bool may_be_stub(std::uint64_t at) {
    constexpr std::uint32_t endbr = 0xfa1e0ff3;
    if (number_at<std::uint32_t>(at) == endbr)
        at += sizeof endbr;
    const auto begin = number_at<std::uint16_t>(at);
    return begin == 0x25ff || begin == 0xfff2 || begin == 0xbb41;
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
            const std::uint64_t reached = reached_from(at);
            bool is_one = is_short && static_cast<std::uint32_t>(number) == function;
            for (std::size_t i = 0; i < count; ++i)
                is_one |= reached == targets[i];
            if (is_one)
                found(context, at);
        }
    });
}

void find_hook_calls(const record::LoadedObject& object, HookCalls& calls, FoundReference* found, void* context) {
    for_each_segment(object, true, [&](std::uint64_t begin, std::uint64_t end) {
        constexpr std::size_t longest = 16; // bytes that are read at once
        const auto leads_to_hook = [&](std::uint64_t target) {
            return calls.is_hook(target) ||
                   (target >= begin && target + longest <= end && may_be_stub(target) && calls.leads_to_hook(target));
        };
        for (std::uint64_t at = begin; at + longest <= end; ++at) {
            const auto opcode = number_at<std::uint16_t>(at);
            if ((opcode & 0xff) == 0xe8 ? leads_to_hook(reached_from(at + 1))
                                        : opcode == 0x15ff && calls.is_hook_slot(reached_from(at + 2)))
                found(context, at);
        }
    });
}

// Searches for a distance, and for a number of 32 bits.
bool names_itself(const Extent& text) {
    for (std::uint64_t at = text.start; at + sizeof(std::int32_t) <= text.end; ++at)
        if (reached_from(at) == text.start || number_at<std::uint32_t>(at) == text.start)
            return true;
    return false;
}

} // namespace vftr::patch
