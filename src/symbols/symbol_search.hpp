// SPDX-License-Identifier: BSD-3-Clause
//
// Selects those functions from an object's symbol tables that are needed to find the functions at some given addresses.
// Therefore the cost of a lookup depends on the number of addresses: it takes memory for these, and the time to read
// the symbol tables once from beginning to end, without their names.
//
// An index (symbol_index.hpp) of the selected functions gives the same answers at these addresses as an index of all
// functions. For this purpose it contains all symbols of
//   - the last function that begins at or before an address;
//   - every function and label of known size that covers an address;
//   - the last label that begins at or before an address and after that function, and every function that covers the
//     beginning of this label, which decides whether the label counts.
// Usually an address is the beginning of a function, and the first pass finds all symbols that begin there. If
// functions are nested, have no size, or are labels, their aliases are selected in another pass.
#pragma once

#include "symbols/symbol_index.hpp"
#include "symbols/symbol_source.hpp"

#include <span>
#include <vector>

namespace vftr::symbols {

// These functions add to an index that is not finished yet. They throw std::bad_alloc.
void add_all_functions(std::span<SymbolSource> sources, SymbolIndex& index);
// Returns false if a function at one of the addresses has a name that does not count, so that another function may be
// the right one; the index must not be used then. This happens in damaged files.
bool add_functions_at(std::span<SymbolSource> sources, std::vector<std::uint64_t> addresses, SymbolIndex& index);

} // namespace vftr::symbols
