// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of `vftr doctor`: each examines one thing and reports what it found, one line per finding.
#pragma once

#include "symbols/linkage.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace vftr::cli {

struct Finding {
    bool good;
    std::string text; // "what; remedy"
};

class Findings {
public:
    void ok(std::string what) { all_.push_back({true, std::move(what)}); }
    void problem(std::string what, const std::string& remedy) {
        all_.push_back({false, std::move(what) + "; " + remedy});
    }
    void add(Finding finding) { all_.push_back(std::move(finding)); }
    const std::vector<Finding>& all() const { return all_; }
    bool good() const;

private:
    std::vector<Finding> all_;
};

// An executable, as the dynamic linker would see it together with its libraries.
struct Program {
    std::string path;
    symbols::ElfFile file;
    symbols::Linkage linkage;
    bool secure = false; // set-user-ID or the like: the dynamic linker ignores LD_PRELOAD
    bool is_static() const { return linkage.interpreter.empty(); }
    bool is_library() const { return is_static() && !(linkage.soname.empty() && linkage.needed.empty()); }
};
// Examines the file, and follows a script to its interpreter. Returns nullopt if this is no program that can be
// examined further; the findings say why.
std::optional<Program> find_in_file(const std::string& name, Findings& findings);

struct LoadedObject {
    std::string name, path; // "libc.so.6", "/lib/x86_64-linux-gnu/libc.so.6"
};
// The objects that the dynamic linker loads with a program, in the order in which symbols are searched for, without the
// program itself, which is the first. Files are read, and nothing of them is loaded or run. Returns nullopt if the
// rules of the dynamic linker are not known or if something is missing; the findings say what.
std::optional<std::vector<LoadedObject>> load_order(const Program& program, Findings& findings);

// Is there something to record, and which object gets the calls of the hooks, of MPI's functions, and of OpenMP's
// runtime?
void check_instrumentation(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings);
void check_mpi(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings);
void check_openmp(const Program& program, const std::vector<LoadedObject>& objects, Findings& findings);

// Findings about the environment and the configuration that it names, the folder for results, and the limits of this
// process.
void check_environment(Findings& findings);
void check_output(Findings& findings);
struct Limits {
    unsigned long long file_bytes, address_bytes, core_bytes, descriptors; // ~0ull: none
    long most_mappings;                                                    // of a process; 0: not known
};
Limits limits_of_this_process();
void check_limits(const Limits& limits, Findings& findings);
struct SamplePermission {
    bool filtered; // by seccomp: then nothing was tried
    int error;     // errno; 0: CPU samples are permitted
    int paranoid;  // kernel.perf_event_paranoid, where there was an error
};
SamplePermission sample_permission();
void check_samples(const SamplePermission& permission, Findings& findings);

// All findings, for a program that would be started from here.
void check_all(const std::string& name, Findings& findings);

// Starts the launcher with `vftr doctor --probe` in place of the program, and reports the findings of its processes.
void check_launched(const std::vector<std::string>& command, std::size_t program, Findings& findings);
// What such a process does.
void probe(const char* token, const std::string& name);

} // namespace vftr::cli
