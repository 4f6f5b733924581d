// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/preload_list.hpp"

#include "base/environment.hpp"
#include "base/system_call.hpp"

#include <fcntl.h>
#include <sys/stat.h>

namespace vftr::inherit {

namespace {

constexpr std::string_view Variable = "LD_PRELOAD";

// The kernel takes no longer string (MAX_ARG_STRLEN: 32 pages, of at least 4 KiB).
constexpr std::size_t LongestEntry = 32 * 4096;

struct Lists {
    std::size_t count = 0,
                bytes = 0;       // entries LD_PRELOAD=… of the environment, and of their values with a separator each
    std::size_t own = 0;         // items that are this library
    bool own_as_written = false; // one is named as we would write it
};

Lists look_at(char* const* child, const OwnEntries& own_entries, std::string_view library) {
    Lists lists;
    for (char* const* entry = child; *entry; ++entry) {
        const char* value = base::value_in(*entry, Variable);
        if (!value)
            continue;
        ++lists.count;
        lists.bytes += std::strlen(value) + 1;
        for_each_preloaded(value, [&](std::string_view item) {
            lists.own += own_entries.match(item);
            lists.own_as_written |= item == library;
        });
    }
    return lists;
}

// "LD_PRELOAD=one:library:others", for which there is room.
void write_list(char* at, char* const* child, const OwnEntries& own_entries, std::string_view library) {
    const char* before = at = Scratch::append(Scratch::append(at, Variable), "=");
    auto add = [&](std::string_view item) {
        if (at != before)
            *at++ = ':';
        at = Scratch::append(at, item);
    };
    bool placed = false;
    for (char* const* entry = child; *entry; ++entry)
        if (const char* value = base::value_in(*entry, Variable))
            for_each_preloaded(value, [&](std::string_view item) {
                bool own = own_entries.match(item);
                if (!own || !placed)
                    add(own ? library : item);
                placed |= own;
            });
    if (!placed)
        add(library);
    *at = '\0';
}

// "LD_PRELOAD=value:library". The value stays byte for byte, as the next program is to find it when the library is
// taken out again; an empty one has no separator behind it.
void write_behind(char* at, const char* value, std::string_view library) {
    at = Scratch::append(Scratch::append(Scratch::append(at, Variable), "="), value);
    at = Scratch::append(Scratch::append(at, *value ? ":" : ""), library);
    *at = '\0';
}

// libx.so, libx.so.2 and libx.so.2.0 for libx.so.2.0: the names that one library has.
bool is_name_of(std::string_view entry, std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    return name.starts_with(entry) && entry.find(".so") != std::string_view::npos &&
           (name.size() == entry.size() || name[entry.size()] == '.');
}

} // namespace

OwnEntries::File OwnEntries::file_at(const char* path) {
    struct stat status;
    bool known = base::system_call(SYS_newfstatat, AT_FDCWD, path, &status, 0) == 0;
    return known ? File{true, status.st_dev, status.st_ino} : File{};
}

OwnEntries::OwnEntries(const InheritedEnvironment& inherited) : inherited_(inherited) {
    if (inherited.library && inherited.library[0] == '/')
        now_ = file_at(inherited.library);
}

bool OwnEntries::match(std::string_view entry) const {
    if (entry == inherited_.library || (inherited_.library_as_given && entry == inherited_.library_as_given))
        return true;
    if (entry.find('/') ==
        std::string_view::npos) // searched for by the loader: it cannot be told here which file that is
        return is_name_of(entry, inherited_.library);
    char path[1024]; // of what may be an alternate signal stack of 8 KiB; an entry longer than that stays in the list
    if (entry.size() >= sizeof path)
        return false;
    *Scratch::append(path, entry) = '\0';
    File file = file_at(path);
    auto same = [&](std::uint64_t device, std::uint64_t inode) { return file.device == device && file.inode == inode; };
    return file.known &&
           (same(inherited_.library_device, inherited_.library_inode) || (now_.known && same(now_.device, now_.inode)));
}

PreloadChange change_preload(const InheritedEnvironment& inherited, char* const* child, Scratch& scratch) {
    if (!inherited.preloaded || !inherited.library)
        return {nullptr, "unchanged"};
    OwnEntries own_entries(inherited);
    std::string_view library = inherited.library;
    Lists lists = look_at(child, own_entries, library);
    const char* action = lists.own != 0 ? "present" : "appended";
    if (lists.own == 0 && !own_entries.can_be_loaded()) // the loader would complain on the program's stderr
        return {nullptr, "unchanged"};
    if (lists.count == 1 && lists.own == 1 && lists.own_as_written)
        return {nullptr, action};
    std::size_t size = Variable.size() + 1 + library.size() + lists.bytes + 1;
    if (size > LongestEntry)
        return {nullptr, "failed"};
    char* entry = scratch.reserve(size);
    if (!entry)
        return {nullptr, "failed"};
    if (lists.count == 1 && lists.own == 0)
        write_behind(entry, base::find_value(child, Variable), library);
    else
        write_list(entry, child, own_entries, library);
    return {entry, action};
}

} // namespace vftr::inherit
