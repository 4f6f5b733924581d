// SPDX-License-Identifier: BSD-3-Clause
//
// What a verb may be given, as one table. From it follow the rows of getopt_long, the text of --help, what is suggested
// where a name is misspelt, what shells complete, and what test/system/completion.sh looks for in the manual pages.
//
// An option is a row: its spelling as users read it (spelling.hpp), its line of --help, and what is done with it, which
// is most often to put the value into a variable (takers.hpp). So there are no numbers for options, no second list of
// letters and no switch over them:
//
//     bool wide = false;
//     const auto early = read_options(argc, argv, {.usage = {"[OPTION…] [DIR]"},
//                                                  .about = "Lists the recordings in DIR …",
//                                                  .options = {{"-w, --wide", "command lines are not cut …",
//                                                  flag(wide)}}});
//
// getopt_long stays the parser, with its abbreviations, its letters that stand together and its "--".
//
// The table is made where the variables are, while the verb runs. Completion wants it without what the verb does, so
// syntax_of() calls the verb, for which read_options() then ends as for --help. A verb does nothing of consequence
// before it. (Tables as constant data would need a type for the variables of each verb, which only one function uses,
// and a second function for each verb that tells its table.)
#pragma once

#include "config_tools/syntax/spelling.hpp"

#include <functional>
#include <getopt.h> // optind
#include <optional>
#include <string>
#include <vector>

namespace vftr::cli {

// An option of the command line.
struct Given {
    const char* verb; // for messages
    const Spelling& option;
    const char* value; // nullptr: none

    // Says "--count needs a number, not x", with what `is_wrong` says between the two, and returns the exit code of a
    // wrong usage.
    int refuse(const std::string& is_wrong) const;
};
// Returns 0, or the exit code of a wrong usage, which it has told.
using Take = std::function<int(const Given&)>;

// A value for which the spelling has only a word in capitals, and what --help says of it; that may be empty.
struct Choice {
    std::string name, help;
};

struct Option {
    std::string spelling; // empty: the row is a heading, which `help` has
    std::string help;     // --help breaks lines where they are too long. Empty: the option is for vftr itself
    Take take = {};
    std::vector<Choice> (*choices)() = nullptr;
};

// The word behind the options by which some verbs know what to do: "check FILE…".
struct Action {
    std::string spelling, help;
    std::vector<Choice> (*choices)() = nullptr; // of its operand

    std::string name() const { return spelling.substr(0, spelling.find(' ')); }
};

struct Syntax {
    std::vector<std::string> usage; // behind the verb's name; its words tell shells what may stand there
    std::string about;              // lines as they are
    std::vector<Action> actions = {};
    std::vector<Option> options = {}; // without --help, which all have
    std::string after = {};           // lines as they are
    bool options_first = false;       // what stands behind the first operand is none of the verb's options
    Take operand = {};                // for verbs that have to know where operands stand among the options
};

// Reads the options of a verb, which leaves the first operand at optind. Returns an exit code if the verb ends here.
std::optional<int> read_options(int argc, char** argv, Syntax syntax);

// For a verb that reads its options itself: the same, where `help` says whether it was asked for help and no more.
std::optional<int> describe(const char* verb, const Syntax& syntax, bool help);

// The table of a verb, of which `take` must not be called. nullopt: it has none, or was not built.
std::optional<Syntax> syntax_of(int (*verb)(int, char**));

// The text of --help.
std::string help_text(const char* verb, const Syntax& syntax);

// "; did you mean --output?" with `prefix` before the name; empty where none of the names is near.
std::string did_you_mean(std::string_view given, const std::vector<std::string>& names, const char* prefix = "");
// Of the actions of a syntax.
std::vector<std::string> names_of(const std::vector<Action>& actions);

} // namespace vftr::cli
