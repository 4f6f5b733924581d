// SPDX-License-Identifier: BSD-3-Clause
//
// There are four kinds of advice, and the first that fits is given: the key is an option's path, but sections must be
// objects; the key is right but is in the wrong section; it is nearly a key of this section; otherwise all keys of this
// section are listed. "Nearly" ends at half the length of what the user wrote: beyond that a suggestion is a guess that
// misleads.
#include "config/advisor.hpp"

#include "config/json_text.hpp"
#include "config/option.hpp"

#include <algorithm>
#include <numeric>
#include <set>

namespace vftr::config {
namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool equal_but_case(std::string_view a, std::string_view b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) { return lower(x) == lower(y); });
}

// Returns the sections other than `place` that have a key of this name; "" is the top level.
std::vector<std::string_view> owners(std::string_view place, std::string_view name) {
    std::set<std::string_view> found;
    for (const Option& option : all_options())
        for (std::size_t begin = 0, end = 0; end != std::string_view::npos; begin = end + 1) {
            end = option.path.find('.', begin);
            const std::string_view section = option.path.substr(0, begin == 0 ? 0 : begin - 1);
            if (option.path.substr(begin, end - begin) == name && section != place)
                found.insert(section);
        }
    return {found.begin(), found.end()};
}

std::string list(std::span<const std::string_view> names) {
    std::string text;
    for (std::string_view name : names)
        text.append(text.empty() ? "" : ", ").append(json_string(name));
    return text;
}

std::string owners_text(std::string_view name, std::vector<std::string_view> sections) {
    if (sections.front().empty())
        return "It belongs to the top level of the configuration.";
    std::vector<std::string> paths;
    for (std::string_view section : sections)
        paths.push_back(join(section, name));
    std::vector<std::string_view> views(paths.begin(), paths.end());
    return "It belongs to another section: " + list(views) + ".";
}

// Returns an option's path as nested objects, without its value; empty if `path` is no option.
std::string as_objects(std::string_view path) {
    const auto is_path = [&](const Option& option) { return option.path == path; };
    if (std::none_of(all_options().begin(), all_options().end(), is_path))
        return "";
    std::string text = "…";
    for (std::size_t end = path.size(); end != path.npos;) {
        const std::size_t dot = path.rfind('.', end - 1);
        const std::size_t begin = dot == path.npos ? 0 : dot + 1;
        text = "{" + json_string(path.substr(begin, end - begin)) + ": " + text + "}";
        end = dot;
    }
    return text;
}

} // namespace

std::size_t levenshtein(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            std::size_t replace = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replace, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

std::string_view nearest(std::string_view name, std::span<const std::string_view> valid) {
    if (name.size() > 100) // longer than any option; this bounds the cost
        return {};
    std::string_view best;
    std::size_t least = name.size() / 2 + 1;
    for (std::string_view candidate : valid) {
        std::size_t distance = equal_but_case(name, candidate) ? 0 : levenshtein(name, candidate);
        if (distance < least) {
            least = distance;
            best = candidate;
        }
    }
    return best;
}

bool belongs_elsewhere(std::string_view place, std::string_view name) { return !owners(place, name).empty(); }

std::string advise(std::string_view place, std::string_view name, std::span<const std::string_view> valid) {
    std::string text = json_string(join(place, name)) + " is not a valid vftrace option.\n";
    if (const std::string objects = as_objects(join(place, name)); !objects.empty())
        return text + "Sections are objects: " + objects + ".";
    if (auto sections = owners(place, name); !sections.empty())
        return text + owners_text(name, sections);
    if (std::string_view near = nearest(name, valid); !near.empty())
        return text + "Did you mean " + json_string(join(place, near)) + "?";
    return text + (place.empty() ? "Options here are " : "Options of " + json_string(place) + " are ") + list(valid) +
           ".";
}

std::string advice(std::string_view path) {
    std::string_view section;
    for (std::size_t dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', dot + 1)) {
        if (children(path.substr(0, dot)).empty())
            break;
        section = path.substr(0, dot);
    }
    std::vector<std::string_view> valid;
    for (const Child& child : children(section))
        valid.push_back(child.name);
    return advise(section, section.empty() ? path : path.substr(section.size() + 1), valid);
}

} // namespace vftr::config
