// SPDX-License-Identifier: BSD-3-Clause
//
// Who calls MPI. Programs and libraries wrap MPI's functions, and a table that names the wrapper as the caller, five
// times the same, does not tell who communicates. So the tables of messages and waits show the first caller that is no
// wrapper, and name the wrappers below. The runtime profile shows each path's own caller, and the list of call stacks
// all of them.
//
// A wrapper is a function in whose name that of the MPI function is (hypre_MPI_Waitall), or one that passes on to MPI:
// each of its calls makes one MPI call and no other, it takes less than a microsecond itself, and several functions
// call it. (What one function alone calls is a part of it that somebody found worth a name.) First calls take longer,
// which tells nothing where there are few others: each rank's by a path may take 5 µs, and on one of the paths, where
// the first call of all was, 25. A function that takes so long on several paths does something itself.
#pragma once

#include "report/rows.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace vftr::report {

// The context's profile must outlive it.
class MpiCallers {
public:
    explicit MpiCallers(const analysis::Profile& profile);

    // The cell of the column Caller, of a path that ends in an MPI function.
    std::string cell(const Context& context, Footnotes& footnotes, std::uint32_t path);
    // A line below the table; empty where no wrapper was met.
    std::string note(const Context& context, Footnotes& footnotes) const;

private:
    bool is_wrapper(std::uint32_t path, std::string_view mpi_function) const;

    const analysis::Profile& profile_;
    std::vector<bool> passes_on_;      // by name
    std::set<std::uint32_t> left_out_; // names
};

} // namespace vftr::report
