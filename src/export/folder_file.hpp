// SPDX-License-Identifier: BSD-3-Clause
//
// A file of an export that is a folder. The folder is new and nobody else's, so that no such file exists yet, and is
// moved to its place when it is complete.
#pragma once

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <sys/types.h>
#include <unistd.h>

namespace vftr::exports {

// Each function but take() throws std::runtime_error with the reason.
class FolderFile {
public:
    explicit FolderFile(const std::string& path) : file_(std::fopen(path.c_str(), "wbxe"), std::fclose) {
        check(file_ != nullptr);
    }

    void bytes(const void* data, std::size_t size) { check(std::fwrite(data, 1, size, file_.get()) == size); }
    // The same for a Sink, which destructors flush: false where it is not written, and close() tells the reason.
    bool take(std::span<const std::byte> bytes) noexcept {
        if (std::fwrite(bytes.data(), 1, bytes.size(), file_.get()) == bytes.size())
            return true;
        error_ = errno;
        return false;
    }
    std::int64_t position() {
        const off_t at = ::ftello(file_.get());
        check(at >= 0);
        return at;
    }
    void to_begin() { check(::fseeko(file_.get(), 0, SEEK_SET) == 0); }
    // Without it the end of the file may be missing.
    void close() {
        errno = error_;
        check(error_ == 0 && std::fclose(file_.release()) == 0);
    }

private:
    static void check(bool good) {
        if (!good)
            throw std::runtime_error(std::strerror(errno));
    }

    std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
    int error_ = 0; // errno of what take() could not write
};

} // namespace vftr::exports
