// SPDX-License-Identifier: BSD-3-Clause
#include "patch/examiner.hpp"

#include "base/memory.hpp"
#include "patch/process_text.hpp"
#include "patch/references.hpp"
#include "record/loaded_object.hpp"

#include <algorithm>
#include <iterator>

// The analyzer has none.
extern "C" {
void __cyg_profile_func_enter(void* function, void* call_site) __attribute__((weak));
void __cyg_profile_func_exit(void* function, void* call_site) __attribute__((weak));
}

namespace vftr::patch {

namespace {

Hooks own_hooks() {
    return {reinterpret_cast<std::uint64_t>(&__cyg_profile_func_enter), reinterpret_cast<std::uint64_t>(&__cyg_profile_func_exit)};
}

} // namespace

// Most of it is never touched, as most functions are short.
struct Examiner::Room {
    std::uint8_t text[MaxText], neighbour[MaxText]; // copies
    Workspace space;
    HookCalls::Known hook_calls[256];
};

bool Examiner::create() {
    room_ = static_cast<Room*>(base::map_anonymous(sizeof(Room)));
    return room_ && book_.create();
}

bool Examiner::forget_all() {
    uncertain_ = 0;
    return book_.create();
}

HookCalls Examiner::hook_calls(const Text& text) {
    std::fill(std::begin(room_->hook_calls), std::end(room_->hook_calls), HookCalls::Known{});
    return {text, own_hooks(), room_->hook_calls};
}

// What is out is from this very text.
void Examiner::forget_former_sites(const Text& text, const Extent& extent) {
    book_.forget_in(extent.start, extent.end, [&](const Site& site) {
        std::uint8_t now;
        return text.read(site.address, &now, sizeof now) && now == site.becomes;
    });
}

Extent Examiner::examine(const Text& text, std::uint64_t function, std::uint64_t address) {
    if (book_.was_examined(function, address))
        return {};
    const Extent extent = extent_of(address);
    Code code;
    if (!ProcessText::copy(text, book_, extent, room_->text, code))
        return {};
    const bool anew = !book_.has_examined(code);
    if (anew) {
        forget_former_sites(text, extent);
        HookCalls calls = hook_calls(text);
        ProcessText process(text, book_, room_->neighbour, targets_);
        FoundSite* const add = [](void* book, std::uint64_t of, const Site& site) { static_cast<Book*>(book)->add(of, site); };
        const std::size_t uncertain = find_sites(code, text, process, calls, room_->space, add, &book_);
        if (calls.met_unbound())
            return {};
        book_.note_examined(code);
        uncertain_ += uncertain;
    }
    book_.note_examined(function, extent.start, code.bytes.size());
    return anew ? extent : Extent{};
}

bool Examiner::examine_strangers(const Text& text, std::uint64_t function) {
    record::LoadedObject object;
    if (!record::find_loaded_object(function, object) || book_.has_examined_object(object.start))
        return false;
    book_.note_examined_object(object.start);
    struct Job {
        Examiner& examiner;
        const Text& text;
        std::uint64_t function;
        Extent latest;
    } job{*this, text, function, {}};
    HookCalls calls = hook_calls(text);
    const CallTargets targets(object);
    targets_ = &targets;
    const auto examine_stranger = [](void* data, std::uint64_t address) {
        Job& job = *static_cast<Job*>(data);
        if (job.latest.has(address))
            return;
        job.latest = extent_of(address);
        if (job.latest.known() && !names_itself(job.latest))
            job.examiner.examine(job.text, job.function, address);
    };
    find_hook_calls(object, calls, examine_stranger, &job);
    targets_ = nullptr;
    return true;
}

bool Examiner::is_hook_site(const Text& text, std::uint64_t address) {
    bool known = false;
    book_.for_each_in(address - 6, address, [&](const Site& site) { known |= site.address + (site.was == 0xe8 ? 5 : 6) == address; });
    HookCalls::Known few[4] = {};
    return known || HookCalls(text, own_hooks(), few).returns_to(address);
}

} // namespace vftr::patch
