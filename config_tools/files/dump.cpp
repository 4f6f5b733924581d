// SPDX-License-Identifier: BSD-3-Clause
//
// vftr dump: one timeline file as text.
#include "config_tools/files/dump_text.hpp"
#include "config_tools/files/record_text.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/report/run_files.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <stdexcept>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

struct DumpOptions {
    bool only_header = false, skip_samples = false, show_threadtree = false, show_records = false;
    std::string output = "stdout";
    const char* stids = nullptr;
};

[[noreturn]] void fail(const std::string& path, const std::string& reason) {
    throw std::runtime_error(path + ": " + reason);
}

// A file, emptied only when it is known not to be the one that is read: cutting a mapped file
// would be fatal, and its data gone.
std::FILE* open_file(const std::string& path, const std::string& input) {
    int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0)
        fail(path, std::strerror(errno));
    struct stat there {
    }, from{};
    bool known = ::fstat(descriptor, &there) == 0 && ::stat(input.c_str(), &from) == 0;
    const char* trouble = nullptr;
    if (known && there.st_dev == from.st_dev && there.st_ino == from.st_ino)
        trouble = "this is the file to be dumped; give another one to --output";
    else if (S_ISREG(there.st_mode) && ::ftruncate(descriptor, 0) != 0)
        trouble = std::strerror(errno);
    std::FILE* file = trouble ? nullptr : ::fdopen(descriptor, "w");
    if (!file) {
        ::close(descriptor);
        fail(path, trouble ? trouble : std::strerror(errno));
    }
    return file;
}

// stdout, stderr or a file.
class DumpOutput {
public:
    DumpOutput(const std::string& name, const std::string& input) : name_(name) {
        if (name == "stdout")
            file_ = stdout;
        else if (name == "stderr")
            file_ = stderr;
        else
            file_ = open_file(name, input);
    }
    ~DumpOutput() { close(); }
    DumpOutput(const DumpOutput&) = delete;
    DumpOutput& operator=(const DumpOutput&) = delete;

    std::FILE* file() const { return file_; }
    // Throws where not all was written.
    void finish() {
        bool good = !std::ferror(file_) && std::fflush(file_) == 0;
        int error = errno;
        if (!close()) {
            good = false;
            error = errno;
        }
        if (!good)
            fail(name_, std::strerror(error ? error : EIO));
    }

private:
    bool close() {
        std::FILE* file = file_;
        file_ = stdout;
        return file == stdout || file == stderr || std::fclose(file) == 0;
    }

    std::string name_;
    std::FILE* file_;
};

analysis::Numbering numbering(const vfd::Image& image, const char* merged) {
    if (!merged)
        return {};
    const vfd::Image run = vfd::Image::open(merged);
    if (run.header().kind != vfd::FileKind::Merged)
        fail(run.label(), "is no merged profile, which --stids needs");
    if (!same_job(run, image))
        fail(run.label() + " and " + image.label(), "are of different runs");
    return analysis::numbering_of(analysis::load_profile(run));
}

void dump(const std::string& path, const DumpOptions& options) {
    vfd::Image image = vfd::Image::open(path);
    if (image.header().kind == vfd::FileKind::Merged)
        fail(path, "holds the profile of a run and no timeline; use " + own_command("report"));
    analysis::Timeline timeline(image, numbering(image, options.stids));
    DumpOutput output(options.output, path);
    DumpText text(image, timeline, output.file());
    text.header();
    if (!options.only_header) {
        if (options.show_threadtree)
            text.threads();
        if (options.show_records)
            print_records(image, timeline, output.file());
        text.stacks();
        if (!options.skip_samples)
            text.samples();
    }
    output.finish();
}

} // namespace

int verb_dump(int argc, char** argv) {
    DumpOptions options;
    bool version = false;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE"},
         .about = "Prints the timeline in a vfd file of one process.\n",
         .options = {
             {"--only_header", "stop after the header", flag(options.only_header)},
             {"--skip_samples", "print no samples", flag(options.skip_samples)},
             {"--show_threadtree", "tell about each thread, and who started it", flag(options.show_threadtree)},
             {"--show_records", "print the records that the profile is made from, field by field",
              flag(options.show_records)},
             {"--stids=FILE", "ids of stacks as in the run's merged profile, <name>_all.vfd", text(options.stids)},
             {"-o, --output=stdout|stderr|FILE", "where to print; default: stdout", text(options.output)},
             {"-V, --version", "print the version", flag(version)}}});
    if (early)
        return *early;
    if (version) {
        std::puts(VFTR_VERSION);
        return 0;
    }
    if (options.output.empty())
        return usage_error(argv[0], "--output needs stdout, stderr or the name of a file");
    if (optind == argc)
        return usage_error(argv[0], "a FILE is missing");
    if (argc - optind > 1)
        return usage_error(argv[0], "one FILE at a time, not also ", argv[optind + 1]);
    dump(argv[optind], options);
    return 0;
}

} // namespace vftr::cli
