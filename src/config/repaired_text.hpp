// SPDX-License-Identifier: BSD-3-Clause
//
// A copy of a text in which mistakes of syntax are repaired, so that what follows them can be read, too. Offsets are
// bytes in the copy; the copy knows the position of each in the original text.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::config {

class RepairedText {
public:
    explicit RepairedText(std::string_view text) : text_(text) {}

    const std::string& text() const { return text_; }
    bool is_changed() const { return changed_; }
    // Logarithmic in the number of insertions.
    std::size_t original(std::size_t offset) const;

    void put(std::size_t at, char c);
    void blank(std::size_t from, std::size_t to);
    void insert(std::size_t at, char c);
    // Replaces [from, to), which may be empty, by a value about which nothing more is reported.
    void put_hole(std::size_t from, std::size_t to);

    // What is wrong at this offset has been reported already, so no other message will refer to it.
    void set_reported(std::size_t offset) { reported_.push_back(offset); }
    bool is_reported(std::size_t offset) const;
    // Keys may be in another section than they are meant for, because a bracket was missing.
    void set_misplaced() { misplaced_ = true; }
    bool is_misplaced() const { return misplaced_; }
    // Keys may be missing, because a part was dropped; the remaining keys may be misplaced, too.
    void set_incomplete() { incomplete_ = misplaced_ = true; }
    bool is_incomplete() const { return incomplete_; }

private:
    std::string text_;
    std::vector<std::size_t> inserted_; // offsets of characters that the original text does not have, ascending
    std::vector<std::size_t> reported_;
    bool changed_ = false, misplaced_ = false, incomplete_ = false;
};

} // namespace vftr::config
