// SPDX-License-Identifier: BSD-3-Clause
#include "run_files.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <tuple>

namespace vftr::cli {
namespace {

using vfd::Image;

std::int32_t rank_of(const Image& image) {
    return std::max(image.header().rank, 0);
}

bool is_merged(const Image& image) {
    return image.header().kind == vfd::FileKind::Merged;
}

// A process and what it became by exec, a process and its forked child, or two children of one
// process.
bool same_family(const vfd::FileHeader& a, const vfd::FileHeader& b) {
    bool a_forked = a.flags & vfd::FlagForked, b_forked = b.flags & vfd::FlagForked;
    return a.pid == b.pid || (a_forked && a.parent_pid == b.pid) ||
           (b_forked && b.parent_pid == a.pid) ||
           (a_forked && b_forked && a.parent_pid == b.parent_pid);
}

template <std::size_t N>
std::string text_of(const char (&field)[N]) {
    return std::string(field, strnlen(field, N));
}

// Sums would be wrong for files of different runs. `images` are sorted by rank.
void check_belonging(const std::vector<Image>& images) {
    for (std::size_t i = 0; i < images.size(); ++i) {
        if (is_merged(images[i]) && images.size() > 1)
            throw std::runtime_error(images[i].label() +
                                     " has all ranks of a run: give it without other files");
        if (i == 0 || rank_of(images[i]) != rank_of(images[i - 1]))
            continue;
        bool related = false;
        for (std::size_t j = i; j-- > 0 && rank_of(images[j]) == rank_of(images[i]) && !related;)
            related = same_family(images[i].header(), images[j].header());
        if (!related)
            throw std::runtime_error(images[i - 1].label() + " and " + images[i].label() +
                                     " are both of rank " + std::to_string(rank_of(images[i])) +
                                     ": give the files of one run");
    }
}

} // namespace

RunFiles::RunFiles(const std::vector<std::string>& paths) {
    images_.reserve(paths.size());
    for (const std::string& path : paths)
        images_.push_back(Image::open(path));
    std::stable_sort(images_.begin(), images_.end(), [](const Image& a, const Image& b) {
        return std::tuple(rank_of(a), a.header().start.realtime_ns) <
               std::tuple(rank_of(b), b.header().start.realtime_ns);
    });
    check_belonging(images_);
    for (const Image& image : images_)
        if (ranks_.empty() || ranks_.back() != rank_of(image))
            ranks_.push_back(rank_of(image));
}

bool RunFiles::merged() const {
    return is_merged(images_.front());
}

std::int32_t RunFiles::size() const {
    return std::max(images_.front().header().size, 1);
}

std::string RunFiles::basename() const {
    std::string name = text_of(images_.front().header().basename);
    name.erase(0, name.rfind('/') + 1); // a file's content must not choose the directory
    return name.empty() ? "vftrace" : name;
}

std::string RunFiles::config_file() const {
    return text_of(images_.front().header().config_file);
}

std::string_view RunFiles::config_text() const {
    return images_.front().config_text();
}

analysis::Profile RunFiles::sum_of_rank(std::int32_t rank) const {
    analysis::Profile sum;
    for (const Image& image : images_) {
        if (rank_of(image) != rank)
            continue;
        if (sum.rank_count == 0)
            sum = analysis::load_profile(image);
        else
            analysis::add_process(sum, analysis::load_profile(image));
    }
    return sum;
}

analysis::Profile RunFiles::profile_of_rank(std::int32_t rank) const {
    if (merged())
        throw std::runtime_error(images_.front().label() +
                                 " has only the sum over all ranks: give the files of the ranks");
    if (!std::binary_search(ranks_.begin(), ranks_.end(), rank))
        throw std::runtime_error("no file is of rank " + std::to_string(rank));
    analysis::Profile profile = sum_of_rank(rank);
    analysis::canonicalise(profile);
    return profile;
}

std::vector<std::int32_t> RunFiles::missing_ranks() const {
    constexpr std::int32_t Limit = 1 << 24; // more is a damaged header
    std::vector<std::int32_t> missing;
    if (merged() || size() > Limit)
        return missing;
    for (std::int32_t rank = 0; rank < size(); ++rank)
        if (!std::binary_search(ranks_.begin(), ranks_.end(), rank))
            missing.push_back(rank);
    return missing;
}

analysis::Profile RunFiles::profile() const {
    analysis::Profile all;
    for (std::int32_t rank : ranks_)
        analysis::merge(all, sum_of_rank(rank));
    analysis::Profile missing;
    missing.missing_ranks = missing_ranks();
    analysis::merge(all, missing);
    analysis::canonicalise(all);
    return all;
}

} // namespace vftr::cli
