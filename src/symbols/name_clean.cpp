// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/name_clean.hpp"

#include "base/foreign_text.hpp"
#include "symbols/cxx_names.hpp"
#include "symbols/fortran_names.hpp"

#include <algorithm>
#include <array>
#include <optional>

namespace vftr::symbols {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// Removes the suffix of a name such as name.t10p.
std::string_view without_intel_suffix(std::string_view name) {
    const auto dot = name.rfind(".t");
    if (dot == std::string_view::npos || dot == 0 || name.back() != 'p')
        return name;
    const auto digits = name.substr(dot + 2, name.size() - dot - 3);
    return !digits.empty() && std::ranges::all_of(digits, is_digit) ? name.substr(0, dot) : name;
}

// The last part of a name such as f.constprop.0 or f.cold, with its dot; "": it is none that marks a clone.
std::string_view clone_suffix(std::string_view name) {
    std::size_t end = name.size();
    while (end > 0 && is_digit(name[end - 1]))
        --end;
    const bool numbered = end < name.size() && end > 0 && name[end - 1] == '.';
    const std::string_view rest = numbered ? name.substr(0, end - 1) : name;
    const std::size_t dot = rest.rfind('.');
    if (dot == rest.npos || dot == 0)
        return {};
    const std::string_view kind = rest.substr(dot + 1);
    constexpr std::string_view Numbered[] = {"constprop", "isra", "part", "lto_priv", "llvm"};
    const bool is_clone = numbered ? std::ranges::find(Numbered, kind) != std::end(Numbered) : kind == "cold";
    return is_clone ? name.substr(dot) : std::string_view();
}

std::string_view without_version(std::string_view name) {
    const auto at = name.find('@');
    if (at == std::string_view::npos || at == 0 ||
        name.find("_mp_", at) != std::string_view::npos) // a submodule of ifort
        return name;
    return name.substr(0, at);
}

bool has_one_trailing_underscore(std::string_view name) {
    return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

bool has_mp_module(std::string_view name) {
    return name.find("_mp_", 1) != std::string_view::npos || name.find("_MP_", 1) != std::string_view::npos;
}

std::string_view without_fortran_decoration(std::string_view name, bool is_fortran) {
    if (is_fortran && is_internal_procedure(name))
        return name.substr(0, name.find('.'));
    if (has_one_trailing_underscore(name) && (has_mp_module(name) || (is_fortran && is_fortran_spelling(name))))
        name.remove_suffix(1);
    return name;
}

std::string_view without_module(std::string_view name) {
    for (const std::string_view mark : {"_MOD_", "_mp_", "_MP_"}) {
        const auto at = name.find(mark);
        if (at != std::string_view::npos && at > 0 && at + mark.size() < name.size())
            return name.substr(at + mark.size());
    }
    return name;
}

std::optional<std::string> source_name(std::string_view name, const NameOptions& options, bool is_fortran) {
    return fortran_name(name, is_fortran, options.strip_module_names ? Modules::Stripped : Modules::Shown);
}

std::string without_decoration(std::string_view name, const NameOptions& options, bool is_fortran) {
    name = without_fortran_decoration(name, is_fortran);
    return base::foreign_text(options.strip_module_names ? without_module(name) : name);
}

} // namespace

std::string_view without_clone_suffix(std::string_view symbol) {
    for (std::string_view suffix; !(suffix = clone_suffix(symbol)).empty();)
        symbol.remove_suffix(suffix.size());
    return symbol;
}

std::string clean_name(std::string_view symbol, const NameOptions& options, bool is_fortran) {
    const std::string_view name = without_clone_suffix(without_intel_suffix(without_version(symbol)));
    if (name.starts_with("_Z"))
        return base::foreign_text(options.demangle_cxx ? cxx_name(name) : std::string(name));
    if (const auto shown = source_name(name, options, is_fortran))
        return base::foreign_text(*shown);
    return without_decoration(name, options, is_fortran);
}

std::string former_name(std::string_view symbol, const NameOptions& options, bool is_fortran) {
    const std::string_view name = without_intel_suffix(without_version(symbol));
    if (name.starts_with("_Z") && options.demangle_cxx) {
        std::string former = base::foreign_text(demangled(name));
        return former == clean_name(name, options, is_fortran) ? std::string() : former;
    }
    if (without_clone_suffix(name) != name)
        return without_decoration(name, options, is_fortran);
    const auto shown = source_name(name, options, is_fortran);
    std::string former = shown ? without_decoration(name, options, is_fortran) : std::string();
    return shown == former ? std::string() : former;
}

bool is_internal_procedure(std::string_view symbol) {
    const auto dot = symbol.find('.');
    return dot != std::string_view::npos && dot + 1 < symbol.size() && is_fortran_spelling(symbol.substr(0, dot)) &&
           std::ranges::all_of(symbol.substr(dot + 1), is_digit);
}

bool may_have_fortran_decoration(std::string_view symbol) {
    return !symbol.starts_with("_Z") && (symbol.ends_with('_') || symbol.find_first_of(".@") != symbol.npos);
}

// A name with internal linkage is mangled with an L before it, or with an unnamed namespace.
bool is_hidden_cxx(std::string_view local_symbol) {
    std::string_view rest = local_symbol;
    if (!rest.starts_with("_Z") || rest.find("_GLOBAL__N") != rest.npos || rest.find('.') != rest.npos)
        return false;
    rest.remove_prefix(2);
    if (rest.starts_with('N'))
        rest.remove_prefix(std::min(rest.find_first_not_of("NrVKRO"), rest.size()));
    while (!rest.empty() && is_digit(rest.front())) { // skips the names of namespaces and classes
        std::size_t size = 0;
        for (; !rest.empty() && is_digit(rest.front()) && size < local_symbol.size(); rest.remove_prefix(1))
            size = 10 * size + static_cast<std::size_t>(rest.front() - '0');
        rest.remove_prefix(std::min(size, rest.size()));
    }
    return !rest.starts_with('L') && !rest.starts_with('Z');
}

std::string clean_name(std::string_view symbol, const NameOptions& options) {
    return clean_name(symbol, options, false);
}

} // namespace vftr::symbols
