// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/run/search_path.hpp"

#include <cstdlib>
#include <string_view>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

// The first for which `fits` is true.
std::string find_in_path(const std::string& name, bool (*fits)(const std::string&)) {
    const char* path = std::getenv("PATH");
    for (std::string_view folders = path ? path : "/bin:/usr/bin";;) {
        std::size_t colon = folders.find(':');
        std::string folder(folders.substr(0, colon));
        if (std::string file = (folder.empty() ? "." : folder) + '/' + name; fits(file))
            return file;
        if (colon == folders.npos)
            return "";
        folders.remove_prefix(colon + 1);
    }
}

bool is_file(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode);
}

} // namespace

bool is_executable_file(const std::string& path) { return is_file(path) && ::access(path.c_str(), X_OK) == 0; }

std::string find_program(const std::string& name) {
    if (name.find('/') != std::string::npos)
        return ::access(name.c_str(), F_OK) == 0 ? name : "";
    return find_in_path(name, is_executable_file);
}

bool is_in_path(const std::string& name) { return !find_in_path(name, is_file).empty(); }

} // namespace vftr::cli
