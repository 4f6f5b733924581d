// SPDX-License-Identifier: BSD-3-Clause
#include "symbols/claimed_file.hpp"

#include "base/descriptor.hpp"
#include "base/whole_io.hpp"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::symbols {

namespace {

constexpr std::size_t buffer_bytes = 1 << 16;
constexpr mode_t mode = 0644;

// Whether the name still leads to this open file. The previous holder of the lock may have moved or removed it.
bool is_at(int fd, int folder, const std::string& name) {
    struct stat open_file {
    }, named{};
    return fstat(fd, &open_file) == 0 && fstatat(folder, name.c_str(), &named, AT_SYMLINK_NOFOLLOW) == 0 &&
           open_file.st_dev == named.st_dev && open_file.st_ino == named.st_ino;
}

// Whether the file may be emptied. Somebody may have put a hard link, a FIFO or another user's file there.
bool is_our_own(int fd) {
    struct stat status {};
    return fstat(fd, &status) == 0 && S_ISREG(status.st_mode) && status.st_nlink <= 1 && status.st_uid == geteuid();
}

} // namespace

ClaimedFile::ClaimedFile(const std::string& folder, const std::string& stem)
    : ClaimedFile(AT_FDCWD, folder, stem, folder + "/") {}

ClaimedFile::ClaimedFile(int open_folder, const std::string& folder, const std::string& stem)
    : ClaimedFile(open_folder, folder, stem, "") {}

ClaimedFile::ClaimedFile(int open_folder, const std::string& folder, const std::string& stem, const std::string& prefix)
    : open_folder_(open_folder), folder_(folder), prefix_(prefix) {
    call(stem + ".tmp");
    open_locked();
    if (error_ == 0 || error_ == EWOULDBLOCK || (fd_ < 0 && error_ != ELOOP))
        return;
    // There are no locks, or the file must not be written. One that another user has locked is left to him.
    const bool claimed = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    if (!claimed)
        ::unlinkat(open_folder_, name_.c_str(), 0);
    if (fd_ >= 0)
        base::close_file(fd_);
    open_new(stem + "." + std::to_string(getpid()));
}

void ClaimedFile::call(const std::string& file) {
    file_ = file;
    name_ = prefix_ + file;
}

// The name has a counter because a process of another container may have the same pid.
void ClaimedFile::open_new(const std::string& stem) {
    constexpr int Most = 1000;
    fd_ = -EEXIST;
    for (int number = 0; fd_ == -EEXIST && number <= Most; ++number) {
        call(stem + (number == 0 ? "" : "." + std::to_string(number)) + ".tmp");
        fd_ = base::open_file_at(open_folder_, name_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
    }
    error_ = fd_ < 0 ? -fd_ : 0;
}

// Sets fd_, unless the file cannot be opened or another process has claimed it.
void ClaimedFile::open_locked() {
    for (int tries = 0; tries < 100; ++tries) {
        fd_ = base::open_file_at(open_folder_, name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, mode);
        if (fd_ < 0) {
            error_ = -fd_;
            return;
        }
        if (!is_our_own(fd_)) {
            error_ = EEXIST; // the constructor then creates a file with an unused name
            return;
        }
        const bool locked = ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
        error_ = locked ? 0 : errno;
        if (locked && is_at(fd_, open_folder_, name_)) {
            if (::ftruncate(fd_, 0) != 0)
                error_ = errno;
            return;
        }
        if (!locked && error_ != EWOULDBLOCK)
            return;
        base::close_file(fd_);
        fd_ = -1;
        if (!locked)
            return;
    }
    error_ = EWOULDBLOCK;
}

bool is_claimed(const std::string& folder, const std::string& stem) {
    const std::string path = folder + "/" + stem + ".tmp";
    const int fd = base::open_file(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return false;
    const bool claimed = ::flock(fd, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
    base::close_file(fd);
    return claimed;
}

ClaimedFile::~ClaimedFile() {
    if (fd_ < 0)
        return;
    if (!moved_)
        ::unlinkat(open_folder_, name_.c_str(), 0); // before the lock is released with the descriptor
    base::close_file(fd_);
}

void ClaimedFile::write(const void* bytes, std::size_t size) {
    const auto* from = static_cast<const char*>(bytes);
    buffer_.insert(buffer_.end(), from, from + size);
    if (buffer_.size() >= buffer_bytes)
        flush();
}

void ClaimedFile::flush() {
    if (error_ == 0)
        error_ = base::write_all(fd_, buffer_.data(), buffer_.size());
    buffer_.clear();
}

int ClaimedFile::finish() {
    flush();
    return error_;
}

void remove_if_unclaimed(int open_folder, const std::string& name) {
    const int fd = base::open_file_at(open_folder, name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    if (fd < 0)
        return;
    if (is_our_own(fd) && ::flock(fd, LOCK_EX | LOCK_NB) == 0 && is_at(fd, open_folder, name))
        ::unlinkat(open_folder, name.c_str(), 0);
    base::close_file(fd);
}

bool is_temporary_of_store(std::string_view name) {
    constexpr std::size_t FewestDigits = 16, MostNumbers = 2;
    const auto remove_all_of = [&name](std::string_view digits) {
        const std::size_t count = std::min(name.find_first_not_of(digits), name.size());
        name.remove_prefix(count);
        return count;
    };
    constexpr std::string_view Ending = ".tmp";
    if (!name.ends_with(Ending))
        return false;
    name.remove_suffix(Ending.size());
    if (name.starts_with('n'))
        name.remove_prefix(1);
    if (remove_all_of("0123456789abcdef") < FewestDigits)
        return false;
    for (std::size_t numbers = 0; name.starts_with('.') && numbers < MostNumbers; ++numbers) {
        name.remove_prefix(1);
        if (remove_all_of("0123456789") == 0)
            return false;
    }
    return name.empty();
}

} // namespace vftr::symbols
