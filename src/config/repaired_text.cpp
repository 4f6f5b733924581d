// SPDX-License-Identifier: BSD-3-Clause
#include "config/repaired_text.hpp"

#include <algorithm>

namespace vftr::config {

std::size_t RepairedText::original(std::size_t offset) const {
    return offset -
           static_cast<std::size_t>(std::lower_bound(inserted_.begin(), inserted_.end(), offset) - inserted_.begin());
}

void RepairedText::put(std::size_t at, char c) {
    text_[at] = c;
    changed_ = true;
}

void RepairedText::blank(std::size_t from, std::size_t to) {
    std::fill(text_.begin() + static_cast<std::ptrdiff_t>(from), text_.begin() + static_cast<std::ptrdiff_t>(to), ' ');
    changed_ = true;
}

void RepairedText::insert(std::size_t at, char c) {
    text_.insert(at, 1, c);
    changed_ = true;
    for (auto* offsets : {&inserted_, &reported_})
        for (std::size_t& offset : *offsets)
            offset += offset >= at ? 1 : 0;
    inserted_.insert(std::lower_bound(inserted_.begin(), inserted_.end(), at), at);
}

void RepairedText::put_hole(std::size_t from, std::size_t to) {
    if (from == to) {
        insert(from, '0');
    } else {
        blank(from, to);
        put(from, '0');
    }
    set_reported(from);
}

bool RepairedText::is_reported(std::size_t offset) const {
    return std::find(reported_.begin(), reported_.end(), offset) != reported_.end();
}

} // namespace vftr::config
