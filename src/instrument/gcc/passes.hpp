// SPDX-License-Identifier: BSD-3-Clause
//
// The passes of gcc's plugin, in the order in which they come, and what they share.
//
// The mark of a function that waits for the late pass is an attribute of its declaration, since attributes are copied
// to clones and written with -flto; no program can write this one, as it has a blank. Functions to which the option
// -finstrument-functions does not apply (no_instrument_function, the exclude lists of gcc) have no hooks when the early
// pass comes, and so get none.
#pragma once

#include "instrument/decision_report.hpp"
#include "instrument/settings.hpp"

#include <string>

#include "instrument/gcc/gcc.hpp"

namespace vftr::instrument::gcc {

constexpr const char* Mark = "vftrace late";

// Of the compiler that has loaded the plugin.
extern Settings settings;
extern DecisionReport report;

// Before all other passes: decides about functions as they were written, and takes the hooks of the gimplifier out.
opt_pass* early_hooks(::gcc::context* context);
// Before functions are inlined: those that take long are kept from it, so that they are seen by name.
opt_pass* keep_functions(::gcc::context* context);
// After the inter-procedural passes, before calls become tail calls: puts hooks into marked functions that are long
// enough. A late hook has no cleanup for exceptions, as clang's has none: the recorder repairs its stack by the
// addresses of frames.
opt_pass* late_hooks(::gcc::context* context);

bool is_marked(tree function);
// Whether the statement says something about how long a function takes.
bool is_code(const gimple* statement);

std::string shown_name(tree function); // as tables have it
std::string place_of(tree function);
Wish wish_of(tree function);
void report_decision(tree function, const Decision& decision, const Body& body);

} // namespace vftr::instrument::gcc
