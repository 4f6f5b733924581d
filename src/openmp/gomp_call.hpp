// SPDX-License-Identifier: BSD-3-Clause
//
// A call of an entry point of libgomp by the program, and what most of these calls mean for the call tree. The wrappers
// that are made from gomp.table use these classes.
//
// An action is constructed before the runtime's function is called, and done() ends it afterwards. There are no
// destructors: nothing that these functions call throws, and if a thread ends within one of them (pthread_exit,
// cancellation), its frames are unwound without them; the recorder notices that an entry is gone when the surrounding
// function is left.
#pragma once

#include "openmp/gomp_entry.hpp"
#include "openmp/open_construct.hpp"
#include "openmp/program_text.hpp"
#include "record/entries/constructs.hpp"

#include <cstdint>

namespace vftr::openmp {

using vfd::Construct;

class Call {
public:
    // `code`: the return address of the call; `frame`: the caller's stack pointer.
    Call(Entry& entry, const char* name, const void* code, const void* frame)
        : code_(place_in_program(code)), stack_pointer_(reinterpret_cast<std::uint64_t>(frame)),
          target_(entry.target(name, code)), records_(!left_to_ompt(target_)) {
        if (VFTR_UNLIKELY(!records_)) {
            outer_ = detail::passed_on;
            detail::passed_on = code;
        }
    }
    // To be called after the runtime's function.
    void done() const {
        if (VFTR_UNLIKELY(!records_))
            detail::passed_on = outer_;
    }

    template <typename Function>
    Function* real() const {
        return reinterpret_cast<Function*>(target_);
    }
    const void* code() const { return code_; }
    std::uint64_t key(Construct construct) const { return record::construct_key(construct, code_); }

    // Enters the construct and returns its key, 0 if nothing is recorded.
    std::uint64_t enter(Construct construct) const {
        return records_ && record::enter_construct(key(construct), 0, stack_pointer_) ? key(construct) : 0;
    }
    // The path of a task that is made here; its thread is NoThread if the task is not recorded.
    record::CallInstance place_of(Construct construct) const {
        return records_ ? record::place_of_construct(key(construct), stack_pointer_)
                        : record::CallInstance{vfd::NoThread, vfd::NoNode, 0};
    }
    bool records() const { return records_; }
    // The same call, for a construct whose code the compiler has made the function `body`. The construct is then
    // located at the beginning of that function: the call of the runtime has no line of its own, and may be a jump at
    // the end of the function that contains it.
    Call with_text(const void* body) const {
        Call call = *this;
        call.code_ = call_at_begin_of(body);
        return call;
    }

private:
    const void* code_;
    std::uint64_t stack_pointer_;
    void* target_;
    bool records_;
    const void* outer_ = nullptr;
};

// The construct lasts as long as the call.
class Wait {
public:
    Wait(const Call& call, Construct construct) : key_(call.enter(construct)) {}
    void done() const {
        if (key_)
            record::leave_construct(key_);
    }

private:
    std::uint64_t key_;
};

// The construct begins with this call.
class Begin {
public:
    Begin(const Call& call, Construct construct) { call.enter(construct); }
    void done() const {}
};

// Leaves the innermost open entry of the construct in the present region.
inline void leave_open(Construct construct) {
    if (const std::uint64_t key = open_construct(construct))
        record::leave_construct(key);
}

class End {
public:
    End(const Call& call, Construct construct) {
        if (call.records())
            leave_open(construct);
    }
    void done() const {}
};

class Finish {
public:
    Finish(const Call& call, Construct construct) : construct_(construct), records_(call.records()) {}
    void done() const {
        if (records_)
            leave_open(construct_);
    }

private:
    Construct construct_;
    bool records_;
};

} // namespace vftr::openmp
