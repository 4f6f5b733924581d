// SPDX-License-Identifier: BSD-3-Clause
//
// Timing with a budget: recording takes no more than a part of the CPU time (overhead_budget), whatever the program
// calls.
//
// Functions whose hooks cost more than the budget allows become windowed: their hook calls are taken out of the text,
// and put back in short windows again and again. How often such a function was called outside of the windows is
// estimated from the calls within them (window_rate.hpp); a call that was not seen takes as long as one that was
// (vfd::UnseenCalls). Everything else is recorded as with adaptive timing.
//
// The watcher is a thread of the library (threads/own_thread.hpp), since a program whose hooks are out calls nothing
// that could open a window. It only reads what the threads have recorded, so their hooks do nothing for it.
//
// The account. The watcher knows the CPU time of the process, its own, and what the hooks of each call path cost
// (vfd::HookCosts). From time to time it adds up the hooks' cost of all paths in the time since it did so before, and
// chooses functions (selection.hpp) until the rest costs at most RestPart of the budget. A window is opened when the
// watcher's own time and the hooks' cost in all windows so far, that one included, are within WindowPart of the
// budget's share of the CPU time. The rest of the budget is a reserve: what the text's change costs in the processors'
// caches is not known. Two things are not in the account: the search for hook calls, which is done once, and the first
// windows after functions have become windowed, which are opened at once and paid for by a longer wait for the next. A
// function stays windowed once it is, so that it does not change to and fro.
//
// A window ends when it has lasted a tenth of a millisecond of the program's own time, without the cost of hooks: if
// windows had the same length with that cost, they would show less of those parts of the program that call more. Where
// hooks cost more than HooksInWindow in that time, the windows become shorter, and so more. Where the program waits for
// a core, a window stays open until it has had one, and is longer, as the watcher looks less and less often meanwhile:
// a window in which nothing ran would tell nothing. The time between windows is random, so that they do not fall into
// step with the program. Time is that of each thread's CPU clock, so neither waits nor other processes count.
//
// Call paths. All windowed functions have their windows together, and a function is windowed together with those that
// it calls, so that the paths seen in a window are complete. windowed.hpp tells what happens to calls that are running
// when a window opens or closes.
//
// What is lost if the process is killed: the numbers of unseen calls of the last quarter of a second.
#pragma once

#include "record/threads/own_thread.hpp"

namespace vftr::record {

// Called by the session when the recording begins, and when Timing::budget has changed; in a forked child, too. Begins
// the watcher if there is none and the budget is not 0; a watcher that is there takes the new budget, and with 0 it
// puts all hook calls back and sleeps. create: the C library's pthread_create. False: no thread could be created.
bool keep_budget(CreateThread* create);
// Puts the final numbers into the file, and ends the watcher.
void end_budget();

} // namespace vftr::record
