// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs that end requests, begin persistent ones, or take them back.
//
// The MPI library puts MPI_REQUEST_NULL where a handle was, so the handles are noted before the call. Statuses are the program's
// own where it passes some, and are only read; where it passes MPI_STATUS(ES)_IGNORE, we pass ours.
//
// A call that fails with MPI_ERR_IN_STATUS has completed some requests all the same: those whose status says MPI_SUCCESS are
// recorded. The others that are gone are forgotten; what is still pending stays.
#pragma once

#include "mpi/messages.hpp"
#include "mpi/scratch.hpp"

namespace vftr::mpi {

inline bool follows_requests(const Call& call) { return call.tracks() && requests.used(); }
// Without a record.
void drop_request(std::uint64_t handle, const void* variable);
// MPI_Request_free has taken it back.
void free_request(const Call& call, std::uint64_t handle, const void* variable);
void see_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status);

// A request argument, as it was before the call.
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

// Many of them, and the statuses that go with them.
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

    // What the first index is in a result with these indices: L::FirstIndex, or 0 where the MPI library is wrong and the
    // handles that have become MPI_REQUEST_NULL show it.
    int first_index(const int* indices, std::int32_t count) const {
        if constexpr (L::IndexMayBeWrong)
            for (std::int32_t j = 0; j < count; ++j) {
                const std::int32_t i = indices[j] - L::FirstIndex;
                if (i < 0 || (i + 1 < count_ && !changed(i) && changed(i + 1)))
                    return 0;
            }
        return L::FirstIndex;
    }

    // The i-th is complete; its status is the j-th.
    void finish(const Call& call, std::int32_t i, std::int32_t j) const {
        if (!readable_)
            return finish_request(call, handle(i), variable(i), nullptr);
        const MPI_Status status = this->status(j);
        finish_request(call, handle(i), variable(i), &status);
    }

private:
    ManyRequests(const Call& call, MPI_Count count, typename L::RequestItems requests, bool readable, Statuses statuses)
        : requests_(L::requests(requests)), count_(static_cast<std::int32_t>(follows_requests(call) && requests && count > 0 ? count : 0)),
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

// Wait and, with a flag, Test.
template <class L, Kind>
class Wait {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
        typename L::StatusVariable status;
        typename L::IntResult flag = {};
    };
    Wait(Call& call, const Args& args)
        : call_(call), flag_(args.flag), request_(call, args.request), slot_(args.status, request_.known() && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (!request_.known())
            return;
        if (!call_.succeeded())
            return drop_request(request_.handle(), request_.variable());
        if (flag_ && !*flag_)
            return;
        if (!slot_.readable())
            return finish_request(call_, request_.handle(), request_.variable(), nullptr);
        const MPI_Status status = slot_.value();
        finish_request(call_, request_.handle(), request_.variable(), &status);
    }

private:
    Call& call_;
    typename L::IntResult flag_;
    OneRequest<L> request_;
    StatusSlot<L> slot_;
};

template <class L, Kind>
class WaitAny {
public:
    struct Args {
        typename L::Int count;
        typename L::RequestItems requests;
        typename L::IntResult index;
        typename L::StatusVariable status;
        typename L::IntResult flag = {};
    };
    WaitAny(Call& call, const Args& args)
        : call_(call), args_(args), requests_(call, args.count, args.requests),
          slot_(args.status, requests_.known() && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (!requests_.known() || (call_.succeeded() && args_.flag && !*args_.flag))
            return;
        if (!args_.index || *args_.index == MPI_UNDEFINED) // null: the call has failed
            return;
        const std::int32_t i = *args_.index - requests_.first_index(args_.index, 1);
        if (i < 0 || i >= requests_.count())
            return;
        if (!call_.succeeded())
            return drop_request(requests_.handle(i), requests_.variable(i));
        if (!slot_.readable())
            return finish_request(call_, requests_.handle(i), requests_.variable(i), nullptr);
        const MPI_Status status = slot_.value();
        finish_request(call_, requests_.handle(i), requests_.variable(i), &status);
    }

private:
    Call& call_;
    const Args args_;
    ManyRequests<L> requests_;
    StatusSlot<L> slot_;
};

template <class L, Kind>
class WaitAll {
public:
    struct Args {
        typename L::Int count;
        typename L::RequestItems requests;
        typename L::StatusVariable statuses;
        typename L::IntResult flag = {};
    };
    WaitAll(Call& call, const Args& args)
        : call_(call), flag_(args.flag), requests_(call, args.count, args.requests, args.statuses) {}
    typename L::StatusVariable statuses() const { return requests_.passed(); }
    void done() {
        if (!requests_.known() || (call_.succeeded() && flag_ && !*flag_))
            return;
        for (std::int32_t i = 0; i < requests_.count(); ++i)
            if (call_.succeeded())
                requests_.finish(call_, i, i);
            else
                after_failure(i);
    }

private:
    void after_failure(std::int32_t i) {
        const bool told = call_.error() == MPI_ERR_IN_STATUS && requests_.readable();
        const int error = told ? requests_.status(i).MPI_ERROR : MPI_ERR_PENDING;
        if (told && error == MPI_SUCCESS)
            requests_.finish(call_, i, i);
        else if (requests_.changed(i) || error != MPI_ERR_PENDING)
            drop_request(requests_.handle(i), requests_.variable(i));
    }

    Call& call_;
    typename L::IntResult flag_;
    ManyRequests<L> requests_;
};

// Waitsome and Testsome.
template <class L, Kind>
class WaitSome {
public:
    struct Args {
        typename L::Int count;
        typename L::RequestItems requests;
        typename L::IntResult outcount;
        typename L::IntResults indices;
        typename L::StatusVariable statuses;
    };
    WaitSome(Call& call, const Args& args)
        : call_(call), args_(args), requests_(call, args.count, args.requests, args.statuses) {}
    typename L::StatusVariable statuses() const { return requests_.passed(); }
    void done() {
        const bool told = call_.error() == MPI_ERR_IN_STATUS;
        if (!requests_.known() || !(call_.succeeded() || told) || *args_.outcount == MPI_UNDEFINED)
            return;
        const int first = requests_.first_index(args_.indices, *args_.outcount);
        for (std::int32_t j = 0; j < *args_.outcount; ++j) {
            const std::int32_t i = args_.indices[j] - first;
            if (i < 0 || i >= requests_.count())
                continue;
            if (told && !(requests_.readable() && requests_.status(j).MPI_ERROR == MPI_SUCCESS))
                drop_request(requests_.handle(i), requests_.variable(i));
            else
                requests_.finish(call_, i, j);
        }
    }

private:
    Call& call_;
    const Args args_;
    ManyRequests<L> requests_;
};

// Request_get_status.
template <class L, Kind>
class Peek {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
        typename L::IntResult flag;
        typename L::StatusVariable status;
    };
    Peek(Call& call, const Args& args)
        : call_(call), flag_(args.flag), request_(call, args.request), slot_(args.status, request_.known() && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (!request_.known() || !call_.succeeded() || !*flag_ || !slot_.readable())
            return;
        const MPI_Status status = slot_.value();
        see_request(call_, request_.handle(), request_.variable(), &status);
    }

private:
    Call& call_;
    typename L::IntResult flag_;
    OneRequest<L> request_;
    StatusSlot<L> slot_;
};

template <class L, Kind>
class Start {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
    };
    Start(Call& call, const Args& args) : call_(call), request_(call, args.request) {}
    void done() {
        if (request_.known() && call_.succeeded())
            requests.start(request_.handle(), request_.variable(), call_.logs_messages() ? call_.place() : record::CallPlace{},
                           call_.logs_messages());
    }

private:
    Call& call_;
    OneRequest<L> request_;
};

template <class L, Kind>
class StartAll {
public:
    struct Args {
        typename L::Int count;
        typename L::RequestItems requests;
    };
    StartAll(Call& call, const Args& args) : call_(call), count_(args.count), requests_(L::requests(args.requests)) {}
    void done() {
        if (!follows_requests(call_) || !call_.succeeded())
            return;
        const bool recorded = call_.logs_messages();
        const record::CallPlace place = recorded ? call_.place() : record::CallPlace{};
        for (std::int32_t i = 0; i < count_; ++i)
            requests.start(key_of(requests_[i]), requests_.address(i), place, recorded);
    }

private:
    Call& call_;
    MPI_Count count_;
    RequestArray requests_;
};

template <class L, Kind>
class FreeRequest {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
    };
    FreeRequest(Call& call, const Args& args) : call_(call), request_(call, args.request) {}
    void done() {
        if (request_.known() && call_.succeeded())
            free_request(call_, request_.handle(), request_.variable());
    }

private:
    Call& call_;
    OneRequest<L> request_;
};

template <class L, Kind>
class Cancel {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
    };
    Cancel(Call& call, const Args& args) : call_(call), request_(call, args.request) {}
    void done() {
        if (request_.known() && call_.succeeded())
            requests.ask_cancel(request_.handle(), request_.variable());
    }

private:
    Call& call_;
    OneRequest<L> request_;
};

} // namespace vftr::mpi
