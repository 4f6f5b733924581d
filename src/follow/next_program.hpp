// SPDX-License-Identifier: BSD-3-Clause
//
// What exec and posix_spawn have in common: whether a call is to be intercepted, whether its arguments can be read, and
// the environment that the next program gets.
#pragma once

#include "base/compiler.hpp"
#include "follow/inherited_environment.hpp"
#include "follow/own_environment.hpp"
#include "follow/parent_recording.hpp"
#include "follow/process_role.hpp"
#include "follow/real.hpp"
#include "inherit/environment.hpp"
#include "inherit/provenance.hpp"

#include <alloca.h>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vftr::follow {

// Whether there is anything to do in this process: an environment to make, a recording to mark, or a row of the exec
// trace to write.
bool should_intercept();

// `path` may be nullptr for calls that need none; it is not checked then.
bool arguments_are_readable(const char* path, Texts argv, Texts envp);

// Writes the recording that the next program descends from into `out`, as the value of VFTR_PARENT, and returns it; ""
// if nothing was recorded. spawn_number: 0 for exec, otherwise the number of this posix_spawn in the process.
std::string_view next_provenance(ProcessRole here, std::uint32_t spawn_number, char (&out)[inherit::ProvenanceSize]);

// Counts the programs that this process starts as children, and returns the number of the next one, from 1 on.
std::uint32_t next_spawn_number();

// Memory for the next program's environment. If the process owns its memory (memory_is_own), it is mapped from the
// kernel, since the stack may be an alternate signal stack of only 8 KiB. A child of vfork would leave such a mapping
// behind in its parent; it uses its parent's stack instead.
class Room {
public:
    // With 0 bytes, no memory is taken.
    explicit Room(std::size_t bytes);
    ~Room();
    Room(const Room&) = delete;
    Room& operator=(const Room&) = delete;

    static constexpr std::size_t MostOnStack = 32 << 10;
    bool on_stack() const { return on_stack_; }
    void* mapped() const { return mapped_; }

private:
    std::size_t bytes_;
    bool on_stack_;
    void* mapped_ = nullptr;
};

// Calls use(plan) with the environment of the next program, whose memory lives as long as the call. If there is no
// memory for it, the plan has the original environment.
template <class Use>
__attribute__((noinline)) int with_environment(Texts envp, std::string_view parent, Use use) {
    const inherit::InheritedEnvironment& carry = inherited_environment();
    const Texts own = own_environment(envp);
    std::size_t bytes = inherit::scratch_needed(carry, envp, own, parent);
    Room room(bytes);
    void* memory = room.on_stack() ? alloca(bytes) : room.mapped();
    if (bytes != 0 && !memory)
        return use(inherit::Plan{envp, "failed"});
    return use(inherit::child_environment(carry, envp, own, parent, memory, bytes));
}

} // namespace vftr::follow
