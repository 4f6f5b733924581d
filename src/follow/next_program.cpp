// SPDX-License-Identifier: BSD-3-Clause
#include "follow/next_program.hpp"

#include "base/system_call.hpp"
#include "follow/readable.hpp"

#include <atomic>
#include <csignal>
#include <sys/mman.h>

namespace vftr::follow {

namespace {

// True on an alternate signal stack, or if the kernel does not say so: the program has chosen its size, and it is often
// small.
bool on_alternate_stack() {
    stack_t stack;
    return base::system_call(SYS_sigaltstack, nullptr, &stack) != 0 || (stack.ss_flags & SS_ONSTACK);
}

} // namespace

bool should_intercept() {
    return inherited_environment().follow || options().trace_path ||
           (options().checkpoint && process_role() == ProcessRole::Recorded);
}

bool arguments_are_readable(const char* path, Texts argv, Texts envp) {
    OwnMemory memory;
    const Texts own = own_environment(envp);
    return (!path || memory.text(path) == Readable::Yes) && memory.list(argv) == Readable::Yes &&
           memory.list(envp) == Readable::Yes && (own == envp || memory.list(own) == Readable::Yes);
}

std::string_view next_provenance(ProcessRole here, std::uint32_t spawn_number, char (&out)[inherit::ProvenanceSize]) {
    if (here == ProcessRole::Unrecorded)
        return {};
    inherit::Provenance provenance = parent_recording().recording;
    bool same_names = here == ProcessRole::Recorded && spawn_number == 0 && parent_recording().plain_names;
    if (same_names)
        provenance.token[0] = '\0';
    else if (!parent_recording().is_rank)
        inherit::set_token(provenance, static_cast<std::uint32_t>(own_pid()), spawn_number);
    else if (!provenance.has_token())
        inherit::set_token(provenance, 0, 0);
    return inherit::write_provenance(provenance, out);
}

std::uint32_t next_spawn_number() {
    static std::atomic<std::uint32_t> latest{0};
    return ++latest;
}

Room::Room(std::size_t bytes) : bytes_(bytes), on_stack_(false) {
    if (bytes == 0)
        return;
    if (memory_is_own()) {
        const long place =
            base::system_call(SYS_mmap, nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        mapped_ = base::is_error(place) ? nullptr : reinterpret_cast<void*>(place);
    } else {
        on_stack_ = bytes <= MostOnStack && !on_alternate_stack();
    }
}

Room::~Room() {
    if (mapped_)
        base::system_call(SYS_munmap, mapped_, bytes_);
}

} // namespace vftr::follow
