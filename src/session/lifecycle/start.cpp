// SPDX-License-Identifier: BSD-3-Clause
//
// From the configuration to a running recorder.
#include "base/absolute_directory.hpp"
#include "base/clock.hpp"
#include "base/environment.hpp"
#include "base/message.hpp"
#include "base/process.hpp"
#include "base/real_thread_create.hpp"
#include "base/valgrind.hpp"
#include "config/amount.hpp"
#include "filter/filter.hpp"
#include "follow/inherited_environment.hpp"
#include "follow/parent_recording.hpp"
#include "record/recorder.hpp"
#include "record/samples/sample_cost.hpp"
#include "record/stream/packing.hpp"
#include "record/stream/ring_buffer.hpp"
#include "record/threads/forked_path.hpp"
#include "record/timing/hook_costs.hpp"
#include "session/lifecycle/state.hpp"
#include "session/results/results.hpp"
#include "session/timing.hpp"
#include "symbols/store.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "config.h"

namespace vftr::session {

using record::recorder;

Session* session = nullptr;

namespace {

void set_samples(record::Settings& settings, const config::IntegerOrWord& wanted) {
    constexpr std::int64_t Second = 1'000'000'000;
    settings.samples_adapt = wanted.word == "auto";
    if (settings.samples_adapt)
        settings.sample_cpu_ns = record::ShortestSamplePeriod;
    else
        settings.sample_cpu_ns = wanted.word.empty() ? static_cast<std::uint64_t>(Second / wanted.number) : 0;
}

record::Settings settings_of(const config::Config& config, const std::string& store) {
    record::Settings settings;
    settings.sampling = config.sampling_active;
    settings.sample_interval = config.sampling_sample_interval;
    settings.all_events = settings.sampling && settings.sample_interval == 0;
    settings.event_buffer_bytes = static_cast<std::size_t>(config.sampling_outbuffer_size) << 20;
    if (settings.sampling && config.sampling_keep_last) {
        const config::Amount amount = *config::parse_amount(*config.sampling_keep_last);
        settings.keep_seconds = amount.seconds;
        settings.keep_bytes = amount.bytes;
    }
    settings.compress = settings.sampling && config.sampling_compress && !config.sampling_keep_last;
    settings.max_call_paths = static_cast<std::uint32_t>(config.max_call_paths);
    const bool on_processor = base::ask_valgrind(base::ValgrindRequest::RunningOn) == 0;
    settings.cuts_preemptions_out = on_processor;
    settings.timing_error = config.timing_error;
    settings.durations = config.profile_table_show_distribution;
    if (on_processor)
        set_samples(settings, config.timing_samples);
    settings.constructs = config.openmp_active;
    settings.max_recursion = static_cast<std::uint32_t>(config.max_recursion);
    filter::begin(config, store, settings);
    return settings;
}

template <std::size_t N>
void copy_text(char (&to)[N], const std::string& from) {
    std::size_t n = std::min(from.size(), N - 1);
    std::memcpy(to, from.data(), n);
    to[n] = '\0';
}

// The recording of this process, or of the one that it was forked from. Kept in plain memory, as the parent's file is
// not mapped in a forked child.
vfd::RecordingId recording{};

// A forked child continues its parent's call path, so its recording begins at the fork.
void fill_clocks(vfd::FileHeader& header, const Session& s) {
    const base::Moment* fork = record::moment_of_fork();
    header.last[0] = header.last[1] = vfd::clock_pair(base::read_moment());
    header.start = vfd::clock_pair(fork ? *fork : s.begin);
}

// Writes what identifies this recording and its parent among all recordings of the machine.
void fill_identity(vfd::FileHeader& header, const RecordingOrigin& origin) {
    header.pid = static_cast<std::uint32_t>(getpid());
    header.parent_pid = static_cast<std::uint32_t>(getppid());
    header.process_start = base::process_start(getpid());
    header.pid_namespace = base::pid_namespace();
    if (origin.forked) {
        header.parent = recording;
        header.flags |= vfd::FlagForked | vfd::FlagFollowed;
    } else if (origin.followed()) {
        header.parent = {origin.provenance.pid, 0, origin.provenance.start_realtime_ns};
        header.generation = origin.successor ? origin.provenance.generation : 0;
        header.flags |= vfd::FlagFollowed;
    }
}

void fill_header(vfd::FileHeader& header, const void* session) {
    const Session& s = *static_cast<const Session*>(session);
    fill_clocks(header, s);
    header.clock = static_cast<vfd::ClockKind>(base::tick_source);
    fill_identity(header, s.origin);
    header.flags |= (recorder.settings.sampling ? vfd::FlagSampling : 0u) |
                    (recorder.settings.all_events ? vfd::FlagAllEvents : 0u) |
                    (record::uses_ring_buffer() ? vfd::FlagRingBuffer : 0u) |
                    (recorder.settings.compress ? vfd::FlagPacked : 0u);
    header.sample_interval = recorder.settings.sample_interval;
    header.sample_ns = recorder.settings.sample_cpu_ns;
    header.max_call_paths = recorder.settings.max_call_paths;
    copy_text(header.version_string, VERSION);
    copy_text(header.basename, s.output.basename);
    copy_text(header.executable, output::executable_path());
    copy_text(header.config_file, s.loaded.source);
    base::read_arguments(header.arguments, sizeof header.arguments);
    copy_text(header.hostname, vfd::own_hostname());
    follow::set_parent_recording(header, !s.origin.is_child(),
                                 base::launched_as_rank() ? s.origin.provenance.token : nullptr);
}

// Creates <basename>_<pid>.tmpvfd, with a number added if an earlier program of this process (exec) has left a file of
// that name. Whether a name is taken is checked first, which costs a fraction of an attempt to create the file: a
// process may have executed many programs.
int create_file(const Session& s) {
    constexpr int Most = 100000;
    const std::string stem = s.output.path(s.output.basename + "_" + std::to_string(getpid()));
    std::string path = stem + ".tmpvfd";
    for (int i = 1;; ++i) {
        int error = i < Most && ::access(path.c_str(), F_OK) == 0
                        ? EEXIST
                        : recorder.writer.create(path.c_str(), fill_header, &s);
        if (error != EEXIST || i >= Most)
            return error;
        path = stem + "." + std::to_string(i) + ".tmpvfd";
    }
}

void write_config(const config::Config& config) {
    std::string text = config::print_json(config);
    if (vfd::SegmentHeader* segment = recorder.writer.allocate(vfd::SegmentKind::Config, 0, 0, text.size())) {
        std::memcpy(vfd::payload<char>(segment), text.data(), text.size());
        segment->used = text.size();
    }
}

// The output directory of the process tree that this process belongs to, even if it cannot be written to any more (it
// was removed, or this is another user). It is not replaced by the working directory, to which a bad configuration
// would lead and which may be anybody's. A forked child stays with that of its parent, wherever it has gone.
std::string output_directory(const Session& s) {
    if (s.of_parent)
        return s.of_parent->output.directory;
    const char* given = s.origin.followed() ? base::environment_value("VFTR_OUTPUT_DIRECTORY") : nullptr;
    return base::absolute_directory(given && *given ? given : s.loaded.config.output_directory, s.loaded.folder);
}

// Begins the compression of the timeline, if there is a file that can be written to.
void begin_packing(record::Settings& settings, const config::Config& config) {
    std::string_view obstacle;
    if (config.sampling_compress && config.sampling_keep_last)
        obstacle = config::compress_beside_keep_last;
    settings.compress = settings.compress && !recorder.writer.lost();
    if (settings.compress && !record::begin_packing(base::create_for_own_thread())) {
        settings.compress = false;
        obstacle = "sampling.compress: libzstd.so.1 or a thread to use it is missing; the timeline is not compressed";
    }
    static bool told = false; // a forked child inherits it: the parent has warned already
    if (!obstacle.empty() && settings.sampling && !std::exchange(told, true) && base::prints_job_messages())
        base::warn(obstacle);
}

} // namespace

bool start(Session& s) {
    const config::Config& config = s.loaded.config;
    s.output.directory = output_directory(s);
    s.output.basename = config.outfile_basename ? *config.outfile_basename : output::executable_name();
    recorder.settings = settings_of(config, s.output.path(symbols::store_folder_name));
    recorder.interval_ticks = recorder.keep_ticks = 0;
    if (record::embedded()) {
        recorder.settings.sampling = recorder.settings.all_events = false;
        if (recorder.writer.create_in_memory(fill_header, &s) != 0)
            return false;
    } else if (int error = create_file(s)) {
        base::warn_of_output("cannot write to ", s.output.directory, ": ", base::error_text(error),
                             "; recording goes on in memory, there will be no log");
        if (!recorder.writer.mapped_bytes())
            return false;
    }
    const vfd::FileHeader& header = recorder.writer.header();
    recording = {header.pid, 0, header.start.realtime_ns};
    if (!record::embedded())
        follow::recording_begins(s.output.directory, config);
    recorder.names.create(&recorder.writer);
    recorder.modules.create(&recorder.writer);
    recorder.groups.create(&recorder.writer, vfd::SegmentKind::Groups);
    recorder.types.create(&recorder.writer, vfd::SegmentKind::Types);
    recorder.pause_key = recorder.names.intern("vftrace_pause", vfd::NodeKind::Pause);
    recorder.paused = filter::begins_stopped();
    write_config(config);
    begin_packing(recorder.settings, s.loaded.config);
    if (!record::embedded())
        set_previous_logs_aside(s);
    record::begin_hook_costs(s.origin.forked);
    begin_timing(config, s.origin.forked);
    return recorder.pause_key != 0;
}

} // namespace vftr::session
