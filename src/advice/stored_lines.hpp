// SPDX-License-Identifier: BSD-3-Clause
//
// Where the functions of an object are declared, kept in the symbol store beside the recordings. To find that in the
// debug information of a large program takes seconds, and the program may not be where its recordings are looked at. So
// who has looked functions up writes them down: a file for each object, which is written anew when there are more.
//
// It is text, as vftr-symbols(5) describes. Files that another user could have written are not used.
#pragma once

#include "symbols/source_lines.hpp"
#include "symbols/symbols.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

namespace vftr::advice {

class StoredLines {
public:
    // Reads those of this object, of which there may be none. `store` is the folder.
    StoredLines(std::string store, const symbols::Module& object);

    bool empty() const { return places_.empty(); }
    // `address`: where the function begins (runtime address − bias). nullptr: it is not known here.
    const symbols::SourceLocation* find(std::uint64_t address) const;
    void add(std::uint64_t address, const symbols::SourceLocation& place);
    // Writes the file if there is something new, and a store. What cannot be written is looked up again another time.
    void save() const;

private:
    void parse(std::string_view text);

    std::string store_, path_; // path_ is empty where it is not known which file the object is
    std::map<std::uint64_t, symbols::SourceLocation> places_;
    bool has_more_ = false; // than its file
};

} // namespace vftr::advice
