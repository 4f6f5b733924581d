// SPDX-License-Identifier: BSD-3-Clause
//
// What a profile knows a function by, where its name alone may mean others too: the name, and behind a character that
// no name has a qualifier. Of a function of a library that is the library ("plugin.so{1a2b3c4d}", object_label in
// module_label.hpp), of an OpenMP construct its source file ("/home/me/a.c").
//
// The qualifier depends on nothing but the function. So profiles are merged, put into order and numbered by the whole
// text, whatever else a process has called, while readers see the qualifier only where two functions of a profile would
// read alike: "init (plugin.so)".
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::symbols {

struct QualifiedName {
    std::string_view name, qualifier; // the latter is empty where there is none
};
QualifiedName parse_qualified(std::string_view text);
// The name itself where the qualifier is empty.
std::string qualified(std::string name, std::string_view qualifier);

// As readers see it: "init (plugin.so)", "init (a.c, plugin.so)".
std::string with_qualifier(std::string_view name, std::string_view shown);
// Of "init (a.c, plugin.so)" what functions of all objects have in common: "init (a.c)". Other names as they are.
std::string without_last_qualifier(std::string_view name);

// What is shown of a qualifier, the shortest text first, up to all of it: "plugin.so", "plugin.so{1a2b3c4d}"; "a.c",
// "x/a.c", …
std::string shown_qualifier(std::string_view qualifier, std::size_t detail);

// The qualified names of a list as readers see them: those that have their name for themselves without the qualifier,
// the others with as much of it as tells them apart.
class ShownQualifiers {
public:
    // The texts must outlive it.
    explicit ShownQualifiers(std::span<const std::string> names);

    // Also of a name that is not in the list.
    std::string of(std::string_view text) const;

private:
    using Alike = std::vector<std::string_view>; // whole texts of one name, sorted, at least two
    std::unordered_map<std::string_view, Alike> alike_;
    std::unordered_map<std::string_view, std::string> shown_; // by whole text, of those with a qualifier
};

} // namespace vftr::symbols
