// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the function that is shown as the caller of MPI. Programs and libraries wrap MPI functions, and a table that
// names the same wrapper as caller in each row does not show which part of the program communicates. So the tables of
// messages and waits show the first caller that is not a wrapper, and a line below the table names the wrappers. The
// runtime profile shows the direct caller of each path, and the list of call stacks shows all callers.
//
// A wrapper is a function whose name contains that of the MPI function (hypre_MPI_Waitall), or one that forwards to
// MPI: each of its calls makes exactly one MPI call and no other call, its own time is below a microsecond, and several
// functions call it. (A function with only one caller is rather a part of that caller.) First calls take longer, which
// matters where there are few others: each rank's first call on a path may take 5 µs, and on one of the paths, that of
// the very first call, 25 µs. A function that takes that long on several paths does work of its own.
#pragma once

#include "report/rows.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace vftr::report {

// The profile must outlive it.
class MpiCallers {
public:
    explicit MpiCallers(const analysis::Profile& profile);

    // The cell of the column Caller for a path that ends in an MPI function.
    std::string cell(const Context& context, Footnotes& footnotes, std::uint32_t path);
    // The line below the table; empty where no wrapper was left out.
    std::string note(const Context& context, Footnotes& footnotes) const;

private:
    bool is_wrapper(std::uint32_t path, std::string_view mpi_function) const;

    const analysis::Profile& profile_;
    std::vector<bool> passes_on_;      // by name: whether the function forwards to MPI
    std::set<std::uint32_t> left_out_; // names of the wrappers that were left out
};

} // namespace vftr::report
