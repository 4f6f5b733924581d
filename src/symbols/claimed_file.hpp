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
    // The same in a folder that is open and stays so as long as the object: whatever its path leads to now. `folder`
    // is only for messages.
    ClaimedFile(int open_folder, const std::string& folder, const std::string& stem);
    ~ClaimedFile();
    ClaimedFile(const ClaimedFile&) = delete;
    ClaimedFile& operator=(const ClaimedFile&) = delete;

    int error() const { return error_; }
    std::string path() const { return folder_ + "/" + file_; }
    // In the open folder.
    const std::string& name() const { return name_; }

    // Buffers the bytes. Nothing is written after the first error.
    void write(const void* bytes, std::size_t size);
    // Must be called after the last write. Returns 0 or errno.
    int finish();
    void moved() { moved_ = true; }

private:
    ClaimedFile(int open_folder, const std::string& folder, const std::string& stem, const std::string& prefix);
    void open_locked();
    void open_new(const std::string& stem);
    void call(const std::string& file);
    void flush();

    int open_folder_;             // AT_FDCWD: there is none
    std::string folder_, prefix_; // prefix_: what stands before a file's name where it is opened
    std::string file_, name_;
    int fd_ = -1;
    int error_ = 0;
    bool moved_ = false;
    std::vector<char> buffer_;
};

// Whether another process has a ClaimedFile of this folder and stem now. It creates nothing, and it is in no one's way.
bool is_claimed(const std::string& folder, const std::string& stem);

// Removes a file of the open folder if it is a temporary file of this user's that no process has claimed.
void remove_if_unclaimed(int open_folder, const std::string& name);

// Whether a file with such a name can be a temporary one of a symbol store: KEY.tmp, KEY.PID.tmp or KEY.PID.NUMBER.tmp
// (identity.hpp has the keys). Other files that end in ".tmp" are somebody's own. Keys of less than 16 digits, which
// only a build-id has that was chosen by hand, do not count.
bool is_temporary_of_store(std::string_view name);

} // namespace vftr::symbols
