// SPDX-License-Identifier: BSD-3-Clause
#include "report/path_words.hpp"

#include "report/number_text.hpp"

namespace vftr::report {

const PathWord& PathWords::of(std::uint32_t node) const {
    const auto [place, is_new] = words_.try_emplace(profile_.nodes[node].name);
    PathWord& word = place->second;
    if (is_new) {
        word.text = text_(place->first);
        word.width = width(word.text);
    }
    return word;
}

} // namespace vftr::report
