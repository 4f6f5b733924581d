// SPDX-License-Identifier: BSD-3-Clause
//
// A copy of a text in which mistakes of syntax are repaired, so that what stands behind them can be read, too. Offsets
// are bytes into the copy; it knows where each of them is in the text as it was given.
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
    // In place of [from, to), which may be empty, comes a value of which nothing more is told.
    void put_hole(std::size_t from, std::size_t to);

    // What is wrong at this offset has been told already: no other message is about it.
    void set_reported(std::size_t offset) { reported_.push_back(offset); }
    bool is_reported(std::size_t offset) const;
    // Keys may stand in another section than they are meant for, since a bracket was missing.
    void set_misplaced() { misplaced_ = true; }
    bool is_misplaced() const { return misplaced_; }
    // Keys may be missing, since a part was dropped; what is left may be misplaced, too.
    void set_incomplete() { incomplete_ = misplaced_ = true; }
    bool is_incomplete() const { return incomplete_; }

private:
    std::string text_;
    std::vector<std::size_t> inserted_; // offsets of characters that the given text does not have, ascending
    std::vector<std::size_t> reported_;
    bool changed_ = false, misplaced_ = false, incomplete_ = false;
};

} // namespace vftr::config
