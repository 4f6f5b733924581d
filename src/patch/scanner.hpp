// SPDX-License-Identifier: BSD-3-Clause
//
// Finds the hook calls in this process' text, piece by piece, each once for all functions, and enters them in the index
// of hook sites.
#pragma once

#include "patch/call_targets.hpp"
#include "patch/hook_calls.hpp"
#include "patch/hook_site_index.hpp"
#include "patch/text_writer.hpp"

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

// One thread at a time.
class Scanner {
public:
    // Memory that stays. false: there is none.
    bool create();
    HookSiteIndex& index() { return index_; }
    // Hook calls that were met of which it is not certain which function they are for.
    std::size_t uncertain() const { return uncertain_; }
    // Of all that was found.
    bool forget_all();
    // What was scanned and which functions are out, of all: other objects may have come to the places of some.
    void forget_scanned();

    // The text that the instruction at `address` is in. Not known: it was done, or cannot be.
    Extent scan(const Text& text, std::uint64_t function, std::uint64_t address);
    // Functions show where their calls are: in their own text, and by the first call of each from another one that is
    // recorded. Others would not be found, into which calls were inlined but which have none of their own: those are
    // looked for, once in the function's object. false: that was done.
    bool scan_inlined_elsewhere(const Text& text, std::uint64_t function);

    // Whether a call of a hook returns there, or did before it was taken out.
    bool is_hook_site(const Text& text, std::uint64_t address);

private:
    struct Room;
    HookCalls hook_calls(const Text& text);
    void forget_former_sites(const Text& text, const Extent& extent);
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
    const CallTargets* targets_ = nullptr; // of the object that is looked through
};

} // namespace vftr::patch
