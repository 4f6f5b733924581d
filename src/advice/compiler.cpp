// SPDX-License-Identifier: BSD-3-Clause
#include "advice/compiler.hpp"

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <utility>

namespace vftr::advice {
namespace {

bool has(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

// Whether a shell takes the word as it is, and it has no comma or backslash, which gcc's lists would need to escape.
bool is_plain(std::string_view folder) {
    constexpr std::string_view Others = "/._-+@%:=";
    return !folder.empty() && std::all_of(folder.begin(), folder.end(), [&](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               has(Others, std::string_view(&c, 1));
    });
}

bool lies_in(const std::string& inner, const std::string& outer) {
    return inner.size() > outer.size() && inner.starts_with(outer) && inner[outer.size()] == '/';
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts)
        text.append(text.empty() ? "" : ",").append(part);
    return text;
}

constexpr const char* Hooks = "calls vftrace at the begin and the end of each function; this is what records";

} // namespace

std::optional<Compiler> recognise(std::string_view version_text) {
    const std::string_view line = first_line(version_text);
    Compiler compiler{CompilerFamily::Gcc, false, std::string(line)};
    if (has(line, "GNU Fortran")) {
        compiler.fortran = true;
        return compiler;
    }
    if (has(version_text, "clang") || has(version_text, "flang") || has(version_text, "oneAPI") ||
        line.starts_with("ifx")) {
        compiler.family = CompilerFamily::Clang;
        compiler.fortran = has(version_text, "flang") || line.starts_with("ifx");
        return compiler;
    }
    constexpr std::string_view Names[] = {"gcc", "g++", "GCC", "c++", "cc "};
    const bool named =
        std::any_of(std::begin(Names), std::end(Names), [&](std::string_view name) { return has(line, name); });
    return named && has(version_text, "Free Software Foundation") ? std::optional(compiler) : std::nullopt;
}

std::vector<std::string> system_header_folders(std::string_view search_text) {
    constexpr std::string_view Begin = "#include <...> search starts here:", End = "End of search list.";
    std::vector<std::string> folders;
    const std::size_t begin = search_text.find(Begin);
    if (begin == search_text.npos)
        return folders;
    search_text.remove_prefix(begin + Begin.size());
    search_text = search_text.substr(0, search_text.find(End));
    while (!search_text.empty()) {
        std::string_view line = first_line(search_text);
        search_text.remove_prefix(std::min(search_text.size(), line.size() + 1));
        while (line.starts_with(' '))
            line.remove_prefix(1);
        // gcc normalises a path with ".." in the same way.
        std::string folder = std::filesystem::path(line).lexically_normal().string();
        while (folder.size() > 1 && folder.ends_with('/'))
            folder.pop_back();
        if (folder.size() > 1 && folder.front() == '/' && is_plain(folder))
            folders.push_back(std::move(folder));
    }
    const std::vector<std::string> all = folders;
    std::erase_if(folders, [&](const std::string& folder) {
        return std::any_of(all.begin(), all.end(), [&](const std::string& other) { return lies_in(folder, other); });
    });
    std::sort(folders.begin(), folders.end());
    folders.erase(std::unique(folders.begin(), folders.end()), folders.end());
    return folders;
}

std::vector<WantedFlag> flags_to_start_with(const Compiler& compiler, const std::string& plugin,
                                            const std::vector<std::string>& header_folders) {
    const bool with_plugin = is_plain(plugin);
    std::vector<WantedFlag> flags{{{"-g", "lines of source: OpenMP constructs are named by them; costs no time"}}};
    if (compiler.family == CompilerFamily::Clang) {
        flags.push_back(
            {{"-finstrument-functions-after-inlining",
              std::string(Hooks) +
                  "; what was inlined (with -O1 or more) has none, so that it costs nothing and counts as its caller"}});
        flags.push_back({{"-finstrument-functions", Hooks}, true});
        if (with_plugin)
            flags.push_back(
                {{"-fpass-plugin=" + plugin,
                  "only in functions that are long enough to be worth two calls; what is shorter counts as its caller"}});
        return flags;
    }
    flags.push_back({{"-finstrument-functions", Hooks}});
    if (with_plugin)
        flags.push_back(
            {{"-fplugin=" + plugin,
              "puts the hooks in after inlining (with -O1 or more), and only in functions that are long enough to be "
              "worth two calls: the program runs as it does without, and what is inlined counts as its caller"}});
    if (!compiler.fortran && !header_folders.empty())
        flags.push_back(
            {{"-finstrument-functions-exclude-file-list=" + joined(header_folders),
              "not in functions of the system's headers: gcc puts the hooks in before it inlines, and the calls of "
              "C++ containers can be many times all others together; their time counts as their caller's"},
             with_plugin});
    return flags;
}

} // namespace vftr::advice
