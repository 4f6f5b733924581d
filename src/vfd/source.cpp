// SPDX-License-Identifier: BSD-3-Clause
#include "vfd/source.hpp"

#include "base/descriptor.hpp"
#include "base/message.hpp"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::vfd {

namespace {

struct Descriptor {
    int number;
    ~Descriptor() {
        if (number >= 0)
            base::close_file(number);
    }
};

[[noreturn]] void fail_errno(const std::string& path, const char* what) {
    std::string reason = std::string(what) + ": ";
    reason += base::error_text(errno);
    throw Error(path, 0, reason);
}

} // namespace

Source::Source(const std::string& path) : label_(path) {
    Descriptor file{base::open_file_or_errno(path.c_str(), O_RDONLY | O_NONBLOCK)};
    if (file.number < 0)
        fail_errno(path, "cannot open");
    struct stat status {};
    if (::fstat(file.number, &status) != 0)
        fail_errno(path, "cannot look at it");
    if (!S_ISREG(status.st_mode))
        throw Error(path, 0, "not a regular file");
    auto size = static_cast<std::size_t>(status.st_size);
    if (size < sizeof(FileHeader))
        throw Error(path, 0, "not a vfd file: too short (" + std::to_string(size) + " bytes)");
    void* memory = ::mmap(nullptr, size, PROT_READ, MAP_SHARED, file.number, 0);
    if (memory == MAP_FAILED)
        fail_errno(path, "cannot map");
    bytes_ = {static_cast<const std::byte*>(memory), size};
    data_ = FileData(file.number, size);
}

Source::~Source() {
    if (!bytes_.empty())
        ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

void Source::fail(const void* defect, const std::string& reason) const {
    auto at = reinterpret_cast<std::uintptr_t>(defect);
    auto begin = reinterpret_cast<std::uintptr_t>(bytes_.data());
    throw Error(label_, at >= begin && at - begin < bytes_.size() ? at - begin : 0, reason);
}

} // namespace vftr::vfd
