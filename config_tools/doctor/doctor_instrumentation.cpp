// SPDX-License-Identifier: BSD-3-Clause
//
// Who calls the hooks, and who takes the calls.
//
// A compiler with -finstrument-functions puts calls of __cyg_profile_func_enter into each function. In a dynamic
// program they are a reference that the first object in the search order fills which has the symbol: that must be
// libvftrace.so, and not the C library, whose hook does nothing. In a static program, and in one with libvftrace.a, the
// calls stand in the code.
#include "config_tools/doctor/loaded_files.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/run/own_library.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iterator>
#include <stdexcept>
#include <sys/stat.h>

namespace vftr::cli {
namespace {

using symbols::Presence;
using symbols::Table;

constexpr const char* Hook = "__cyg_profile_func_enter";
constexpr const char* Compile = "compile it with -finstrument-functions (gcc, g++, gfortran, clang)";

bool is_same_file(const std::string& a, const std::string& b) {
    struct stat x {
    }, y{};
    return ::stat(a.c_str(), &x) == 0 && ::stat(b.c_str(), &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

// "2.1.0" of /…/libvftrace.so.2.1.0, whatever link leads to it.
std::string version_of(const std::string& library) {
    std::string file;
    try {
        file = given_library(library.c_str());
    } catch (const std::exception&) {
        return "";
    }
    std::size_t mark = file.rfind(".so.");
    return mark == file.npos ? "" : file.substr(mark + 4);
}

void check_version(const std::string& library, Findings& findings) {
    std::string own, version = version_of(library);
    try {
        own = own_library();
    } catch (const std::exception&) { // vftr is here without its library: then the number has to do
    }
    if (!own.empty() && is_same_file(library, own))
        findings.ok(library + " is the library of this vftr (" VFTR_VERSION ")");
    else if (version == VFTR_VERSION)
        findings.ok(library + " is another copy of the library of this vftr (" VFTR_VERSION ")");
    else
        findings.problem(library + " is another version" + (version.empty() ? "" : " (" + version + ")") +
                             " than this vftr (" VFTR_VERSION ")",
                         "let LD_LIBRARY_PATH or the run path lead to " + (own.empty() ? "the same one" : own) +
                             ", or use the vftr beside that library");
}

// gcc alone puts hooks into functions before it inlines them, clang before or after, by its options. The plugins leave
// a note. (Of gcc there is one in nearly every program, by the files that the linker adds.)
void check_early_hooks(const symbols::ElfFile& file, const std::string& path, Findings& findings) {
    constexpr std::uint64_t Short = 128; // bytes, of which two calls of hooks take about half
    constexpr std::uint64_t Many = 10;   // percent
    const symbols::FunctionCount functions = symbols::count_functions(file, Short);
    if (symbols::has_compiler_note(file, "vftrace ")) {
        findings.ok(path + " has its hooks from after inlining, by the compiler's plugin");
        return;
    }
    const bool by_clang = symbols::has_compiler_note(file, "clang version");
    if ((!by_clang && !symbols::has_compiler_note(file, "GCC: ")) || functions.shorter * 100 < functions.all * Many)
        return;
    findings.ok(
        path + (by_clang ? " may have its hooks from before inlining: " : " has its hooks from before inlining: ") +
        std::to_string(functions.shorter) + " of its " + std::to_string(functions.all) + " functions have less than " +
        std::to_string(Short) +
        " bytes of code with their hooks, and a call of one takes many times as long as without; compile with " +
        own_command("cc") + ", or the flags of " + own_command("flags"));
}

std::string first_instrumented(const Program& program, const LoadedFiles& files) {
    for (const LoadedFile& file : files.all())
        if (!file.vftrace && file.wants(Hook))
            return file.text(program);
    return "";
}

symbols::FoundSymbol given_symbol(const Program& program, const char* name) {
    symbols::FoundSymbol symbol = symbols::find_symbol(program.file, Table::Full, name);
    return symbol.presence == Presence::Given ? symbol : symbols::find_symbol(program.file, Table::Dynamic, name);
}

// How often the code of the program itself calls a function that is in it, up to `enough`.
std::uint64_t calls_of(const Program& program, const char* name, std::uint64_t enough = 1) {
    symbols::FoundSymbol symbol = given_symbol(program, name);
    return symbol.presence == Presence::Given ? symbols::count_calls(program.file, symbol.address, enough) : 0;
}

// What begins a region in Fortran (include/vftrace.F90); each of them calls the function of C once.
constexpr const char* FortranRegions[] = {"__vftrace_MOD_vftrace_region_begin", "__vftrace_MOD_region_begin_array",
                                          "__vftrace_MOD_scope_begin", "__vftrace_MOD_scope_begin_array"};

bool begins_regions(const Program& program) {
    std::uint64_t own = 0;
    for (const char* name : FortranRegions) {
        if (calls_of(program, name) > 0)
            return true;
        own += given_symbol(program, name).presence == Presence::Given;
    }
    return calls_of(program, "vftrace_region_begin", own + 1) > own;
}

// What is recorded of a program with libvftrace.a that has no calls of the hooks; empty: nothing.
const char* recorded_inside(const Program& program) {
    if (begins_regions(program))
        return "regions";
    return calls_of(program, "MPI_Init") + calls_of(program, "MPI_Init_thread") + calls_of(program, "mpi_init_") > 0
               ? "MPI functions"
               : "";
}

const char* recorded_of(const LoadedFile& file, const LoadedFiles& files) {
    if (file.wants("vftrace_region_begin") || std::any_of(std::begin(FortranRegions), std::end(FortranRegions),
                                                          [&](const char* name) { return file.wants(name); }))
        return "regions";
    const LoadedFile* giver = files.giver("MPI_Init");
    return giver && giver->vftrace &&
                   (file.wants("MPI_Init") || file.wants("MPI_Init_thread") || file.wants("mpi_init_"))
               ? "MPI functions"
               : "";
}

// Nothing calls the hooks. Regions and MPI functions are recorded all the same.
void check_uninstrumented(const Program& program, const LoadedFiles& files, bool inside, Findings& findings) {
    for (const LoadedFile& file : files.all()) {
        std::string recorded = inside && !file.object             ? recorded_inside(program)
                               : files.vftrace() && !file.vftrace ? recorded_of(file, files)
                                                                  : "";
        if (!recorded.empty()) {
            findings.ok("nothing is instrumented, but the " + recorded + " of " + file.text(program) + " are recorded");
            return;
        }
    }
    if (!symbols::has_table(program.file, program.is_static() ? Table::Full : Table::Dynamic))
        findings.problem(program.path + " has no symbols, so it cannot be seen whether it is instrumented",
                         "check it before strip, or its unstripped build");
    else if (files.all().size() > 1)
        findings.problem(
            program.path +
                " is not instrumented, nor are its libraries (what they open later, or start, is not looked at)",
            std::string(Compile) + "; where what it opens or starts is, start with " + own_command("run"));
    else
        findings.problem(program.path + " is not instrumented", Compile);
}

// libvftrace.a reads a configuration where the program has libcjson too. The full table tells, a stripped program does
// not.
void check_reader(const Program& program, const LoadedFiles& files, Findings& findings) {
    constexpr const char* Reader = "cJSON_ParseWithLengthOpts";
    const char* config = std::getenv("VFTR_CONFIG");
    if (config && *config && symbols::has_table(program.file, Table::Full) &&
        given_symbol(program, Reader).presence != Presence::Given && !files.giver(Reader))
        findings.problem(program.path + " has libvftrace.a without libcjson in it: VFTR_CONFIG is not read",
                         "link it with -Wl,--no-as-needed -lcjson, or a static libcjson.a");
}

// A sanitizer that must be the first library, and is not where something is preloaded.
void check_sanitizer(const LoadedFiles& files, Findings& findings) {
    const char* options = std::getenv("ASAN_OPTIONS");
    if (options && std::strstr(options, "verify_asan_link_order=0"))
        return;
    for (std::size_t i = 2; i < files.all().size(); ++i)
        if (const std::string& name = files.all()[i].object->name;
            name.starts_with("libasan.so") || name.starts_with("libclang_rt.asan"))
            findings.problem(name +
                                 " (AddressSanitizer) ends programs in which another library stands before it, and " +
                                 files.all()[1].object->name + " does",
                             "set ASAN_OPTIONS=verify_asan_link_order=0, as " + own_command("run") + " does");
}

// libvftrace.a is in it.
void check_inside(const Program& program, const LoadedFiles& files, Findings& findings) {
    findings.ok(program.path + " has libvftrace.a in it");
    symbols::FoundSymbol hook = given_symbol(program, Hook);
    std::string library = first_instrumented(program, files);
    if (hook.presence != Presence::Given || !symbols::knows_calls_of(program.linkage))
        findings.ok("whether it is instrumented cannot be seen: " + program.path +
                    " has no symbols, or code for a machine that is not known here");
    else if (calls_of(program, Hook) > 0) {
        findings.ok(program.path + " is instrumented");
        check_early_hooks(program.file, program.path, findings);
    } else if (!library.empty())
        findings.ok(library + " is instrumented");
    else
        check_uninstrumented(program, files, true, findings);
    check_reader(program, files, findings);
}

void check_static(const Program& program, const LoadedFiles& files, Findings& findings) {
    symbols::FoundSymbol hook = symbols::find_symbol(program.file, Table::Full, Hook);
    if (hook.presence != Presence::Given) {
        check_uninstrumented(program, files, false, findings);
        return;
    }
    findings.ok(program.path + " is instrumented");
    findings.problem(program.path +
                         " is statically linked without vftrace, and nothing can be preloaded into a static program",
                     "link it with $(pkg-config --libs --static vftrace) behind its objects, or dynamically");
}

// The calls go to `taker` (nullptr: nobody).
void check_taker(const Program& program, const LoadedFiles& files, const LoadedFile* taker, Findings& findings) {
    const LoadedFile* vftrace = files.vftrace();
    if (taker && taker->vftrace) {
        findings.ok("libvftrace takes the calls of the hooks");
        check_version(taker->object->path, findings);
        return;
    }
    bool by_c_library = taker && taker->object &&
                        (taker->object->name.starts_with("libc.so") || taker->object->name.starts_with("libc-"));
    if (vftrace && taker)
        findings.problem(vftrace->object->name + " stands behind " + taker->text(program) +
                             " in the search order, which takes the calls of the hooks",
                         "name -lvftrace before that library on the linker's command line, or start with " +
                             own_command("run"));
    else if (!taker || by_c_library)
        findings.problem("libvftrace is neither linked nor preloaded, the calls of the hooks do nothing",
                         "start with " + own_command("run") + " -- " + program.path +
                             ", or link with -lvftrace behind the objects and before -lc");
    else
        findings.problem(taker->text(program) +
                             " takes the calls of the hooks: it is another profiler, or has hooks of its own",
                         "link without it, or start with " + own_command("run"));
}

} // namespace

void check_instrumentation(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings) {
    LoadedFiles files(program, objects);
    check_sanitizer(files, findings);
    if (has_vftrace_inside(program)) {
        check_inside(program, files, findings);
        return;
    }
    if (program.is_static()) {
        check_static(program, files, findings);
        return;
    }
    std::string instrumented = first_instrumented(program, files);
    const LoadedFile* taker = files.giver(Hook);
    if (instrumented.empty() && !(taker && !taker->object)) {
        bool bare = symbols::find_symbol(program.file, Table::Dynamic, "__cyg_profile_func_enter_bare").presence ==
                    Presence::Wanted;
        if (bare)
            findings.problem(program.path + " is instrumented for other hooks (-finstrument-function-entry-bare)",
                             Compile);
        else
            check_uninstrumented(program, files, false, findings);
        return;
    }
    findings.ok((instrumented.empty() ? program.path : instrumented) + " is instrumented");
    if (instrumented.empty() || instrumented == program.path)
        check_early_hooks(program.file, program.path, findings);
    check_taker(program, files, taker, findings);
}

} // namespace vftr::cli
