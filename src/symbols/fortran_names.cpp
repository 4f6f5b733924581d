// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/fortran_names.hpp"

#include <algorithm>
#include <cstddef>

namespace vftr::symbols {

namespace {

constexpr std::size_t None = std::string_view::npos;

// Joins "geo.details" and "area" to "geo::details::area".
std::string joined(std::string_view modules, char separator, std::string_view procedure, Modules shown) {
    if (shown == Modules::Stripped)
        return std::string(procedure);
    std::string name;
    for (char c : modules)
        if (c == separator)
            name += "::";
        else
            name += c;
    return name.append("::").append(procedure);
}

std::optional<std::string> of_gfortran(std::string_view symbol, Modules shown) {
    constexpr std::string_view Prefix = "__", Mark = "_MOD_";
    const std::size_t mark = symbol.find(Mark);
    if (!symbol.starts_with(Prefix) || mark == None || mark <= Prefix.size() || mark + Mark.size() == symbol.size())
        return std::nullopt;
    return joined(symbol.substr(Prefix.size(), mark - Prefix.size()), '.', symbol.substr(mark + Mark.size()), shown);
}

std::optional<std::string> of_ifort(std::string_view symbol, bool is_fortran, Modules shown) {
    bool tells_itself = false;
    if (symbol.size() > 1 && symbol.back() == '_' && symbol[symbol.size() - 2] != '_') {
        symbol.remove_suffix(1);
        tells_itself = true;
    }
    for (const std::string_view mark : {"_mp_", "_MP_"}) {
        const std::size_t at = symbol.find(mark, 1);
        if (at != None && at + mark.size() < symbol.size() && (is_fortran || (tells_itself && mark == "_mp_")))
            return joined(symbol.substr(0, at), '@', symbol.substr(at + mark.size()), shown);
    }
    return std::nullopt;
}

// In these names capital letters denote the kind of each part, whose own letters are lower case.
std::optional<std::string> of_flang(std::string_view symbol, Modules shown) {
    if (!symbol.starts_with("_Q"))
        return std::nullopt;
    const std::size_t dot = std::min(symbol.find('.'), symbol.size());
    const std::string_view suffix = symbol.substr(dot);
    symbol = symbol.substr(2, dot - 2);
    if (symbol == "Qmain")
        return "MAIN" + std::string(suffix);
    std::string name;
    char kind = 0;
    while (!symbol.empty()) {
        kind = symbol.front();
        std::size_t end = 1;
        while (end < symbol.size() && is_fortran_spelling(symbol.substr(end, 1)))
            ++end;
        std::string_view part = symbol.substr(1, end - 1);
        symbol.remove_prefix(end);
        if (kind == 'B') // a block construct, which has only a number
            continue;
        if (kind == 'F' && part.empty())
            part = "MAIN";
        if (part.empty() || (kind != 'M' && kind != 'S' && kind != 'F' && kind != 'P'))
            return std::nullopt;
        if (shown == Modules::Stripped && (kind == 'M' || kind == 'S'))
            continue;
        name.append(name.empty() ? "" : "::").append(part);
    }
    return kind == 'P' ? std::optional(name + std::string(suffix)) : std::nullopt;
}

} // namespace

bool is_fortran_spelling(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
    });
}

std::optional<std::string> fortran_name(std::string_view symbol, bool is_fortran, Modules modules) {
    if (auto name = of_gfortran(symbol, modules))
        return name;
    if (auto name = of_flang(symbol, modules))
        return name;
    constexpr std::string_view Main = "MAIN_"; // also for MAIN__._omp_fn.0
    if (is_fortran && symbol.starts_with(Main)) {
        std::string_view rest = symbol.substr(Main.size());
        if (rest.starts_with('_'))
            rest.remove_prefix(1);
        if (rest.empty() || rest.front() == '.')
            return "MAIN" + std::string(rest);
    }
    return of_ifort(symbol, is_fortran, modules);
}

} // namespace vftr::symbols
