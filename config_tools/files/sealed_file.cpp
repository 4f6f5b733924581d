// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/files/sealed_file.hpp"

#include "analysis/recording/naming.hpp"
#include "base/replaced_file.hpp"
#include "vfd/compact.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr std::uint64_t InPlaceFrom = 64 << 20; // bytes
constexpr unsigned NoReplace = 1;               // RENAME_NOREPLACE

[[noreturn]] void fail_with_errno(const std::string& path, const char* what) {
    throw std::runtime_error(path + ": " + what + ": " + std::strerror(errno));
}

class Descriptor {
public:
    explicit Descriptor(int number) : number_(number) {}
    ~Descriptor() {
        if (number_ >= 0)
            ::close(number_);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    explicit operator bool() const { return number_ >= 0; }
    operator int() const { return number_; }
    bool close() {
        int number = number_;
        number_ = -1;
        return ::close(number) == 0;
    }

private:
    int number_;
};

// False: there is no room or right for a second file.
bool write_anew(const vfd::Image& image, const vfd::FileHeader& header) {
    const vfd::Compact compact(image, header, analysis::construct_names(image));
    return base::replace_file(image.label(), [&](const base::FileSink& sink) { return compact.write(sink); }) == 0;
}

void write_in_place(const std::string& path, const vfd::FileHeader& header) {
    Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file)
        fail_with_errno(path, "cannot write");
    ssize_t n = ::pwrite(file, &header, sizeof header, 0);
    if (n != static_cast<ssize_t>(sizeof header))
        fail_with_errno(path, "cannot write");
    // What was allocated and not used. Nothing depends on it.
    if (::ftruncate(file, static_cast<off_t>(header.file_end)) != 0 || !file.close())
        fail_with_errno(path, "cannot write");
}

bool rename_to_free_name(const std::string& from, const std::string& to) {
    if (::syscall(SYS_renameat2, AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), NoReplace) == 0)
        return true;
    if (errno == EEXIST)
        return false;
    // Not every file system can do that.
    if (errno != EINVAL && errno != ENOSYS)
        fail_with_errno(from, "cannot rename");
    if (::link(from.c_str(), to.c_str()) == 0) {
        ::unlink(from.c_str());
        return true;
    }
    if (errno == EEXIST)
        return false;
    if (::access(to.c_str(), F_OK) == 0)
        return false;
    if (std::rename(from.c_str(), to.c_str()) != 0)
        fail_with_errno(from, "cannot rename");
    return true;
}

} // namespace

std::string name_as_sealed(const std::string& path) {
    constexpr std::string_view Working = ".tmpvfd";
    if (!path.ends_with(Working))
        return path;
    std::string stem = path.substr(0, path.size() - Working.size()), name = stem + ".vfd";
    for (int i = 1; !rename_to_free_name(path, name); ++i)
        name = stem + "." + std::to_string(i) + ".vfd";
    return name;
}

std::string write_sealed(const vfd::Image& image, const vfd::FileHeader& header) {
    bool small = header.file_end <= InPlaceFrom;
    if (!small || !write_anew(image, header))
        write_in_place(image.label(), header);
    return name_as_sealed(image.label());
}

} // namespace vftr::cli
