// SPDX-License-Identifier: BSD-3-Clause
//
// vftr recover: closes recordings of processes that were killed. Nothing is lost without it (every verb reads open
// files); it makes them small, complete, and independent of the programs and of this machine.
#include "config_tools/exit_code.hpp"
#include "config_tools/files/sealed_file.hpp"
#include "config_tools/files/writer_of.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/verb.hpp"

#include "analysis/processes/process_tree.hpp"
#include "analysis/recording/naming.hpp"
#include "base/foreign_text.hpp"
#include "symbols/store.hpp"
#include "vfd/recovery.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <sys/stat.h>

namespace vftr::cli {
namespace {

const char* how_it_ended(const vfd::FileHeader& header) {
    switch (header.state) {
    case vfd::FileState::Executed:
        return "went on as another program (exec)";
    case vfd::FileState::Exited:
        return "ended by _exit";
    default:
        return "was killed";
    }
}

// The process must not write to the file any more.
void require_gone(const vfd::Image& image, bool force) {
    struct stat status {};
    if (::stat(image.label().c_str(), &status) != 0)
        throw std::runtime_error(image.label() + ": " + std::strerror(errno));
    const vfd::FileHeader& header = image.header();
    std::string process = "process " + std::to_string(header.pid);
    switch (writer_of(header, image.label(), status.st_ino)) {
    case WriterOf::Gone:
        return;
    case WriterOf::Runs:
        throw std::runtime_error(image.label() + ": " + process + " still records; " + own_command("report") +
                                 " reads the file as it is");
    case WriterOf::OnAnotherHost:
        if (!force)
            throw std::runtime_error(image.label() + ": whether " + process + " still runs can only be told on " +
                                     header.hostname + "; if it does not, use --force");
        return;
    case WriterOf::InAnotherNamespace:
        if (!force)
            throw std::runtime_error(image.label() + ": whether " + process +
                                     " still runs can only be told in its container; if it does not, use --force");
    }
}

// As the process would have done at its end. Without them the recording is as good as before.
void store_symbols(const vfd::Image& image) {
    symbols::SymbolStore store(symbols::store_beside(image.label()));
    for (const symbols::Module& module : analysis::modules_in_use(image))
        if (store.put(module) == symbols::SymbolStore::Result::Failed) {
            tell_error("warning: " + store.failed_path() + ": cannot write: " + store.reason() +
                       "; names will come from the programs' own files");
            return;
        }
}

// Nothing to do: the merged profile of a run, or closed by its process or by us.
bool is_complete(const vfd::FileHeader& header) {
    constexpr std::uint32_t SmallestOfWriters = 4096; // compact files have smaller pages
    return header.kind != vfd::FileKind::Process || header.state == vfd::FileState::Sealed ||
           (header.state != vfd::FileState::Open && header.page_size < SmallestOfWriters);
}

// Without a checkpoint a recording does not tell of its exec, but that of the next program beside it may say what it
// descends from.
class NextPrograms {
public:
    bool follow(const std::string& path) {
        const std::filesystem::path folder = std::filesystem::path(path).parent_path();
        const auto [known, is_new] = files_.try_emplace(folder.empty() ? "." : folder.string());
        if (is_new)
            known->second = executed_in(known->first);
        return known->second.contains(std::filesystem::path(path).filename().string());
    }

private:
    static std::set<std::string> executed_in(const std::string& folder) {
        std::set<std::string> files;
        try {
            const analysis::ProcessTree tree(recordings_of({folder}, Complaints::None).recordings);
            for (const analysis::Recording& recording : tree.recordings())
                if (recording.ending == analysis::Ending::Executed)
                    files.insert(std::filesystem::path(recording.file).filename().string());
        } catch (const std::runtime_error&) {
            // A folder that cannot be read.
        }
        return files;
    }

    std::map<std::string, std::set<std::string>> files_; // by folder: those that another program follows
};

void recover(const std::string& path, bool force, NextPrograms& next) {
    const vfd::Image image = vfd::Image::open(path);
    if (is_complete(image.header())) {
        std::printf("%s: is closed\n", base::foreign_text(name_as_sealed(path)).c_str());
        return;
    }
    require_gone(image, force);
    vfd::FileHeader header = vfd::recovered_header(image);
    if (image.header().state == vfd::FileState::Open && next.follow(path))
        header.state = vfd::FileState::Executed;
    store_symbols(image);
    const std::string name = write_sealed(image, header);
    std::printf("%s: process %u %s after %.3f s\n", base::foreign_text(name).c_str(), header.pid, how_it_ended(header),
                static_cast<double>(header.end.monotonic_ns - header.start.monotonic_ns) * 1e-9);
}

} // namespace

int verb_recover(int argc, char** argv) {
    bool force = false;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE…"},
         .about = "Closes the recordings of processes that were killed: FILE.tmpvfd becomes FILE.vfd.\n",
         .options = {{"-f, --force", "also where the process may still run on another machine, or in a container",
                      flag(force)}}});
    if (early)
        return *early;
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    NextPrograms next;
    int code = 0;
    for (int i = optind; i < argc; ++i)
        try {
            recover(argv[i], force, next);
        } catch (const std::exception& error) {
            tell_error(error.what());
            code = ExitFailed;
        }
    return code;
}

} // namespace vftr::cli
