// SPDX-License-Identifier: BSD-3-Clause
//
// Reads the bytes of a Vftrace 2.0 file (version3.hpp) field by field.
#pragma once

#include "base/descriptor.hpp"
#include "vfd/error.hpp"
#include "vfd/views.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <vector>

namespace vftr::vfd::version3 {

// A regular file. Opening any other kind, such as a FIFO, neither blocks nor is good().
class File {
public:
    explicit File(const std::string& path) : number_(base::open_file(path.c_str(), O_RDONLY | O_NONBLOCK)) {
        struct stat status {};
        if (number_ >= 0 && ::fstat(number_, &status) == 0 && S_ISREG(status.st_mode)) {
            good_ = true;
            size_ = static_cast<std::size_t>(status.st_size);
            hole_ = size_ / 100 > static_cast<std::size_t>(status.st_blocks) * 512 + (std::size_t{1} << 20);
        }
    }
    ~File() {
        if (number_ >= 0)
            base::close_file(number_);
    }
    File(const File&) = delete;
    File& operator=(const File&) = delete;

    bool good() const { return good_; }
    int number() const { return number_; }
    std::size_t size() const { return size_; }
    // True if nearly all of the file is a hole. No writer produces such a file. (On a file system that compresses,
    // intact files may also occupy fewer blocks.)
    bool hole() const { return hole_; }

private:
    int number_;
    bool good_ = false, hole_ = false;
    std::size_t size_ = 0;
};

// Reads field by field and never beyond the end.
class Cursor {
public:
    Cursor(const std::vector<char>& bytes, const std::string& path, std::uint64_t at = 0)
        : bytes_(bytes), path_(path), at_(at) {
        if (at > bytes.size())
            fail("damaged: a part of it begins behind its end");
    }

    template <class T>
    T get() {
        T value;
        std::memcpy(&value, take(sizeof value), sizeof value);
        return value;
    }
    // Reads a string of `size` bytes, which include the zero at its end.
    std::string text(std::int32_t size) {
        if (size < 0)
            fail("damaged: a text of less than no bytes");
        const char* begin = take(static_cast<std::size_t>(size));
        return std::string(begin, strnlen(begin, static_cast<std::size_t>(size)));
    }
    std::string text() { return text(get<std::int32_t>()); }
    void skip(std::uint64_t size) { take(size); }

    [[noreturn]] void fail(const std::string& reason) const {
        throw Error(path_, std::min<std::uint64_t>(at_, bytes_.size()), reason);
    }
    std::uint64_t left() const { return bytes_.size() - at_; }

private:
    const char* take(std::uint64_t size) {
        if (size > left())
            fail("the file is cut off");
        const char* begin = bytes_.data() + at_;
        at_ += size;
        return begin;
    }

    const std::vector<char>& bytes_;
    const std::string& path_;
    std::uint64_t at_;
};

} // namespace vftr::vfd::version3
