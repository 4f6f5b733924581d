// SPDX-License-Identifier: BSD-3-Clause
#include "patch/hook_calls.hpp"

#include "patch/instruction.hpp"
#include "record/modules/loaded_object.hpp"

#include <cstring>
#include <elf.h>
#include <link.h>
#include <span>
#include <string_view>

namespace vftr::patch {

namespace {

// The tables by which the dynamic linker binds slots lazily.
struct LateBinding {
    std::span<const ElfW(Rela)> relocations;
    const ElfW(Sym) * symbols = nullptr;
    const char* strings = nullptr;
};

LateBinding late_binding_of(const record::LoadedObject& object) {
    LateBinding found;
    const ElfW(Rela)* relocations = nullptr;
    std::size_t bytes = 0;
    for (const auto& segment : std::span(object.headers, object.header_count)) {
        if (segment.p_type != PT_DYNAMIC)
            continue;
        for (auto* entry = reinterpret_cast<const ElfW(Dyn)*>(object.bias + segment.p_vaddr); entry->d_tag != DT_NULL;
             ++entry) {
            // The dynamic linker of the GNU C library has made these addresses; others leave them relative to the
            // object.
            const std::uint64_t value = entry->d_un.d_val, address = value < object.bias ? value + object.bias : value;
            if (entry->d_tag == DT_JMPREL)
                relocations = reinterpret_cast<const ElfW(Rela)*>(address);
            else if (entry->d_tag == DT_PLTRELSZ)
                bytes = value;
            else if (entry->d_tag == DT_SYMTAB)
                found.symbols = reinterpret_cast<const ElfW(Sym)*>(address);
            else if (entry->d_tag == DT_STRTAB)
                found.strings = reinterpret_cast<const char*>(address);
        }
    }
    if (relocations && found.symbols && found.strings)
        found.relocations = {relocations, bytes / sizeof *relocations};
    return found;
}

bool is_hook_name(std::string_view name) {
    return name == "__cyg_profile_func_enter" || name == "__cyg_profile_func_exit";
}

// Whether there is a lazily bound slot for which wanted(address) is true and whose symbol is a hook.
template <class Wanted>
bool has_slot_of_hook(const record::LoadedObject& object, Wanted wanted) {
    const LateBinding late = late_binding_of(object);
    for (const auto& relocation : late.relocations)
        if (wanted(relocation.r_offset + object.bias) &&
            is_hook_name(late.strings + late.symbols[relocation.r_info >> 32].st_name))
            return true;
    return false;
}

} // namespace

bool HookCalls::leads_to_hook(std::uint64_t target) {
    if (is_hook(target))
        return true;
    Known& known = known_[target / 16 % known_.size()];
    if (known.target != target) {
        const auto slot = slot_of_stub(target);
        known = {target, slot && is_hook_slot(*slot)};
    }
    return known.hook;
}

// No other instruction that ends here can look like a call: a call through a slot has the byte 15 where a direct one
// has e8.
bool HookCalls::returns_to(std::uint64_t address) {
    std::uint8_t code[6];
    if (address < sizeof code || !memory_.glance(address - sizeof code, code, sizeof code))
        return false;
    const Instruction through = decode(code, address - 6), direct = decode(std::span(code).subspan(1), address - 5);
    return (direct.effect == Effect::Call && leads_to_hook(direct.target)) ||
           (through.effect == Effect::CallThrough && is_hook_slot(through.target));
}

// Recognises [endbr64] [mov $number,%r11d] [bnd] jmp *slot(%rip), which are the forms of GNU ld, gold, lld and mold.
std::optional<std::uint64_t> HookCalls::slot_of_stub(std::uint64_t target) const {
    constexpr std::uint8_t endbr[] = {0xf3, 0x0f, 0x1e, 0xfa}, number[] = {0x41, 0xbb}, bnd[] = {0xf2},
                           jump[] = {0xff, 0x25};
    std::uint8_t code[24] = {};
    if (!memory_.glance(target, code, sizeof code))
        return std::nullopt;
    std::size_t at = 0;
    const auto skip = [&](std::span<const std::uint8_t> bytes, std::size_t more) {
        const bool there = std::memcmp(code + at, bytes.data(), bytes.size()) == 0;
        at += there ? bytes.size() + more : 0;
        return there;
    };
    skip(endbr, 0);
    skip(number, 4);
    skip(bnd, 0);
    if (!skip(jump, 0))
        return std::nullopt;
    std::int32_t distance;
    std::memcpy(&distance, code + at, sizeof distance);
    return target + at + sizeof distance + static_cast<std::uint64_t>(std::int64_t{distance});
}

bool HookCalls::is_hook_slot(std::uint64_t slot) {
    std::uint64_t content;
    if (!memory_.glance(slot, &content, sizeof content))
        return false;
    return is_hook(content) || is_unbound_hook(slot, content);
}

bool HookCalls::is_unbound_hook(std::uint64_t slot, std::uint64_t content) {
    record::LoadedObject object;
    if (!record::find_loaded_object(slot, object) || content < object.start || content >= object.end ||
        !has_slot_of_hook(object, [&](std::uint64_t address) { return address == slot; }))
        return false;
    const bool is_ours = has_slot_of_hook(object, [&](std::uint64_t address) {
        std::uint64_t other;
        return memory_.glance(address, &other, sizeof other) && is_hook(other);
    });
    unbound_ |= !is_ours;
    return is_ours;
}

} // namespace vftr::patch
