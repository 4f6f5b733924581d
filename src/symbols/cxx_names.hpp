// SPDX-License-Identifier: BSD-3-Clause
//
// Demangles the linker's names of C++ functions.
//
// A function may have several local classes with the same name, each in its own block. Their mangled names are
// distinguished by a number (_ZZ4mainEN3Loc1mEv, _ZZ4mainEN3Loc1mE_0v), which the demangler omits, so that two
// functions would have the same name. Therefore the second class is shown as main::Loc#2, just as the second of several
// lambdas is shown as {lambda()#2}. To find out whether a part of a mangled name is such a number, the name is
// demangled with and without it: the result must be the same.
#pragma once

#include <string>
#include <string_view>

namespace vftr::symbols {

// Returns the symbol itself if it is not a C++ name.
std::string cxx_name(std::string_view symbol);
// Does not add the numbers of local classes.
std::string demangled(std::string_view symbol);

// "ns::f" of "ns::f(int) const": without the last pair of parentheses and all that follows. The name itself where it
// has none.
std::string_view without_parameters(std::string_view name);

} // namespace vftr::symbols
