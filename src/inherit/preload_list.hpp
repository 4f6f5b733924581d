// SPDX-License-Identifier: BSD-3-Clause
//
// LD_PRELOAD with ourselves in it, once. The order is the program's, since it may matter to other libraries
// (AddressSanitizer ends every program in which one stands before it): we stay where we are named first, and are added
// at the end where we are not named.
#pragma once

#include "inherit/environment.hpp"
#include "inherit/scratch.hpp"

namespace vftr::inherit {

// The dynamic linker takes no other white space for one in this variable.
inline constexpr std::string_view PreloadSeparators = ": ";

// Whether the loader takes it for one path.
inline bool is_one_entry(std::string_view path) {
    return path.find_first_of(PreloadSeparators) == std::string_view::npos;
}

// Calls visit(entry) for each entry of a list.
template <class Visit>
void for_each_preloaded(std::string_view list, Visit visit) {
    for (std::size_t at = 0; (at = list.find_first_not_of(PreloadSeparators, at)) != std::string_view::npos;) {
        std::size_t end = list.find_first_of(PreloadSeparators, at);
        visit(list.substr(at, end == std::string_view::npos ? end : end - at));
        if (end == std::string_view::npos)
            return;
        at = end;
    }
}

// Decides which entries of LD_PRELOAD are this library.
class OwnEntries {
public:
    explicit OwnEntries(const InheritedEnvironment& inherited);
    // Same text, or the same file by whatever path.
    bool match(std::string_view entry) const;
    // The file that would be loaded is there.
    bool can_be_loaded() const { return now_.known || !inherited_.library || inherited_.library[0] != '/'; }

private:
    struct File {
        bool known = false;
        std::uint64_t device = 0, inode = 0;
    };
    static File file_at(const char* path);
    const InheritedEnvironment& inherited_;
    File now_; // at the library's path; another one than is loaded where it was replaced
};

struct PreloadChange {
    char* entry;        // "LD_PRELOAD=…", nullptr: the environment may stay as it is
    const char* action; // unchanged present appended failed
};
PreloadChange change_preload(const InheritedEnvironment& inherited, char* const* child, Scratch& scratch);

} // namespace vftr::inherit
