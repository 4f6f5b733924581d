// SPDX-License-Identifier: BSD-3-Clause
//
// vftr top: what a running program spends its time on, again and again until it ends.
#include "config_tools/files/mapped_recordings.hpp"
#include "config_tools/option_number.hpp"
#include "config_tools/own_name.hpp"
#include "config_tools/syntax/takers.hpp"
#include "config_tools/verb.hpp"
#include "config_tools/watch/interval.hpp"
#include "config_tools/watch/live_recording.hpp"
#include "config_tools/watch/terminal.hpp"

#include "base/foreign_text.hpp"
#include "base/process.hpp"
#include "report/distinct_names.hpp"
#include "report/number_text.hpp"
#include "report/rows.hpp"
#include "symbols/qualified_name.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <poll.h>
#include <stdexcept>
#include <sys/syscall.h>
#include <unistd.h>

namespace vftr::cli {
namespace {

using analysis::Ending;
using analysis::Recording;

struct TopOptions {
    double interval = DefaultInterval;
    std::uint64_t count = 0; // 0: until the process ends
    bool batch = false;
};

// Waits for the end of a process, where the kernel tells of it; else looks for it now and then.
class ProcessEnd {
public:
    explicit ProcessEnd(const Recording& recording)
        : pid_(static_cast<pid_t>(recording.pid)), start_(recording.process_start),
          known_(base::process_lives(pid_, start_, recording.pid_namespace)) {
#if defined(SYS_pidfd_open)
        if (known_)
            descriptor_ = static_cast<int>(::syscall(SYS_pidfd_open, pid_, 0));
#endif
    }
    ~ProcessEnd() {
        if (descriptor_ >= 0)
            ::close(descriptor_);
    }
    ProcessEnd(const ProcessEnd&) = delete;
    ProcessEnd& operator=(const ProcessEnd&) = delete;

    // At most `seconds`.
    void wait(double seconds) const {
        if (descriptor_ >= 0) {
            pollfd event{descriptor_, POLLIN, 0};
            if (::poll(&event, 1, static_cast<int>(std::lround(seconds * 1000))) >= 0)
                return;
        }
        constexpr double Step = 0.1;
        for (double rest = seconds; rest > 0 && (!known_ || base::process_lives(pid_, start_)); rest -= Step)
            ::usleep(static_cast<useconds_t>(std::min(rest, Step) * 1e6));
    }

private:
    pid_t pid_;
    std::uint64_t start_;
    bool known_; // false: it has this pid in a container
    int descriptor_ = -1;
};

struct Row {
    const LiveFunction* function;
    std::uint64_t calls, exclusive; // since the look before
};

std::uint64_t grown(std::uint64_t before, std::uint64_t now) {
    return now - std::min(before, now); // two looks at a file that is being written may differ by a call
}

// Those that took most time since the look before come first, then those that took most in all.
std::vector<Row> rows_of(const LiveProfile& before, const LiveProfile& now) {
    std::vector<Row> rows;
    for (std::size_t i = 0; i < now.functions.size(); ++i) {
        const LiveFunction& f = now.functions[i];
        const LiveFunction* old = i < before.functions.size() ? &before.functions[i] : nullptr;
        rows.push_back({&f, grown(old ? old->calls : 0, f.calls), grown(old ? old->exclusive : 0, f.exclusive)});
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
        return a.exclusive != b.exclusive ? a.exclusive > b.exclusive : a.function->exclusive > b.function->exclusive;
    });
    return rows;
}

std::string percent(std::uint64_t part, std::uint64_t whole) {
    return report::fixed(whole ? 100 * static_cast<double>(part) / static_cast<double>(whole) : 0, 1);
}

std::string who(const Recording& r) {
    return "process " + std::to_string(r.pid) + " (" + report::fit(r.program(), 64) +
           (r.mpi && r.rank >= 0 ? ", rank " + std::to_string(r.rank) : "") + ")";
}

// Times are ns.
struct Totals {
    std::uint64_t calls = 0, exclusive = 0; // since the look before
    std::uint64_t all_calls = 0, all_exclusive = 0;
    bool estimates = false; // some times are
};

Totals totals_of(const std::vector<Row>& rows) {
    Totals totals;
    for (const Row& row : rows) {
        totals.calls += row.calls;
        totals.exclusive += row.exclusive;
        totals.all_calls += row.function->calls;
        totals.all_exclusive += row.function->exclusive;
        totals.estimates |= row.function->variance != 0;
    }
    return totals;
}

std::string heading(const LiveProfile& before, const LiveProfile& now, const Totals& totals) {
    const Recording& r = now.recording;
    const std::string age = report::seconds(static_cast<double>(r.end_realtime_ns - r.start_realtime_ns), 1);
    const std::string since = report::seconds(static_cast<double>(grown(before.taken_ns, now.taken_ns)), 2);
    const std::string count_only =
        now.count_only ? " (" + std::to_string(now.count_only) + " in a count-only call)" : "";
    return who(r) + ": " + age + " s, " + std::to_string(now.threads) + (now.threads == 1 ? " thread" : " threads") +
           count_only + ", " + std::to_string(totals.all_calls) + " calls, " + std::to_string(totals.calls) +
           " in the last " + since + " s";
}

// What a call costs. Of its kinds (vfd::HookCosts) the two that most are of; vftr dump has all.
std::string hooks(const LiveProfile& now) {
    const auto ns = [&](double ticks) { return report::fixed(ticks * now.ns_per_tick, 1); };
    const vfd::HookCosts& costs = now.costs;
    return "hooks: " + report::seconds(static_cast<double>(now.hooks), 3) + " s; " + ns(costs.timed) +
           " ns for a call that is timed, " + ns(costs.count_only) + " ns for one that is not";
}

// Empty where there is none.
std::string timeline(const LiveProfile& now) {
    if (!(now.flags & vfd::FlagSampling))
        return "";
    const vfd::FileCopy::Events& t = now.timeline;
    return "timeline: " + report::fixed(static_cast<double>(t.bytes) / (1 << 20), 1) + " MiB in " +
           std::to_string(t.segments) + (t.segments == 1 ? " segment" : " segments") +
           (now.flags & vfd::FlagPacked ? ", " + std::to_string(t.packed) + " packed" : "") +
           (now.flags & vfd::FlagRingBuffer ? ", only the latest part is kept" : "") +
           (now.flags & vfd::FlagEventsLost ? ", the end is lost" : "");
}

// Where lines may be no longer than `columns`: broken behind commas and semicolons, as far as that goes.
std::string folded(std::string_view line, std::size_t columns) {
    std::string text;
    while (report::width(line) > columns) {
        std::size_t end = 0; // of what fits
        for (std::size_t at = 0;
             (at = line.find_first_of(",;", at)) != line.npos && report::width(line.substr(0, ++at)) <= columns;)
            end = at;
        if (end == 0)
            break;
        text.append(line.substr(0, end)) += '\n';
        line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ', end)));
    }
    return text + report::head(line, columns) + '\n';
}

constexpr std::size_t LeastNameWidth = 16, SinceColumns = 32, AllColumns = 39, UncertaintyColumn = 8, NowColumn = 7;

// The columns in front of the function's name. Where there is no room go first how near estimates are, then the columns
// in all, then the threads that are in it now.
struct Layout {
    bool in_all = true, uncertainty, now = true;
    std::size_t name_width = 0;

    Layout(const OutputSize& size, bool estimates) : uncertainty(estimates) {
        const auto does_not_fit = [&] { return size.told && used() + LeastNameWidth > size.columns; };
        for (bool* column : {&uncertainty, &in_all, &now})
            *column &= !does_not_fit();
        name_width = std::max(size.told ? 1 : LeastNameWidth, size.columns - std::min(size.columns, used()));
    }
    std::size_t used() const {
        return SinceColumns + (in_all ? AllColumns : 0) + (uncertainty ? UncertaintyColumn : 0) + (now ? NowColumn : 1);
    }
};

std::string titles(const Layout& layout) {
    std::string text = layout.in_all ? "           since the look before                                 in all\n"
                                     : "           since the look before\n";
    text += "       Calls t_excl[s] t_excl[%]";
    if (layout.in_all)
        text += "             Calls  t_excl[s] t_excl[%]";
    if (layout.uncertainty)
        text += std::string("    ") + report::UncertaintyTitle;
    return text + (layout.now ? "   Now  Function" : " Function");
}

std::string columns_of(const Row& row, const Totals& totals, const Layout& layout) {
    const LiveFunction& f = *row.function;
    char line[256];
    const auto calls = [&](std::uint64_t number) { return f.unhooked ? report::NoValue : std::to_string(number); };
    std::snprintf(line, sizeof line, "%12s %9s %9s", calls(row.calls).c_str(),
                  report::seconds(static_cast<double>(row.exclusive), 3).c_str(),
                  percent(row.exclusive, totals.exclusive).c_str());
    std::string text = line;
    if (layout.in_all) {
        std::snprintf(line, sizeof line, "  %16s %10s %9s", calls(f.calls).c_str(),
                      report::seconds(static_cast<double>(f.exclusive), 3).c_str(),
                      percent(f.exclusive, totals.all_exclusive).c_str());
        text += line;
    }
    if (layout.uncertainty) {
        const analysis::Uncertainty uncertainty{.exclusive = f.exclusive, .variance = f.variance, .unknown = f.unknown};
        std::snprintf(line, sizeof line, " %7s", report::uncertainty_text(uncertainty).c_str());
        text += line;
    }
    if (!layout.now)
        return text + ' ';
    std::snprintf(line, sizeof line, " %4zu  ", f.threads_now);
    return text + line;
}

std::string block(const LiveProfile& before, const LiveProfile& now, const OutputSize& size) {
    constexpr std::size_t LinesBelow = 2, MostInBatch = 20;
    const std::vector<Row> rows = rows_of(before, now);
    const Totals totals = totals_of(rows);
    const Layout layout(size, totals.estimates);
    const std::size_t width = size.told ? size.columns : 1000;
    std::string text = folded(heading(before, now, totals), width) + folded(hooks(now), width);
    if (const std::string line = timeline(now); !line.empty())
        text += folded(line, width);
    const std::string title = titles(layout);
    text += report::head(title.substr(0, title.find('\n')), width) + '\n' +
            report::head(title.substr(title.find('\n') + 1), width) + '\n';
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) + LinesBelow;
    const std::size_t most = size.terminal ? std::max(size.rows, lines + 1) - lines : MostInBatch;
    std::vector<std::string> known, shown;
    for (const Row& row : rows)
        known.push_back(row.function->name);
    const symbols::ShownQualifiers qualifiers(known);
    for (const std::string& name : known)
        shown.push_back(qualifiers.of(name));
    const std::vector<std::string_view> all(shown.begin(), shown.end());
    const report::DistinctNames names(all, layout.name_width, layout.name_width);
    for (std::size_t i = 0; i < std::min(rows.size(), most); ++i)
        text += report::head(columns_of(rows[i], totals, layout) + names.of(shown[i]), width) + '\n';
    return text;
}

std::string farewell(const Recording& r) {
    const std::string status = r.exit_status ? " with exit code " + std::to_string(*r.exit_status) : "";
    switch (r.ending) {
    case Ending::Exit:
        return who(r) + " has ended" + status;
    case Ending::Left:
        return who(r) + " has ended by _exit" + status;
    case Ending::Executed:
        return who(r) + " went on as another program (exec)";
    default:
        return who(r) + " was killed; its recording is in " + r.file;
    }
}

int watch(const std::string& path, const TopOptions& options) {
    LiveRecording file(path);
    LiveProfile before = file.take();
    if (!before.recording.may_be_written())
        throw std::runtime_error(path + ": nobody writes this recording any more; " + own_command("report") +
                                 " shows it");
    const ProcessEnd end(before.recording);
    const bool refresh = output_size().terminal && !options.batch;
    for (std::uint64_t looks = 0; options.count == 0 || looks < options.count; ++looks) {
        end.wait(options.interval);
        LiveProfile now = file.take();
        const std::string text = block(before, now, refresh ? output_size() : batch_size());
        std::fputs(refresh ? "\033[H\033[J" : looks ? "\n" : "", stdout);
        std::fputs(text.c_str(), stdout);
        if (!now.recording.may_be_written()) {
            std::printf("%s\n", base::foreign_text(farewell(now.recording)).c_str());
            break;
        }
        if (std::fflush(stdout) != 0 || std::ferror(stdout))
            break; // main says why
        before = std::move(now);
    }
    return 0;
}

} // namespace

int verb_top(int argc, char** argv) {
    TopOptions options;
    const auto early = read_options(
        argc, argv,
        {.usage = {"[OPTION…] FILE|PID"},
         .about = "Shows the functions of a running program that take most time, from the recording that it writes.\n",
         .options = {{"-i, --interval S", "seconds from one look to the next, from 0.1 on; default: 1",
                      take_interval(options.interval)},
                     {"-n, --count N", "end after N looks; default: when the process ends", number(options.count, 1)},
                     {"-b, --batch",
                      "one block of text after the other, also on a terminal, in lines as wide as COLUMNS says",
                      flag(options.batch)}}});
    if (early)
        return *early;
    if (argc - optind != 1)
        return usage_error(argv[0], "one FILE or PID is needed");
    std::uint32_t pid = 0;
    const bool is_pid = parse_number(argv[optind], pid);
    return watch(is_pid ? recordings_of_process(pid).front().path : argv[optind], options);
}

} // namespace vftr::cli
