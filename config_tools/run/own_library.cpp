// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/own_library.hpp"

#include <climits>
#include <cstdlib>
#include <stdexcept>

namespace vftr::cli {
namespace {

constexpr const char* Name = "libvftrace.so." VFTR_VERSION;

std::string real_path(const std::string& path) {
    char* found = ::realpath(path.c_str(), nullptr);
    std::string result = found ? found : "";
    std::free(found);
    return result;
}

} // namespace

std::string own_library() {
    std::string self = real_path("/proc/self/exe");
    std::string beside = self.substr(0, self.rfind('/'));
    // VFTR_LIBDIR is right only where vftr is still where it was installed: an install tree may have been moved.
    bool installed = !beside.empty() && beside == real_path(VFTR_BINDIR);
    for (const std::string& folder :
         {beside, std::string(installed ? VFTR_LIBDIR : ""), beside + "/../lib", beside + "/../lib64"})
        if (std::string found = folder.empty() ? "" : real_path(folder + '/' + Name); !found.empty())
            return found;
    throw std::runtime_error(std::string(Name) + " is neither beside " + self +
                             " nor in ../lib or ../lib64; name it with --library");
}

std::string given_library(const char* file) {
    std::string found = real_path(file);
    if (found.empty())
        throw std::runtime_error(std::string(file) + ": there is no such library");
    return found;
}

} // namespace vftr::cli
