// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the names of a symbol table when they are requested. Linkers write names nearly in the order of the symbols.
// Therefore names that are requested in this order are read in large pieces, and other names one at a time.
#pragma once

#include "symbols/symbol_section.hpp"

#include <string>
#include <string_view>

namespace vftr::symbols {

// The ElfFile must outlive it. Only one thread at a time may use it.
class SymbolNames {
public:
    SymbolNames(const ElfFile& file, FilePart part) : file_(&file), part_(part) {}

    // The result is valid until the next call. It is empty if there is no name, or if the file cannot be read.
    std::string_view at(std::uint32_t offset);

    // Calls visit(offset, name) for each string of the table, from its beginning to its end. Linkers store a name that
    // is a suffix of another one as the end of that string; it is not visited separately.
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
        std::uint64_t begin = 0; // offset in the table of names
        std::string bytes;
        std::uint64_t end() const { return begin + bytes.size(); }
    };
    // Finds the name if the piece contains all of it.
    bool find(const Piece& piece, std::uint64_t offset, std::string_view& name) const;
    void read(Piece& piece, std::uint64_t offset, std::uint64_t bytes) const;

    const ElfFile* file_;
    FilePart part_;
    Piece large_, small_;
    std::uint32_t searches_ = 0; // names that were not at hand
};

} // namespace vftr::symbols
