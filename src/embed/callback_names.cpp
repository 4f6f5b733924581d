// SPDX-License-Identifier: BSD-3-Clause
#include "embed/callback_names.hpp"

#include "base/memory.hpp"
#include "base/own_descriptors.hpp"
#include "base/own_stack.hpp"
#include "base/probe_table.hpp"
#include "record/hot/thread_state.hpp"
#include "record/modules/loaded_modules.hpp"
#include "record/recorder.hpp"
#include "record/threads/thread_records.hpp"
#include "session/allocator_reentrancy.hpp"
#include "session/session.hpp"
#include "symbols/module_names.hpp"
#include "vfd/construct_text.hpp"

#include <algorithm>
#include <cstdio>
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
constexpr int LongestWait = 1000; // yields

struct Name {
    std::uint64_t key;
    // The module's id and, of an object that was loaded at the same addresses after another one, its generation.
    std::uint32_t module;
    char text[];
};

base::ProbeTable<const Name, base::Outgrown::Kept, 1024> table{};
base::SpinLock lock; // protects what follows, and writing to the table
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

std::uint64_t hash(std::uint64_t key, std::uint32_t module) {
    return ((key ^ module) * 0x9e3779b97f4a7c15u) >> 32; // Knuth, TAOCP 6.4
}
std::uint64_t hash_of(const Name& name) { return hash(name.key, name.module); }

const char* find(std::uint64_t key, std::uint32_t module) {
    const Name* name =
        table.find(hash(key, module), [&](const Name& known) { return known.key == key && known.module == module; });
    return name ? name->text : nullptr;
}

// Memory that is kept for good.
char* take_locked(std::size_t bytes) {
    bytes = (bytes + alignof(Name) - 1) / alignof(Name) * alignof(Name);
    if (text_room < bytes) {
        text_next = static_cast<char*>(base::map_anonymous(std::max(TextChunk, bytes)));
        text_room = text_next ? std::max(TextChunk, bytes) : 0;
        if (!text_next)
            return nullptr;
    }
    char* taken = text_next;
    text_next += bytes;
    text_room -= bytes;
    return taken;
}

const char* keep_name_locked(std::uint64_t key, std::uint32_t module, std::string_view text) {
    char* memory = table.make_room(hash_of) ? take_locked(sizeof(Name) + text.size() + 1) : nullptr;
    if (!memory)
        return nullptr;
    auto* name = reinterpret_cast<Name*>(memory);
    name->key = key;
    name->module = module;
    std::memcpy(name->text, text.data(), text.size());
    table.insert(hash_of(*name), name);
    return name->text;
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
        std::string text;
        base::with_own_descriptors([&] {
            text = vfd::has_address(node.kind) ? name_in_module(node) : std::string(recorder.names.text(node.key));
        });
        question.answer = keep_name_locked(node.key, node.module, text);
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
    char* kept = take_locked(size + 1);
    lock.unlock();
    if (kept)
        std::memcpy(kept, text, size);
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
