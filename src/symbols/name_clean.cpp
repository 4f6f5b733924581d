// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/name_clean.hpp"

#include "base/foreign_text.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cxxabi.h>

namespace vftr::symbols {

namespace {

// The demangler's work can grow with the square of a name; longer ones stay as they are.
constexpr std::size_t longest_demangled = 64 * 1024;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// name.t10p
std::string_view without_intel_suffix(std::string_view name) {
    const auto dot = name.rfind(".t");
    if (dot == std::string_view::npos || dot == 0 || name.back() != 'p')
        return name;
    const auto digits = name.substr(dot + 2, name.size() - dot - 3);
    return !digits.empty() && std::ranges::all_of(digits, is_digit) ? name.substr(0, dot) : name;
}

std::string_view without_version(std::string_view name) {
    const auto at = name.find('@');
    return at == std::string_view::npos || at == 0 ? name : name.substr(0, at);
}

// Fortran has no case: compilers write every letter in lower case.
bool is_fortran_spelling(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || is_digit(c) || c == '_' || c == '$';
    });
}

bool has_one_trailing_underscore(std::string_view name) {
    return name.size() > 1 && name.back() == '_' && name[name.size() - 2] != '_';
}

bool has_mp_module(std::string_view name) {
    return name.find("_mp_", 1) != std::string_view::npos ||
           name.find("_MP_", 1) != std::string_view::npos;
}

std::string_view without_fortran_decoration(std::string_view name, bool is_fortran) {
    if (is_fortran) {
        const auto dot = name.find('.');
        if (dot != std::string_view::npos && dot + 1 < name.size() &&
            is_fortran_spelling(name.substr(0, dot)) &&
            std::ranges::all_of(name.substr(dot + 1), is_digit))
            return name.substr(0, dot);
    }
    if (has_one_trailing_underscore(name) &&
        (has_mp_module(name) || (is_fortran && is_fortran_spelling(name))))
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

std::string demangled(std::string_view name) {
    const std::string terminated(name);
    if (name.size() > longest_demangled)
        return terminated;
    int status = 0;
    char* text = abi::__cxa_demangle(terminated.c_str(), nullptr, nullptr, &status);
    if (text == nullptr)
        return terminated;
    std::string result(text);
    std::free(text);
    return result;
}

} // namespace

std::string clean_name(std::string_view symbol, const NameOptions& options, bool is_fortran) {
    std::string_view name = without_intel_suffix(without_version(symbol));
    if (name.starts_with("_Z"))
        return base::foreign_text(options.demangle_cxx ? demangled(name) : std::string(name));
    name = without_fortran_decoration(name, is_fortran);
    if (options.strip_module_names)
        name = without_module(name);
    return base::foreign_text(std::string(name));
}

bool may_have_fortran_decoration(std::string_view symbol) {
    return !symbol.starts_with("_Z") && (symbol.ends_with('_') || symbol.find_first_of(".@") != symbol.npos);
}

std::string clean_name(std::string_view symbol, const NameOptions& options) {
    return clean_name(symbol, options, false);
}

} // namespace vftr::symbols
