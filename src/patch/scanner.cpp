// SPDX-License-Identifier: BSD-3-Clause
#include "patch/scanner.hpp"

#include "base/memory.hpp"
#include "base/own_mappings.hpp"
#include "patch/pristine_code.hpp"
#include "patch/references.hpp"
#include "record/modules/loaded_object.hpp"

#include <algorithm>
#include <iterator>

// They are weak because the analyzer has none.
extern "C" {
void __cyg_profile_func_enter(void* function, void* call_site) __attribute__((weak));
void __cyg_profile_func_exit(void* function, void* call_site) __attribute__((weak));
}

namespace vftr::patch {

namespace {

Hooks own_hooks() {
    return {reinterpret_cast<std::uint64_t>(&__cyg_profile_func_enter),
            reinterpret_cast<std::uint64_t>(&__cyg_profile_func_exit)};
}

} // namespace

// Most of it is never touched, because most functions are short.
struct Scanner::Room {
    std::uint8_t text[MaxCodeBytes], neighbour[MaxCodeBytes]; // copies
    Workspace space;
    HookCalls::Known hook_calls[256];
};

bool Scanner::create() {
    room_ = static_cast<Room*>(base::map_anonymous(sizeof(Room)));
    return room_ && index_.create();
}

bool Scanner::forget_all() {
    uncertain_ = 0;
    forget_tables();
    return index_.create();
}

void Scanner::forget_scanned() {
    forget_tables();
    index_.forget_scanned();
}

void Scanner::note_tables(const record::LoadedObject& object) {
    const auto tables = unwind_tables_of(object);
    if (tables.empty() || table_count_ == MaxTables)
        return;
    tables_[table_count_++] = tables.data();
    base::own_mappings.add(tables.data(), tables.size());
}

void Scanner::forget_tables() {
    while (table_count_ != 0)
        base::own_mappings.remove(tables_[--table_count_]);
}

HookCalls Scanner::hook_calls(const ProcessMemory& memory) {
    std::fill(std::begin(room_->hook_calls), std::end(room_->hook_calls), HookCalls::Known{});
    return {memory, own_hooks(), room_->hook_calls};
}

// Forgets the sites of code that was here before. A site that is out belongs to the present code.
void Scanner::forget_former_sites(const ProcessMemory& memory, const Extent& extent) {
    index_.forget_in(extent.start, extent.end, [&](const Site& site) {
        std::uint8_t now;
        return memory.read(site.address, &now, sizeof now) && now == site.becomes;
    });
}

Extent Scanner::scan(const ProcessMemory& memory, std::uint64_t function, std::uint64_t address) {
    if (index_.was_scanned(function, address))
        return {};
    const Extent extent = extent_of(address);
    Code code;
    if (!PristineCode::copy(memory, index_, extent, room_->text, code))
        return {};
    const bool anew = !index_.has_scanned(code);
    if (anew) {
        forget_former_sites(memory, extent);
        HookCalls calls = hook_calls(memory);
        PristineCode process(memory, index_, room_->neighbour, targets_);
        FoundSite* const add = [](void* index, std::uint64_t of, const Site& site) {
            static_cast<HookSiteIndex*>(index)->add(of, site);
        };
        const std::size_t uncertain = find_sites(code, memory, process, calls, room_->space, add, &index_);
        if (calls.met_unbound())
            return {};
        index_.note_scanned(code);
        uncertain_ += uncertain;
    }
    index_.note_scanned(function, extent.start, code.bytes.size());
    return anew ? extent : Extent{};
}

bool Scanner::scan_inlined_elsewhere(const ProcessMemory& memory, std::uint64_t function) {
    return scan_pieces(memory, function, Pieces::InlinedElsewhere);
}

bool Scanner::scan_object(const ProcessMemory& memory, std::uint64_t function) {
    return scan_pieces(memory, function, Pieces::All);
}

bool Scanner::scan_pieces(const ProcessMemory& memory, std::uint64_t function, Pieces pieces) {
    record::LoadedObject object;
    if (!record::find_loaded_object(function, object))
        return false;
    const std::uint64_t mark = object.start + (pieces == Pieces::All); // no object begins there
    if (index_.has_scanned_object(mark))
        return false;
    index_.note_scanned_object(mark);
    note_tables(object);
    struct Job {
        Scanner& scanner;
        const ProcessMemory& memory;
        std::uint64_t function;
        Pieces pieces;
        Extent latest;
    } job{*this, memory, function, pieces, {}};
    HookCalls calls = hook_calls(memory);
    const CallTargets targets(object);
    targets_ = &targets;
    const auto scan_piece = [](void* data, std::uint64_t address) {
        Job& job = *static_cast<Job*>(data);
        if (job.latest.has(address))
            return;
        job.latest = extent_of(address);
        if (job.latest.known() && (job.pieces == Pieces::All || !names_itself(job.latest)))
            job.scanner.scan(job.memory, job.function, address);
    };
    find_hook_calls(object, calls, scan_piece, &job);
    targets_ = nullptr;
    return true;
}

bool Scanner::is_hook_site(const ProcessMemory& memory, std::uint64_t address) {
    bool known = false;
    index_.for_each_in(address - 6, address,
                       [&](const Site& site) { known |= site.address + (site.was == 0xe8 ? 5 : 6) == address; });
    HookCalls::Known few[4] = {};
    return known || HookCalls(memory, own_hooks(), few).returns_to(address);
}

} // namespace vftr::patch
