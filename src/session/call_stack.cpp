// SPDX-License-Identifier: BSD-3-Clause
#include "session/call_stack.hpp"

#include "record/gate.hpp"
#include "session/modules.hpp"
#include "session/session.hpp"

#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <string>

namespace vftr::session {

using record::recorder;

namespace {

// One resolver for the process, made anew when modules have come since.
class CachedResolver {
public:
    std::string name(const vfd::Node& node) {
        std::lock_guard guard(lock_);
        std::uint32_t count = recorder.modules.count();
        if (!resolver_ || count != module_count_) {
            const config::Config& config = configuration();
            resolver_ = std::make_unique<symbols::Resolver>(
                recorded_modules(), symbols::NameOptions{config.demangle_cxx, config.strip_module_names});
            module_count_ = count;
        }
        return resolver_->name(node.key, node.module);
    }

private:
    base::SpinLock lock_;
    std::unique_ptr<symbols::Resolver> resolver_;
    std::uint32_t module_count_ = 0;
};

std::string name_of(const vfd::Node& node) {
    static auto* resolver = new CachedResolver;
    switch (node.kind) {
    case vfd::NodeKind::Root:
        return "init";
    case vfd::NodeKind::Function:
        return resolver->name(node);
    default:
        return std::string(recorder.names.text(node.key));
    }
}

std::string path_of(const record::ThreadState& state, std::uint32_t id) {
    std::string path;
    for (; id != vfd::NoNode; id = state.nodes[id].parent) {
        if (!path.empty())
            path += '<';
        path += name_of(state.nodes[id]);
    }
    return path;
}

} // namespace

char* current_call_path() {
    record::ThreadState* state = record::current;
    if (!running() || state->gate != record::GateReady)
        return strdup("");
    record::ClosedGate gate;
    try {
        return strdup(path_of(*state, state->top->node).c_str());
    } catch (const std::exception&) {
        return nullptr;
    }
}

} // namespace vftr::session
