// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/fortran_traces.hpp"

#include <algorithm>
#include <array>

namespace vftr::symbols {

bool is_fortran_source(std::string_view file_name) {
    static constexpr std::array<std::string_view, 9> suffixes = {"f",   "for", "ftn", "fpp", "f77",
                                                                 "f90", "f95", "f03", "f08"};
    const auto dot = file_name.rfind('.');
    if (dot == std::string_view::npos)
        return false;
    const auto suffix = file_name.substr(dot + 1);
    return std::ranges::any_of(suffixes, [suffix](std::string_view known) {
        return std::ranges::equal(suffix, known,
                                  [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
    });
}

bool is_fortran_runtime(std::string_view symbol) {
    static constexpr std::array<std::string_view, 9> prefixes = {"_gfortran_",    "_FortranA", "for_set_reentrancy",
                                                                 "for_write_seq", "for_rtl_",  "f90_",
                                                                 "f90io_",        "_QM",       "_QQmain"};
    if (std::ranges::any_of(prefixes, [symbol](auto prefix) { return symbol.starts_with(prefix); }))
        return true;
    return symbol.starts_with("__") && symbol.find("_MOD_") != std::string_view::npos;
}

} // namespace vftr::symbols
