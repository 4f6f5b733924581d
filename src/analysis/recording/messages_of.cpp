// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/recording/messages_of.hpp"

#include "analysis/merge/flat_map.hpp"
#include "analysis/merge/merge_messages.hpp"
#include "analysis/profile/whole_ns.hpp"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace vftr::analysis {
namespace {

using vfd::Direction;
using vfd::GroupRun;
using vfd::Span;

constexpr std::uint32_t WindowRanks = 4096;

// Traffic that is added to the same cells. MessageSum::ns is in ticks until it is converted at the end.
struct Share {
    std::uint32_t node;
    bool got;
    Span span;
    std::uint32_t target;
    MessageSum sum;
    auto key() const { return std::tuple(node, got, span, target); }
};

// Adds up the cells of one call path and direction over all groups.
class Cells {
public:
    Cells(Profile& profile, const vfd::Image& image, std::uint32_t own) : profile_(profile), image_(image), own_(own) {}

    void add(std::span<const Share> shares) {
        windows_.clear();
        for (const Share& share : shares)
            find_windows(share);
        std::sort(windows_.begin(), windows_.end());
        windows_.erase(std::unique(windows_.begin(), windows_.end()), windows_.end());
        for (std::uint32_t window : windows_) {
            low_ = WindowRanks;
            high_ = 0;
            for (const Share& share : shares)
                lay(share, window * WindowRanks);
            collect(shares.front(), window * WindowRanks);
        }
    }

private:
    // A single rank is visited as a run of one rank.
    template <class Visit>
    void for_each_run(const Share& share, Visit visit) const {
        if (share.span == Span::Rank)
            visit(GroupRun{share.target, 0, 1});
        else if (const vfd::GroupView* group = image_.group(share.target))
            for (const GroupRun& run : group->runs)
                visit(run);
    }

    void find_windows(const Share& share) {
        for_each_run(share, [this](const GroupRun& run) {
            std::uint32_t step = static_cast<std::uint32_t>(std::abs(std::int64_t{run.stride}));
            std::uint32_t last = run.first + (run.count - 1) * static_cast<std::uint32_t>(run.stride);
            std::uint32_t low = std::min(run.first, last) / WindowRanks, high = std::max(run.first, last) / WindowRanks;
            if (step < WindowRanks)
                for (std::uint32_t window = low; window <= high; ++window)
                    note_window(window);
            else
                for (std::uint32_t i = 0; i < run.count; ++i)
                    note_window((run.first + i * static_cast<std::uint32_t>(run.stride)) / WindowRanks);
        });
    }
    void note_window(std::uint32_t window) {
        if (windows_.empty() || windows_.back() != window)
            windows_.push_back(window);
    }

    // Adds a share to those of its ranks that are in the window.
    void lay(const Share& share, std::uint32_t low) {
        for_each_run(share, [&](const GroupRun& run) {
            std::int64_t step = run.stride, from = std::int64_t{low} - run.first, to = from + WindowRanks - 1;
            if (step < 0) {
                step = -step;
                std::swap(from, to);
                from = -from;
                to = -to;
            }
            // Selects the members i with from <= i * step <= to.
            std::int64_t begin = step == 0 ? 0 : std::max<std::int64_t>(0, (from + step - 1) / step);
            std::int64_t end = step == 0 ? (from <= 0 && to >= 0 ? run.count : 0)
                               : to < 0  ? 0
                                         : std::min<std::int64_t>(run.count, to / step + 1);
            for (std::int64_t i = begin; i < end; ++i) {
                std::uint32_t rank = run.first + static_cast<std::uint32_t>(i) * static_cast<std::uint32_t>(run.stride);
                if (share.span == Span::Others && rank == own_)
                    continue;
                sums_[rank - low].add(share.sum);
                low_ = std::min(low_, rank - low);
                high_ = std::max(high_, rank - low);
            }
        });
    }

    void collect(const Share& share, std::uint32_t low) {
        for (std::uint32_t i = low_; i <= high_; ++i) {
            RankPair pair =
                share.got ? RankPair{low + i, own_, share.node, true} : RankPair{own_, low + i, share.node, false};
            if (MessageSum sum = std::exchange(sums_[i], {}); sum.messages != 0)
                profile_.matrix.push_back({pair, sum});
        }
        if (profile_.matrix.size() > WindowRanks)
            keep_heaviest_pairs(profile_);
    }

    Profile& profile_;
    const vfd::Image& image_;
    std::uint32_t own_;
    std::vector<std::uint32_t> windows_; // numbers of the windows that contain ranks
    // The sums by rank in the window; they are zero outside of low_ … high_.
    std::vector<MessageSum> sums_ = std::vector<MessageSum>(WindowRanks);
    std::uint32_t low_ = 0, high_ = 0;
};

class MessageReader {
public:
    MessageReader(Profile& profile, const vfd::Image& image, bool per_callpath)
        : profile_(profile), image_(image), per_callpath_(per_callpath),
          own_(static_cast<std::uint32_t>(profile.first_rank)) {}

    void add(const vfd::Traffic& traffic, std::uint32_t node) {
        std::uint64_t peers = 1;
        if (traffic.span != Span::Rank) {
            const vfd::GroupView* group = image_.group(traffic.target);
            peers = group ? group->size - (traffic.span == Span::Others && group->has(own_) ? 1 : 0) : 0;
        }
        // A thread may have counted no transfers, but have seen the end of another thread's transfer.
        if (peers == 0 || (traffic.transfers == 0 && traffic.bytes == 0 && traffic.ticks == 0))
            return;
        MessageSum all{traffic.transfers * peers, traffic.bytes * peers, traffic.ticks * peers};
        bool send = traffic.direction == Direction::Send;
        PathMessages& path = messages_at(node);
        (send ? path.sent : path.received).add(all);
        if (traffic.direction != Direction::Receive)
            shares_.push_back({per_callpath_ ? node : 0,
                               !send,
                               traffic.span,
                               traffic.target,
                               {traffic.transfers, traffic.bytes, traffic.ticks}});
    }

    void finish() {
        MessageSum sent, received;
        for (PathMessages& path : profile_.messages) {
            sent.add(path.sent);
            received.add(path.received);
            to_ns(path.sent);
            to_ns(path.received);
        }
        std::sort(profile_.messages.begin(), profile_.messages.end(),
                  [](const PathMessages& a, const PathMessages& b) { return a.node < b.node; });
        fill_matrix();
        const std::int32_t rank = profile_.first_rank;
        profile_.sent_bytes = of_one_rank(sent.bytes, rank);
        profile_.received_bytes = of_one_rank(received.bytes, rank);
        profile_.sent_messages = of_one_rank(sent.messages, rank);
        profile_.received_messages = of_one_rank(received.messages, rank);
    }

private:
    PathMessages& messages_at(std::uint32_t node) {
        std::uint32_t& index = index_[node];
        if (index == FlatMap::Missing) {
            index = static_cast<std::uint32_t>(profile_.messages.size());
            profile_.messages.push_back({node, {}, {}});
        }
        return profile_.messages[index];
    }

    void to_ns(MessageSum& sum) const { sum.ns = whole_ns(static_cast<double>(sum.ns) * image_.clock().ns_per_tick()); }

    // Several threads and segments may have shares in the same cells.
    void unite_shares() {
        std::sort(shares_.begin(), shares_.end(), [](const Share& a, const Share& b) { return a.key() < b.key(); });
        std::size_t kept = 0;
        for (const Share& share : shares_)
            if (kept != 0 && shares_[kept - 1].key() == share.key())
                shares_[kept - 1].sum.add(share.sum);
            else
                shares_[kept++] = share;
        shares_.resize(kept);
    }

    void fill_matrix() {
        if (shares_.empty())
            return;
        unite_shares();
        Cells cells(profile_, image_, own_);
        for (auto begin = shares_.begin(); begin != shares_.end();) {
            auto end = std::find_if(begin, shares_.end(),
                                    [&](const Share& s) { return s.node != begin->node || s.got != begin->got; });
            cells.add({begin, end});
            begin = end;
        }
        keep_heaviest_pairs(profile_);
        std::sort(profile_.matrix.begin(), profile_.matrix.end(),
                  [](const MatrixCell& a, const MatrixCell& b) { return a.pair < b.pair; });
        for (MatrixCell& cell : profile_.matrix)
            to_ns(cell.sum);
        to_ns(profile_.lighter_pairs.sum);
    }

    Profile& profile_;
    const vfd::Image& image_;
    bool per_callpath_;
    std::uint32_t own_;
    FlatMap index_; // by node: index into Profile::messages
    std::vector<Share> shares_;
};

} // namespace

void fill_messages(Profile& profile, const vfd::Image& image, const PathOfNode& place, bool per_callpath) {
    const vfd::FileHeader& header = image.header();
    profile.world_size = header.flags & vfd::FlagMpi ? static_cast<std::uint32_t>(header.size) : 0;
    MessageReader reader(profile, image, per_callpath);
    for (std::span<const vfd::Traffic> part : image.traffic())
        for (const vfd::Traffic& traffic : part)
            if (std::uint32_t node = place(traffic.thread, traffic.node); node != vfd::NoNode)
                reader.add(traffic, node);
    reader.finish();
}

} // namespace vftr::analysis
