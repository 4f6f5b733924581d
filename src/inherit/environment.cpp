// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/environment.hpp"

#include "base/environment.hpp"
#include "config/config.hpp"
#include "inherit/injected_variables.hpp"
#include "inherit/preload_list.hpp"
#include "inherit/scratch.hpp"

namespace vftr::inherit {

namespace {

constexpr std::string_view Prefix = "VFTR_";
constexpr std::string_view ParentVariable = "VFTR_PARENT", OutputVariable = "VFTR_OUTPUT_DIRECTORY",
                           TraceVariable = "VFTR_EXEC_TRACE_PATH", ConfigVariable = "VFTR_CONFIG",
                           LibraryPathVariable = "LD_LIBRARY_PATH";

char* NoEntries[] = {nullptr};

// "" for an entry that is no "name=value"; programs pass such too.
std::string_view name_of(const char* entry) {
    const char* end = std::strchr(entry, '=');
    return {entry, end ? static_cast<std::size_t>(end - entry) : 0};
}

bool equal(const char* a, const char* b) { return a && b && std::strcmp(a, b) == 0; }

// At most one new entry for a name, in the place of the first old one of that name.
struct Changes {
    static constexpr std::size_t Most = 6;
    struct Change {
        std::string_view name;
        char* entry;
        Injected how; // unless it replaces an entry that was handed on
        bool placed;
    };
    Change all[Most];
    std::size_t count = 0;

    void add(std::string_view name, char* entry, Injected how) {
        if (entry)
            all[count++] = {name, entry, how, false};
    }
    Change* find(std::string_view name) {
        for (std::size_t i = 0; i < count; ++i)
            if (all[i].name == name)
                return &all[i];
        return nullptr;
    }
};

std::size_t count(char* const* environment, std::string_view prefix) {
    std::size_t found = 0;
    for (; environment && *environment; ++environment)
        found += std::string_view(*environment).starts_with(prefix);
    return found;
}

// Bytes of VFTR_HANDED_ON, at most.
std::size_t most_injected(char* const* child, char* const* own) {
    return InjectedList::bytes(Changes::Most + 1 + count(child, Prefix) + count(child, "LD_") + count(own, Prefix) +
                               count(base::injected_entries(), Prefix));
}

// One use of this file: the environments it looks at, and what comes out.
class Work {
public:
    Work(const InheritedEnvironment& inherited, char* const* child, char* const* own, std::string_view parent,
         Scratch& scratch)
        : inherited_(inherited), child_(child), own_(own), parent_(parent), scratch_(scratch),
          injected_before_(marker_in(child)) {}

    // What LD_PRELOAD comes to; "failed": no new environment.
    const char* decide() {
        PreloadChange preload = change_preload(inherited_, child_, scratch_);
        const char* preload_now = base::find_value(child_, "LD_PRELOAD");
        changes_.add("LD_PRELOAD", preload.entry,
                     !preload_now                                   ? Injected::Whole
                     : std::strcmp(preload.action, "appended") == 0 ? Injected::Last
                                                                    : Injected::Not);
        if (std::strcmp(preload.action, "appended") == 0 && !base::find_value(child_, LibraryPathVariable))
            add(LibraryPathVariable, own_value(LibraryPathVariable), Injected::Whole);
        const char* parent_now = base::find_value(child_, ParentVariable);
        if (!parent_.empty() && !(parent_now && parent_ == parent_now))
            changes_.add(ParentVariable, scratch_.text({ParentVariable, "=", parent_}), Injected::Whole);
        if (parent_.empty() && !parent_now && !base::find_value(own_, ParentVariable)) // clearenv
            add(ParentVariable, inherited_.parent_as_given, Injected::Whole);
        if (inherited_.propagate) {
            bool own_config = change_config();
            change_path(OutputVariable, inherited_.output_directory, inherited_.output_as_given, own_config);
            change_path(TraceVariable, inherited_.trace_path, inherited_.trace_as_given, own_config);
        }
        return preload.action;
    }

    // False: it is the one that there was.
    bool write() {
        bool changed = changes_.count != 0;
        char* memory = scratch_.reserve(most_injected(child_, own_));
        if (!memory)
            return false;
        InjectedList list(memory);
        for (char* const* entry = child_; *entry; ++entry)
            copy(*entry, list);
        for (std::size_t i = 0; i < changes_.count; ++i)
            if (!changes_.all[i].placed)
                push(changes_.all[i].entry, changes_.all[i].how, list);
        char* const* injected_entries = base::injected_entries();
        for (char* const* missing : {own_ != child_ && own_ ? own_ : NoEntries, injected_entries})
            for (char* const* entry = missing; *entry; ++entry)
                if (is_missing(entry, missing) && (missing == own_ || !base::find_value(own_, name_of(*entry)))) {
                    push(*entry, Injected::Whole, list);
                    changed = true;
                }
        if (list.entry())
            scratch_.push(list.entry());
        scratch_.push(nullptr);
        return changed || newly_told_;
    }

private:
    void add(std::string_view name, const char* value, Injected how) {
        if (value)
            changes_.add(name, scratch_.text({name, "=", value}), how);
    }

    void push(char* entry, Injected how, InjectedList& list) {
        scratch_.push(entry);
        list.add(entry, how);
        const char* config = inherited_.config_in_environment ? base::value_in(entry, ConfigVariable) : nullptr;
        if (!config || !(equal(config, inherited_.config_in_environment) ||
                         (equal(config, inherited_.config) &&
                          equal(inherited_.config_in_environment, inherited_.config_as_given))))
            return;
        list.add_reported(entry);
        newly_told_ |= !is_reported(injected_before_, config);
    }

    const char* own_value(std::string_view name) const {
        const char* value = base::find_value(own_, name);
        return value ? value : base::find_value(base::injected_entries(), name);
    }

    // Whether the child reads the configuration of this process. A relative path that this process read is made
    // absolute: the program may start its child elsewhere.
    bool change_config() {
        const char* theirs = base::find_value(child_, ConfigVariable);
        const char* ours = own_value(ConfigVariable);
        const char* effective = theirs ? theirs : ours;
        if (inherited_.config && equal(effective, inherited_.config_as_given) && !equal(effective, inherited_.config))
            add(ConfigVariable, inherited_.config, theirs ? Injected::Not : Injected::Whole);
        return !theirs || equal(theirs, inherited_.config_as_given) || equal(theirs, inherited_.config);
    }

    // The folder of this process's results, or its trace, if the child does not say otherwise, by a configuration of
    // its own too. What the child would get as this process got it may be a relative path, and is made absolute.
    void change_path(std::string_view name, const char* absolute, const char* as_given, bool own_config) {
        const char* theirs = base::find_value(child_, name);
        if (!absolute || equal(theirs, absolute))
            return;
        if (theirs ? equal(theirs, as_given) : own_config || equal(own_value(name), as_given))
            add(name, absolute, theirs ? Injected::Not : Injected::Whole);
    }

    void copy(char* entry, InjectedList& list) {
        if (is_marker(entry))
            return;
        Injected before = injected(injected_before_, entry);
        Changes::Change* change = changes_.count != 0 ? changes_.find(name_of(entry)) : nullptr;
        if (!change)
            return push(entry, before, list);
        if (!change->placed)
            push(change->entry, before != Injected::Not ? before : change->how, list);
        change->placed = true;
    }

    // An entry VFTR_… of a list of this process that the child has not.
    bool is_missing(char* const* entry, char* const* list) {
        if (base::value_in(*entry, InjectedListVariable) || !std::string_view(*entry).starts_with(Prefix))
            return false;
        std::string_view name = name_of(*entry);
        if (!inherited_.propagate && name != ParentVariable)
            return false;
        if (name.empty() || changes_.find(name) || base::find_value(child_, name))
            return false;
        return base::find_value(list, name) == *entry + name.size() + 1; // the first of that name counts
    }

    const InheritedEnvironment& inherited_;
    char* const* child_;
    char* const* own_;
    std::string_view parent_;
    Scratch& scratch_;
    const char* injected_before_; // as the child's environment says it
    bool newly_told_ = false;     // what that does not say
    Changes changes_;
};

bool untouched(const InheritedEnvironment& inherited, char* const* child) {
    return !inherited.follow || config::is_true(base::find_value(child, "VFTR_OFF"));
}

} // namespace

Plan child_environment(const InheritedEnvironment& inherited, char* const* original, char* const* own,
                       std::string_view parent, void* memory, std::size_t bytes) {
    char* const* child = original ? original : NoEntries;
    if (untouched(inherited, child))
        return {original, "disabled"};
    if (inherited.secure)
        return {original, "secure-skip"};
    Scratch scratch(memory, bytes);
    Work work(inherited, child, own, parent, scratch);
    const char* action = work.decide();
    bool changed = !scratch.full() && std::strcmp(action, "failed") != 0 && work.write();
    if (scratch.full())
        return {original, "failed"};
    return {changed ? scratch.list() : original, action};
}

std::size_t scratch_needed(const InheritedEnvironment& inherited, char* const* original, char* const* own,
                           std::string_view parent) {
    char* const* child = original ? original : NoEntries;
    if (untouched(inherited, child) || inherited.secure)
        return 0;
    auto size = [](const char* text) { return text ? std::strlen(text) : 0; };
    // For each changed entry its name, '=' and the terminating 0.
    std::size_t pointers = Changes::Most + 2 + count(base::injected_entries(), Prefix);
    std::size_t texts = parent.size() + size(inherited.library) + size(inherited.output_directory) +
                        size(inherited.trace_path) + size(inherited.parent_as_given) + size(inherited.config) +
                        size(base::find_value(own, LibraryPathVariable)) +
                        size(base::find_value(base::injected_entries(), LibraryPathVariable)) + Changes::Most * 32 +
                        most_injected(child, own);
    for (char* const* entry = child; *entry; ++entry) {
        ++pointers;
        if (const char* preloads = base::value_in(*entry, "LD_PRELOAD"))
            texts += size(preloads) + 1;
    }
    if (own && own != child)
        pointers += count(own, Prefix);
    return pointers * sizeof(char*) + texts;
}

} // namespace vftr::inherit
