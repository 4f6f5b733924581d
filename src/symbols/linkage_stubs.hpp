// SPDX-License-Identifier: BSD-3-Clause
//
// The stubs of an object's procedure linkage table (PLT), through which it calls functions of other objects. They have
// no symbols. A stub loads the callee's address from a slot in memory and jumps there; the slot's relocation names the
// callee. So the answer is read from the stub's instructions, which are those that linkers generate for x86-64 (System
// V ABI, x86-64 supplement, 5.2; jmp *slot(%rip), with or without endbr64) and for aarch64 (ELF for the Arm 64-bit
// Architecture; adrp and ldr). Of other processors no stub is known.
#pragma once

#include "symbols/symbols.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace vftr::symbols {

class ElfFile;

class LinkageStubs {
public:
    // Reads all that is needed of the module's file, if that can be read. process: see NameSources.
    LinkageStubs(const Module& module, std::int32_t process);

    // The symbol that the stub at this address of the file leads to; empty where no relocation names it, as in the part
    // that all stubs share. nullopt: the address is in no stub that is known.
    std::optional<std::string_view> callee(std::uint64_t file_address) const;

private:
    struct Table {
        std::uint64_t start = 0, stub_bytes = 0;
        std::vector<unsigned char> code;
    };

    void read_table(const ElfFile& file, void* section, std::uint64_t start, std::uint64_t stub_bytes);
    void read_slots(const ElfFile& file, void* section, std::size_t symbols);
    std::optional<std::uint64_t> slot_of(const Table& table, std::size_t stub) const;

    std::uint16_t machine_ = 0;
    std::vector<Table> tables_;
    std::unordered_map<std::uint64_t, std::string> slots_; // by address: the symbol
};

} // namespace vftr::symbols
