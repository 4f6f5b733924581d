// SPDX-License-Identifier: BSD-3-Clause
//
// Makes the lists by which gcc leaves hooks out of functions: -finstrument-functions-exclude-function-list and
// …-file-list.
//
// gcc searches for an entry anywhere in a name or path, so a short entry may match more than is meant. An entry that
// would take the hooks from a function that is to be recorded is not used. An entry for a file or template may also
// match minor functions, such as a constructor that is called once; these are reported. gcc compares the function's
// qualified name without return type and parameters, and writes template arguments in its own way (long int, no default
// arguments), so an entry for a template has only its name up to the "<".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

// The name of a function within gcc, from its name in tables: "geo::Vec<double>::at" for "geo::Vec<double>::at(int)".
// nullopt: gcc's name cannot be derived from this one (lambdas), or it is not a function's name.
std::optional<std::string> gcc_name(std::string_view name);

struct ListedFunction {
    std::string name;
    std::string file;   // path from the debug information; "": not known
    bool minor = false; // of little interest, so an entry for a file or template may match it, too
};

struct ExcludeLists {
    std::vector<std::string> functions, files; // the entries, not escaped
    std::vector<std::string> uncovered;        // names for which every entry would also match functions to be recorded
    std::vector<std::string> also;             // names of minor functions that the entries match
};

// `header_folders` are those of the system; for a file in one of them the folder is listed.
ExcludeLists exclude_lists(const std::vector<ListedFunction>& excluded, const std::vector<ListedFunction>& others,
                           const std::vector<std::string>& header_folders);

// The value of the option, in which commas of entries are escaped.
std::string list_text(const std::vector<std::string>& entries);
// Quotes the string where needed, so that it is one word of a shell's command line.
std::string shell_word(std::string_view text);

} // namespace vftr::advice
