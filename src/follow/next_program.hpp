// SPDX-License-Identifier: BSD-3-Clause
//
// What exec and posix_spawn have in common: whether we may look at their arguments, and the environment that the next
// program gets.
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

// There is something for us to do: an environment to make, a file to mark, a row to write.
bool should_intercept();

// path is not looked at where it is nullptr and that is allowed.
bool arguments_are_readable(const char* path, Texts argv, Texts envp);

// The recording that the next program descends from, as the value of VFTR_PARENT in `out`; "" where nothing was
// recorded. spawn_number: 0 for exec, else which posix_spawn of this process it is.
std::string_view next_provenance(ProcessRole here, std::uint32_t spawn_number, char (&out)[inherit::ProvenanceSize]);

// The number of one more program that this process starts and outlives.
std::uint32_t next_spawn_number();

// Memory for the next program's environment. Where memory is this process's own it comes from the kernel: the stack may
// be an alternate one of 8 KiB. A child of vfork would leave such memory behind in its parent, and has its parent's
// stack.
class Room {
public:
    // 0 bytes: none is needed.
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

// Calls use(plan) with the environment of the next program; its memory lives as long as the call. Without room it is
// the original one.
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
