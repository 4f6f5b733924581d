// SPDX-License-Identifier: BSD-3-Clause
//
// Verbs that complete requests, start persistent ones, free or cancel them.
//
// A call that fails with MPI_ERR_IN_STATUS has still completed some requests: those whose status says MPI_SUCCESS are
// recorded. Of the others, those that are gone are forgotten and those that are still pending stay.
#pragma once

#include "mpi/request_arguments.hpp"

namespace vftr::mpi {

// The request's call has failed, so that its outcome will never be known.
void drop_request(const Call& call, std::uint64_t handle, const void* variable);
// MPI_Request_free has freed the request.
void free_request(const Call& call, std::uint64_t handle, const void* variable);
// A persistent request is started by the call `place`.
void start_request(const Call& call, std::uint64_t handle, const void* variable, const record::CallInstance& place);
void see_request(const Call& call, std::uint64_t handle, const void* variable, const MPI_Status* status);

// Wait, and Test, which has a flag.
template <class L, Kind>
class Wait {
public:
    struct Args {
        typename L::template Variable<MPI_Request> request;
        typename L::StatusVariable status;
        typename L::IntResult flag = {};
    };
    Wait(Call& call, const Args& args)
        : call_(call), flag_(args.flag), request_(call, args.request),
          slot_(args.status, request_.known() && call.logs_messages()) {}
    typename L::StatusVariable status() const { return slot_.passed(); }
    void done() {
        if (!request_.known())
            return;
        if (!call_.succeeded())
            return drop_request(call_, request_.handle(), request_.variable());
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
            return drop_request(call_, requests_.handle(i), requests_.variable(i));
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
        if (call_.succeeded())
            return requests_.finish_all(call_);
        for (std::int32_t i = 0; i < requests_.count(); ++i)
            after_failure(i);
    }

private:
    void after_failure(std::int32_t i) {
        const bool told = call_.error() == MPI_ERR_IN_STATUS && requests_.readable();
        const int error = told ? requests_.status(i).MPI_ERROR : MPI_ERR_PENDING;
        if (told && error == MPI_SUCCESS)
            requests_.finish(call_, i, i);
        else if (requests_.changed(i) || error != MPI_ERR_PENDING)
            drop_request(call_, requests_.handle(i), requests_.variable(i));
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
                drop_request(call_, requests_.handle(i), requests_.variable(i));
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
        : call_(call), flag_(args.flag), request_(call, args.request),
          slot_(args.status, request_.known() && call.logs_messages()) {}
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
            start_request(call_, request_.handle(), request_.variable(),
                          call_.logs_messages() ? call_.place() : record::CallInstance{});
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
        const record::CallInstance place = call_.logs_messages() ? call_.place() : record::CallInstance{};
        for (std::int32_t i = 0; i < count_; ++i)
            start_request(call_, key_of(requests_[i]), requests_.address(i), place);
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
