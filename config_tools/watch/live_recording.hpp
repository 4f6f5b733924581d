// SPDX-License-Identifier: BSD-3-Clause
//
// The recording of a running process, which is read again and again. Its file is copied (vfd/file_copy.hpp): the
// process is not stopped, nothing is locked, and none of its pages is mapped here. The file stays open, so it can be
// read to its end even after its process has renamed or removed it.
#pragma once

#include "analysis/processes/recording.hpp"
#include "analysis/recording/name_table.hpp"
#include "analysis/recording/thread_samples.hpp"
#include "analysis/recording/work_attribution.hpp"
#include "vfd/file_copy.hpp"
#include "vfd/image.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::cli {

struct LiveFunction {
    std::string name;
    bool unhooked = false;                   // code without hooks, by CPU samples; its calls are not counted
    std::uint64_t calls = 0, exclusive = 0;  // ns
    std::uint64_t variance = 0, unknown = 0; // of `exclusive`, as profiles keep them
    std::size_t threads_now = 0;             // that are in it, and in nothing that it has called
};

struct LiveProfile {
    analysis::Recording recording;
    std::uint64_t taken_ns = 0;              // CLOCK_MONOTONIC
    std::size_t threads = 0, count_only = 0; // that live; of these, in a call that is not timed
    std::uint64_t hooks = 0;                 // ns that hooks have taken of all threads
    double ns_per_tick = 0;
    vfd::HookCosts costs{};
    std::uint32_t flags = 0; // vfd::FileFlags
    vfd::FileCopy::Events timeline;
    std::vector<LiveFunction> functions; // those of one name are one; in no order
};

class LiveRecording {
public:
    // Throws vfd::Error.
    explicit LiveRecording(std::string path);
    ~LiveRecording();
    LiveRecording(const LiveRecording&) = delete;
    LiveRecording& operator=(const LiveRecording&) = delete;

    // The profile now; functions that have not returned count up to now. Throws vfd::Error.
    LiveProfile take();

private:
    // The sums, by index of the function.
    struct Sums {
        std::vector<double> ticks, variance, unknown; // the variance: ticks²
        std::vector<std::uint64_t> calls;
        std::vector<std::size_t> threads_now;
        std::vector<char> unhooked;
    };
    void add_thread(const vfd::Image& image, const analysis::WorkAttribution& attribution, std::uint32_t position,
                    analysis::NameTable& names, LiveProfile& profile, Sums& sums);
    void add_unhooked(const analysis::UnhookedTime& time, std::uint32_t caller, const std::string& name, Sums& sums);
    std::uint32_t place_of_name(const std::string& name);
    std::uint32_t place_of(analysis::Names& names, const vfd::Node& node);

    struct Key {
        std::uint64_t key;
        std::uint32_t kind_and_module;
        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& k) const {
            return (k.key ^ std::uint64_t{k.kind_and_module} << 40) * 0x9e3779b97f4a7c15 >> 8;
        }
    };

    std::string path_;
    int descriptor_;
    const analysis::Machine machine_ = analysis::Machine::here();
    std::unordered_map<Key, std::uint32_t, Hash> places_; // in names_, from one look to the next
    std::unordered_map<std::string, std::uint32_t> by_name_;
    std::vector<std::string> names_;
};

} // namespace vftr::cli
