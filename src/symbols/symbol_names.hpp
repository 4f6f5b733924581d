// SPDX-License-Identifier: BSD-3-Clause
//
// The names of a symbol table, read where they are asked for. Linkers write them nearly in the order of the symbols, so
// names that are asked for in that order are read in large pieces, others one at a time.
#pragma once

#include "symbols/symbol_section.hpp"

#include <string>
#include <string_view>

namespace vftr::symbols {

// The ElfFile must outlive it. One thread at a time.
class SymbolNames {
public:
    SymbolNames(const ElfFile& file, FilePart part) : file_(&file), part_(part) {}

    // Valid until the next call; empty where there is none, or the file cannot be read.
    std::string_view at(std::uint32_t offset);

    // visit(offset, name) for each text of the table, from its begin to its end. Linkers let a name that ends another
    // one be the end of that: it is not visited.
    template <class Visit>
    void for_each(Visit visit) {
        std::uint64_t offset = 1;
        std::string_view name;
        while (offset < part_.size && find_in_order(offset, name)) {
            visit(static_cast<std::uint32_t>(offset), name);
            offset += name.size() + 1;
        }
    }

private:
    bool find_in_order(std::uint64_t offset, std::string_view& name);
    struct Piece {
        std::uint64_t begin = 0; // offset among the names
        std::string bytes;
        std::uint64_t end() const { return begin + bytes.size(); }
    };
    // The name, if all of it is there.
    bool find(const Piece& piece, std::uint64_t offset, std::string_view& name) const;
    void read(Piece& piece, std::uint64_t offset, std::uint64_t bytes) const;

    const ElfFile* file_;
    FilePart part_;
    Piece large_, small_;
};

} // namespace vftr::symbols
