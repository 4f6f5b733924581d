// SPDX-License-Identifier: BSD-3-Clause
//
// VFTR_PARENT: the recording that a process descends from, as the environment says it:
// "<pid>.<start>.<generation>.<token>". No malloc, no locks: written in children of vfork too.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace vftr::inherit {

struct Provenance {
    std::uint32_t pid = 0;               // of the recording, or of `vftr run`
    std::uint64_t start_realtime_ns = 0; // FileHeader::start of it
    std::uint32_t generation = 0; // programs that were recorded in this pid before; of meaning where it is the own pid
    // What the ranks of an MPI job that is started here have in common: the pid that called exec (of mpirun), or
    // "<pid>s<n>" for the n-th posix_spawn of a process. Empty: their results have plain names. In the next program of
    // a process itself (exec, own pid) empty says as well that its results have plain names, as those of the program
    // before; "0" is no token either, but does not say that.
    char token[32] = {};
    bool has_token() const { return token[0] != '\0' && !(token[0] == '0' && token[1] == '\0'); }
};

// False: `text` (may be nullptr) is no such value; `provenance` is then empty.
bool read_provenance(const char* text, Provenance& provenance);

inline constexpr std::size_t ProvenanceSize = 96;
// Returns the text in `out`.
std::string_view write_provenance(const Provenance& provenance, char (&out)[ProvenanceSize]);

// "<pid>", or "<pid>s<number>" where number is not 0.
void set_token(Provenance& provenance, std::uint32_t pid, std::uint32_t number);

} // namespace vftr::inherit
