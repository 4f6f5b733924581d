// SPDX-License-Identifier: BSD-3-Clause
#include "session/call_stack.hpp"

#include "analysis/recording/naming.hpp"
#include "base/own_descriptors.hpp"
#include "record/hot/call_tree.hpp"
#include "record/hot/reentrancy_guard.hpp"
#include "record/modules/loaded_modules.hpp"
#include "session/lifecycle/state.hpp"
#include "session/session.hpp"
#include "symbols/store.hpp"
#include "vfd/construct_text.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace vftr::session {

using record::recorder;

namespace {

std::string function_name(const vfd::Node& node) {
    Session& s = *session;
    std::lock_guard guard(s.resolver_lock);
    std::uint32_t count = recorder.modules.count();
    if (!s.resolver || count != s.resolver_modules) {
        const config::Config& config = s.loaded.config;
        s.resolver = std::make_unique<symbols::Resolver>(
            record::recorded_modules(), symbols::NameOptions{config.demangle_cxx, config.strip_module_names},
            symbols::NameSources{s.output.path(symbols::store_folder_name), 0});
        s.resolver_modules = count;
    }
    if (node.kind == vfd::NodeKind::OpenMp)
        return vfd::directive(vfd::construct_of(node.key)) + ' ' +
               s.resolver->call_location(vfd::address_of(node), node.module);
    return s.resolver->name(node.key, node.module);
}

std::string name_of(const vfd::Node& node) {
    switch (node.kind) {
    case vfd::NodeKind::Root:
        return "init";
    case vfd::NodeKind::Function:
    case vfd::NodeKind::OpenMp:
        return function_name(node);
    default:
        return std::string(recorder.names.text(node.key));
    }
}

// The call path as tables show it.
std::string path_of(const record::ThreadState& state, std::uint32_t id) {
    std::vector<std::pair<vfd::NodeKind, std::string>> nodes; // the innermost first
    for (record::NodeOfThread at = record::resolve({&state, id}); at.id != vfd::NoNode; at = record::resolve(at)) {
        const vfd::Node& node = at.thread->nodes[at.id];
        nodes.emplace_back(node.kind, name_of(node));
        at.id = node.parent;
    }
    std::string path;
    vfd::NodeKind above = vfd::NodeKind::Root;
    for (auto node = nodes.rbegin(); node != nodes.rend(); ++node) {
        if (analysis::is_outlined_function(above, node->first, node->second))
            continue;
        path = path.empty() ? node->second : node->second + '<' + path;
        above = node->first;
    }
    return path;
}

// The call path of the innermost function; in a pause, that of the pause's entry. If another thread has paused the
// recording and this thread had no event since, it has no such entry yet, and its name is put in front here.
std::string innermost_path(const record::ThreadState& state) {
    if (!recorder.paused.load(std::memory_order_relaxed))
        return path_of(state, state.top->node);
    if (state.recording_state == record::GuardPaused)
        return path_of(state, state.pause_node);
    return std::string(recorder.names.text(recorder.pause_key)) + '<' + path_of(state, state.top->node);
}

} // namespace

char* current_call_path() {
    record::ThreadState* state = record::materialized_thread();
    if (!running() || (!record::is_ready(*state) && state->guard != record::GuardPaused))
        return strdup("");
    record::HeldGuard guard;
    try {
        std::string path;
        base::with_own_descriptors([&] { path = innermost_path(*state); });
        return strdup(path.c_str());
    } catch (const std::exception&) {
        return nullptr;
    }
}

} // namespace vftr::session
