// SPDX-License-Identifier: BSD-3-Clause
#include "config/roots_file.hpp"

#include "base/descriptor.hpp"
#include "base/own_descriptors.hpp"

#include <cerrno>
#include <climits>
#include <cstring>
#include <deque>
#include <fcntl.h>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::config {

namespace {

constexpr int MostLinks = 40; // as the kernel
constexpr mode_t OthersWrite = S_IWGRP | S_IWOTH;

// The way from the root to a file, one name after the other.
class Way {
public:
    explicit Way(const std::string& path) { put_before(path); }
    ~Way() { close(); }
    Way(const Way&) = delete;
    Way& operator=(const Way&) = delete;

    RootsFile walk(std::string& reason) {
        while (good()) {
            if (left_.empty())
                return RootsFile::Good;
            if (!step())
                break;
        }
        reason = reason_;
        return reason_.empty() ? RootsFile::Absent : RootsFile::Refused;
    }

private:
    // An absolute path begins at the root again.
    void put_before(std::string_view path) {
        if (path.starts_with('/'))
            move_to(base::open_file("/", O_PATH | O_DIRECTORY), "/");
        std::deque<std::string> names;
        while (!path.empty()) {
            const std::size_t end = path.find('/');
            if (const std::string_view name = path.substr(0, end); !name.empty() && name != ".")
                names.emplace_back(name);
            path.remove_prefix(end == path.npos ? path.size() : end + 1);
        }
        left_.insert(left_.begin(), names.begin(), names.end());
    }

    void close() const {
        if (at_ >= 0)
            base::close_file(at_);
    }
    void move_to(int descriptor, const std::string& path) {
        close();
        at_ = descriptor;
        path_ = path;
    }

    // Of what at_ is: a folder above, the last folder, or the file.
    bool good() {
        struct stat status {};
        if (at_ < 0 || ::fstat(at_, &status) != 0)
            return false;
        const bool is_file = left_.empty(), sticky_is_enough = left_.size() > 1;
        if (is_file != S_ISREG(status.st_mode) || (!is_file && !S_ISDIR(status.st_mode)))
            return refuse(is_file ? "is no regular file" : "is no folder");
        if (status.st_uid != 0)
            return refuse("does not belong to root");
        if ((status.st_mode & OthersWrite) != 0 && !(sticky_is_enough && (status.st_mode & S_ISVTX) != 0))
            return refuse("can be written by others than root");
        return !is_file || status.st_nlink == 1 || refuse("has another name (a hard link)");
    }

    bool step() {
        const std::string name = left_.front();
        left_.pop_front();
        const std::string path = path_ + (path_.ends_with('/') ? "" : "/") + name;
        const int next = base::open_file_at(at_, name.c_str(), O_PATH | O_NOFOLLOW);
        struct stat status {};
        if (next < 0 || ::fstat(next, &status) != 0 || !S_ISLNK(status.st_mode)) {
            move_to(next, path);
            return next >= 0;
        }
        char target[PATH_MAX];
        const ssize_t size = ::readlinkat(next, "", target, sizeof target);
        base::close_file(next);
        if (left_.size() <= 1 || status.st_uid != 0) {
            path_ = path;
            return refuse(status.st_uid != 0 ? "is a symbolic link of another user than root" : "is a symbolic link");
        }
        if (size <= 0 || ++links_ > MostLinks)
            return false;
        put_before({target, static_cast<std::size_t>(size)});
        return true;
    }

    bool refuse(const char* why) {
        reason_ = path_ + " " + why;
        return false;
    }

    int at_ = -1;
    int links_ = 0;
    std::string path_; // of at_
    std::deque<std::string> left_;
    std::string reason_;
};

} // namespace

RootsFile check_roots_file(const std::string& path, std::string& reason) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0)
        return RootsFile::Absent;
    RootsFile found = RootsFile::Refused;
    base::with_own_descriptors([&] { found = Way(path).walk(reason); });
    return found;
}

} // namespace vftr::config
