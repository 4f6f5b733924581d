// SPDX-License-Identifier: BSD-3-Clause
#include "patch/patch.hpp"

#include "base/clock.hpp"
#include "base/errno_preserved.hpp"
#include "base/message.hpp"
#include "base/own_descriptors.hpp"
#include "base/process.hpp"
#include "base/signal_mask.hpp"
#include "base/wiped_on_fork.hpp"
#include "patch/obstacles.hpp"
#include "patch/references.hpp"
#include "patch/scanner.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <mutex>
#include <utility>

namespace vftr::patch {

namespace {

struct PatchState {
    enum { NotChecked, Possible, Impossible } state = NotChecked;
    Scanner scanner;
    const char* obstacle = nullptr;
    // How often a call was taken out and not put back; this includes calls in objects that were unloaded later.
    std::size_t out = 0;
    std::uint64_t not_traced_at = 0;
    bool told_of_remaining = false;
};
PatchState patch_state;
HookSiteIndex& index() { return patch_state.scanner.index(); }

// In a forked child the lock is free.
base::SpinLock* the_lock() {
    static base::WipedOnFork<base::SpinLock> lock;
    return lock.make();
}

// While it exists, no other thread works here and no signal handler interrupts; it preserves errno.
class PatchLock {
public:
    PatchLock() : lock_(the_lock()) {
        if (lock_)
            lock_->lock();
    }
    ~PatchLock() {
        if (lock_)
            lock_->unlock();
    }
    PatchLock(const PatchLock&) = delete;
    PatchLock& operator=(const PatchLock&) = delete;
    explicit operator bool() const { return lock_; }

private:
    base::InterruptionsDeferred whole_;
    base::ErrnoPreserved preserved_;
    base::SpinLock* lock_;
};

void say(const char* why) {
    if (base::prints_job_messages())
        base::warn(
            "hook calls stay in the running program, where excluded functions cost an empty hook each and no overhead budget can be kept: ",
            why);
}

// Checks for obstacles, once.
bool prepared() {
    if (patch_state.state == PatchState::NotChecked) {
        const char* why = obstacle();
        if (!why && !patch_state.scanner.create())
            why = "no memory";
        if (why)
            say(why);
        patch_state.obstacle = why;
        patch_state.state = why ? PatchState::Impossible : PatchState::Possible;
    }
    return patch_state.state == PatchState::Possible;
}

// The check takes 20 µs, and attaching a tracer more than a millisecond, so one check a millisecond is enough.
bool is_traced_now() {
    const std::uint64_t now = base::monotonic_ns();
    if (now - patch_state.not_traced_at < 1'000'000)
        return false;
    const bool traced = is_traced();
    patch_state.not_traced_at = traced ? 0 : base::monotonic_ns();
    return traced;
}

struct Switched {
    std::size_t there = 0, changed = 0, foreign = 0, refused = 0;
};

// Takes out (or puts back) all sites that `for_each` visits. A site with unexpected bytes is not changed, and neither
// is any site if the memory cannot be read.
template <class ForEach>
Switched switch_all(const ProcessMemory& memory, bool out, ForEach for_each) {
    Switched result;
    bool traced = false;
    for_each([&](const Site& site) {
        if (!memory.is_open()) {
            ++result.refused;
            return;
        }
        std::uint8_t now[1 + sizeof site.rest];
        if (!memory.read(site.address, now, sizeof now) || std::memcmp(now + 1, site.rest, sizeof site.rest) != 0) {
            ++result.foreign;
            return;
        }
        const std::uint8_t wanted = out ? site.becomes : site.was, other = out ? site.was : site.becomes;
        if (now[0] == wanted) {
            ++result.there;
        } else if (now[0] == other) {
            traced = traced || (result.changed == 0 && is_traced_now());
            const bool changed = !traced && memory.write(site.address, wanted);
            result.changed += changed;
            result.there += changed;
            result.refused += !changed;
        }
    });
    if (result.changed != 0)
        synchronise();
    if (out)
        patch_state.out += result.changed;
    else
        patch_state.out -= std::min(patch_state.out, result.changed);
    return result;
}

Switched switch_sites(const ProcessMemory& memory, std::uint64_t function, bool out) {
    return switch_all(memory, out, [&](auto each) { index().for_each_of(function, each); });
}

// Counts the known sites that are out in the present code. Some thousand sites are on some hundred pages, so each page
// is read once.
std::size_t count_out(const ProcessMemory& memory) {
    constexpr std::size_t Page = 4096;
    std::uint8_t page[Page], across[1 + sizeof Site::rest];
    std::uint64_t start = 0;
    bool readable = false;
    std::size_t count = 0;
    index().for_each([&](const Site& site) {
        const std::size_t offset = site.address % Page;
        const std::uint8_t* now = page + offset;
        if (offset + sizeof across > Page) {
            if (!memory.read(site.address, across, sizeof across))
                return;
            now = across;
        } else if (site.address - offset != start) {
            start = site.address - offset;
            readable = memory.read(start, page, Page);
        }
        if (now == across || readable)
            count += now[0] == site.becomes && std::memcmp(now + 1, site.rest, sizeof site.rest) == 0;
    });
    return count;
}

// Takes out (or puts back) the first of the sites and those that lie on the same page, and removes them from the list.
// A site with unexpected bytes is not changed. Returns how many were changed.
std::size_t switch_page(const ProcessMemory& memory, std::span<const Site* const>& sites, bool out) {
    constexpr std::uint64_t Page = 4096;
    const std::uint64_t start = sites.front()->address, page = start / Page;
    std::uint8_t bytes[Page + sizeof Site::rest];
    std::size_t count = 1;
    while (count < sites.size() && sites[count]->address / Page == page)
        ++count;
    const std::uint64_t length = sites[count - 1]->address + 1 - start;
    // The last site may be continued on the next page, which is only read.
    const std::span<const Site* const> here = sites.first(count);
    sites = sites.subspan(count);
    if (!memory.read(start, bytes, length + sizeof Site::rest))
        return 0;
    std::size_t changed = 0;
    for (const Site* const site : here) {
        std::uint8_t* const now = bytes + (site->address - start);
        const std::uint8_t wanted = out ? site->becomes : site->was, other = out ? site->was : site->becomes;
        if (*now == other && std::memcmp(now + 1, site->rest, sizeof site->rest) == 0) {
            *now = wanted;
            ++changed;
        }
    }
    return changed != 0 && memory.write(start, bytes, length) ? changed : 0;
}

bool nothing_remains(const Switched& result) {
    if (result.refused != 0 && !std::exchange(patch_state.told_of_remaining, true) && base::prints_job_messages())
        base::warn(
            "hook calls of excluded functions cannot be put back into the running program: its text cannot be written to now");
    return result.refused == 0;
}

// Scans a piece of code. If it is scanned for the first time, takes out the calls of all functions that are out.
void scan(const ProcessMemory& memory, std::uint64_t function, std::uint64_t address) {
    const Extent extent = patch_state.scanner.scan(memory, function, address);
    memory.forget(); // a search may take its time
    if (extent.known())
        switch_all(memory, true, [&](auto each) { index().for_each_out_in(extent.start, extent.end, each); });
}

// The lock must be held. only_here: the known sites in other code are out already.
std::size_t take_out(const ProcessMemory& memory, std::uint64_t function, std::uint64_t hook_site, bool only_here) {
    Switched result;
    // The second attempt is for the case that another object is now at the address of the one whose sites were known.
    for (int i = 0; i < 2; ++i) {
        index().set_out(function, true);
        if (patch_state.scanner.scan_inlined_elsewhere(memory, function)) {
            memory.forget();
            switch_all(memory, true, [&](auto each) { index().for_each_out(each); });
        }
        scan(memory, function, function);
        if (hook_site != 0)
            scan(memory, function, hook_site - 1);
        result = switch_all(memory, true, [&](auto each) {
            if (!only_here)
                return index().for_each_of(function, each);
            const Extent own = extent_of(function),
                         around = own.has(hook_site - 1) ? Extent() : extent_of(hook_site - 1);
            for (const Extent& extent : {own, around})
                if (extent.known())
                    index().for_each_of_in(function, extent.start, extent.end, each);
        });
        if (result.foreign == 0)
            break;
        // Those sites are put back that still have the expected bytes.
        switch_sites(memory, function, false);
        index().forget(function);
    }
    return result.there;
}

} // namespace

bool possible() {
    PatchLock patch_lock;
    return patch_lock && prepared();
}

std::size_t take_out(std::uint64_t function, std::uint64_t hook_site) {
    PatchLock patch_lock;
    return patch_lock && prepared() ? take_out(ProcessMemory(), function, hook_site, false) : 0;
}

std::size_t take_out_everywhere(std::uint64_t function) {
    PatchLock patch_lock;
    if (!patch_lock || !prepared())
        return 0;
    struct Job {
        const ProcessMemory memory;
        std::uint64_t function;
    } job{{}, function};
    const auto scan_around = [](void* data, std::uint64_t address) {
        const Job& job = *static_cast<Job*>(data);
        scan(job.memory, job.function, address);
    };
    find_references(function, scan_around, &job);
    return take_out(job.memory, function, 0, false);
}

void take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    PatchLock patch_lock;
    if (!patch_lock || !prepared())
        return;
    const ProcessMemory memory;
    for (const std::uint64_t anchor : {function, caller})
        if (const std::uint64_t site = address_near(anchor, hook_site);
            patch_state.scanner.is_hook_site(memory, site)) {
            take_out(memory, function, site, true);
            return;
        }
    take_out(memory, function, 0, false);
}

bool put_back(std::uint64_t function) {
    PatchLock patch_lock;
    if (!patch_lock || patch_state.state != PatchState::Possible)
        return true;
    index().set_out(function, false);
    const Switched result = switch_sites(ProcessMemory(), function, false);
    if (result.refused == 0 && result.foreign != 0)
        index().forget(function);
    return nothing_remains(result);
}

void scan_objects_of(std::span<const std::uint64_t> functions) {
    PatchLock patch_lock;
    if (!patch_lock || !prepared())
        return;
    const ProcessMemory memory;
    for (const std::uint64_t function : functions)
        if (patch_state.scanner.scan_object(memory, function)) {
            memory.forget();
            switch_all(memory, true, [&](auto each) { index().for_each_out(each); });
        }
}

void switch_known(std::span<const std::uint64_t> functions, bool out) {
    PatchLock patch_lock;
    if (!patch_lock || patch_state.state != PatchState::Possible)
        return;
    for (const std::uint64_t function : functions)
        index().set_out(function, out);
    const ProcessMemory memory;
    if (!memory.is_open() || is_traced_now())
        return;
    std::size_t changed = 0;
    for (std::span<const Site* const> sites = index().sorted_sites(functions); !sites.empty();)
        changed += switch_page(memory, sites, out);
    if (changed != 0)
        synchronise();
    patch_state.out = out ? patch_state.out + changed : patch_state.out - std::min(patch_state.out, changed);
}

void objects_have_gone() {
    PatchLock patch_lock;
    if (patch_lock && patch_state.state == PatchState::Possible)
        patch_state.scanner.forget_scanned();
}

void put_back_all() {
    PatchLock patch_lock;
    if (!patch_lock || patch_state.state != PatchState::Possible)
        return;
    if (nothing_remains(switch_all(ProcessMemory(), false, [](auto each) { index().for_each(each); }))) {
        patch_state.out = 0;
        patch_state.scanner.forget_all();
    }
}

Outcome outcome() {
    PatchLock patch_lock;
    if (!patch_lock)
        return {};
    std::size_t out = patch_state.out;
    base::with_own_descriptors([&] {
        const ProcessMemory memory;
        if (out != 0 && memory.is_open())
            out = count_out(memory);
    });
    return {out, patch_state.scanner.uncertain(), patch_state.obstacle};
}

} // namespace vftr::patch
