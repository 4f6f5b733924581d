// SPDX-License-Identifier: BSD-3-Clause
#include "embed/callback_names.hpp"

#include "base/memory.hpp"
#include "base/own_stack.hpp"
#include "record/modules/loaded_modules.hpp"
#include "record/recorder.hpp"
#include "session/allocator_reentrancy.hpp"
#include "session/session.hpp"
#include "symbols/module_names.hpp"
#include "vfd/construct_text.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <exception>
#include <string>
#include <string_view>

namespace vftr::embed {

using record::recorder;
using record::ThreadState;
using vfd::Node;
using vfd::NodeKind;

namespace {

constexpr std::size_t StackToLookUp = 1 << 20;
constexpr std::size_t TextChunk = 65536;
constexpr std::uint64_t FirstSlots = 1024;
constexpr int LongestWait = 1000; // yields

// Maps (key, module) to a name: open addressing, never full, replaced as a whole when it grows. Old tables are not
// freed, because another thread may be reading them.
struct Slot {
    std::uint64_t key;
    // The module's id and, of an object that was loaded at the same addresses after another one, its generation.
    std::uint32_t module;
    std::atomic<const char*> name; // stored last
};
struct Table {
    std::uint64_t mask;
    Slot slots[];
};

std::atomic<Table*> table{nullptr};
base::SpinLock lock; // protects what follows, and writing to the table
std::uint64_t used = 0;
char* text_next = nullptr;
std::size_t text_room = 0;
symbols::ModuleNames* module_names = nullptr;

bool lock_for_a_moment() {
    for (int i = 0; i < LongestWait; ++i) {
        if (lock.try_lock())
            return true;
        sched_yield();
    }
    return false;
}

std::uint64_t home_of(std::uint64_t key, std::uint32_t module) {
    return ((key ^ module) * 0x9e3779b97f4a7c15u) >> 32; // Knuth, TAOCP 6.4
}

const char* find(std::uint64_t key, std::uint32_t module) {
    const Table* t = table.load(std::memory_order_acquire);
    if (!t)
        return nullptr;
    for (std::uint64_t i = home_of(key, module);; ++i) {
        const Slot& slot = t->slots[i & t->mask];
        const char* name = slot.name.load(std::memory_order_acquire);
        if (!name || (slot.key == key && slot.module == module))
            return name;
    }
}

void put(Table& t, std::uint64_t key, std::uint32_t module, const char* name) {
    std::uint64_t i = home_of(key, module);
    while (t.slots[i & t.mask].name.load(std::memory_order_relaxed))
        ++i;
    Slot& slot = t.slots[i & t.mask];
    slot.key = key;
    slot.module = module;
    slot.name.store(name, std::memory_order_release);
}

bool make_room() {
    Table* old = table.load(std::memory_order_relaxed);
    if (old && 2 * (used + 1) <= old->mask)
        return true;
    const std::uint64_t slots = old ? 2 * (old->mask + 1) : FirstSlots;
    auto* bigger = static_cast<Table*>(base::map_anonymous(sizeof(Table) + slots * sizeof(Slot)));
    if (!bigger)
        return false;
    bigger->mask = slots - 1;
    for (std::uint64_t i = 0; old && i <= old->mask; ++i)
        if (const char* name = old->slots[i].name.load(std::memory_order_relaxed))
            put(*bigger, old->slots[i].key, old->slots[i].module, name);
    table.store(bigger, std::memory_order_release);
    return true;
}

const char* keep_text_locked(std::string_view text) {
    if (text_room < text.size() + 1) {
        const std::size_t bytes = std::max(TextChunk, text.size() + 1);
        text_next = static_cast<char*>(base::map_anonymous(bytes));
        text_room = text_next ? bytes : 0;
        if (!text_next)
            return nullptr;
    }
    char* kept = text_next;
    std::memcpy(kept, text.data(), text.size());
    text_next += text.size() + 1;
    text_room -= text.size() + 1;
    return kept;
}

struct Question {
    const Node& node;
    const char* answer;
};

std::string name_in_module(const Node& node) {
    if (!module_names) {
        const config::Config& config = session::configuration();
        module_names = new symbols::ModuleNames({config.demangle_cxx, config.strip_module_names});
    }
    if (const record::ModuleEntry* entry = recorder.modules.entry(node.module))
        return node.kind == NodeKind::OpenMp
                   ? vfd::directive(vfd::construct_of(node.key)) + ' ' +
                         module_names->call_location(record::module_of(*entry->record), vfd::address_of(node))
                   : module_names->name(record::module_of(*entry->record), node.key);
    char text[32];
    std::snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(node.key));
    return text;
}

void answer_here(void* data) {
    auto& question = *static_cast<Question*>(data);
    const Node& node = question.node;
    try {
        const std::string text =
            vfd::has_address(node.kind) ? name_in_module(node) : std::string(recorder.names.text(node.key));
        if (make_room() && (question.answer = keep_text_locked(text))) {
            put(*table.load(std::memory_order_relaxed), node.key, node.module, question.answer);
            ++used;
        }
    } catch (const std::exception&) {
        // Without memory there is no name.
    }
}

} // namespace

// Must run on the stack of the hook, because the search for the allocator begins at the present stack position.
const char* look_up_name(const Node& node) {
    switch (node.kind) {
    case NodeKind::Root:
        return "init";
    case NodeKind::Overflow:
        return "(too many call paths)";
    default:
        break;
    }
    if (const char* name = find(node.key, node.module))
        return name;
    if (session::allocator_is_on_the_stack() || !lock_for_a_moment())
        return nullptr;
    Question question{node, find(node.key, node.module)};
    if (!question.answer)
        base::on_own_stack(StackToLookUp, base::Signals::Blocked, answer_here, &question);
    lock.unlock();
    return question.answer;
}

const char* look_up_name(ThreadState& state, std::uint32_t node) {
    record::Subscription& subscription = state.subscription;
    if (!subscription.names)
        subscription.names = static_cast<const char**>(base::map_anonymous(state.node_limit * sizeof(const char*)));
    const char* name = look_up_name(state.nodes[node]);
    if (subscription.names)
        subscription.names[node] = name;
    return name;
}

const char* keep_text(const char* text, std::size_t size) {
    if (!lock_for_a_moment())
        return nullptr;
    const char* kept = keep_text_locked({text, size});
    lock.unlock();
    return kept;
}

std::size_t path_text(std::uint64_t path, char* buffer, std::size_t size) {
    std::size_t length = 0;
    auto add = [&](std::string_view text) {
        if (length < size)
            std::memcpy(buffer + length, text.data(), std::min(text.size(), size - length));
        length += text.size();
    };
    auto thread = static_cast<std::uint32_t>(path >> 32), node = static_cast<std::uint32_t>(path);
    const ThreadState* state = record::thread_of(thread);
    while (state && node < __atomic_load_n(&state->record->node_count, __ATOMIC_ACQUIRE)) {
        const Node& at = state->nodes[node];
        if (at.kind == NodeKind::AttributedWork) {
            state = record::thread_of(static_cast<std::uint32_t>((at.key & ~vfd::AttributedWorkKey) >> 32));
            node = static_cast<std::uint32_t>(at.key);
            continue;
        }
        if (length != 0)
            add("<");
        const char* name = look_up_name(at);
        add(name ? name : "?");
        node = at.parent;
    }
    if (size != 0)
        buffer[std::min(length, size - 1)] = '\0';
    return length;
}

void prepare_names() { session::find_allocator(); }

void forget_names_lock() { lock.unlock(); }

} // namespace vftr::embed
