// SPDX-License-Identifier: BSD-3-Clause
//
// The symbol store: a folder beside the recordings of any number of processes, with one file for each loaded object
// whose functions were recorded (store_format.hpp). A thousand short runs or ranks of one program share one copy of its
// symbols, and recordings that are moved together with the folder can be read with all names on machines without the
// program.
//
// It is content-addressed: a file's name consists of the object's key (identity.hpp) and, for human readers, a part of
// the object's file name. Files are never changed: a process that finds one reads only its header and writes nothing.
//
// The first process writes. In a job, thousands of ranks end at the same moment and find no file, and they should not
// all read the same executable and write the same file. Therefore the temporary file is a claim. Its name follows from
// the key alone, its writer holds a lock (flock) on it, and a process that does not get the lock leaves the work to the
// holder. The kernel releases the lock when a process dies, so that the next process takes over; a temporary file
// without a lock is an orphan, and every writer removes those of its user that it finds. If the file system has no
// locks, temporary files have unique names and all processes write. A complete file is moved to its final name without
// replacing a file that has appeared there meanwhile.
//
// The folder may be a symbolic link of the user's or of root's. One of another user, who can write to the folder for
// results, is not followed: files would be written and removed wherever it leads.
//
// A file has all functions of its object, whichever were called. For a large object that is too much work at the end of
// a program, so a store may leave large objects to its caller, which then puts the names of the called functions into
// the recording.
#pragma once

#include "symbols/symbols.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <sys/stat.h>
#include <utility>
#include <vector>

namespace vftr::symbols {

class ClaimedFile;

inline constexpr const char* store_folder_name = "vftrace_symbols";

// Returns the store for the recording at `path`, which is a folder beside it.
std::string store_beside(const std::string& path);

// Whether only this user and root can have written a file of a store. Otherwise, any user who can write to its folder
// could supply false names.
bool is_believed(const struct stat& status);

class SymbolStore {
public:
    // `folder` need not exist; it is created together with the first file, but its parent is not. largest: objects are
    // stored only if their symbol tables have at most this many bytes. Storing takes about three times as much memory.
    explicit SymbolStore(std::string folder, std::uint64_t largest = std::numeric_limits<std::uint64_t>::max())
        : folder_(std::move(folder)), largest_(largest) {}

    enum class Result {
        There, // it was stored already
        Written,
        Busy, // another process is writing it
        // It is not known which file was loaded, or the file is gone: nothing is stored.
        Unknown,
        Large,  // it is larger than `largest`: nothing is stored
        Failed, // see reason() and failed_path()
    };
    // Stores the symbols of a module. An object without symbols gets a file without functions, which records that fact.
    // process: see NameSources. Throws std::bad_alloc.
    Result put(const Module& module, std::int32_t process = 0);

    // As put, but while another process is writing the file, waits for it until the deadline and takes over if that
    // process dies.
    Result put_or_wait(const Module& module, std::chrono::steady_clock::time_point deadline);

    // The error of the latest put that failed, and the same as text.
    int error() const { return error_; }
    std::string reason() const;
    const std::string& failed_path() const { return failed_path_; }

    // Returns the names of files in the folder that may belong to this key, the most likely one first.
    std::vector<std::string> candidates(const std::string& key, const std::string& path) const;

private:
    bool has(const std::string& key, const std::string& path) const;
    Result fail(int error, const std::string& path);
    Result publish(int folder, ClaimedFile& file, const std::string& key, const std::string& path);

    std::string folder_;
    std::uint64_t largest_;
    int error_ = 0;
    std::string failed_path_;
};

} // namespace vftr::symbols
