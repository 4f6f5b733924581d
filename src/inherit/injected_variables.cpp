// SPDX-License-Identifier: BSD-3-Clause
#include "inherit/injected_variables.hpp"

#include "base/environment.hpp"
#include "base/fnv.hpp"
#include "inherit/preload_list.hpp"

#include <cstdlib>
#include <cstring>

namespace vftr::inherit {

namespace {

constexpr std::string_view Preload = "LD_PRELOAD=";

bool can_be_ours(const char* entry) {
    return std::strncmp(entry, "VFTR_", 5) == 0 || std::strncmp(entry, "LD_", 3) == 0;
}

// Nobody has a reason to forge it: who can, may as well set the variables.
std::uint64_t sum_of(std::string_view text, std::string_view rest = {}) {
    base::Fnv1a64 hash;
    hash.add(text);
    hash.add(rest);
    return hash.value();
}

constexpr std::size_t Digits = 16;

void write_sum(char* at, std::uint64_t sum) {
    for (std::size_t i = Digits; i-- > 0; sum >>= 4)
        at[i] = "0123456789abcdef"[sum & 15];
}

// The entry as the program was meant to have it; nullptr without memory.
char* without_last(const char* entry) {
    std::string_view list = entry + Preload.size();
    std::size_t end = list.find_last_of(PreloadSeparators); // the one that was put before ours
    list = list.substr(0, end == std::string_view::npos ? 0 : end);
    char* text = static_cast<char*>(std::malloc(Preload.size() + list.size() + 1));
    if (text)
        *Scratch::append(Scratch::append(text, Preload), list) = '\0';
    return text;
}

void replace(char** list, const char* old, char* fresh) {
    for (; list && *list; ++list)
        if (*list == old)
            *list = fresh;
}

// The end is filled up: who looks for what the kernel wrote behind the list finds an empty one there, as after
// unsetenv.
template <class Goes>
void remove(char** list, Goes goes) {
    if (!list)
        return;
    char** to = list;
    char** from = list;
    for (; *from; ++from)
        if (!goes(*from))
            *to++ = *from;
    while (to != from)
        *to++ = nullptr;
}

} // namespace

bool is_marker(const char* entry) {
    for (const char* at = base::value_in(entry, InjectedListVariable); at; ++at) {
        at += *at == '+' || *at == '=';
        if (std::strspn(at, "0123456789abcdef") != Digits)
            return false;
        at += Digits;
        if (*at != ',')
            return *at == '\0';
    }
    return false;
}

const char* marker_in(char* const* list) {
    for (; list && *list; ++list)
        if (is_marker(*list))
            return base::value_in(*list, InjectedListVariable);
    return nullptr;
}

Injected injected(const char* value, const char* entry) {
    if (!value || !can_be_ours(entry))
        return Injected::Not;
    char sum[Digits];
    write_sum(sum, sum_of(entry));
    for (const char* at = value; *at;) {
        bool last = *at == '+';
        at += last;
        if (std::strncmp(at, sum, Digits) == 0)
            return last ? Injected::Last : Injected::Whole;
        at += std::strcspn(at, ",");
        at += *at == ',';
    }
    return Injected::Not;
}

InjectedList::InjectedList(char* memory) : memory_(memory) {
    begin_ = at_ = Scratch::append(Scratch::append(memory, InjectedListVariable), "=");
    *at_ = '\0';
}

void InjectedList::add(const char* entry, Injected how) {
    if (how == Injected::Not || !can_be_ours(entry))
        return;
    add_sum(how == Injected::Last ? "+" : "", entry);
}

void InjectedList::add_reported(const char* entry) { add_sum("=", entry); }

void InjectedList::add_sum(const char* mark, const char* entry) {
    if (at_ != begin_)
        *at_++ = ',';
    at_ = Scratch::append(at_, mark);
    write_sum(at_, sum_of(entry));
    at_ += Digits;
    *at_ = '\0';
}

bool is_reported(const char* value, std::string_view config) {
    char mark[Digits + 1] = {'='};
    write_sum(mark + 1, sum_of("VFTR_CONFIG=", config));
    return value && std::string_view(value).find(std::string_view(mark, sizeof mark)) != std::string_view::npos;
}

void remove_injected_variables(char** list, char** same) {
    const char* value = marker_in(list);
    if (!value)
        return;
    std::size_t count = 0;
    for (char** entry = list; *entry; ++entry)
        count += injected(value, *entry) == Injected::Whole;
    auto** kept = static_cast<char**>(std::calloc(count + 1, sizeof(char*)));
    if (!kept)
        return;
    std::size_t used = 0;
    for (char** entry = list; *entry; ++entry) {
        Injected how = injected(value, *entry);
        if (how == Injected::Whole && !(kept[used++] = strdup(*entry)))
            return; // no memory: all stays as it is
        if (how != Injected::Last || std::strncmp(*entry, Preload.data(), Preload.size()) != 0)
            continue;
        if (char* rest = without_last(*entry)) {
            replace(same, *entry, rest);
            *entry = rest;
        }
    }
    base::keep_injected_entries(kept);
    for (char** entries : {list, same})
        remove(entries,
               [value](const char* entry) { return is_marker(entry) || injected(value, entry) == Injected::Whole; });
}

void remove_all_variables(char** list, char** same) {
    for (char** entries : {list, same})
        remove(entries, [](const char* entry) { return std::strncmp(entry, "VFTR_", 5) == 0; });
}

bool sends_its_environment(const char* program) {
    static constexpr std::string_view Names[] = {"vftr",  "vftrace", "mpirun",         "mpiexec", "orterun", "prterun",
                                                 "prun",  "prte",    "orted",          "prted",   "srun",    "aprun",
                                                 "jsrun", "lrun",    "ibrun",          "flux",    "palsrun", "sbatch",
                                                 "qsub",  "ssh",     "hydra_pmi_proxy"};
    std::string_view name = program ? program : "";
    name = name.substr(0, name.find('.')); // mpirun.openmpi
    for (std::string_view known : Names)
        if (name == known)
            return true;
    return false;
}

} // namespace vftr::inherit
