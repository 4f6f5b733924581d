// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/watch/control_page.hpp"

#include "vfd/format.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr std::size_t PageBytes = 4096;

[[noreturn]] void refuse(const std::string& file, const std::string& why) {
    throw std::runtime_error(file + ": " + why);
}

void store_text(char* to, std::size_t size, const std::string& text) {
    for (std::size_t i = 0; i < size; ++i)
        __atomic_store_n(&to[i], i < text.size() ? text[i] : '\0', __ATOMIC_RELEASE);
}

// Of the structure, for everybody who gives commands. A lock of the open file description: the process itself may have
// locks of other kinds.
bool lock(int descriptor) {
    struct flock bytes {};
    bytes.l_type = F_WRLCK;
    bytes.l_whence = SEEK_SET;
    bytes.l_start = offsetof(vfd::FileHeader, control);
    bytes.l_len = sizeof(vfd::Control);
    while (::fcntl(descriptor, F_OFD_SETLKW, &bytes) != 0)
        if (errno != EINTR)
            return false;
    return true;
}

} // namespace

ControlPage::ControlPage(const std::string& file) {
    descriptor_ = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor_ < 0)
        refuse(file, std::strerror(errno));
    try {
        struct stat status {};
        if (::fstat(descriptor_, &status) != 0 || !S_ISREG(status.st_mode) ||
            status.st_size < static_cast<off_t>(PageBytes))
            refuse(file, "this is no recording");
        page_ = ::mmap(nullptr, PageBytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
        if (page_ == MAP_FAILED) {
            page_ = nullptr;
            refuse(file, std::strerror(errno));
        }
        auto* header = static_cast<vfd::FileHeader*>(page_);
        if (std::memcmp(header->magic, vfd::Magic, sizeof vfd::Magic) != 0)
            refuse(file, "this is no recording");
        if (header->version != vfd::FormatVersion)
            refuse(file, "it is of a version that knows no commands");
        if (header->state != vfd::FileState::Open)
            refuse(file, "no process writes this recording any more");
        if (!lock(descriptor_))
            refuse(file, std::strerror(errno));
        control_ = &header->control;
    } catch (...) {
        if (page_)
            ::munmap(page_, PageBytes);
        ::close(descriptor_);
        throw;
    }
}

ControlPage::~ControlPage() {
    ::munmap(page_, PageBytes);
    ::close(descriptor_);
}

// Each store of the command is behind that of 0.
void ControlPage::ask(vfd::ControlCommand command, const std::string& text) {
    number_ = std::max({control_->asked, control_->taken, control_->answered}) + 1;
    __atomic_store_n(&control_->asked, 0, __ATOMIC_RELAXED);
    __atomic_store_n(reinterpret_cast<std::uint32_t*>(&control_->command), static_cast<std::uint32_t>(command),
                     __ATOMIC_RELEASE);
    store_text(control_->text, sizeof control_->text, text);
    __atomic_store_n(&control_->asked, number_, __ATOMIC_RELEASE);
}

std::optional<ControlPage::Answer> ControlPage::answer() const {
    if (__atomic_load_n(&control_->answered, __ATOMIC_ACQUIRE) != number_)
        return std::nullopt;
    char text[sizeof control_->answer];
    for (std::size_t i = 0; i < sizeof text; ++i)
        text[i] = __atomic_load_n(&control_->answer[i], __ATOMIC_RELAXED);
    return Answer{__atomic_load_n(&control_->refused, __ATOMIC_RELAXED) == 0,
                  std::string(text, strnlen(text, sizeof text))};
}

} // namespace vftr::cli
