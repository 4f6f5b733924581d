// SPDX-License-Identifier: BSD-3-Clause
#include "record/modules/own_objects.hpp"

#include "record/modules/loaded_object.hpp"

#include <algorithm>
#include <elf.h>
#include <link.h>
#include <span>
#include <string_view>

// Bounds of the largest parts of the static library within the program (src/library.am). Weak, as vftr and the unit
// tests have none.
#define VFTR_BOUND extern char __attribute__((visibility("hidden"), weak))
extern "C" {
VFTR_BOUND vftr_text_begin[];
VFTR_BOUND vftr_text_end[];
VFTR_BOUND vftr_data_rel_local_begin[];
VFTR_BOUND vftr_data_rel_local_end[];
VFTR_BOUND vftr_bss_begin[];
VFTR_BOUND vftr_bss_end[];
}

namespace vftr::record {

namespace {

// Marks everything that the marked objects need.
void mark_needed(const std::vector<ObjectNeeds>& objects, std::vector<bool>& marked) {
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < objects.size(); ++i)
        if (marked[i])
            open.push_back(i);
    while (!open.empty()) {
        const std::size_t at = open.back();
        open.pop_back();
        for (const std::string& name : objects[at].needed)
            for (std::size_t i = 0; i < objects.size(); ++i)
                if (!marked[i] && objects[i].name == name) {
                    marked[i] = true;
                    open.push_back(i);
                }
    }
}

struct Loaded {
    std::vector<LoadedObject> objects;
    std::vector<ObjectNeeds> needs;
};

ObjectNeeds needs_of(const LoadedObject& object) {
    const ElfW(Dyn)* dynamic = nullptr;
    for (const auto& segment : std::span(object.headers, object.header_count))
        if (segment.p_type == PT_DYNAMIC)
            dynamic = reinterpret_cast<const ElfW(Dyn)*>(object.bias + segment.p_vaddr);
    const std::string_view path = object.name;
    ObjectNeeds needs{std::string(path.substr(path.rfind('/') + 1)), {}};
    const char* strings = nullptr;
    for (auto* entry = dynamic; entry && entry->d_tag != DT_NULL; ++entry)
        if (entry->d_tag == DT_STRTAB) // some linkers leave it relative to the object
            strings = reinterpret_cast<const char*>(entry->d_un.d_ptr < object.bias ? entry->d_un.d_ptr + object.bias
                                                                                    : entry->d_un.d_ptr);
    for (auto* entry = dynamic; strings && entry->d_tag != DT_NULL; ++entry) {
        if (entry->d_tag == DT_SONAME)
            needs.name = strings + entry->d_un.d_val;
        else if (entry->d_tag == DT_NEEDED)
            needs.needed.emplace_back(strings + entry->d_un.d_val);
    }
    return needs;
}

// Moves the libraries that few programs need themselves from the program's needs to those of libvftrace.a.
ObjectNeeds take_out_own_needs(ObjectNeeds& program) {
    ObjectNeeds own{"libvftrace.a", {}};
    for (const char* library : {"libelf.so", "libpcre2-8.so", "libcjson.so"})
        for (const std::string& name : program.needed)
            if (name.starts_with(library))
                own.needed.push_back(name);
    std::erase_if(program.needed, [&](const std::string& name) {
        return std::find(own.needed.begin(), own.needed.end(), name) != own.needed.end();
    });
    return own;
}

std::vector<MappedRange> ranges_in_program(const LoadedObject& program) {
    std::vector<MappedRange> ranges;
    const auto add = [&](const char* begin, const char* end) {
        if (const auto from = reinterpret_cast<std::uintptr_t>(begin), to = reinterpret_cast<std::uintptr_t>(end);
            from < to)
            ranges.push_back({from, to - from});
    };
    add(vftr_text_begin, vftr_text_end);
    if (ranges.empty())
        return ranges;
    const auto own_text = static_cast<double>(ranges.front().bytes);
    add(vftr_data_rel_local_begin, vftr_data_rel_local_end);
    add(vftr_bss_begin, vftr_bss_end);
    double text = own_text;
    for (const auto& segment : std::span(program.headers, program.header_count))
        if (segment.p_type == PT_LOAD && segment.p_flags & PF_X)
            text = std::max(text, static_cast<double>(segment.p_memsz));
    for (const auto& segment : std::span(program.headers, program.header_count))
        if (segment.p_type == PT_LOAD && !(segment.p_flags & (PF_X | PF_W)))
            ranges.push_back({program.bias + segment.p_vaddr, segment.p_memsz, own_text / text});
    return ranges;
}

int note_object(dl_phdr_info* info, std::size_t, void* data) {
    Loaded& loaded = *static_cast<Loaded*>(data);
    const LoadedObject object = loaded_object(*info);
    loaded.objects.push_back(object);
    loaded.needs.push_back(needs_of(object));
    return 0;
}

} // namespace

std::vector<std::size_t> needed_by_own_only(const std::vector<ObjectNeeds>& objects, std::size_t own) {
    std::vector<std::size_t> found;
    if (own == 0)
        return found;
    std::vector<bool> ours(objects.size()), others(objects.size(), true);
    ours[own] = true;
    mark_needed(objects, ours);
    // An object that the library does not need is loaded for another reason, and so is everything that it needs.
    for (std::size_t i = 1; i < objects.size(); ++i)
        others[i] = !ours[i];
    std::vector<ObjectNeeds> without_own = objects;
    without_own[own] = {};
    mark_needed(without_own, others);
    for (std::size_t i = 1; i < objects.size(); ++i)
        if (ours[i] && (i == own || !others[i]))
            found.push_back(i);
    return found;
}

std::vector<MappedRange> ranges_of_own_objects() {
    Loaded loaded;
    dl_iterate_phdr(note_object, &loaded);
    const auto here = reinterpret_cast<std::uint64_t>(&ranges_of_own_objects);
    auto own = std::find_if(loaded.objects.begin(), loaded.objects.end(),
                            [&](const LoadedObject& object) { return here >= object.start && here < object.end; });
    std::vector<MappedRange> ranges;
    if (own == loaded.objects.end())
        return ranges;
    // This is the static library; what it needs is listed among the needs of the program.
    if (own == loaded.objects.begin()) {
        ranges = ranges_in_program(loaded.objects.front());
        loaded.needs.push_back(take_out_own_needs(loaded.needs.front()));
        loaded.objects.emplace_back();
        own = loaded.objects.end() - 1;
    }
    for (const std::size_t i : needed_by_own_only(loaded.needs, static_cast<std::size_t>(own - loaded.objects.begin())))
        for (const auto& segment : std::span(loaded.objects[i].headers, loaded.objects[i].header_count))
            if (segment.p_type == PT_LOAD)
                ranges.push_back({loaded.objects[i].bias + segment.p_vaddr, segment.p_memsz});
    return ranges;
}

} // namespace vftr::record
