// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/remark.hpp"

#include <charconv>

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

std::string to_remark(const ExpressionUse& use) {
    std::string remark(Begin);
    remark.append(use.rule).append(AfterRule).append(std::to_string(use.uses)).append(AfterUses);
    return remark.append(std::to_string(use.needed)).append(AfterNeeded).append(use.expression);
}

std::optional<ExpressionUse> expression_use(std::string_view remark) {
    const std::size_t rule_end = remark.find(AfterRule);
    if (!take(remark, Begin) || rule_end == remark.npos)
        return std::nullopt;
    ExpressionUse use;
    use.rule = remark.substr(0, rule_end - Begin.size());
    remark.remove_prefix(use.rule.size() + AfterRule.size());
    if (!take(remark, use.uses) || !take(remark, AfterUses) || !take(remark, use.needed) || !take(remark, AfterNeeded))
        return std::nullopt;
    use.expression = remark;
    return use;
}

} // namespace vftr::vfd
