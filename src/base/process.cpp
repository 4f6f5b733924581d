// SPDX-License-Identifier: BSD-3-Clause
#include "base/process.hpp"

#include "base/environment.hpp"
#include "base/file_beginning.hpp"
#include "base/message.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::base {

namespace {

std::uint64_t number_at(std::string_view text, std::size_t at) {
    std::uint64_t number = 0;
    for (; at < text.size() && text[at] >= '0' && text[at] <= '9'; ++at)
        number = 10 * number + static_cast<std::uint64_t>(text[at] - '0');
    return number;
}

} // namespace

ProcessStat process_stat(pid_t pid) {
    char path[32] = "/proc/";
    Number number(static_cast<unsigned long long>(pid));
    std::string_view digits = number;
    std::memcpy(path + 6, digits.data(), digits.size());
    std::memcpy(path + 6 + digits.size(), "/stat", 6);
    char text[1024];
    std::string_view stat(text, read_beginning(path, text, sizeof text));
    // The second field is the name in parentheses, which may contain any character; the third field follows the last
    // parenthesis.
    std::size_t at = stat.rfind(')');
    ProcessStat result{};
    for (int field = 3; field <= 22 && at != std::string_view::npos; ++field) {
        at = stat.find(' ', at + 1);
        if (at == std::string_view::npos || at + 1 == stat.size())
            break;
        if (field == 3)
            result.state = stat[at + 1];
        else if (field == 20)
            result.threads = number_at(stat, at + 1);
        else if (field == 22)
            result.start = number_at(stat, at + 1);
    }
    return result;
}

std::uint64_t process_start(pid_t pid) { return process_stat(pid).start; }

std::uint64_t pid_namespace() {
    struct stat status {};
    return ::stat("/proc/self/ns/pid", &status) == 0 ? status.st_ino : 0;
}

bool is_own_pid_namespace(std::uint64_t pid_namespace) {
    const std::uint64_t own = pid_namespace == 0 ? 0 : base::pid_namespace();
    return own == 0 || own == pid_namespace;
}

bool process_lives(pid_t pid, std::uint64_t start, std::uint64_t pid_namespace) {
    if (pid <= 0 || !is_own_pid_namespace(pid_namespace))
        return false;
    const ProcessStat stat = process_stat(pid);
    if (stat.start == 0) // or /proc hides the process
        return ::kill(pid, 0) == 0 || errno == EPERM;
    if (start != 0 && stat.start != start)
        return false;
    // The first thread may have ended before the others.
    return (stat.state != 'Z' && stat.state != 'X') || stat.threads > 1;
}

std::size_t read_arguments(char* out, std::size_t room) {
    std::size_t used = read_beginning("/proc/self/cmdline", out, room);
    if (used != 0)
        out[used - 1] = '\0';
    return used;
}

const char* executed_path() {
    const auto* path = reinterpret_cast<const char*>(getauxval(AT_EXECFN));
    return path ? path : "";
}

bool prints_job_messages() {
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID"})
        if (const char* rank = environment_value(name))
            return std::strcmp(rank, "0") == 0;
    return true;
}

namespace {
const char* launcher_rank() {
    // SLURM_PROCID is not among these names, because batch scripts have it, too.
    for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"})
        if (const char* rank = environment_value(name))
            return rank;
    return nullptr;
}
} // namespace

bool launched_as_rank() { return launcher_rank() != nullptr; }

std::int64_t launched_rank() {
    const char* rank = launcher_rank();
    return rank ? std::strtoll(rank, nullptr, 10) : 0;
}

} // namespace vftr::base
