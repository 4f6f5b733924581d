// SPDX-License-Identifier: BSD-3-Clause
#include "patch/patch.hpp"

#include "base/memory.hpp"
#include "base/message.hpp"
#include "base/process.hpp"
#include "base/signal_mask.hpp"
#include "patch/book.hpp"
#include "patch/obstacles.hpp"
#include "patch/process_text.hpp"
#include "patch/references.hpp"
#include "patch/sites.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

// The analyzer has none.
extern "C" {
void __cyg_profile_func_enter(void* function, void* call_site) __attribute__((weak));
void __cyg_profile_func_exit(void* function, void* call_site) __attribute__((weak));
}

namespace vftr::patch {

namespace {

// Most of it is never touched, as most functions are short.
struct Room {
    std::uint8_t text[MaxText], neighbour[MaxText]; // copies
    Workspace space;
};

struct Workshop {
    enum { NotLooked, Possible, Impossible } state = NotLooked;
    Book book;
    Room* room = nullptr;
    const char* obstacle = nullptr;
    std::size_t out = 0, uncertain = 0;
    std::size_t to_search = 256 << 20; // bytes of text at most in which calls are looked for (a quarter of a second)
    bool told_of_remaining = false;
};
Workshop workshop;

// Of a forked child nobody holds it.
base::SpinLock* the_lock() {
    static std::atomic<base::SpinLock*> lock{nullptr};
    base::SpinLock* found = lock.load(std::memory_order_acquire);
    if (found)
        return found;
    auto* made = static_cast<base::SpinLock*>(base::map_wiped_on_fork(sizeof(base::SpinLock)));
    if (made && !lock.compare_exchange_strong(found, made, std::memory_order_acq_rel)) {
        base::unmap(made, sizeof *made);
        return found;
    }
    return made;
}

// Nobody else works here, no signal handler can come in between, errno is kept.
class Turn {
public:
    Turn() : lock_(the_lock()) {
        if (lock_)
            lock_->lock();
    }
    ~Turn() {
        if (lock_)
            lock_->unlock();
        errno = saved_;
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    explicit operator bool() const { return lock_; }

private:
    int saved_ = errno;
    base::Undisturbed whole_;
    base::SpinLock* lock_;
};

void say(const char* why) {
    if (base::speaks_for_the_job())
        base::warn("hook calls stay in the running program, excluded functions cost an empty hook each: ", why);
}

bool furnish() {
    workshop.room = static_cast<Room*>(base::map_anonymous(sizeof(Room)));
    return workshop.room && workshop.book.create();
}

// Looks for what keeps us from it, once.
bool prepared() {
    if (workshop.state == Workshop::NotLooked) {
        const char* why = obstacle();
        if (!why && !furnish())
            why = "no memory";
        if (why)
            say(why);
        workshop.obstacle = why;
        workshop.state = why ? Workshop::Impossible : Workshop::Possible;
    }
    return workshop.state == Workshop::Possible;
}

Hooks own_hooks() {
    return {reinterpret_cast<std::uint64_t>(&__cyg_profile_func_enter), reinterpret_cast<std::uint64_t>(&__cyg_profile_func_exit)};
}

void add_site(void*, std::uint64_t function, const Site& site) {
    workshop.book.add(function, site);
}

// What is out is from this very text.
void forget_former_sites(const Text& text, const Extent& extent) {
    workshop.book.forget_in(extent.start, extent.end, [&](const Site& site) {
        std::uint8_t now;
        return text.read(site.address, &now, sizeof now) && now == site.becomes;
    });
}

// The text that the instruction at `address` is in, for calls with any function. Not known: it was done for this one, or cannot be.
Extent examine(const Text& text, std::uint64_t function, std::uint64_t address) {
    if (workshop.book.was_examined(function, address))
        return {};
    const Extent extent = extent_of(address);
    Code code;
    if (!ProcessText::copy(text, workshop.book, extent, workshop.room->text, code))
        return {};
    if (!workshop.book.has_examined(code)) {
        forget_former_sites(text, extent);
        HookCalls calls(text, own_hooks());
        ProcessText process(text, workshop.book, workshop.room->neighbour, workshop.to_search);
        const std::size_t uncertain = find_sites(code, text, process, calls, workshop.room->space, add_site, nullptr);
        if (calls.met_unbound())
            return {};
        workshop.book.note_examined(code);
        workshop.uncertain += uncertain;
    }
    workshop.book.note_examined(function, extent.start, code.bytes.size());
    return extent;
}

// Whether a call of a hook returns there, or did before it was taken out.
bool is_hook_site(const Text& text, std::uint64_t address) {
    bool known = false;
    workshop.book.for_each_in(address - 6, address, [&](const Site& site) {
        known |= site.address + (site.was == 0xe8 ? 5 : 6) == address;
    });
    return known || HookCalls(text, own_hooks()).returns_to(address);
}

struct Switched {
    std::size_t there = 0, changed = 0, foreign = 0, refused = 0;
};

// All sites that `for_each` shows: `out` or back. What is not as we know it is left alone; all is, where nothing can be read.
template <class ForEach>
Switched switch_all(const Text& text, bool out, ForEach for_each) {
    Switched result;
    bool traced = false;
    for_each([&](const Site& site) {
        if (!text.is_open()) {
            ++result.refused;
            return;
        }
        std::uint8_t now[1 + sizeof site.rest];
        if (!text.read(site.address, now, sizeof now) || std::memcmp(now + 1, site.rest, sizeof site.rest) != 0) {
            ++result.foreign;
            return;
        }
        const std::uint8_t wanted = out ? site.becomes : site.was, other = out ? site.was : site.becomes;
        if (now[0] == wanted) {
            ++result.there;
        } else if (now[0] == other) {
            traced = traced || (result.changed == 0 && is_traced());
            const bool changed = !traced && text.write(site.address, wanted);
            result.changed += changed;
            result.there += changed;
            result.refused += !changed;
        }
    });
    if (result.changed != 0)
        synchronise();
    if (out)
        workshop.out += result.changed;
    else
        workshop.out -= std::min(workshop.out, result.changed);
    return result;
}

Switched switch_sites(const Text& text, std::uint64_t function, bool out) {
    return switch_all(text, out, [&](auto each) { workshop.book.for_each_of(function, each); });
}

bool nothing_remains(const Switched& result) {
    if (result.refused != 0 && !std::exchange(workshop.told_of_remaining, true) && base::speaks_for_the_job())
        base::warn("hook calls of excluded functions cannot be put back into the running program: its text cannot be written to now");
    return result.refused == 0;
}

// The lock is held.
std::size_t take_out(const Text& text, std::uint64_t function, std::uint64_t hook_site, bool only_new) {
    Switched result;
    // Twice where another object has come to the place of the one whose sites we knew.
    for (int i = 0; i < 2; ++i) {
        const Extent looked_at[] = {examine(text, function, function), hook_site != 0 ? examine(text, function, hook_site - 1) : Extent{}};
        const bool some = only_new && (looked_at[0].known() || looked_at[1].known());
        result = switch_all(text, true, [&](auto each) {
            for (const Extent& extent : looked_at)
                if (some && extent.known())
                    workshop.book.for_each_of_in(function, extent.start, extent.end, each);
            if (!some)
                workshop.book.for_each_of(function, each);
        });
        if (result.foreign == 0)
            break;
        workshop.book.forget(function);
    }
    return result.there;
}

} // namespace

bool possible() {
    Turn turn;
    return turn && prepared();
}

std::size_t take_out(std::uint64_t function, std::uint64_t hook_site) {
    Turn turn;
    return turn && prepared() ? take_out(Text(), function, hook_site, false) : 0;
}

std::size_t take_out_everywhere(std::uint64_t function) {
    Turn turn;
    if (!turn || !prepared())
        return 0;
    struct Job {
        const Text text;
        std::uint64_t function;
    } job{{}, function};
    const auto examine_around = [](void* data, std::uint64_t address) {
        const Job& job = *static_cast<Job*>(data);
        examine(job.text, job.function, address);
    };
    find_references(function, examine_around, &job);
    return take_out(job.text, function, 0, false);
}

std::size_t take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site) {
    Turn turn;
    if (!turn || !prepared())
        return 0;
    const Text text;
    for (const std::uint64_t anchor : {function, caller}) {
        const std::uint64_t site = address_near(anchor, hook_site);
        if (is_hook_site(text, site))
            return take_out(text, function, site, true);
    }
    return take_out(text, function, 0, false);
}

bool put_back(std::uint64_t function) {
    Turn turn;
    if (!turn || workshop.state != Workshop::Possible)
        return true;
    const Switched result = switch_sites(Text(), function, false);
    if (result.refused == 0 && result.foreign != 0)
        workshop.book.forget(function);
    return nothing_remains(result);
}

void objects_have_gone() {
    Turn turn;
    if (turn && workshop.state == Workshop::Possible)
        workshop.book.forget_examined();
}

void put_back_all() {
    Turn turn;
    if (!turn || workshop.state != Workshop::Possible)
        return;
    if (nothing_remains(switch_all(Text(), false, [](auto each) { workshop.book.for_each(each); }))) {
        workshop.out = workshop.uncertain = 0;
        workshop.book.create();
    }
}

Outcome outcome() {
    Turn turn;
    return turn ? Outcome{workshop.out, workshop.uncertain, workshop.obstacle} : Outcome{};
}

} // namespace vftr::patch
