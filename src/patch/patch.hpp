// SPDX-License-Identifier: BSD-3-Clause
//
// Takes the hook calls of excluded functions out of the running machine code, so that such a function costs as much as
// an uninstrumented one (except for registers that the compiler loads and saves for the calls), and puts them back.
//
// Only one byte is changed for a whole call. Other threads execute the code while it is changed, so no thread may ever
// see a mixture of old and new. The usual methods have a price: a short jump over the call has two bytes, which must
// not be in different cache lines, and a longer change needs an int3 first and a SIGTRAP handler. But each kind of hook
// call becomes harmless when its first byte alone is replaced, at the same address and with the same length:
//
//     e8 rel32      call hook           a9 imm32      test $…,%eax       flags are free after a call
//     ff 15 disp32  call *slot(%rip)    3b 15 disp32  cmp slot(%rip),%edx
//     e9 rel32      jmp hook            c3            ret                the exit hook as the last act
//     ff 25 disp32  jmp *slot(%rip)     c3
//
// A single byte cannot be half written, whatever cache line or page boundary the instruction crosses, and whether a
// processor fetches the old or the new byte, the next instruction begins at the same address. A thread that is within
// the hook returns behind the call as usual. Registers and flags that the callee might have changed are not used after
// a call, and hooks return nothing.
//
// Intel (SDM 3A, "Handling Self- and Cross-Modifying Code") promises only that a processor that executes a serializing
// instruction after the store executes the new code, and so does AMD (APM 2, "Cross-Modifying Code"). Therefore, after
// the changes every thread of the process is made to execute one (membarrier, PRIVATE_EXPEDITED_SYNC_CORE), after which
// no processor has the old code any more. In between, old and new code are both correct. Linux' text_poke_bp has relied
// since 2013, for each of its own patches on both vendors' processors, on the fact that a first byte may change while a
// processor executes it. Chamith et al., "Living on the Edge: Rapid-Toggling Probes with Cross-Modification on x86"
// (PLDI 2016), have toggled calls of the same hooks under running threads and found problems only where a store spans
// two cache lines, which a single byte never does.
//
// No page is made writable. The bytes are written through /proc/self/mem, as debuggers do: the kernel makes a private
// copy of the page if necessary, and the protection of the mapping does not change. So nothing has to be restored,
// there is no moment at which another thread could write to the code, and the kernel refuses to change a page that is a
// shared mapping of a file.
//
// Only a call of a hook with the excluded function as its argument is changed (sites.hpp). Calls for which this is not
// certain stay, and the hook then tests the node's flag as for any excluded function. For the same reason it does not
// matter if the exit hook of a function was taken out and its enter hook was not, or the other way round: the hooks of
// an excluded function leave no frame. If a function is excluded while it runs, its frame is found to be abandoned, as
// after a longjmp (record/hot/frames.hpp). The exit of a function that was included while it ran counts as an exit
// without an enter.
//
// The library does not change code, and says so in one line, if something else reads or changes the code or may not
// tolerate changes (debuggers and other tracers, valgrind, sanitizers), if a security policy forbids changed code, or
// if the kernel has no membarrier.
//
// After a fork, both processes have the code as it was at the fork, and also these tables; the lock is in memory that
// the kernel wipes in the child. The present byte of a site is not remembered but read. If the parent was changing its
// code during the fork, the child puts all calls back (put_back_all) and takes out again those that are called, so that
// code and tables stay consistent. The sites of an unloaded object are recognised by their bytes and forgotten. A pause
// does not change code: what is excluded is also excluded in a pause, and everything else must be recorded from the
// first event after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace vftr::patch {

// Whether the code of this process may be changed. The first call checks this (some system calls) and, if the answer is
// no, writes one line with the reason to stderr. For all functions of this header: any thread may call them while its
// reentrancy guard is held (not Ready, record/hot/reentrancy_guard.hpp); they do not call malloc and preserve errno.
bool possible();

// Takes out the hook calls for this function (given by its runtime address, as hooks get it). They are in its own code
// and in code into which the compiler has inlined it: in the code around `hook_site`, which is the return address of
// one of its enter hook calls (0: not known), and in every piece of code that was scanned already or will be scanned
// for another function. A piece of code is scanned once for all functions (some 20 ms for a MiB). The first function of
// an object also causes a scan of those pieces that have hook calls but none for a function that begins there, because
// no other call would lead to them. Once a function was taken out at one site, it stays out there until put_back.
// Returns how many of the function's calls are out, which is 0 also if code cannot be changed. The object must not be
// unloaded meanwhile.
std::size_t take_out(std::uint64_t function, std::uint64_t hook_site = 0);

// As take_out, but scans all of the function's object for code into which it was inlined. This takes some milliseconds
// for each MiB of machine code, so it is not suited to filters that exclude thousands of functions; their calls are
// found when they are made.
std::size_t take_out_everywhere(std::uint64_t function);

// Called when a function was called that should be out, to take it out of the code around this call, too: if it was
// inlined into a thousand functions, each of the calls is found when it is made. `hook_site` has only the low half of
// the address, as in a CallAddresses or a Frame; the address is in the object of the function or of `caller`, the
// function that called this one.
void take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site);

// Puts all hook calls of the function back, byte for byte. It does nothing if the function is not out or not loaded any
// more. Returns false if some calls are still out because the process cannot write to its code now (there is no free
// descriptor, it has dropped its privileges, a debugger is attached); the first time, it prints one line about this on
// stderr.
bool put_back(std::uint64_t function);

// Scans all code of the objects of these functions, once for each object (some 20 ms for a MiB), so that all of their
// hook calls are known.
void scan_objects_of(std::span<const std::uint64_t> functions);

// As take_out (or put_back) for several functions whose hook calls are known, without a search. Whole stretches of a
// page are written at once, of which only the first bytes of hook calls change, and all threads are synchronised once:
// that takes some microseconds for a page.
void switch_known(std::span<const std::uint64_t> functions, bool out);

// Must be called after objects were unloaded: code that is later mapped at their addresses is scanned anew.
void objects_have_gone();

// For a forked child whose parent had another thread at work here: restores the code as it was loaded, and forgets
// everything about all functions. Other threads of the child, if any, must not call these functions meanwhile.
void put_back_all();

// The results in this process so far, for its log.
struct Outcome {
    // Hook calls that are not in the code now; if the code cannot be read, this includes calls in unloaded objects.
    std::size_t out = 0;
    // Hook calls that stay in the code that was scanned, because it is not certain to which function they belong.
    std::size_t uncertain = 0;
    // Why no call can be taken out; nullptr: there is no known obstacle, or it was never checked. A static string.
    const char* obstacle = nullptr;
};
Outcome outcome();

} // namespace vftr::patch
