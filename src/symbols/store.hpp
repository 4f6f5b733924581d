// SPDX-License-Identifier: BSD-3-Clause
//
// The symbol store: one folder beside the recordings of any number of processes, with one file per loaded object that
// functions were recorded of (store_format.hpp). A thousand short runs or ranks of one program share one copy of its
// symbols, and recordings that are moved away together with the folder are fully named where the program is not.
//
// Content-addressed: a file's name is the object's key (identity.hpp) and, for the reader's eyes, a part of its file
// name. What is there is never changed: whoever finds it reads and writes nothing more than its header.
//
// Who comes first writes. In a job thousands of ranks end at the same moment and find nothing, and not all of them
// shall read the same executable and write the same file: the temporary file is the claim. Its name follows from the
// key alone, its writer holds a lock (flock) on it, and who does not get the lock leaves the work to the one that has
// it. The kernel takes the lock away when a process dies, so the next one takes over what it left; a temporary file
// that nobody has locked is an orphan, and every writer removes those it sees. Where the file system has no locks,
// temporaries have names of their own and all write. When it is whole, the file is moved to its name without replacing
// what may have come there since.
//
// A file has all functions of its object, whoever called which. At the end of a program that is too much to do for a
// large object, so a store may leave these to its caller, who puts the names of what was called into the recording.
#pragma once

#include "symbols/symbols.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace vftr::symbols {

class ClaimedFile;

inline constexpr const char* store_folder_name = "vftrace_symbols";

// The store of the recording at `path`: the folder beside it.
std::string store_beside(const std::string& path);

class SymbolStore {
public:
    // `folder` need not exist; it is made when the first file is. (Its parent is not.)
    // largest: bytes of an object's symbol tables up to which it is stored. Storing takes some three times as much
    // memory.
    explicit SymbolStore(std::string folder, std::uint64_t largest = std::numeric_limits<std::uint64_t>::max())
        : folder_(std::move(folder)), largest_(largest) {}

    enum class Result {
        There, // was there already
        Written,
        Busy,    // another process is writing it
        Unknown, // nobody can tell what file was loaded, or it is not there any more: nothing is stored
        Large,   // larger than this store takes: nothing is stored
        Failed,  // error() and failed_path() say why
    };
    // Stores the symbols of a module. An object without any gets an empty file: so much is known then.
    // process: as in NameSources. Throws std::bad_alloc.
    Result put(const Module& module, std::int32_t process = 0);

    // The same; while another process is writing it, waits for that until then, and takes over where it died.
    Result put_or_wait(const Module& module, std::chrono::steady_clock::time_point deadline);

    // Of the latest put that failed.
    int error() const { return error_; }
    const std::string& failed_path() const { return failed_path_; }

    // Names of files in the folder that may be those of this key, the likeliest first.
    std::vector<std::string> candidates(const std::string& key, const std::string& path) const;

private:
    bool has(const std::string& key, const std::string& path) const;
    Result fail(int error, const std::string& path);
    Result publish(ClaimedFile& file, const std::string& key, const std::string& path);
    void remove_orphans() const;

    std::string folder_;
    std::uint64_t largest_;
    int error_ = 0;
    std::string failed_path_;
};

} // namespace vftr::symbols
