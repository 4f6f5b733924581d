// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the hook calls in the machine code of this process, piece by piece and each piece once for all functions, and
// enters them in the index of hook sites.
#pragma once

#include "patch/call_targets.hpp"
#include "patch/hook_calls.hpp"
#include "patch/hook_site_index.hpp"
#include "patch/process_memory.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

// Only one thread at a time may use it.
class Scanner {
public:
    // Allocates memory that is never freed. Returns false if there is none.
    bool create();
    HookSiteIndex& index() { return index_; }
    // Number of hook calls that were found for which it is not certain to which function they belong.
    std::size_t uncertain() const { return uncertain_; }
    // Forgets everything that was found.
    bool forget_all();
    // What was scanned and which functions are out, of all: other objects may have come to the places of some.
    void forget_scanned();

    // Scans the piece of code that contains the instruction at `address`. Returns its extent, or an unknown one if the
    // piece was scanned before, is not readable, or has a slot that is not bound yet.
    Extent scan(const ProcessMemory& memory, std::uint64_t function, std::uint64_t address);
    // Most functions can be found when they are called: a function's calls are in its own code, and in the code around
    // the first of its calls from another function that is recorded. This does not find code into which calls were
    // inlined but which has no hook calls of its own. This function searches the object for such code, once for each
    // object. Returns false if that was done before.
    bool scan_inlined_elsewhere(const ProcessMemory& memory, std::uint64_t function);
    // Scans all code of the function's object that has hook calls, once for each object (some 20 ms for a MiB). Returns
    // false if that was done before.
    bool scan_object(const ProcessMemory& memory, std::uint64_t function);

    // Whether a call of a hook ends at this address, or did so before it was taken out.
    bool is_hook_site(const ProcessMemory& memory, std::uint64_t address);

private:
    struct Room;
    enum class Pieces { InlinedElsewhere, All };
    bool scan_pieces(const ProcessMemory& memory, std::uint64_t function, Pieces pieces);
    HookCalls hook_calls(const ProcessMemory& memory);
    void forget_former_sites(const ProcessMemory& memory, const Extent& extent);
    void note_tables(const record::LoadedObject& object);
    void forget_tables();

    HookSiteIndex index_;
    Room* room_ = nullptr;
    std::size_t uncertain_ = 0;
    // Tables of objects that are read by nobody but us, unless exceptions are thrown: where they are counted among our
    // memory.
    static constexpr std::size_t MaxTables = 64;
    const void* tables_[MaxTables] = {};
    std::size_t table_count_ = 0;
    const CallTargets* targets_ = nullptr; // of the object that is being scanned
};

} // namespace vftr::patch
