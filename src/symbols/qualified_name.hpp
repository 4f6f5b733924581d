// SPDX-License-Identifier: BSD-3-Clause
//
// The key by which a profile identifies a function whose name alone may also denote others: the name and, behind a
// separator that no name contains, a qualifier. For a function in a library the qualifier is the library
// ("plugin.so{1a2b3c4d}", object_label in module_label.hpp); for an OpenMP construct it is the source file
// ("/home/me/a.c"). A function of the executable has one only in a job of several ranks, which may run different
// programs ("solver{1a2b3c4d}*", executable_label).
//
// The qualifier depends on nothing but the function. Therefore profiles are merged, sorted and numbered by the whole
// key, whatever else a process has called, while readers see the qualifier only if two functions of a profile would
// otherwise look the same: "init (plugin.so)". Beside functions of libraries only, that of the executable has the bare
// name; beside the root of the tree, or a function of a process that is no rank, it has not.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::symbols {

struct QualifiedName {
    std::string_view name, qualifier; // the qualifier is empty if there is none
};
QualifiedName parse_qualified(std::string_view text);
// Returns the name itself if the qualifier is empty.
std::string qualified(std::string name, std::string_view qualifier);

// Returns the name as readers see it: "init (plugin.so)", "init (a.c, plugin.so)".
std::string with_qualifier(std::string_view name, std::string_view shown);
// Removes the part of a name that depends on the object: "init (a.c, plugin.so)" becomes "init (a.c)". Other names stay
// as they are.
std::string without_last_qualifier(std::string_view name);

// Returns the part of a qualifier that is shown at this level of detail, from the shortest to all of it: "plugin.so",
// "plugin.so{1a2b3c4d}"; "a.c", "x/a.c", …
std::string shown_qualifier(std::string_view qualifier, std::size_t detail);

// Shows the qualified names of a list to readers: without the qualifier if the name is unique in the list, else with as
// much of it as distinguishes them.
class ShownQualifiers {
public:
    // The strings must outlive this object.
    explicit ShownQualifiers(std::span<const std::string> names);

    // May also be called for a name that is not in the list.
    std::string of(std::string_view text) const;

private:
    using Alike = std::vector<std::string_view>; // the qualified names with the same name, sorted, at least two
    std::unordered_map<std::string_view, Alike> alike_;
    // By qualified name, for those that are shown with a qualifier.
    std::unordered_map<std::string_view, std::string> shown_;
};

} // namespace vftr::symbols
