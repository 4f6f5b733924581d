// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/program_profiles.hpp"
#include "config_tools/report/later_parts.hpp"
#include "config_tools/report/recordings_of.hpp"
#include "config_tools/report/report_options.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/progress_line.hpp"

#include "analysis/merge/numbering.hpp"
#include "analysis/recording/naming.hpp"
#include "base/foreign_text.hpp"
#include "vfd/header_fields.hpp"
#include "vfd/image.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace vftr::cli {
namespace {

using analysis::NoNodeIndex;
using analysis::ProcessNode;
using analysis::ProcessTree;
using analysis::Recording;

class Sorter {
public:
    Sorter(const ProcessTree& tree, bool each) : tree_(tree), each_(each), unit_(tree.nodes().size(), NoNodeIndex) {}

    void note_next(std::uint32_t node) {
        auto up = first_.find(node);
        const std::uint32_t first = up == first_.end() ? node : up->second;
        if (node_at(node).next != NoNodeIndex)
            first_[node_at(node).next] = first;
    }

    void add(std::uint32_t node) {
        const Recording* r = tree_.recording(node);
        if (!r)
            return;
        const bool whole = tree_.nodes()[node].kind == ProcessNode::Kind::Job;
        if (whole && !taken_whole(node))
            return;
        if (const std::uint32_t job = whole || each_ ? NoNodeIndex : rank_of_whole(node); job != NoNodeIndex) {
            if (const auto place = jobs_.find(job); place != jobs_.end())
                units_[place->second].later.push_back(tree_.nodes()[node].recording);
            return;
        }
        ProgramParts& unit = units_[unit_[node] = place_of(node, *r)];
        if (unit.parts.empty()) {
            unit.program = r->program();
            unit.pid = r->pid;
        }
        const std::int32_t rank = unit.job && !whole ? rank_in(node) : 0;
        unit.parts.push_back({tree_.nodes()[node].recording, rank});
        unit.processes += whole ? static_cast<std::size_t>(r->size) : 1;
    }

    std::vector<ProgramParts> units() && {
        for (ProgramParts& unit : units_)
            std::stable_sort(unit.parts.begin(), unit.parts.end(),
                             [](const auto& a, const auto& b) { return a.rank < b.rank; });
        return std::move(units_);
    }

private:
    const ProcessNode& node_at(std::uint32_t node) const { return tree_.nodes()[node]; }

    // The file of a whole job is needed where those of its ranks are not all there; where they are wanted one by one,
    // if there is none.
    bool taken_whole(std::uint32_t job) const {
        const std::uint32_t ranks = node_at(job).ranks;
        return each_ ? ranks == 0 : static_cast<std::int32_t>(ranks) < tree_.recording(job)->size;
    }

    // The job that the recording is a rank of.
    std::uint32_t job_of(std::uint32_t node) const {
        if (!tree_.recording(node)->of_a_job())
            return NoNodeIndex;
        auto up = first_.find(node);
        const std::uint32_t parent = node_at(up == first_.end() ? node : up->second).parent;
        return parent != NoNodeIndex && node_at(parent).kind == ProcessNode::Kind::Job ? parent : NoNodeIndex;
    }
    std::uint32_t rank_of_whole(std::uint32_t node) const {
        const std::uint32_t job = job_of(node);
        return job != NoNodeIndex && tree_.recording(job) && taken_whole(job) ? job : NoNodeIndex;
    }

    std::size_t fresh(bool job) {
        units_.emplace_back();
        units_.back().job = job;
        return units_.size() - 1;
    }

    std::size_t place_of(std::uint32_t node, const Recording& r) {
        const bool whole = node_at(node).kind == ProcessNode::Kind::Job;
        if (each_)
            return fresh(whole);
        const std::uint32_t job = whole ? node : job_of(node);
        if (job != NoNodeIndex) {
            auto [place, is_new] = jobs_.try_emplace(job, 0);
            if (is_new)
                place->second = fresh(true);
            return place->second;
        }
        if (r.of_a_job()) // a rank alone
            return fresh(true);
        const std::uint32_t parent = node_at(node).parent;
        if (r.forked && parent != NoNodeIndex && unit_[parent] != NoNodeIndex && units_[unit_[parent]].job &&
            tree_.recording(parent) && node_at(parent).kind == ProcessNode::Kind::Program &&
            tree_.recording(parent)->executable == r.executable)
            return unit_[parent];
        auto [place, is_new] = programs_.try_emplace(r.executable, 0);
        if (is_new)
            place->second = fresh(false);
        return place->second;
    }

    std::int32_t rank_in(std::uint32_t node) const {
        for (; node != NoNodeIndex; node = node_at(node).parent)
            if (const Recording* r = tree_.recording(node); r && r->of_a_job())
                return r->rank;
        return 0;
    }

    const ProcessTree& tree_;
    const bool each_;
    std::vector<std::uint32_t> unit_;              // by node
    std::map<std::uint32_t, std::uint32_t> first_; // of what a process went on as: its first program
    std::map<std::uint32_t, std::size_t> jobs_;
    std::map<std::string, std::size_t> programs_;
    std::vector<ProgramParts> units_;
};

// Ranks of the job that no part is of.
analysis::RankList missing_ranks(const std::vector<ProgramParts::Part>& parts, std::int32_t size) {
    std::vector<std::int32_t> there;
    for (const ProgramParts::Part& part : parts)
        there.push_back(part.rank);
    return analysis::ranks_without(there, size);
}

vfd::Image open_now(const Recording& recording) {
    try {
        return vfd::Image::open(recording.file);
    } catch (const vfd::Error&) {
        const std::optional<std::string> closed = closed_file_of(recording);
        if (!closed)
            throw;
        return vfd::Image::open(*closed);
    }
}

class Summer {
public:
    explicit Summer(ProgramProfile& out) : out_(out) {}

    void add(const Recording& recording, std::int32_t rank) {
        try {
            const vfd::Image image = open_now(recording);
            analysis::Profile profile = analysis::load_profile(image);
            tell_of_kept_names(image);
            if (out_.config_label.empty()) {
                out_.config_text = image.config_text();
                out_.config_label = image.label();
                out_.config_file = vfd::string_of(image.header().config_file);
            }
            collated_ |= (image.header().flags & vfd::FlagInFinalize) != 0;
            if (image.header().kind == vfd::FileKind::Merged)
                numbering_ = analysis::numbering_of(profile);
            if (rank_ != rank)
                finish_rank();
            rank_ = rank;
            if (of_rank_.rank_count == 0)
                of_rank_ = std::move(profile);
            else
                analysis::add_process(of_rank_, profile);
        } catch (const vfd::Error& error) {
            tell_error(error.what());
            ++out_.unreadable;
        }
    }
    // Adds what the merged profile of a job lacks of its ranks.
    void add_later(const std::vector<const Recording*>& recordings) {
        std::vector<vfd::Image> images;
        for (const Recording* recording : recordings) {
            try {
                images.push_back(open_now(*recording));
            } catch (const vfd::Error& error) {
                tell_error(error.what());
                ++out_.unreadable;
            }
        }
        add_later_parts(out_.profile, images);
    }
    // The STIDs of the job's log, where a part is its merged profile; else none.
    const analysis::Numbering& numbering() const { return numbering_; }
    // Whether the job has numbered its call paths.
    bool collated() const { return collated_; }
    void finish_rank() {
        analysis::merge(out_.profile, std::move(of_rank_));
        of_rank_ = {};
    }

private:
    ProgramProfile& out_;
    std::int32_t rank_ = 0;
    analysis::Profile of_rank_;
    analysis::Numbering numbering_;
    bool collated_ = false;
};

} // namespace

std::vector<ProgramParts> program_parts(const ProcessTree& tree, const std::vector<bool>& shown, bool each) {
    for (std::uint32_t node = 0; node < tree.nodes().size(); ++node)
        if (const Recording* recording = tree.recording(node); recording && recording->size > 1)
            analysis::tell_executables_apart();
    Sorter sorter(tree, each);
    for (std::uint32_t root : tree.roots())
        tree.walk(root, [&](std::uint32_t node, std::uint32_t) {
            sorter.note_next(node);
            if (shown.empty() || shown[node])
                sorter.add(node);
            return true;
        });
    return std::move(sorter).units();
}

ProgramProfile profile_of_parts(const ProcessTree& tree, const ProgramParts& parts) {
    ProgramProfile result;
    Summer summer(result);
    ProgressLine progress("reading " + parts.program);
    for (std::size_t i = 0; i < parts.parts.size(); ++i) {
        progress.show(i, parts.parts.size());
        summer.add(tree.recordings()[parts.parts[i].recording], parts.parts[i].rank);
    }
    progress.clear();
    summer.finish_rank();
    std::vector<const Recording*> later;
    for (const std::uint32_t recording : parts.later)
        later.push_back(&tree.recordings()[recording]);
    summer.add_later(later);
    const Recording& first = tree.recordings()[parts.parts.front().recording];
    if (parts.job && !first.merged && parts.processes > 1) {
        analysis::Profile missing;
        missing.missing_ranks = missing_ranks(parts.parts, first.size);
        analysis::merge(result.profile, missing);
        result.profile.stids_of_files = summer.collated() && summer.numbering().first_free == 0;
    }
    if (!result.profile.nodes.empty())
        analysis::canonicalise(result.profile, summer.numbering());
    return result;
}

} // namespace vftr::cli
