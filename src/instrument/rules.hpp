// SPDX-License-Identifier: BSD-3-Clause
//
// Which functions get hooks, and when: before the compiler inlines functions, or after.
//
// Hooks before inlining make a function visible even where it is inlined, at the price of calls that the optimiser must
// keep, in a program that is no longer the one that people run. Hooks after inlining leave the program as it is
// compiled without them: what was inlined is part of its caller. Of the functions that are left, those that are too
// short to be worth two calls get none.
#pragma once

namespace vftr::instrument {

enum class Hooks { Before, After, None };

// The value of the option `hooks`.
enum class Mode {
    Auto,   // after inlining, in functions that are long enough
    Before, // before inlining, in all functions: what -finstrument-functions does alone
    After,  // after inlining, in all functions that are left
    None    // only in functions that a list includes
};

// What the compiler sees of a function's body. Statements are those of the compiler's intermediate language that become
// code.
struct Body {
    unsigned statements = 0;
    unsigned calls = 0;
    unsigned loops = 0;
    // How many statements a call executes: by what the compiler expects of branches and loops, or, where `measured`, by
    // a profile of an earlier run (-fprofile-use).
    double executed = 0;
    bool measured = false;
};

// What lists and the program say of a function.
enum class Wish { Nothing, Include, Exclude };

struct Rules {
    Mode mode = Mode::Auto;
    unsigned min_size = 30;       // statements of a function as it was written, where nothing is inlined
    unsigned min_late_size = 60;  // statements that a call executes, of a function after inlining
    unsigned min_keep_size = 200; // statements that a call executes, from which on a function is not inlined
};

struct Decision {
    Hooks hooks;
    const char* reason; // for the report
};

// Of a function that decides, while the program is relocated, which of several others is meant (IFUNC).
inline constexpr Decision OfResolver{Hooks::None, "it runs before the program does"};
// What a call of a function elsewhere is expected to execute.
inline constexpr double StatementsElsewhere = 10;

// The decision about a function as it was written. After means that decide_late has the last word; `optimised` says
// whether there will be a time after inlining (there is none with -O0 and -Og).
Decision decide_early(const Rules& rules, const Body& body, Wish wish, bool is_main, bool optimised);
// Whether a function is to stay one, so that it is seen by name, of which a call is expected to execute so many
// statements, those of the functions that it calls included.
bool keeps_function(const Rules& rules, double expected);
// The decision about a function that is still there after inlining; never Before.
Decision decide_late(const Rules& rules, const Body& body);

} // namespace vftr::instrument
