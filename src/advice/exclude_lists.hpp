// SPDX-License-Identifier: BSD-3-Clause
//
// The lists with which gcc leaves functions without hooks: -finstrument-functions-exclude-function-list and
// …-file-list.
//
// An entry is looked for anywhere in a name or path, so a short one hits more than is meant: one that would take the
// hooks from a function that is to be recorded is not used. For a file or a template it may hit functions that are of
// little worth, such as a constructor that is called once; they are told. gcc compares the function's qualified name
// without return type and parameters, and writes template arguments in its own way (long int, no default arguments), so
// of those only the template's name up to its "<" is taken.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::advice {

// What gcc calls a function, from its name in tables: "geo::Vec<double>::at" of "geo::Vec<double>::at(int)". nullopt:
// it has a name there that cannot be told from this one (lambdas), or the name is none.
std::optional<std::string> gcc_name(std::string_view name);

struct ListedFunction {
    std::string name;
    std::string file;   // as the debug information tells, "": not known
    bool minor = false; // not worth much: an entry for a file or template may hit it, too
};

struct ExcludeLists {
    std::vector<std::string> functions, files; // entries as they are
    std::vector<std::string> uncovered;        // names that no entry can mean without meaning others, too
    std::vector<std::string> also;             // names of minor functions that the entries hit
};

// header_folders: of the system; of a file in one of these the folder is listed.
ExcludeLists exclude_lists(const std::vector<ListedFunction>& excluded, const std::vector<ListedFunction>& others,
                           const std::vector<std::string>& header_folders);

// The value of the option: commas of entries escaped.
std::string list_text(const std::vector<std::string>& entries);
// As one word of a shell's command line.
std::string shell_word(std::string_view text);

} // namespace vftr::advice
