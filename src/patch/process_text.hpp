// SPDX-License-Identifier: BSD-3-Clause
//
// The text of this process as its compilers made it, whatever of it is out.
#pragma once

#include "patch/book.hpp"
#include "patch/code.hpp"
#include "patch/text.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

class ProcessText : public Surroundings {
public:
    // room: MaxText bytes. to_search: how much text may be looked through for calls, is counted down.
    ProcessText(const Text& text, Book& book, std::uint8_t* room, std::size_t& to_search)
        : text_(text), book_(book), room_(room), to_search_(to_search) {}

    Extent extent_at(std::uint64_t address) override { return extent_of(address); }
    bool read(const Extent& extent, Code& piece) override { return copy(text_, book_, extent, room_, piece); }
    bool is_called(std::uint64_t address) override;

    // false: it is not known, too long or not there.
    static bool copy(const Text& text, Book& book, const Extent& extent, std::uint8_t* room, Code& code);

private:
    const Text& text_;
    Book& book_;
    std::uint8_t* room_;
    std::size_t& to_search_;
};

} // namespace vftr::patch
