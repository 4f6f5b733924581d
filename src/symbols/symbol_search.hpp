// SPDX-License-Identifier: BSD-3-Clause
//
// Picks the functions out of an object's symbol tables that decide which function is at each of some addresses, so that
// what a lookup costs follows the addresses: memory for these, and the time to read the symbol tables once from their
// begin to their end, without their names.
//
// An index (symbol_index.hpp) of what was picked gives the same answers at these addresses as one of all functions. For
// that it has all symbols of
//   - the last function that begins at or before an address;
//   - every function and label of known size that reaches over an address;
//   - the last label that begins at or before an address, and after that function: and to learn whether this label
//   counts, every function that
//     reaches over it.
// As a rule an address is where a function begins, and the first pass has seen all symbols that begin there. Where
// functions lie within functions, have no size, or are labels, their aliases are picked in another pass.
#pragma once

#include "symbols/symbol_index.hpp"
#include "symbols/symbol_source.hpp"

#include <span>
#include <vector>

namespace vftr::symbols {

// Add to an index that is not finished yet. Both throw std::bad_alloc.
void add_all_functions(std::span<SymbolSource> sources, SymbolIndex& index);
// False: a function at one of the places has a name that does not count, so that others may decide; the index is of no
// use then. That is in damaged files.
bool add_functions_at(std::span<SymbolSource> sources, std::vector<std::uint64_t> addresses, SymbolIndex& index);

} // namespace vftr::symbols
