// SPDX-License-Identifier: BSD-3-Clause
#include "export/otf2/events.hpp"

#include "export/otf2/archive.hpp"

#include <algorithm>

namespace vftr::exports {

using analysis::TimelineCollective;
using analysis::TimelineMessage;

void Otf2Events::enter(std::uint64_t ns, std::uint32_t path) {
    put({.ns = ns, .kind = Kind::Enter, .rank = regions_.of(path)});
    ++depth_;
    const Otf2MpiFunction& function = regions_.mpi_function(path);
    if (!function.collective)
        return;
    if (function.starts) {
        if (started_.size() == MostStarted)
            started_.pop_front();
        started_.push_back({.begin = ns, .request = requests_++, .path = path});
        put({.ns = ns, .kind = Kind::CollectiveRequest, .request = started_.back().request});
    } else if (held_depth_ == 0) {
        held_depth_ = depth_;
        blocking_ = {.begin = ns, .request = 0, .path = path};
        put({.ns = ns, .kind = Kind::Nothing});
    }
}

void Otf2Events::leave(std::uint64_t ns, std::uint32_t path) {
    count_windows(ns, path);
    put({.ns = ns, .kind = Kind::Leave, .rank = regions_.of(path)});
    if (depth_-- == held_depth_)
        release();
}

void Otf2Events::message(const TimelineMessage& message) {
    const Otf2MpiFunction& function = regions_.mpi_function(message.path);
    if (message.group || function.collective)
        add_to_collective(message);
    else if (message.tag >= 0)
        point_to_point(message);
    else if (function.role == OTF2_REGION_ROLE_RMA)
        one_sided(message);
}

void Otf2Events::point_to_point(const TimelineMessage& message) {
    const auto partner = communicators_.partner(own_, message.peer, message.communicator);
    if (!partner) {
        ++omissions_.foreign;
        return;
    }
    const bool starts = regions_.mpi_function(message.path).starts;
    Record record{.ns = message.begin,
                  .kind = starts ? Kind::StartedSend : Kind::Send,
                  .rank = partner->rank,
                  .communicator = partner->communicator,
                  .tag = static_cast<std::uint32_t>(message.tag),
                  .sent = message.bytes};
    if (starts)
        record.request = requests_++;
    if (message.direction == vfd::Direction::Send) {
        put(record);
        if (starts)
            put_later({.ns = message.end, .kind = Kind::SendComplete, .request = record.request});
        return;
    }
    if (starts)
        put({.ns = message.begin, .kind = Kind::ReceiveRequest, .request = record.request});
    record.ns = message.end;
    record.kind = starts ? Kind::StartedReceive : Kind::Receive;
    put_later(record);
}

void Otf2Events::open_window(std::uint64_t ns) {
    if (!window_open_)
        put({.ns = ns, .kind = Kind::WindowCreate});
    window_open_ = true;
}

void Otf2Events::close_window(std::uint64_t ns) {
    if (window_open_)
        put({.ns = ns, .kind = Kind::WindowDestroy});
    window_open_ = false;
}

// At the end of a call.
void Otf2Events::count_windows(std::uint64_t ns, std::uint32_t path) {
    const int windows = regions_.mpi_function(path).windows;
    if (windows > 0 && communicators_.has_window()) {
        ++windows_;
        open_window(ns);
    } else if (windows < 0) {
        windows_ -= windows_ != 0;
        if (windows_ == 0)
            close_window(ns);
    }
}

void Otf2Events::one_sided(const TimelineMessage& message) {
    const auto partner = communicators_.partner(own_, message.peer, Otf2Communicators::World);
    if (!partner) {
        ++omissions_.foreign;
        return;
    }
    open_window(message.begin);
    const std::uint64_t operation = requests_++;
    const bool get = message.direction != vfd::Direction::Send;
    put({.ns = message.begin,
         .kind = get ? Kind::Get : Kind::Put,
         .rank = partner->rank,
         .sent = message.bytes,
         .request = operation});
    put_later(
        {.ns = message.end,
         .kind = regions_.mpi_function(message.path).starts ? Kind::OneSidedRequestComplete : Kind::OneSidedComplete,
         .request = operation});
}

void Otf2Events::add_to_collective(const TimelineMessage& message) {
    Started* call =
        held_depth_ != 0 && blocking_.path == message.path ? &blocking_ : started(message.path, message.begin);
    if (!call)
        return;
    std::uint64_t peers = message.group ? message.group->size : 1;
    if (message.group && !message.with_itself && message.group->has(own_))
        --peers;
    (message.direction == vfd::Direction::Send ? call->sent : call->received) += message.bytes * peers;
}

// The latest call of this path that had begun then.
Otf2Events::Started* Otf2Events::started(std::uint32_t path, std::uint64_t ns) {
    const auto found = std::find_if(started_.rbegin(), started_.rend(),
                                    [&](const Started& call) { return call.path == path && call.begin <= ns; });
    return found == started_.rend() ? nullptr : &*found;
}

void Otf2Events::collective(const TimelineCollective& collective) {
    const Otf2MpiFunction& function = regions_.mpi_function(collective.path);
    const bool blocks = held_depth_ != 0 && !held_.empty() && blocking_.path == collective.path;
    Started* call = blocks ? &blocking_ : started(collective.path, collective.begin);
    const auto taken = communicators_.place_of(collective);
    if (!call || !taken) {
        ++omissions_.collectives;
        return;
    }
    Record record{.ns = collective.end,
                  .kind = blocks ? Kind::CollectiveEnd : Kind::CollectiveComplete,
                  .operation = *function.collective,
                  .rank = taken->root >= 0 ? static_cast<std::uint32_t>(taken->root) : OTF2_COLLECTIVE_ROOT_NONE,
                  .communicator = taken->communicator,
                  .request = call->request};
    if (function.rooted && taken->inter)
        if (const auto itself = communicators_.partner(own_, own_, collective.communicator))
            call->place_if_root = itself->rank;
    if (blocks) {
        held_.front().kind = Kind::CollectiveBegin;
        put(record);
    } else {
        add_messages(*call, record);
        started_.erase(started_.begin() + (call - &started_.front()));
        put(record);
    }
}

// Of an intercommunicator, the root itself has no root and those beside it do not know it: who moves data is the root.
void Otf2Events::add_messages(const Started& call, Record& end) {
    end.sent = call.sent;
    end.received = call.received;
    if (end.rank == OTF2_COLLECTIVE_ROOT_NONE && call.sent + call.received != 0)
        end.rank = call.place_if_root;
}

void Otf2Events::still_open(std::uint64_t ns, std::span<const std::uint32_t> open) {
    TimelineVisitor::still_open(ns, open);
    release();
    put_due(~std::uint64_t{0});
    close_window(last_);
}

// Events come in the order of time; what is due before this one goes first.
void Otf2Events::put(const Record& record) {
    put_due(record.ns);
    pass_on(record);
}

void Otf2Events::put_later(const Record& record) {
    later_.push_back({record, order_++});
    std::push_heap(later_.begin(), later_.end(), comes_after);
}

void Otf2Events::put_due(std::uint64_t ns) {
    while (!later_.empty() && later_.front().record.ns <= ns) {
        std::pop_heap(later_.begin(), later_.end(), comes_after);
        const Record due = later_.back().record;
        later_.pop_back();
        pass_on(due);
    }
}

void Otf2Events::pass_on(const Record& record) {
    if (held_depth_ == 0 || (held_.empty() && record.kind != Kind::Nothing))
        return write(record);
    held_.push_back(record);
    if (held_.size() == MostHeld)
        release();
}

void Otf2Events::release() {
    for (Record& record : held_) {
        if (record.kind == Kind::CollectiveEnd)
            add_messages(blocking_, record);
        write(record);
    }
    held_.clear();
    if (depth_ < held_depth_)
        held_depth_ = 0;
}

void Otf2Events::write(const Record& r) {
    if (r.kind == Kind::Nothing)
        return;
    if (!any_)
        first_ = r.ns;
    any_ = true;
    last_ = r.ns;
    const auto code = [&]() -> OTF2_ErrorCode {
        switch (r.kind) {
        case Kind::Nothing:
            return OTF2_SUCCESS;
        case Kind::Enter:
            return OTF2_EvtWriter_Enter(writer_, nullptr, r.ns, r.rank);
        case Kind::Leave:
            return OTF2_EvtWriter_Leave(writer_, nullptr, r.ns, r.rank);
        case Kind::Send:
            return OTF2_EvtWriter_MpiSend(writer_, nullptr, r.ns, r.rank, r.communicator, r.tag, r.sent);
        case Kind::StartedSend:
            return OTF2_EvtWriter_MpiIsend(writer_, nullptr, r.ns, r.rank, r.communicator, r.tag, r.sent, r.request);
        case Kind::SendComplete:
            return OTF2_EvtWriter_MpiIsendComplete(writer_, nullptr, r.ns, r.request);
        case Kind::ReceiveRequest:
            return OTF2_EvtWriter_MpiIrecvRequest(writer_, nullptr, r.ns, r.request);
        case Kind::Receive:
            return OTF2_EvtWriter_MpiRecv(writer_, nullptr, r.ns, r.rank, r.communicator, r.tag, r.sent);
        case Kind::StartedReceive:
            return OTF2_EvtWriter_MpiIrecv(writer_, nullptr, r.ns, r.rank, r.communicator, r.tag, r.sent, r.request);
        case Kind::CollectiveBegin:
            return OTF2_EvtWriter_MpiCollectiveBegin(writer_, nullptr, r.ns);
        case Kind::CollectiveEnd:
            return OTF2_EvtWriter_MpiCollectiveEnd(writer_, nullptr, r.ns, r.operation, r.communicator, r.rank, r.sent,
                                                   r.received);
        case Kind::CollectiveRequest:
            return OTF2_EvtWriter_NonBlockingCollectiveRequest(writer_, nullptr, r.ns, r.request);
        case Kind::CollectiveComplete:
            return OTF2_EvtWriter_NonBlockingCollectiveComplete(writer_, nullptr, r.ns, r.operation, r.communicator,
                                                                r.rank, r.sent, r.received, r.request);
        case Kind::Put:
            return OTF2_EvtWriter_RmaPut(writer_, nullptr, r.ns, 0, r.rank, r.sent, r.request);
        case Kind::Get:
            return OTF2_EvtWriter_RmaGet(writer_, nullptr, r.ns, 0, r.rank, r.sent, r.request);
        case Kind::OneSidedComplete:
            return OTF2_EvtWriter_RmaOpCompleteBlocking(writer_, nullptr, r.ns, 0, r.request);
        case Kind::OneSidedRequestComplete:
            return OTF2_EvtWriter_RmaOpCompleteNonBlocking(writer_, nullptr, r.ns, 0, r.request);
        case Kind::WindowCreate:
            return OTF2_EvtWriter_RmaWinCreate(writer_, nullptr, r.ns, 0);
        case Kind::WindowDestroy:
            return OTF2_EvtWriter_RmaWinDestroy(writer_, nullptr, r.ns, 0);
        }
        return OTF2_SUCCESS;
    };
    archive_.check(code());
}

} // namespace vftr::exports
