// SPDX-License-Identifier: BSD-3-Clause
//
// The requests that a program passes to MPI, and the statuses that belong to them.
//
// The MPI library overwrites a handle with MPI_REQUEST_NULL, so the handles are noted before the call. Statuses that
// the program passes are only read; if it passes MPI_STATUS(ES)_IGNORE, the wrapper passes its own.
#pragma once

#include "mpi/messages.hpp"
#include "mpi/scratch.hpp"

namespace vftr::mpi {

inline bool follows_requests(const Call& call) { return call.tracks() && requests.used(); }

// A request argument as it was before the call.
template <class L>
class OneRequest {
public:
    using Variable = typename L::template Variable<MPI_Request>;
    OneRequest(const Call& call, const Variable& request)
        : variable_(request.address()), handle_(follows_requests(call) ? key_of(request.handle()) : 0) {}
    bool known() const { return handle_ != 0; }
    std::uint64_t handle() const { return handle_; }
    const void* variable() const { return variable_; }

private:
    const void* variable_;
    std::uint64_t handle_;
};

// An array of requests, and the statuses that belong to them.
template <class L>
class ManyRequests {
public:
    using Statuses = typename L::StatusVariable;
    using Item = typename L::StatusItem;

    ManyRequests(const Call& call, MPI_Count count, typename L::RequestItems requests)
        : ManyRequests(call, count, requests, false, {}) {}
    ManyRequests(const Call& call, MPI_Count count, typename L::RequestItems requests, Statuses statuses)
        : ManyRequests(call, count, requests, call.logs_messages() && L::knows_ignored(), statuses) {}

    bool known() const { return handles_; }
    std::int32_t count() const { return count_; }
    std::uint64_t handle(std::int32_t i) const { return handles_[i]; }
    bool changed(std::int32_t i) const { return key_of(requests_[i]) != handles_[i]; }
    const void* variable(std::int32_t i) const { return requests_.address(i); }
    Statuses passed() const { return passed_; }
    bool readable() const { return readable_; }
    MPI_Status status(std::int32_t i) const { return L::value(reinterpret_cast<const Item*>(passed_)[i]); }

    // Returns what the first index is in a result with these indices: L::FirstIndex, or 0 if the MPI library counts
    // wrongly, which the handles show that have become MPI_REQUEST_NULL.
    int first_index(const int* indices, std::int32_t count) const {
        if constexpr (L::IndexMayBeWrong)
            for (std::int32_t j = 0; j < count; ++j) {
                const std::int32_t i = indices[j] - L::FirstIndex;
                if (i < 0 || (i + 1 < count_ && !changed(i) && changed(i + 1)))
                    return 0;
            }
        return L::FirstIndex;
    }

    // Request i is complete; its status is status j.
    void finish(const Call& call, std::int32_t i, std::int32_t j) const {
        if (!readable_)
            return finish_request(call, handle(i), variable(i), nullptr);
        const MPI_Status status = this->status(j);
        finish_request(call, handle(i), variable(i), &status);
    }

    // All requests are complete.
    void finish_all(const Call& call) const {
        if constexpr (L::HandlesAreC)
            finish_requests(call, count_, handles_, static_cast<const MPI_Request*>(requests_.address(0)),
                            readable_ ? passed_ : nullptr);
        else
            for (std::int32_t i = 0; i < count_; ++i)
                finish(call, i, i);
    }

private:
    ManyRequests(const Call& call, MPI_Count count, typename L::RequestItems requests, bool readable, Statuses statuses)
        : requests_(L::requests(requests)),
          count_(static_cast<std::int32_t>(follows_requests(call) && requests && count > 0 ? count : 0)),
          readable_(readable && count_ > 0), passed_(statuses),
          scratch_(static_cast<std::size_t>(count_) * (sizeof(std::uint64_t) + (readable_ ? sizeof(Item) : 0))) {
        handles_ = static_cast<std::uint64_t*>(scratch_.data());
        if (!handles_) {
            readable_ = false;
            return;
        }
        for (std::int32_t i = 0; i < count_; ++i)
            handles_[i] = key_of(requests_[i]);
        if (readable_ && L::all_ignored(statuses))
            passed_ = reinterpret_cast<Statuses>(handles_ + count_);
    }

    RequestArray requests_;
    std::int32_t count_;
    bool readable_;
    Statuses passed_;
    Scratch scratch_;
    std::uint64_t* handles_ = nullptr;
};

} // namespace vftr::mpi
