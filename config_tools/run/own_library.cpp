// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/own_library.hpp"

#include "config_tools/files/real_path.hpp"

#include <filesystem>
#include <stdexcept>

namespace vftr::cli {
namespace {

constexpr const char* Name = "libvftrace.so." VFTR_VERSION;

std::string own_folder() {
    const std::string self = real_path("/proc/self/exe");
    return self.substr(0, self.rfind('/'));
}

// Where the libraries are, as seen from the folder of vftr: the installation may have been moved.
std::string way_to_libraries() { return std::filesystem::path(VFTR_LIBDIR).lexically_relative(VFTR_BINDIR); }

// That of Debian's packages, which are made of any build; "": this compiler knows no such folder.
constexpr const char* WayInPackages = *VFTR_MULTIARCH ? "../lib/" VFTR_MULTIARCH : "";

// The real path of the file, by its name in a build tree and that below the folder of libraries; "": there is none.
std::string find_own(const std::string& in_build, const std::string& installed) {
    const std::string beside = own_folder();
    // Where a folder is a link, the way from the real one may lead elsewhere; vftr is still where it was installed
    // then.
    const bool in_place = !beside.empty() && beside == real_path(VFTR_BINDIR);
    for (const std::string& path : {beside + '/' + in_build, beside + '/' + way_to_libraries() + '/' + installed,
                                    in_place ? std::string(VFTR_LIBDIR) + '/' + installed : "",
                                    *WayInPackages ? beside + '/' + WayInPackages + '/' + installed : ""})
        if (std::string found = path.empty() ? "" : real_path(path); !found.empty())
            return found;
    return "";
}

} // namespace

std::string own_library() {
    if (std::string found = find_own(Name, Name); !found.empty())
        return found;
    throw std::runtime_error(std::string(Name) + " is neither beside " + own_folder() + "/vftr nor in " +
                             way_to_libraries() + "; name it with --library");
}

std::string own_plugin(advice::CompilerFamily family) {
    const std::string name = family == advice::CompilerFamily::Gcc ? "vftrace.so" : "vftrace_clang.so";
    return find_own(name, "vftrace/" + name);
}

std::string given_library(const char* file) {
    std::string found = real_path(file);
    if (found.empty())
        throw std::runtime_error(std::string(file) + ": there is no such library");
    return found;
}

} // namespace vftr::cli
