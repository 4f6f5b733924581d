// SPDX-License-Identifier: BSD-3-Clause
#include "config_tools/report/run_files.hpp"

#include "config_tools/report/later_parts.hpp"
#include "config_tools/tell/message.hpp"
#include "config_tools/tell/progress_line.hpp"

#include "analysis/recording/naming.hpp"
#include "analysis/recording/process_title.hpp"
#include "base/foreign_text.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <cstdio>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace vftr::cli {
namespace {

using vfd::Image;

std::int32_t rank_of(const Image& image) { return std::max(image.header().rank, 0); }

bool is_merged(const Image& image) { return image.header().kind == vfd::FileKind::Merged; }

// A process and what it became by exec, a process and its forked child, or two children of one
// process.
bool same_family(const vfd::FileHeader& a, const vfd::FileHeader& b) {
    if (a.pid_namespace != 0 && b.pid_namespace != 0 && a.pid_namespace != b.pid_namespace)
        return false; // their pids have nothing to do with each other
    bool a_forked = a.flags & vfd::FlagForked, b_forked = b.flags & vfd::FlagForked;
    return a.pid == b.pid || (a_forked && a.parent_pid == b.pid) || (b_forked && b.parent_pid == a.pid) ||
           (a_forked && b_forked && a.parent_pid == b.parent_pid);
}

using vfd::string_of;

bool same_process(const vfd::FileHeader& a, const vfd::FileHeader& b) {
    return a.pid == b.pid && a.start.ticks == b.start.ticks && a.start.realtime_ns == b.start.realtime_ns;
}

// Its job has numbered the call paths.
bool has_collated(const Image& image) { return image.header().flags & vfd::FlagInFinalize; }

bool is_snapshot(const Image& image) {
    return !is_merged(image) && image.header().flags & vfd::FlagSnapshot; // of a damaged file flags may be anything
}

// Of the files of a process the recording is taken before a later snapshot. nullptr: it is no snapshot, or there is
// none.
const Image* file_with_more(const Image& snapshot, const std::vector<Image>& images) {
    if (!is_snapshot(snapshot))
        return nullptr;
    const Image* found = nullptr;
    for (const Image& other : images)
        if (same_process(snapshot.header(), other.header()) &&
            (!is_snapshot(other) || other.end_ticks() > snapshot.end_ticks()) && (!found || is_snapshot(*found)))
            found = &other;
    return found;
}

// By image. Where there is no file of a rank, the merged one of its job has what the ranks had.
std::vector<const Image*> files_with_more(const std::vector<Image>& images) {
    std::vector<const Image*> found;
    const auto merged = std::find_if(images.begin(), images.end(), is_merged);
    const bool of_ranks = std::any_of(images.begin(), images.end(),
                                      [](const Image& image) { return !is_merged(image) && !is_snapshot(image); });
    for (const Image& image : images) {
        found.push_back(file_with_more(image, images));
        if (!found.back() && is_snapshot(image) && merged != images.end() && !of_ranks && image.header().size > 1 &&
            !(image.header().flags & vfd::FlagForked) && same_job(image, *merged))
            found.back() = &*merged;
    }
    return found;
}

[[noreturn]] void refuse(const Image& a, const Image& b, const std::string& why) {
    throw NotOneRun(a.label() + " and " + b.label() + " " + why);
}

// Sums would be wrong for files of different runs. `images` are sorted by rank.
void check_belonging(const std::vector<Image>& images) {
    for (std::size_t i = 1; i < images.size(); ++i) {
        bool related = false;
        for (std::size_t j = i; j-- > 0;) {
            if (same_process(images[j].header(), images[i].header()))
                refuse(images[j], images[i], "are of the same process, one a copy of the other: give one of them");
            if (rank_of(images[j]) == rank_of(images[i]))
                related |= same_family(images[j].header(), images[i].header());
        }
        const Image& before = images[i - 1];
        if (rank_of(before) == rank_of(images[i]) && !related)
            refuse(before, images[i],
                   "are both of rank " + std::to_string(rank_of(before)) + ": give the files of one run");
        if (rank_of(before) != rank_of(images[i]) && !same_job(before, images[i]))
            refuse(before, images[i], "are of different runs: give the files of one run");
    }
}

} // namespace

// All ranks of a job are in MPI_Init at the same time; so the times of its processes overlap, and they agree on how
// many they are.
bool same_job(const Image& a, const Image& b) {
    const vfd::FileHeader &x = a.header(), &y = b.header();
    return x.size == y.size && a.clock().to_realtime_ns(a.end_ticks()) >= y.start.realtime_ns &&
           b.clock().to_realtime_ns(b.end_ticks()) >= x.start.realtime_ns;
}

RunFiles::RunFiles(const std::vector<std::string>& paths, Of of) {
    images_.reserve(paths.size());
    for (const std::string& path : paths)
        images_.push_back(Image::open(path));
    std::stable_sort(images_.begin(), images_.end(), [](const Image& a, const Image& b) {
        return std::tuple(rank_of(a), a.header().start.realtime_ns) <
               std::tuple(rank_of(b), b.header().start.realtime_ns);
    });
    if (std::ranges::any_of(images_, [](const Image& image) { return image.header().size > 1; }))
        analysis::tell_executables_apart();
    leave_snapshots_out();
    if (of == Of::OneRun) {
        leave_merged_out();
        check_belonging(images_);
    } else if (!std::ranges::all_of(images_, is_merged)) {
        std::erase_if(images_, is_merged);
    }
    for (const Image& image : images_)
        if (ranks_.empty() || ranks_.back() != rank_of(image))
            ranks_.push_back(rank_of(image));
}

// As in a folder, the recording counts, or the latest snapshot of it.
void RunFiles::leave_snapshots_out() {
    std::vector<Image> kept;
    const std::vector<const Image*> more = files_with_more(images_);
    for (std::size_t i = 0; i < images_.size(); ++i)
        if (more[i])
            tell_note(images_[i].label() + " is left out: it is a snapshot, and " + more[i]->label() +
                      " has what it has");
    for (std::size_t i = 0; i < images_.size(); ++i)
        if (!more[i])
            kept.push_back(std::move(images_[i]));
    images_ = std::move(kept);
}

// Whether the other files are those of some ranks only, which ran on when the merged one was written.
bool RunFiles::only_add_to(const Image& merged) const {
    std::set<std::int32_t> ranks;
    for (const Image& image : images_) {
        if (is_merged(image))
            continue;
        if (!(image.header().flags & vfd::FlagCollated) || is_snapshot(image) || !same_job(merged, image))
            return false;
        ranks.insert(rank_of(image));
    }
    return static_cast<std::int32_t>(ranks.size()) < merged.header().size;
}

// A merged file beside those of the ranks would count them twice. It tells how the run's logs number the call paths.
void RunFiles::leave_merged_out() {
    const auto first_merged = std::find_if(images_.begin(), images_.end(), is_merged);
    if (first_merged == images_.end() || std::all_of(images_.begin(), images_.end(), is_merged))
        return;
    if (only_add_to(*first_merged)) {
        std::vector<Image> merged;
        for (Image& image : images_)
            (is_merged(image) ? merged : later_).push_back(std::move(image));
        images_ = std::move(merged);
        return;
    }
    const auto first_other = std::find_if_not(images_.begin(), images_.end(), is_merged);
    if (same_job(*first_merged, *first_other))
        of_merged_ = analysis::numbering_of(analysis::load_profile(*first_merged));
    std::erase_if(images_, is_merged);
    tell_note("the merged profile is left out: the files of the ranks are given");
}

bool RunFiles::merged() const { return is_merged(images_.front()); }

std::int32_t RunFiles::size() const { return std::max(images_.front().header().size, 1); }

std::string RunFiles::basename() const {
    std::string name = string_of(images_.front().header().basename);
    name.erase(0, name.rfind('/') + 1); // a file's content must not choose the directory
    return name.empty() ? "vftrace" : name;
}

std::string RunFiles::config_file() const { return string_of(images_.front().header().config_file); }

std::string_view RunFiles::config_text() const { return images_.front().config_text(); }

analysis::Profile RunFiles::sum_of_rank(std::int32_t rank, const LoadProfile& load) const {
    analysis::Profile sum;
    for (const Image& image : images_) {
        if (rank_of(image) != rank)
            continue;
        if (sum.rank_count == 0)
            sum = load(image);
        else
            analysis::add_process(sum, load(image));
    }
    return sum;
}

// With what the files beside it have that it lacks.
analysis::Profile RunFiles::merged_profile() const {
    analysis::Profile all;
    for (const Image& image : images_)
        analysis::merge(all, analysis::load_profile(image));
    add_later_parts(all, later_);
    return all;
}

analysis::Profile RunFiles::profile_of_rank(std::int32_t rank) const {
    const auto beside =
        std::find_if(later_.begin(), later_.end(), [rank](const Image& image) { return rank_of(image) == rank; });
    if (beside != later_.end()) {
        analysis::Profile profile = analysis::load_profile(*beside);
        analysis::canonicalise(profile, analysis::numbering_of(merged_profile()));
        return profile;
    }
    if (merged())
        throw std::runtime_error(images_.front().label() +
                                 " has only the sum over all ranks: give the files of the ranks");
    if (!std::binary_search(ranks_.begin(), ranks_.end(), rank))
        throw std::runtime_error("no file is of rank " + std::to_string(rank));
    analysis::Profile profile = sum_of_rank(rank);
    analysis::canonicalise(profile, numbering_of_ranks());
    return profile;
}

analysis::Profile RunFiles::profile_of_ranks(const std::vector<std::int32_t>& ranks) const {
    analysis::Profile sum;
    for (const std::int32_t rank : ranks)
        analysis::merge(sum, sum_of_rank(rank));
    add_missing_ranks(sum, ranks);
    analysis::canonicalise(sum, numbering_of_ranks());
    return sum;
}

std::vector<RunFiles::Thread> RunFiles::threads() const {
    std::vector<Thread> threads;
    for (const Image& image : images_)
        for (const vfd::ThreadView& view : image.threads())
            if (view.node_count != 0)
                threads.push_back({&image, rank_of(image), view.record->index,
                                   analysis::process_title(image) + ", thread " + std::to_string(view.record->index)});
    return threads;
}

analysis::Profile RunFiles::profile_of_thread(const Thread& thread) const {
    analysis::Profile profile =
        analysis::profile_of(*thread.image, [&](std::uint32_t index) { return index == thread.index; });
    analysis::canonicalise(profile, numbering());
    return profile;
}

analysis::Profile RunFiles::profile_of_threads(const std::vector<std::int32_t>& ranks,
                                               const config::RankSet& threads) const {
    const auto selected = [&](std::uint32_t index) { return threads.contains(static_cast<std::int32_t>(index)); };
    analysis::Profile sum;
    for (const std::int32_t rank : ranks)
        analysis::merge(sum,
                        sum_of_rank(rank, [&](const Image& image) { return analysis::profile_of(image, selected); }));
    add_missing_ranks(sum, ranks);
    analysis::canonicalise(sum, numbering());
    return sum;
}

// Of one rank alone nothing is known of the others' paths.
const analysis::Numbering& RunFiles::numbering_of_ranks() const {
    return ranks_.size() == 1 ? of_merged_ : numbering();
}

const analysis::Numbering& RunFiles::numbering() const {
    if (of_merged_.first_free != 0)
        return of_merged_;
    if (of_all_.first_free == 0)
        of_all_ = analysis::numbering_of(profile());
    return of_all_;
}

analysis::RankList RunFiles::missing_ranks(const std::vector<std::int32_t>& there) const {
    return merged() ? analysis::RankList() : analysis::ranks_without(there, size());
}

void RunFiles::add_missing_ranks(analysis::Profile& sum, const std::vector<std::int32_t>& there) const {
    if (there.size() < 2) // of one alone that is what its own log says
        return;
    analysis::Profile missing;
    missing.missing_ranks = missing_ranks(there);
    analysis::merge(sum, missing);
}

analysis::Profile RunFiles::profile() const {
    if (merged())
        return merged_profile(); // it is canonical, or has the STIDs that its log has
    analysis::Profile all;
    ProgressLine progress("reading");
    for (std::size_t i = 0; i < ranks_.size(); ++i) {
        progress.show(i, ranks_.size());
        analysis::merge(all, sum_of_rank(ranks_[i]));
    }
    add_missing_ranks(all, ranks_);
    if (ranks_.size() > 1)
        all.stids_of_files = of_merged_.first_free == 0 && std::any_of(images_.begin(), images_.end(), has_collated);
    analysis::canonicalise(all, of_merged_);
    return all;
}

} // namespace vftr::cli
