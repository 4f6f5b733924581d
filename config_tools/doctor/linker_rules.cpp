// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/doctor/linker_rules.hpp"

#include "symbols/linkage.hpp"

#include <algorithm>
#include <string_view>
#include <sys/auxv.h>

namespace vftr::cli {
namespace {

// The names of x86-64; other processors have hardly any such libraries.
std::vector<std::string> variants_of_this_processor() {
    std::vector<std::string> variants;
#ifdef __x86_64__
    __builtin_cpu_init();
    const bool second = __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    const bool third = second && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                       __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("fma");
    const bool fourth = third && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                        __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                        __builtin_cpu_supports("avx512vl");
    if (fourth)
        variants.emplace_back("glibc-hwcaps/x86-64-v4/");
    if (third)
        variants.emplace_back("glibc-hwcaps/x86-64-v3/");
    if (second)
        variants.emplace_back("glibc-hwcaps/x86-64-v2/");
#endif
    return variants;
}

// The first folder is that of the C library: "lib64" of "/lib64/" and of "/opt/glibc/lib64/", but
// "lib/x86_64-linux-gnu" of "/lib/x86_64-linux-gnu/".
std::string library_folder_of(std::string_view folder) {
    folder.remove_suffix(1);
    return std::string(folder.substr(folder.starts_with("/lib") ? 1 : folder.rfind('/') + 1));
}

} // namespace

std::optional<LinkerRules> linker_rules(const std::string& interpreter) {
    std::string reason;
    auto file = symbols::ElfFile::open(interpreter, reason);
    if (!file ||
        symbols::find_symbol(*file, symbols::Table::Dynamic, "_rtld_global").presence != symbols::Presence::Given)
        return std::nullopt;
    LinkerRules rules;
    rules.path = interpreter;
    rules.soname = symbols::linkage_of(*file).soname;
    symbols::for_each_string(*file, 3, [&](std::string_view text) {
        if (!text.starts_with('/'))
            return false;
        if (text.ends_with('/') && std::find(rules.folders.begin(), rules.folders.end(), text) == rules.folders.end())
            rules.folders.emplace_back(text);
        if (text.ends_with("/ld.so.cache"))
            rules.cache = text;
        if (text.ends_with("/ld.so.preload"))
            rules.preload = text;
        return false;
    });
    if (rules.folders.empty())
        return std::nullopt;
    rules.library_folder = library_folder_of(rules.folders.front());
    if (const auto* platform = reinterpret_cast<const char*>(::getauxval(AT_PLATFORM)))
        rules.platform = platform;
    rules.variants = variants_of_this_processor();
    return rules;
}

} // namespace vftr::cli
