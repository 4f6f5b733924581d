// SPDX-License-Identifier: BSD-3-Clause
//
// A folder below TMPDIR or /tmp that exists as long as the object; it is removed with all its contents.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace vftr::base {

class TemporaryFolder {
public:
    // Throws std::runtime_error.
    TemporaryFolder() {
        const char* base = std::getenv("TMPDIR");
        path_ = std::string(base && *base ? base : "/tmp") + "/vftr_XXXXXX";
        if (!::mkdtemp(path_.data()))
            throw std::runtime_error("cannot make a folder " + path_ + ": " + std::strerror(errno));
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }

private:
    std::string path_;
};

} // namespace vftr::base
