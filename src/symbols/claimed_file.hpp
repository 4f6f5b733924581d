// SPDX-License-Identifier: BSD-3-Clause
//
// A temporary file that one process at a time may write (store.hpp says why).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vftr::symbols {

// Removed with the object, unless it was moved away.
class ClaimedFile {
public:
    // folder/stem.tmp, emptied; folder/stem.<pid>.tmp where files cannot be locked. error(): 0; EWOULDBLOCK: another
    // process has it; else errno.
    ClaimedFile(const std::string& folder, const std::string& stem);
    ~ClaimedFile();
    ClaimedFile(const ClaimedFile&) = delete;
    ClaimedFile& operator=(const ClaimedFile&) = delete;

    int error() const { return error_; }
    const std::string& path() const { return path_; }

    // Buffered. Nothing happens after the first error.
    void write(const void* bytes, std::size_t size);
    // After the last write. 0 or errno.
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

// Removes folder/name if it is a temporary file that nobody has claimed.
void remove_if_unclaimed(const std::string& path);

inline bool is_temporary(std::string_view name) { return name.ends_with(".tmp"); }

} // namespace vftr::symbols
