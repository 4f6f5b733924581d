// SPDX-License-Identifier: BSD-3-Clause
//
// vftr report: the text log of a run, made from its files by the code that makes it at the end of a
// run.
#include "run_files.hpp"
#include "verb.hpp"

#include "config/config.hpp"
#include "report/report.hpp"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <getopt.h>
#include <optional>
#include <stdexcept>

namespace vftr::cli {
namespace {

struct Options {
    const char* config = nullptr;
    const char* directory = nullptr; // null: standard output
    std::optional<std::int32_t> rank;
};

void print_help() {
    std::fputs(
        "usage: vftr report [OPTION…] FILE…\n\n"
        "Prints the log of a run, made from the vfd files of its ranks or from the merged one.\n\n"
        "  --config FILE   which tables and how; default: the configuration of the run\n"
        "  --rank N        only rank N\n"
        "  --output=DIR    write the log files into DIR instead of printing them\n"
        "  --help          print this\n",
        stdout);
}

// That of the command line, else that of the run, else the defaults.
config::Loaded load_config(const Options& options, const RunFiles& files) {
    if (options.config) {
        config::Loaded loaded = config::load_file(options.config);
        bool bad = false;
        for (const config::Problem& problem : loaded.problems) {
            std::fputs(config::to_text(problem).c_str(), stderr);
            bad |= problem.severity == config::Problem::Severity::Error;
        }
        if (bad)
            throw std::runtime_error(std::string(options.config) +
                                     ": the configuration has errors");
        return loaded;
    }
    if (files.config_text().empty())
        return {};
    // What was right where the program ran, such as a directory, may be wrong here and does not
    // matter.
    config::Loaded loaded = config::parse(std::string(files.config_text()), files.config_label());
    loaded.source = files.config_file();
    return loaded;
}

void write_file(const std::string& path, const std::string& text) {
    std::FILE* file = std::fopen(path.c_str(), "w");
    bool good = file && std::fwrite(text.data(), 1, text.size(), file) == text.size();
    int error = errno;
    if (file && std::fclose(file) != 0) {
        error = errno;
        good = false;
    }
    if (!good)
        throw std::runtime_error(path + ": " + std::strerror(error));
}

class Writer {
public:
    Writer(const Options& options, const RunFiles& files)
        : options_(options), files_(files), config_(load_config(options, files)) {}

    void write() const {
        if (options_.rank) {
            write_log(files_.profile_of_rank(*options_.rank), *options_.rank);
            return;
        }
        write_log(files_.profile(), -1);
        if (!options_.directory || files_.merged())
            return;
        for (std::int32_t rank : files_.ranks())
            if (config_.config.logfile_for_ranks.contains(rank))
                write_log(files_.profile_of_rank(rank), rank);
    }

private:
    void write_log(const analysis::Profile& profile, std::int32_t rank) const {
        const char* separator = "";
        for (const report::LogFile& log :
             report::make_log(profile, config_.config, config_.source)) {
            if (options_.directory) {
                std::string stem = report::log_stem(files_.basename(), rank, files_.size());
                write_file(std::string(options_.directory) + '/' + stem + log.suffix + ".log",
                           log.text);
            } else {
                std::fputs(separator, stdout);
                std::fwrite(log.text.data(), 1, log.text.size(), stdout);
            }
            separator = "\n";
        }
    }

    const Options& options_;
    const RunFiles& files_;
    config::Loaded config_;
};

std::optional<std::int32_t> parse_rank(const char* text) {
    std::int32_t rank = 0;
    const char* end = text + std::strlen(text);
    auto [stop, error] = std::from_chars(text, end, rank);
    if (error != std::errc{} || stop != end || rank < 0)
        return std::nullopt;
    return rank;
}

} // namespace

int verb_report(int argc, char** argv) {
    static const option Known[] = {{"config", required_argument, nullptr, 'c'},
                                   {"rank", required_argument, nullptr, 'r'},
                                   {"output", required_argument, nullptr, 'o'},
                                   {"help", no_argument, nullptr, 'h'},
                                   {nullptr, 0, nullptr, 0}};
    Options options;
    for (int c; (c = getopt_long(argc, argv, "c:r:o:h", Known, nullptr)) != -1;) {
        switch (c) {
        case 'c':
            options.config = optarg;
            break;
        case 'o':
            options.directory = optarg;
            break;
        case 'r':
            options.rank = parse_rank(optarg);
            if (!options.rank)
                return usage_error(argv[0], "--rank needs a number from 0 on, not ", optarg);
            break;
        case 'h':
            print_help();
            return 0;
        default:
            return 2;
        }
    }
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    RunFiles files(std::vector<std::string>(argv + optind, argv + argc));
    Writer(options, files).write();
    return 0;
}

} // namespace vftr::cli
