// SPDX-License-Identifier: BSD-3-Clause
#include "report/mpi_callers.hpp"

#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <cctype>

namespace vftr::report {
namespace {

using analysis::NodeKind;
using analysis::PathNode;

// Own time in ns of a call that only forwards. A rank's first call on a path takes more, as its data are not in the
// caches, and its very first call still more, as its machine code is mapped and the MPI function is looked up then.
constexpr std::int64_t OwnTime = 1000, FirstByPath = 4000, FirstOfAll = 20000;

// Sums over all paths of a function.
struct Use {
    std::uint64_t calls = 0, mpi_calls = 0;
    std::int64_t over = 0;         // ns: its own time beyond OwnTime and FirstByPath
    std::int64_t most_over = 0;    // largest value of one path
    std::int64_t first_of_all = 0; // limit for most_over, as the first call may have been on that path
    bool other_calls = false;      // it also calls other functions
    std::uint32_t caller = 0;      // index of the caller's name
    bool several_callers = false;

    void add(const PathNode& path) {
        const std::int64_t ranks = path.ranks;
        const std::int64_t path_over = static_cast<std::int64_t>(path.exclusive) -
                                       OwnTime * static_cast<std::int64_t>(path.calls) - FirstByPath * ranks;
        calls += path.calls;
        over += path_over;
        if (path_over > most_over) {
            most_over = path_over;
            first_of_all = FirstOfAll * ranks;
        }
    }
    // The very first call is on one path only; a function that takes time on other paths, too, does work of its own.
    bool has_no_own_work() const { return over <= 0 || (over <= most_over && most_over <= first_of_all); }
    bool forwards() const { return several_callers && !other_calls && mpi_calls == calls && has_no_own_work(); }
};

bool has_letters_of(std::string_view name, std::string_view part) {
    const auto alike = [](char a, char b) {
        return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
    };
    return std::search(name.begin(), name.end(), part.begin(), part.end(), alike) != name.end();
}

} // namespace

MpiCallers::MpiCallers(const analysis::Profile& profile) : profile_(profile) {
    std::vector<Use> uses(profile.names.size());
    for (std::uint32_t i = 1; i < profile.nodes.size(); ++i) {
        const PathNode &node = profile.nodes[i], &caller = profile.nodes[node.parent];
        Use& callers_use = uses[caller.name];
        if (node.kind == NodeKind::Mpi)
            callers_use.mpi_calls += node.calls;
        else
            callers_use.other_calls = true;
        if (node.kind != NodeKind::Function)
            continue;
        Use& use = uses[node.name];
        use.several_callers |= use.calls != 0 && use.caller != caller.name;
        use.caller = caller.name;
        use.add(node);
    }
    for (const Use& use : uses)
        passes_on_.push_back(use.forwards());
}

bool MpiCallers::is_wrapper(std::uint32_t path, std::string_view mpi_function) const {
    const PathNode& node = profile_.nodes[path];
    const std::string_view name = symbols::parse_qualified(profile_.names[node.name]).name;
    return node.kind == NodeKind::Function &&
           (passes_on_[node.name] || has_letters_of(name.substr(0, name.find('(')), mpi_function));
}

std::string MpiCallers::cell(const Context& context, Footnotes& footnotes, std::uint32_t path) {
    if (path == 0)
        return NoValue;
    const PathNode& node = profile_.nodes[path];
    std::uint32_t caller = node.parent;
    for (; node.kind == NodeKind::Mpi && is_wrapper(caller, profile_.names[node.name]);
         caller = profile_.nodes[caller].parent)
        left_out_.insert(profile_.nodes[caller].name);
    return footnotes.name(context, caller);
}

std::string MpiCallers::note(const Context& context, Footnotes& footnotes) const {
    constexpr std::size_t Most = 5;
    if (left_out_.empty())
        return "";
    std::set<std::string> names;
    for (std::uint32_t name : left_out_)
        names.insert(footnotes.name(context, context.names.of_name(name)));
    std::string text;
    std::size_t shown = 0;
    for (const std::string& name : names)
        if (shown++ < Most)
            text += (text.empty() ? "" : ", ") + name;
    if (shown > Most)
        text += " and " + std::to_string(shown - Most) + " more";
    return "Caller: the first that is no wrapper of MPI; not shown: " + text + "\n";
}

} // namespace vftr::report
