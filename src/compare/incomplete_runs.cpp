// SPDX-License-Identifier: BSD-3-Clause
#include "compare/incomplete_runs.hpp"

#include "report/notes.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::compare {
namespace {

struct Loss {
    std::string text;
    std::size_t runs; // that have it
};

} // namespace

std::vector<std::string> incomplete_runs(const std::vector<analysis::Profile>& runs, const std::string& whose) {
    std::vector<Loss> all;
    for (const analysis::Profile& run : runs)
        for (const std::string& text : report::losses(run, {})) {
            const auto known = std::ranges::find(all, text, &Loss::text);
            if (known == all.end())
                all.push_back({text, 1});
            else
                ++known->runs;
        }
    std::vector<std::string> sentences;
    for (const Loss& loss : all) {
        std::string sentence = whose;
        if (runs.size() > 1)
            sentence += ", " + std::to_string(loss.runs) + " of " + std::to_string(runs.size()) + " runs";
        sentences.push_back(sentence + ": " + loss.text);
    }
    return sentences;
}

} // namespace vftr::compare
