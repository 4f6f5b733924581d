// SPDX-License-Identifier: BSD-3-Clause
//
// The threads: which thread created each, and how they share the work.
//
// The longest threads have a row, but the rows are sorted by number, which is the order of creation, as groups of
// similar threads are easily seen in that order. The line below the table has the imbalance of the threads that the
// program started. It does not include the first thread of a process, which usually waits for the others in recorded
// functions, and would count as busy all the time.
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "report/text_table.hpp"

#include <algorithm>

namespace vftr::report {
namespace {

using analysis::ThreadRow;
using analysis::ThreadSums;

constexpr const char* Worker = "(OpenMP worker)";

std::string seconds_of(std::uint64_t ns) { return seconds(static_cast<double>(ns), 3); }

std::string count_of(std::uint64_t number, const char* what) {
    return std::to_string(number) + ' ' + what + (number == 1 ? "" : "s");
}

class ThreadTable {
public:
    explicit ThreadTable(Context& context)
        : context_(context), profile_(context.profile), rows_(longest()), several_ranks_(profile_.rank_count > 1) {
        for (const Candidate& row : rows_.shown())
            shown_.push_back(row.id);
        std::sort(shown_.begin(), shown_.end()); // the rows are in the order of their ids
        for (std::size_t i = 0; i < profile_.threads.size(); ++i) {
            const ThreadRow& row = profile_.threads[i];
            several_threads_ |= row.threads > 1;
            knows_cpu_ |= row.cpu != 0;
            several_processes_ |= i > 0 && row.id.rank == profile_.threads[i - 1].id.rank &&
                                  row.id.process != profile_.threads[i - 1].id.process;
        }
    }

    std::string text() {
        const TextTable table = fitting_table(context_, footnotes_, {"Start function"}, [&] {
            TextTable made(titles());
            for (std::uint32_t i : shown_)
                made.add_row(cells(profile_.threads[i]));
            if (rest().records)
                made.add_row(rest_cells(rest()));
            return made;
        });
        return section_threads.title + table.to_text() + footnotes_.text() + notes();
    }

private:
    Rows longest() const {
        std::vector<Candidate> candidates;
        for (std::uint32_t i = 0; i < profile_.threads.size(); ++i)
            candidates.push_back({profile_.threads[i].in_functions, i});
        return {std::move(candidates), false, context_.config.threads_max_rows};
    }

    std::vector<std::string> titles() const {
        std::vector<std::string> titles;
        if (several_ranks_)
            titles.push_back("Rank");
        if (several_processes_)
            titles.push_back("PID");
        titles.push_back("Thread");
        if (several_threads_)
            titles.push_back("Threads");
        titles.insert(titles.end(), {"TID", "Started by", "Start function", "Begin[s]", "Life[s]"});
        if (knows_cpu_)
            titles.insert(titles.end(), {"CPU[s]", "No core[s]"});
        titles.insert(titles.end(), {"t_func[s]", "Calls", "STID"});
        return titles;
    }

    std::vector<std::string> cells(const ThreadRow& row) {
        std::vector<std::string> cells;
        if (several_ranks_)
            cells.push_back(std::to_string(row.id.rank));
        if (several_processes_)
            cells.push_back(std::to_string(row.id.process));
        cells.push_back(std::to_string(row.id.index));
        if (several_threads_)
            cells.push_back(std::to_string(row.threads));
        cells.push_back(row.threads == 1 ? std::to_string(row.tid) : NoValue);
        cells.push_back(row.parent == vfd::NoThread ? NoValue : std::to_string(row.parent));
        cells.push_back(row.worker             ? Worker
                        : row.function.empty() ? NoValue
                                               : footnotes_.name(context_, context_.names.of_text(row.function)));
        cells.push_back(seconds_of(row.begin));
        add_times(cells, row);
        cells.push_back(row.node == vfd::NoNode ? NoValue : context_.stid(row.node));
        if (row.node != vfd::NoNode)
            context_.shown[row.node] = true;
        return cells;
    }

    // Adds the cells with times of a ThreadRow, or of a sum of rows.
    template <class Times>
    void add_times(std::vector<std::string>& cells, const Times& times) const {
        cells.push_back(seconds_of(times.life));
        if (knows_cpu_)
            cells.insert(cells.end(), {seconds_of(times.cpu), seconds_of(times.waiting)});
        cells.insert(cells.end(), {seconds_of(times.in_functions), std::to_string(times.calls)});
    }

    // The sums over all threads that are not shown, including those that have no row in the profile.
    ThreadSums rest() const {
        ThreadSums rest = profile_.thread_totals.first;
        rest.add(profile_.thread_totals.started);
        for (std::uint32_t i : shown_) {
            const ThreadRow& row = profile_.threads[i];
            rest.records -= 1;
            rest.threads -= row.threads;
            rest.life -= row.life;
            rest.cpu -= row.cpu;
            rest.waiting -= row.waiting;
            rest.in_functions -= row.in_functions;
            rest.calls -= row.calls;
        }
        return rest;
    }

    std::vector<std::string> rest_cells(const ThreadSums& rest) const {
        std::vector<std::string> cells(several_ranks_ + several_processes_, NoValue);
        cells.push_back(NoValue);
        if (several_threads_)
            cells.push_back(std::to_string(rest.threads));
        cells.insert(cells.end(), {NoValue, NoValue, rest_name(rest.records), NoValue});
        add_times(cells, rest);
        cells.push_back(NoValue);
        return cells;
    }

    std::string notes() const {
        const ThreadSums& started = profile_.thread_totals.started;
        const auto average = static_cast<double>(started.in_functions) / static_cast<double>(started.records);
        const auto longest = static_cast<double>(started.longest);
        std::string out;
        if (several_threads_)
            out += "Rows of several threads: these ran one after the other, and what is told of them is added up\n";
        out += count_of(profile_.thread_totals.first.threads + started.threads, "thread") + ", " +
               std::to_string(started.threads) + " of them started by others; t_func of these" +
               (several_threads_ ? " by row" : "") + ": longest " + seconds(longest, 3) + " s (thread " +
               std::to_string(started.longest_id.index) +
               (several_ranks_ ? " of rank " + std::to_string(started.longest_id.rank) : "") + "), average " +
               seconds(average, 3) + " s, imbalance " + fixed(average > 0 ? 100 * (longest / average - 1) : 0, 2) +
               " %\n";
        return out;
    }

    Context& context_;
    const analysis::Profile& profile_;
    Rows rows_;
    std::vector<std::uint32_t> shown_; // indices into Profile::threads
    bool several_ranks_, several_processes_ = false, several_threads_ = false, knows_cpu_ = false;
    Footnotes footnotes_;
};

// Programs that start no threads have no table.
bool wants_threads(const Context& context) {
    return context.config.threads_show_table && context.profile.thread_totals.started.records > 0;
}
std::string threads_text(Context& context) { return ThreadTable(context).text(); }

} // namespace

extern const Section section_threads{"_threads", "Threads\n", wants_threads, append<threads_text>};

} // namespace vftr::report
