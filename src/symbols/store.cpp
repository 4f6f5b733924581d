// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/store.hpp"

#include "base/descriptor.hpp"
#include "base/file_size.hpp"
#include "base/folder.hpp"
#include "base/message.hpp"
#include "base/own_link.hpp"
#include "base/sleep.hpp"
#include "symbols/claimed_file.hpp"
#include "symbols/elf_symbols.hpp"
#include "symbols/identity.hpp"
#include "symbols/stored_symbols.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <limits>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::symbols {

namespace {

constexpr std::size_t longest_file_name = 255;
constexpr std::string_view suffix = ".sym";

std::string file_name(const std::string& key, const std::string& path) {
    return key + "-" + readable_name(path) + std::string(suffix);
}

template <class Visit>
void for_each_name(DIR* directory, Visit visit) {
    if (directory == nullptr)
        return;
    while (const dirent* entry = ::readdir(directory))
        visit(std::string_view(entry->d_name));
    ::closedir(directory);
}

constexpr std::size_t LongestOrigin = 0xffff;

std::string_view origin_of(const SharedNames& shared, const SymbolIndex::Function& function) {
    return function.local ? shared.origin(function.start).substr(0, LongestOrigin) : std::string_view();
}

std::uint64_t bytes_of(const SymbolIndex::Function& function, std::string_view origin) {
    return function.name.size() + (origin.empty() ? 0 : sizeof(std::uint16_t) + origin.size());
}

StoreHeader header_of(const SymbolIndex& index, const SharedNames& shared, bool complete, const std::string& key,
                      const std::string& path) {
    StoreHeader header{};
    std::memcpy(header.magic, StoreMagic, sizeof header.magic);
    header.version = StoreVersion;
    header.flags = StoreDistinguished | StoreWeakKnown | (complete ? std::uint32_t{StoreComplete} : 0);
    header.key_size = static_cast<std::uint32_t>(key.size());
    header.path_size = static_cast<std::uint32_t>(path.size());
    header.functions = index.size();
    header.functions_offset = (sizeof header + key.size() + path.size() + 7) / 8 * 8;
    header.names_offset = header.functions_offset + index.size() * sizeof(StoredFunction);
    for (std::size_t i = 0; i < index.size(); ++i)
        header.names_size += bytes_of(index.at(i), origin_of(shared, index.at(i)));
    header.file_size = header.names_offset + header.names_size;
    return header;
}

StoredFunction stored(const SymbolIndex::Function& function, std::string_view origin, std::uint64_t name) {
    constexpr std::uint64_t largest = std::numeric_limits<std::uint32_t>::max();
    return {.start = function.start,
            .name = name,
            .name_size = static_cast<std::uint32_t>(function.name.size()),
            .size = static_cast<std::uint32_t>(std::min(function.end - function.start, largest)),
            .enclosing = function.enclosing == SymbolIndex::None ? NoFunction : function.enclosing,
            .flags = (function.fortran ? std::uint32_t{StoredFortran} : 0) |
                     (origin.empty() ? 0 : std::uint32_t{StoredShared}) |
                     (function.weak ? std::uint32_t{StoredWeak} : 0)};
}

void write_symbols(ClaimedFile& file, const SymbolIndex& index, const SharedNames& shared, bool complete,
                   const std::string& key, const std::string& path) {
    const StoreHeader header = header_of(index, shared, complete, key, path);
    file.write(&header, sizeof header);
    file.write(key.data(), key.size());
    file.write(path.data(), path.size());
    static constexpr char zeros[8] = {};
    file.write(zeros, header.functions_offset - sizeof header - key.size() - path.size());
    std::uint64_t name = 0;
    for (std::size_t i = 0; i < index.size(); ++i) {
        const auto function = index.at(i);
        const std::string_view origin = origin_of(shared, function);
        const StoredFunction record = stored(function, origin, name);
        file.write(&record, sizeof record);
        name += bytes_of(function, origin);
    }
    for (std::size_t i = 0; i < index.size(); ++i) {
        const auto function = index.at(i);
        file.write(function.name.data(), function.name.size());
        if (const std::string_view origin = origin_of(shared, function); !origin.empty()) {
            const auto size = static_cast<std::uint16_t>(origin.size());
            file.write(&size, sizeof size);
            file.write(origin.data(), origin.size());
        }
    }
}

// Returns 0 or errno, which is EEXIST if a file of that name exists.
int move_without_replacing(int folder, const std::string& from, const std::string& to) {
    if (::renameat2(folder, from.c_str(), folder, to.c_str(), RENAME_NOREPLACE) == 0)
        return 0;
    if (errno != EINVAL && errno != ENOSYS)
        return errno;
    // Some file systems (NFS, Lustre) do not support this kind of rename.
    if (::linkat(folder, from.c_str(), folder, to.c_str(), 0) == 0)
        return ::unlinkat(folder, from.c_str(), 0) == 0 ? 0 : errno;
    if (errno == EEXIST)
        return errno;
    // There are no hard links either. A file that this replaces has the same contents.
    return ::renameat(folder, from.c_str(), folder, to.c_str()) == 0 ? 0 : errno;
}

// The folder of a store, open, so that files are written and removed in the folder that was looked at. Not one that
// another user's link leads to.
class OpenFolder {
public:
    explicit OpenFolder(const std::string& path)
        : descriptor_(base::open_through_own_links(path.c_str(), O_PATH | O_DIRECTORY)) {}
    ~OpenFolder() {
        if (descriptor_ >= 0)
            base::close_file(descriptor_);
    }
    OpenFolder(const OpenFolder&) = delete;
    OpenFolder& operator=(const OpenFolder&) = delete;
    int error() const { return descriptor_ < 0 ? -descriptor_ : 0; }
    int descriptor() const { return descriptor_; }

private:
    int descriptor_;
};

// Temporary files of processes that were killed.
void remove_orphans(int folder) {
    const int again = base::open_file_at(folder, ".", O_RDONLY | O_DIRECTORY | O_NONBLOCK);
    DIR* directory = again < 0 ? nullptr : ::fdopendir(again);
    if (again >= 0 && directory == nullptr)
        base::close_file(again);
    for_each_name(directory, [&](std::string_view name) {
        if (is_temporary_of_store(name))
            remove_if_unclaimed(folder, std::string(name));
    });
}

} // namespace

bool is_believed(const struct stat& status) {
    return (status.st_uid == ::geteuid() || status.st_uid == 0) && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::string store_beside(const std::string& path) {
    const auto slash = path.rfind('/');
    return (slash == std::string::npos ? std::string() : path.substr(0, slash + 1)) + store_folder_name;
}

std::vector<std::string> SymbolStore::candidates(const std::string& key, const std::string& path) const {
    const std::string likeliest = file_name(key, path);
    if (::access((folder_ + "/" + likeliest).c_str(), F_OK) == 0)
        return {likeliest};
    std::vector<std::string> names; // the same object may have been loaded under another name
    for_each_name(base::open_folder(folder_), [&](std::string_view name) {
        if (name.starts_with(key + "-") && name.ends_with(suffix))
            names.emplace_back(name);
    });
    std::ranges::sort(names);
    return names;
}

bool SymbolStore::has(const std::string& key, const std::string& path) const {
    std::string ignored;
    return std::ranges::any_of(candidates(key, path), [&](const std::string& name) {
        const auto file = StoredSymbols::open_file(folder_ + "/" + name, ignored);
        return file && file->is_trusted() && file->distinguishes() && file->key() == key;
    });
}

SymbolStore::Result SymbolStore::fail(int error, const std::string& path) {
    error_ = error;
    failed_path_ = path;
    return Result::Failed;
}

std::string SymbolStore::reason() const {
    return error_ == ELOOP ? "it is another user's symbolic link, or one that leads to itself"
                           : std::string(base::error_text(error_));
}

SymbolStore::Result SymbolStore::put(const Module& module, std::int32_t process) {
    const std::string key = module_key(module);
    if (key.empty() || file_name(key, module.path).size() > longest_file_name)
        return Result::Unknown;
    if (has(key, module.path))
        return Result::There;
    ElfSymbols symbols(module, process);
    if (!symbols.readable())
        return Result::Unknown;
    if (symbols.bytes() > largest_)
        return Result::Large;
    base::NoFileSizeSignal guard;
    if (::mkdir(folder_.c_str(), 0777) != 0 && errno != EEXIST)
        return fail(errno, folder_);
    const OpenFolder folder(folder_);
    if (folder.error() != 0)
        return fail(folder.error(), folder_);
    remove_orphans(folder.descriptor());
    ClaimedFile file(folder.descriptor(), folder_, key);
    if (file.error() != 0)
        return file.error() == EWOULDBLOCK ? Result::Busy : fail(file.error(), file.path());
    if (has(key, module.path)) // it appeared before this process had the claim
        return Result::There;
    const auto index = symbols.index();
    write_symbols(file, *index, *symbols.shared_names(*index), symbols.complete(), key, module.path);
    return file.finish() != 0 ? fail(file.error(), file.path()) : publish(folder.descriptor(), file, key, module.path);
}

SymbolStore::Result SymbolStore::put_or_wait(const Module& module, std::chrono::steady_clock::time_point deadline) {
    for (long pause = 1000;; pause = std::min<long>(2 * pause, 50000)) {
        const Result result = put(module);
        if (result != Result::Busy || std::chrono::steady_clock::now() >= deadline)
            return result;
        base::sleep_microseconds(pause);
    }
}

SymbolStore::Result SymbolStore::publish(int folder, ClaimedFile& file, const std::string& key,
                                         const std::string& path) {
    const std::string name = file_name(key, path);
    int error = move_without_replacing(folder, file.name(), name);
    if (error == EEXIST) {
        if (has(key, path))
            return Result::There;
        // The existing file is damaged or not trusted.
        error = ::renameat(folder, file.name().c_str(), folder, name.c_str()) == 0 ? 0 : errno;
        // It belongs to another user who does not permit others to replace it; names then come from the object.
        if (error == EPERM || error == EACCES)
            return Result::There;
    }
    if (error != 0)
        return fail(error, folder_ + "/" + name);
    file.moved();
    return Result::Written;
}

} // namespace vftr::symbols
