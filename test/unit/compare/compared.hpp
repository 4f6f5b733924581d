// SPDX-License-Identifier: BSD-3-Clause
//
// Profiles of both sides, and the rows of their comparison by name.
#pragma once

#include "../analysis/profile_builder.hpp"
#include "compare/comparison.hpp"
#include "compare/matched_tree.hpp"
#include "compare/row_names.hpp"

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vftr::test {

struct PlantedPath {
    const char* path; // "f<main<init"
    std::uint64_t calls;
    double ms; // exclusive
};

inline analysis::Profile run_of(std::initializer_list<PlantedPath> paths) {
    analysis::Profile profile = one_rank(0);
    for (const PlantedPath& one : paths) {
        const auto ns = static_cast<std::uint64_t>(one.ms * static_cast<double>(Ms));
        add(profile, one.path, one.calls, ns, ns);
        profile.summary.times.sum.runtime += ns;
    }
    return profile;
}

// A comparison with what its rows refer to.
struct Compared {
    compare::Runs runs;
    compare::CombinedTree tree;
    compare::Comparison comparison;
    compare::RowNames names;

    using Profiles = std::vector<analysis::Profile>;

    Compared(Profiles base, Profiles next, bool paths = false, compare::Measure measure = {},
             compare::Judging judging = {})
        : runs{std::move(base), std::move(next)}, tree(compare::matched_tree(runs)),
          comparison(compare::compare(runs, tree, with_paths(measure, paths), judging)), names(tree, paths) {}

    // The row of a function, or of a call path "init;main;f".
    const compare::Row& row(const std::string& name) const {
        for (const compare::Row& each : comparison.rows)
            if (name == (comparison.measure.paths ? path_of(each) : names.function_of(each)))
                return each;
        throw std::runtime_error("no row " + name);
    }
    bool has(const std::string& name) const {
        try {
            row(name);
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }
    std::string path_of(const compare::Row& row) const {
        std::string text;
        for (const std::string& function : names.path(row.id))
            text += (text.empty() ? "" : ";") + function;
        return text;
    }
    std::string remark(const std::string& name) const { return names.remark(row(name), comparison); }

private:
    static compare::Measure with_paths(compare::Measure measure, bool paths) {
        measure.paths = paths;
        return measure;
    }
};

} // namespace vftr::test
