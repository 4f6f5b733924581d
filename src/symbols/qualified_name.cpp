// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/qualified_name.hpp"

#include "symbols/module_label.hpp"
#include "symbols/shared_names.hpp"

#include <algorithm>
#include <iterator>

namespace vftr::symbols {

namespace {

constexpr char Mark = '\x1f'; // the separator; names have no control characters (base/foreign_text.hpp)
constexpr std::size_t MostDetail = 8;

} // namespace

QualifiedName parse_qualified(std::string_view text) {
    const std::size_t mark = text.find(Mark);
    return mark == text.npos ? QualifiedName{text, {}} : QualifiedName{text.substr(0, mark), text.substr(mark + 1)};
}

std::string qualified(std::string name, std::string_view qualifier) {
    if (!qualifier.empty())
        (name += Mark).append(qualifier);
    return name;
}

std::string with_qualifier(std::string_view name, std::string_view shown) {
    std::string text(name);
    if (without_origin(name) != name)
        text.replace(text.size() - 1, 1, ", ");
    else
        text += " (";
    return text.append(shown) += ')';
}

std::string without_last_qualifier(std::string_view name) {
    const std::size_t comma = without_origin(name) == name ? name.npos : name.rfind(", ");
    const bool has_both = comma != name.npos && comma > without_origin(name).size();
    return has_both ? std::string(name.substr(0, comma)) + ')' : std::string(name);
}

std::string shown_qualifier(std::string_view qualifier, std::size_t detail) {
    if (is_executable_label(qualifier))
        qualifier.remove_suffix(1);
    if (!qualifier.starts_with('/'))
        return std::string(detail == 0 ? qualifier.substr(0, qualifier.rfind('{')) : qualifier);
    std::size_t at = qualifier.size();
    for (std::size_t parts = 0; parts <= detail && at != 0; ++parts)
        at = qualifier.rfind('/', at - 1);
    return std::string(at == 0 || detail >= MostDetail ? qualifier : qualifier.substr(at + 1));
}

namespace {

bool is_of_executable(std::string_view text) { return is_executable_label(parse_qualified(text).qualifier); }

// Of functions with the same name, the one that is known by its name alone.
std::string_view bare_one(std::span<const std::string_view> alike) {
    std::string_view found;
    for (const std::string_view text : alike) {
        const bool bare = parse_qualified(text).qualifier.empty();
        if (!bare && !is_of_executable(text))
            continue;
        if (!found.empty())
            return {};
        found = text;
    }
    return found;
}

} // namespace

ShownQualifiers::ShownQualifiers(std::span<const std::string> names) {
    // In sorted order, which profiles have, the keys with the same name are adjacent.
    std::vector<std::string_view> texts(names.begin(), names.end());
    if (!std::is_sorted(texts.begin(), texts.end()))
        std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    for (std::size_t i = 1; i < texts.size(); ++i)
        if (const auto parts = parse_qualified(texts[i]);
            !parts.qualifier.empty() && parse_qualified(texts[i - 1]).name == parts.name) {
            Alike& alike = alike_[parts.name];
            if (alike.empty())
                alike.push_back(texts[i - 1]);
            alike.push_back(texts[i]);
        }
    for (const auto& [of_name, alike] : alike_) {
        std::vector<std::string_view> left;
        const std::string_view bare = bare_one(alike);
        if (!bare.empty())
            shown_.emplace(bare, of_name);
        std::ranges::copy_if(alike, std::back_inserter(left), [&](std::string_view text) {
            return text != bare && !parse_qualified(text).qualifier.empty();
        });
        for (std::size_t detail = 0; !left.empty() && detail <= MostDetail; ++detail) {
            std::unordered_map<std::string, int> count;
            for (const std::string_view text : alike)
                ++count[shown_qualifier(parse_qualified(text).qualifier, detail)];
            std::erase_if(left, [&, &of = of_name](std::string_view text) {
                std::string shown = shown_qualifier(parse_qualified(text).qualifier, detail);
                if (count[shown] > 1 && detail != MostDetail)
                    return false;
                shown_.emplace(text, with_qualifier(of, shown));
                return true;
            });
        }
    }
}

std::string ShownQualifiers::of(std::string_view text) const {
    const auto parts = parse_qualified(text);
    if (parts.qualifier.empty() || alike_.empty())
        return std::string(parts.name);
    if (const auto found = shown_.find(text); found != shown_.end())
        return found->second;
    const auto found = alike_.find(parts.name);
    return found == alike_.end() ? std::string(parts.name)
                                 : with_qualifier(parts.name, shown_qualifier(parts.qualifier, MostDetail));
}

} // namespace vftr::symbols
