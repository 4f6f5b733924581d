// SPDX-License-Identifier: BSD-3-Clause
//
// What a C++ programmer calls a function, from what the compiler calls it for the linker.
//
// A function may have several local classes of one name, each in a block of its own. The linker's names tell them apart
// by a number (_ZZ4mainEN3Loc1mEv, _ZZ4mainEN3Loc1mE_0v), which the demangler leaves out: two functions would have one
// name. So the second class is shown as main::Loc#2, as the second of several lambdas is {lambda()#2}. Whether a part
// of a name is such a number is asked of the demangler, for which it must make no difference.
#pragma once

#include <string>
#include <string_view>

namespace vftr::symbols {

// The symbol itself where it is none of C++.
std::string cxx_name(std::string_view symbol);
// Without numbers of local classes.
std::string demangled(std::string_view symbol);

} // namespace vftr::symbols
