// SPDX-License-Identifier: BSD-3-Clause
//
// vftr export: the profile of a run in the formats of other tools.
#include "config_tools/option_number.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/verb.hpp"

#include "base/foreign_text.hpp"
#include "base/replaced_file.hpp"
#include "export/format.hpp"
#include "report/notes.hpp"
#include "report/report.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace vftr::cli {
namespace {

struct Wanted {
    std::vector<const exports::Format*> formats;
    std::string output; // empty: named after the run; "-": standard output
    bool each_rank = false;
    exports::Options options;
};

void print_help() {
    std::fputs(
        "usage: vftr export --format=NAME[,NAME…] [OPTION…] FILE…\n\n"
        "Writes the profile of a run, from the vfd files of its ranks or from the merged one, for other tools.\n\n"
        "  --format NAME   of these, or several of them:\n",
        stdout);
    for (const exports::Format& format : exports::formats())
        std::printf("                    %-12.*s%.*s\n", static_cast<int>(format.name.size()), format.name.data(),
                    static_cast<int>(format.help.size()), format.help.data());
    std::fputs(
        "  -o, --output=FILE\n"
        "                  where to write one format, - for standard output; default: a file in the current folder\n"
        "                  that is named after the run and the format, such as solver_all.folded\n"
        "  --each-rank     a profile for each rank instead of one of all\n"
        "  --weight=calls  folded: calls instead of nanoseconds\n"
        "  --min-share=PERCENT\n"
        "                  dot: leaves out what has less of the time; default: 0.5\n"
        "  --help          print this\n",
        stdout);
}

std::string known_formats() {
    std::string names;
    for (const exports::Format& format : exports::formats())
        names.append(names.empty() ? "" : ", ").append(format.name);
    return names;
}

// Adds the formats of a list with commas.
void add_formats(std::vector<const exports::Format*>& formats, std::string_view list) {
    for (std::size_t at = 0; at <= list.size();) {
        const std::size_t comma = std::min(list.find(',', at), list.size());
        const std::string_view name = list.substr(at, comma - at);
        const exports::Format* format = exports::find_format(name);
        if (!format)
            throw std::runtime_error("--format: there is no format '" + base::foreign_text(name) + "', there are " +
                                     known_formats());
        formats.push_back(format);
        at = comma + 1;
    }
}

exports::Subject subject_of(const RunFiles& files, const Wanted& wanted) {
    exports::Subject subject;
    if (wanted.each_rank && files.merged())
        throw std::runtime_error(files.config_label() +
                                 ": is the sum over all ranks; --each-rank needs the files of the ranks");
    analysis::Profile all = files.profile();
    subject.application = base::foreign_text(all.application);
    subject.remarks = report::notes(all, {});
    if (wanted.each_rank)
        for (const std::int32_t rank : files.ranks())
            subject.parts.push_back({"rank " + std::to_string(rank), files.profile_of_rank(rank)});
    else
        subject.parts.push_back({all.rank_count > 1 ? "all ranks" : "all calls", std::move(all)});
    return subject;
}

using FileOf = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

// As by a shell's >: standard output, FIFOs, /dev/stdout. 0 or errno.
int write_in_place(std::FILE* file, const exports::Format& format, const exports::Subject& subject,
                   const exports::Options& options) {
    errno = 0;
    exports::Sink sink([&](std::span<const std::byte> bytes) {
        return std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
    });
    format.write(subject, options, sink);
    return sink.flush() && std::fflush(file) == 0 ? 0 : errno != 0 ? errno : EIO;
}

int write_to(const std::string& path, const exports::Format& format, const exports::Subject& subject,
             const exports::Options& options) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (std::filesystem::is_directory(status))
        return EISDIR;
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
        const FileOf file(std::fopen(path.c_str(), "we"), std::fclose);
        return file ? write_in_place(file.get(), format, subject, options) : errno;
    }
    // Where it is a link, what it leads to is replaced.
    const std::filesystem::path place =
        std::filesystem::exists(status) ? std::filesystem::canonical(path, error) : std::filesystem::path(path);
    return base::replace_file(place.empty() ? path : place.string(), [&](const base::FileSink& file) {
        exports::Sink sink(file);
        format.write(subject, options, sink);
        return sink.flush();
    });
}

void write(const exports::Format& format, const exports::Subject& subject, const Wanted& wanted,
           const std::string& path) {
    const bool to_stdout = path == "-";
    const int error = to_stdout ? write_in_place(stdout, format, subject, wanted.options)
                                : write_to(path, format, subject, wanted.options);
    if (error != 0)
        throw std::runtime_error((to_stdout ? "standard output" : base::foreign_text(path)) + ": " +
                                 std::strerror(error));
    if (wanted.output.empty()) // a name that the user does not know
        std::printf("%s\n", base::foreign_text(path).c_str());
}

void refuse_input(const std::string& output, const std::vector<std::string>& inputs) {
    std::error_code error;
    for (const std::string& input : inputs)
        if (std::filesystem::equivalent(output, input, error))
            throw std::runtime_error(base::foreign_text(output) +
                                     ": this is a file to be exported; give another one to --output");
}

} // namespace

int verb_export(int argc, char** argv) {
    enum { EachRank = 256, WeightOf, MinShare };
    static const option Known[] = {{"format", required_argument, nullptr, 'f'},
                                   {"output", required_argument, nullptr, 'o'},
                                   {"each-rank", no_argument, nullptr, EachRank},
                                   {"weight", required_argument, nullptr, WeightOf},
                                   {"min-share", required_argument, nullptr, MinShare},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    Wanted wanted;
    const auto early = read_options(argc, argv, ":f:o:h", Known, print_help, [&](int c) {
        switch (c) {
        case 'f':
            add_formats(wanted.formats, optarg);
            break;
        case 'o':
            wanted.output = optarg;
            break;
        case EachRank:
            wanted.each_rank = true;
            break;
        case WeightOf:
            if (std::string_view(optarg) != "time" && std::string_view(optarg) != "calls")
                return usage_error(argv[0], "--weight is time or calls, not ", optarg);
            wanted.options.weight =
                std::string_view(optarg) == "calls" ? exports::Weight::Calls : exports::Weight::Time;
            break;
        case MinShare:
            if (!parse_number(optarg, wanted.options.min_share) ||
                !(wanted.options.min_share >= 0 && wanted.options.min_share <= 100))
                return usage_error(argv[0], "--min-share needs a number of percent from 0 to 100, not ", optarg);
            break;
        }
        return 0;
    });
    if (early)
        return *early;
    if (wanted.formats.empty())
        return usage_error(argv[0], "--format is missing");
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    if (wanted.formats.size() > 1 && !wanted.output.empty())
        return usage_error(argv[0], "--output takes one format; several are named after the run");
    const std::vector<std::string> inputs(argv + optind, argv + argc);
    const RunFiles files(inputs);
    const exports::Subject subject = subject_of(files, wanted);
    const std::string stem = report::log_stem(files.basename(), -1, files.size());
    if (!wanted.output.empty() && wanted.output != "-")
        refuse_input(wanted.output, inputs);
    for (const exports::Format* format : wanted.formats)
        write(*format, subject, wanted,
              wanted.output.empty() ? stem + '.' + std::string(format->suffix) : wanted.output);
    return 0;
}

} // namespace vftr::cli
