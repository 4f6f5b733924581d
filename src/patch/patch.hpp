// SPDX-License-Identifier: BSD-3-Clause
//
// Hook calls of excluded functions are taken out of the running text, so that such a function costs what an
// uninstrumented one does (but for the registers that the compiler loads and saves for the calls); and put back.
//
// One byte for a whole call. Other threads execute the text while it is changed, so no thread may ever meet a mixture
// of old and new. The usual ways pay for that: a short jump over the call is two bytes that must not lie in two cache
// lines, a longer change needs int3 first and a handler of ours for SIGTRAP. But each call of a hook becomes harmless
// by its first byte alone, at its place and with its length:
//
//     e8 rel32      call hook           a9 imm32      test $…,%eax       flags are free after a call
//     ff 15 disp32  call *slot(%rip)    3b 15 disp32  cmp slot(%rip),%edx
//     e9 rel32      jmp hook            c3            ret                the exit hook as the last act
//     ff 25 disp32  jmp *slot(%rip)     c3
//
// No byte can be half written, whatever line or page border the instruction crosses, and whichever of the two a
// processor fetches, the next instruction begins at the same place. A thread within the hook returns behind the call,
// as ever. What the callee might have changed (registers that a call may change, flags) nobody looks at after a call,
// and hooks return nothing.
//
// Intel (SDM 3A, "Handling Self- and Cross-Modifying Code") promises only that a processor that executes a serializing
// instruction after the store executes the new code, and AMD (APM 2, "Cross-Modifying Code") alike; so after the
// changes every thread of the process is made to (membarrier, PRIVATE_EXPEDITED_SYNC_CORE), and then no processor has
// the old code any more. In between, old or new are both right. That a first byte may change under a processor that is
// executing it is what Linux' text_poke_bp has relied on since 2013 for each of its own patches, on both makers'
// machines. Chamith et al., "Living on the Edge: Rapid-Toggling Probes with Cross-Modification on x86" (PLDI 2016),
// have toggled calls of these very hooks under running threads, found trouble only where a store lies in two cache
// lines, and none elsewhere; a single byte never does.
//
// No page is made writable. The bytes are written through /proc/self/mem, as debuggers write theirs: the kernel makes a
// private copy of the page if need be, and the protection of the mapping stays as it is. So nothing has to be put back
// to what it was, there is no moment at which another thread could write to text, and a page that is a shared mapping
// of a file is refused by the kernel.
//
// What is changed is a call of a hook with that function as its argument, and nothing else: sites.hpp. Calls of which
// that is not certain stay, and the hook then tests the node's flag as for any excluded function. For the same reason
// it does not matter that the exit of a function may have been taken out and its enter not, or the other way round: an
// excluded function's hooks leave no frame. Where a function is excluded while it runs, its frame is found to be gone
// like that of a longjmp (record/frames.hpp); the exit of a function that was included meanwhile counts as one without
// enter.
//
// We step aside, and say so in one line, where something else reads or changes the text, or may not like it: debuggers
// and other tracers, valgrind, sanitizers; where a security policy forbids changed text; where the kernel has no
// membarrier.
//
// After fork both processes have the text as it was, and so have these tables; the lock is in memory that the kernel
// wipes in the child. What a site's byte is now is not remembered but read. A child of a process that was just changing
// its text gives all back (put_back_all), and takes out again what is called, so nothing gets out of step. An unloaded
// object's sites are recognised by their bytes and forgotten. Pausing changes no text: what is excluded is so in a
// pause too, and what is not must be recorded from the first event after the pause.
#pragma once

#include <cstddef>
#include <cstdint>

namespace vftr::patch {

// Whether this process' text may be changed. The first call looks (some system calls), and where the answer is no,
// writes one line to stderr that says why. Any thread, guard not Ready (record/reentrancy_guard.hpp), as for all of
// these. No malloc. errno is kept.
bool possible();

// Takes out the hook calls with this function (its runtime address, as the hooks are given it) in its own text and,
// where the compiler has inlined it, in the text around `hook_site`: the return address of a call of the enter hook for
// it, 0: not known; and in each text that was looked through already, or will be for another one. A piece of text is
// looked through once for all functions (some 20 ms for a MiB); the first function of an object has those pieces of it
// looked through that have hook calls, but none for a function that begins there: no other call would show them. Once
// taken out at one site, a function stays out there until put_back. Returns how many of the function's calls are out; 0
// also where that is impossible. The object must not be unloaded meanwhile.
std::size_t take_out(std::uint64_t function, std::uint64_t hook_site = 0);

// Likewise of all the function's object, wherever it was inlined there. Takes some milliseconds for each MiB of the
// object's text: not for filters that exclude thousands of functions, whose calls show their places when they are made.
std::size_t take_out_everywhere(std::uint64_t function);

// At a call of a function that should be out, to take it out of the text around this call, too: of calls inlined into a
// thousand functions, each shows up when it is made. Only the low half of `hook_site`, as a Place or a Frame has it,
// which is in the object of the function or of `caller`, the function that this one is called from.
void take_out_below(std::uint64_t caller, std::uint64_t function, std::uint32_t hook_site);

// Gives all its hook calls back, byte for byte. Nothing happens to a function that is not out or not loaded any more.
// False: some are still out, as the process cannot write to its text now (no descriptor is left, it has given up its
// privileges, a debugger has come); the first time one line on stderr says so.
bool put_back(std::uint64_t function);

// Some were unloaded: what comes to their places is looked through anew.
void objects_have_gone();

// In a forked child whose parent had another thread at work here: the text is then as it was loaded, and nothing is
// known of any function. Its other threads, if any, must not be at work here.
void put_back_all();

// What has come of it in this process so far, for its log.
struct Outcome {
    std::size_t out =
        0; // hook calls that are not in the text now; where that cannot be read, with those of unloaded objects
    std::size_t uncertain =
        0; // hook calls that stay in the text that was looked through, whatever function they are for
    const char* obstacle = nullptr; // why none can be taken out; nullptr: none is known, or nobody has asked. Static.
};
Outcome outcome();

} // namespace vftr::patch
