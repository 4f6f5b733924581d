// SPDX-License-Identifier: BSD-3-Clause
#include "follow/inherited_environment.hpp"

#include "base/absolute_directory.hpp"
#include "base/environment.hpp"
#include "base/errno_preserved.hpp"
#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/own_stack.hpp"
#include "base/process.hpp"
#include "base/secure.hpp"
#include "inherit/injected_variables.hpp"
#include "inherit/preload_list.hpp"
#include "inherit/provenance.hpp"

#include <atomic>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <exception>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace vftr::follow {

namespace {

constexpr std::size_t StackToPrepare = 1 << 20;

// What inherited_environment() and options() return. Replaced as a whole, since another thread may be reading it in a
// wrapper of exec.
struct Published {
    inherit::InheritedEnvironment inherited;
    Options options;
    const Published* before = nullptr; // never freed: another thread may still read it
};
const Published nothing;
std::atomic<const Published*> published{&nothing};

config::Loaded* loaded = nullptr;
const char* loaded_from = nullptr; // the value of VFTR_CONFIG when `loaded` was read, or at the start
const char* named_in = nullptr;    // the working directory when VFTR_CONFIG first had this value; "": not known
bool loading = false;

bool equal(const char* a, const char* b) { return a == b || (a && b && std::strcmp(a, b) == 0); }

// Copies made with malloc, since most of them are never freed.
const char* keep(const std::string& text) { return strdup(text.c_str()); }
const char* keep(const char* text) { return text ? strdup(text) : nullptr; }

const char* folder_of_names() { return named_in ? named_in : ""; }

// The absolute path, as keep() returns it; nullptr if the folder that it is meant from is not known.
const char* absolute(const char* path) {
    const std::string found = base::path_from(folder_of_names(), path);
    return found.starts_with('/') ? keep(found) : nullptr;
}

// What is named by a relative path now is meant from the present working directory for good.
void note_names(const char* config) {
    if (named_in && equal(config, loaded_from))
        return;
    std::free(const_cast<char*>(std::exchange(loaded_from, keep(config))));
    std::free(const_cast<char*>(std::exchange(named_in, keep(base::working_directory()))));
}

// The configuration is read again in other processes: only a regular file gives the same contents twice, a pipe does
// not.
bool can_be_read_twice(const char* path) {
    struct stat status;
    return ::stat(path, &status) == 0 && S_ISREG(status.st_mode);
}

// Finds the entry of LD_PRELOAD that is this library. If there is none, the library is linked to the program or loaded
// by other means, and LD_PRELOAD of the next program need not name it.
void find_library(inherit::InheritedEnvironment& state) {
    const char* list = base::environment_value("LD_PRELOAD");
    Dl_info self{};
    char path[PATH_MAX];
    struct stat status;
    if (!list || !*list || dladdr(reinterpret_cast<void*>(&prepare), &self) == 0 || !self.dli_fname ||
        !::realpath(self.dli_fname, path) || ::stat(path, &status) != 0)
        return;
    state.library = keep(path);
    state.library_device = status.st_dev;
    state.library_inode = status.st_ino;
    const inherit::OwnEntries own_entries(state);
    inherit::for_each_preloaded(list, [&](std::string_view entry) {
        if (!state.library_as_given && own_entries.match(entry))
            state.library_as_given = keep(std::string(entry));
    });
    state.preloaded = state.library_as_given != nullptr;
    if (state.preloaded && !inherit::is_one_entry(state.library)) // the loader would take the path apart
        state.library = state.library_as_given;
}

void take_options(const config::Config& config, Published& fresh) {
    fresh.inherited.propagate = config.processes_propagate_env;
    fresh.inherited.follow = config.processes_follow && !config.off;
    fresh.options.checkpoint = config.processes_checkpoint;
    fresh.options.chain = config.processes_follow;
    if (fresh.options.trace_path || !config.processes_trace_path)
        return;
    fresh.options.trace_path = absolute(config.processes_trace_path->c_str());
    if (!config.processes_trace_path->starts_with('/'))
        fresh.inherited.trace_path = fresh.options.trace_path;
}

void carry_config(inherit::InheritedEnvironment& state) {
    if (loaded->source.empty() || equal(loaded_from, state.config_as_given))
        return;
    const char* path = absolute(loaded_from);
    if (!path || !can_be_read_twice(path))
        return;
    state.config_as_given = keep(loaded_from);
    state.config = path;
}

void carry_paths(inherit::InheritedEnvironment& state) {
    const char* given = base::environment_value("VFTR_OUTPUT_DIRECTORY");
    state.output_as_given = keep(given);
    state.parent_as_given = keep(base::environment_value("VFTR_PARENT"));
    state.trace_as_given = keep(base::environment_value("VFTR_EXEC_TRACE_PATH"));
    // Of the configuration: what the next program would look for from its own working directory.
    const std::string& directory = loaded->config.output_directory;
    const bool relative = !directory.starts_with('/') && directory != config::Config().output_directory;
    if (relative || (given && directory == given))
        state.output_directory = absolute(directory.c_str());
    carry_config(state);
}

// Notes VFTR_CONFIG as a configuration whose mistakes have been reported, if they were by a process that this one
// descends from. A shell that the library is preloaded into begins no recording, but may start many programs that read
// the same configuration; so if it descends from a recording or from `vftr run`, it reports the mistakes here on behalf
// of these.
void learn_what_is_told(inherit::InheritedEnvironment& state) {
    const char* config = base::environment_value("VFTR_CONFIG");
    const bool descends = state.parent_as_given && *state.parent_as_given;
    const bool told = config && inherit::is_reported(inherit::marker_in(environ), config);
    if (!config || (!told && !(descends && state.preloaded)))
        return;
    if (!told)
        report_configuration_mistakes();
    state.config_in_environment = keep(config);
}

void prepare_here(void*) {
    if (!base::can_throw())
        return;
    try {
        auto* fresh = new Published;
        published = fresh; // published before it is complete: nobody reads it yet, as the program has not begun
        fresh->inherited.secure = base::has_foreign_rights();
        if (fresh->inherited.secure)
            return; // nothing is passed on, and no row is written to the exec trace
        find_library(fresh->inherited);
        const char* config = base::environment_value("VFTR_CONFIG");
        note_names(config);
        if (config && *config && !can_be_read_twice(config))
            return;
        if (configuration()) {
            carry_paths(fresh->inherited);
            take_options(loaded->config, *fresh);
            learn_what_is_told(fresh->inherited);
        }
    } catch (const std::exception&) {
        // No memory: nothing is followed.
    }
}

} // namespace

void prepare() {
    if (config::off_by_environment())
        return;
    const base::ErrnoPreserved preserved;
    base::on_own_stack(StackToPrepare, base::Signals::Blocked, prepare_here, nullptr);
}

void recording_begins(const std::string& directory, const config::Config& config) {
    try {
        const Published* before = published;
        if (before->inherited.secure)
            return;
        auto* fresh = new Published(*before);
        fresh->before = before;
        if (!fresh->inherited.output_directory || directory != fresh->inherited.output_directory)
            fresh->inherited.output_directory = keep(directory);
        take_options(config, *fresh);
        carry_config(fresh->inherited);
        if (!fresh->inherited.config_in_environment)
            fresh->inherited.config_in_environment = keep(loaded_from);
        published = fresh;
    } catch (const std::exception&) {
    }
}

const inherit::InheritedEnvironment& inherited_environment() {
    return published.load(std::memory_order_acquire)->inherited;
}
const Options& options() { return published.load(std::memory_order_acquire)->options; }

const config::Loaded* configuration() {
    const char* config = base::environment_value("VFTR_CONFIG");
    if (loading)
        return nullptr;
    if (loaded && loaded->problems.empty() && equal(config, loaded_from))
        return loaded;
    note_names(config);
    struct Loading {
        Loading() { loading = true; }
        ~Loading() { loading = false; }
    } now;
    auto* fresh = new config::Loaded(config::load_environment(folder_of_names()));
    delete std::exchange(loaded, fresh);
    return loaded;
}

void report_configuration_mistakes() {
    inherit::Provenance provenance;
    const inherit::InheritedEnvironment& state = inherited_environment();
    const bool descends = inherit::read_provenance(base::environment_value("VFTR_PARENT"), provenance);
    const char* config = base::environment_value("VFTR_CONFIG");
    if (!loaded || (loaded->problems.empty() && loaded->not_yet.empty()) || !base::prints_job_messages() ||
        (descends && (!config || equal(config, state.config_in_environment))))
        return;
    base::write_stderr(config::run_text(*loaded));
}

} // namespace vftr::follow
