// SPDX-License-Identifier: BSD-3-Clause
//
// A temporary file that only one process at a time may write (store.hpp gives the reasons).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

// The file is removed together with the object, unless it was moved away.
class ClaimedFile {
public:
    // Creates or empties folder/stem.tmp and locks it. If files cannot be locked, it creates folder/stem.<pid>.tmp.
    // error() is 0 if that succeeded, EWOULDBLOCK if another process has claimed the file, else the errno.
    ClaimedFile(const std::string& folder, const std::string& stem);
    ~ClaimedFile();
    ClaimedFile(const ClaimedFile&) = delete;
    ClaimedFile& operator=(const ClaimedFile&) = delete;

    int error() const { return error_; }
    const std::string& path() const { return path_; }

    // Buffers the bytes. Nothing is written after the first error.
    void write(const void* bytes, std::size_t size);
    // Must be called after the last write. Returns 0 or errno.
    int finish();
    void moved() { moved_ = true; }

private:
    void open_locked();
    void open_new(const std::string& stem);
    void flush();

    std::string path_;
    int fd_ = -1;
    int error_ = 0;
    bool moved_ = false;
    std::vector<char> buffer_;
};

// Removes the file if it is a temporary file that no process has claimed.
void remove_if_unclaimed(const std::string& path);

inline bool is_temporary(std::string_view name) { return name.ends_with(".tmp"); }

} // namespace vftr::symbols
