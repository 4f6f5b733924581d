// SPDX-License-Identifier: BSD-3-Clause
//
// What the watcher (budget.hpp) knows of the call paths of all threads. It reads their trees while they write, without
// a lock: each number is one that the thread has written, and numbers that belong together may be one call apart.
//
// Times are ns of CPU time.
#pragma once

#include "record/budget/selection.hpp"
#include "record/budget/window_rate.hpp"
#include "record/entries/traffic.hpp"
#include "record/hot/thread_state.hpp"

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

namespace vftr::record {

class PathAccounts {
public:
    // Brings the CPU times of all threads up to date. excluded: the time since the call before is that of a pause.
    void read_clocks(bool excluded);
    // What the hooks of each path have cost since the call before, in which the process used `passed`.
    std::vector<PathCost> costs(double passed);
    // Whether a callback of the program wants the calls of functions.
    bool calls_are_subscribed() const;

    // From now on, the calls of these functions are seen in windows only.
    void begin_accounts(const std::vector<std::uint64_t>& functions);
    // The function is recorded as any other again. What was published for it stays, and a later account adds to it.
    void end_account(std::uint64_t function);

    void open_window();
    // What the hooks of windowed functions have cost since the window was opened `passed` ago, in the thread where that
    // is most.
    double most_hooks_in_window(double passed);
    // Returns what they have cost in all threads.
    double close_window();

    // Puts the numbers of unseen calls into the file.
    void publish();

private:
    // Numbers of a node that only grow, as its thread has last written them.
    struct Look {
        double calls = 0, folded = 0, exclusive = 0;
        bool sampled = false; // most of its calls are count-only
    };
    static Look look_at(const vfd::Node& node);
    // Ticks that the hooks of the calls between two looks have cost. longness: from 0, where one call follows the other
    // directly, to 1.
    static double hooks_between(const Look& before, const Look& after, double longness);

    // When an account began: values of its thread.
    struct Begin {
        double cpu = 0, inside = 0;
        WindowTimes times;
        double first_window = 0; // `cpu` when the first window after it was opened; 0: none was yet
    };
    struct Path {
        std::uint32_t node;
        std::uint64_t function;
        double calls_at_begin, rate_before; // the latter: calls per ns
        Begin begin;
        double published, error_of_published; // numbers of earlier accounts of the path
        WindowCalls in_windows;
        Look at_open, latest; // when the window was opened, and when it was looked at last
    };
    struct Thread {
        ThreadState* state = nullptr;
        std::uint32_t tid = 0;
        double cpu = 0, clock = 0;                    // all of its time; the latest value of the present thread's clock
        double inside = 0;                            // the part of `cpu` in windows and pauses
        double cpu_at_open = 0, own_work_at_open = 0; // the latter in ticks
        WindowTimes times;
        std::uint32_t nodes_seen = 0; // nodes that were looked through for paths of windowed functions
        std::vector<Path> paths;
        std::vector<std::uint32_t> path_of; // by node: index in `paths`, or NoPath
        // By node: at the latest costs(), and how many calls it had per ns in the time before that.
        std::vector<Look> judged;
        std::vector<float> rates;
        double cpu_judged = 0;
        std::unordered_map<std::uint64_t, Begin> begins; // by function; absent: the begin of the thread
        UnseenTable unseen;
    };

    void find_threads();
    static double own_work(const Thread& thread);
    static void read_clock(Thread& thread, bool excluded);
    static void take_looks(Thread& thread);
    // Reads the clock and then the paths, so soon after each other that they belong together.
    static void look_at_paths(Thread& thread, bool excluded);
    static std::uint32_t node_count(const Thread& thread);
    static constexpr std::uint32_t NoPath = 0xffffffff;
    static void add_path(Thread& thread, std::uint32_t node, double calls_at_begin, double rate_before);
    // Makes accounts for the paths that are new since the last time.
    static void find_paths(Thread& thread);
    // Ticks that the hooks of windowed functions have cost until the latest look, in a window that had taken `ticks`.
    static double hooks_in_window(const Thread& thread, double ticks);

    double ns_per_tick() const;

    std::vector<std::unique_ptr<Thread>> threads_; // by index of the record
};

} // namespace vftr::record
