// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/metadata_note.hpp"

#include <charconv>
#include <cstddef>

namespace vftr::vfd {
namespace {

constexpr std::string_view Begin = "expression ", AfterRule = ": ", AfterUses = " of ", AfterNeeded = " ";

bool take(std::string_view& text, std::string_view expected) {
    if (!text.starts_with(expected))
        return false;
    text.remove_prefix(expected.size());
    return true;
}

bool take(std::string_view& text, std::uint64_t& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc())
        return false;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return true;
}

} // namespace

std::string to_metadata_note(const ExpressionUse& use) {
    std::string note(Begin);
    note.append(use.rule).append(AfterRule).append(std::to_string(use.uses)).append(AfterUses);
    return note.append(std::to_string(use.needed)).append(AfterNeeded).append(use.expression);
}

std::optional<ExpressionUse> expression_use(std::string_view note) {
    const std::size_t rule_end = note.find(AfterRule);
    if (!take(note, Begin) || rule_end == note.npos)
        return std::nullopt;
    ExpressionUse use;
    use.rule = note.substr(0, rule_end - Begin.size());
    note.remove_prefix(use.rule.size() + AfterRule.size());
    if (!take(note, use.uses) || !take(note, AfterUses) || !take(note, use.needed) || !take(note, AfterNeeded))
        return std::nullopt;
    use.expression = note;
    return use;
}

} // namespace vftr::vfd
