// SPDX-License-Identifier: BSD-3-Clause
//
// The arguments of an MPI call as a wrapper has them in each language, and how to read them. Nothing is converted
// before its value is needed: until then a Fortran argument is an address, and most calls record few of their
// arguments.
#pragma once

#include "base/compiler.hpp"
#include "mpi/library.hpp"

#include <atomic>

namespace vftr::mpi {

// When the data of a call moves: before the call returns (Plain), before its request completes (Start), or at each
// start of its persistent request (Init).
enum class Kind { Plain, Start, Init };

// Arrays, of C or Fortran: Numbers has counts of either width, Handles has handles.
class Numbers {
public:
    Numbers() = default;
    Numbers(const int* items) : small_(items) {}
    Numbers(const MPI_Count* items) : large_(items) {}
    MPI_Count operator[](std::int32_t i) const { return small_ ? small_[i] : large_[i]; }

private:
    const int* small_ = nullptr;
    const MPI_Count* large_ = nullptr;
};
static_assert(sizeof(MPI_Fint) == sizeof(int));

template <class Handle>
class Handles {
public:
    Handles() = default;
    Handles(const Handle* items) : c_(items) {}
    static Handles fortran(const MPI_Fint* items) {
        Handles handles;
        handles.fortran_ = items;
        return handles;
    }
    Handle operator[](std::int32_t i) const { return fortran_ ? handle_of<Handle>(fortran_[i]) : c_[i]; }
    // The address of a handle variable; it distinguishes requests with equal handles.
    const void* address(std::int32_t i) const { return fortran_ ? static_cast<const void*>(fortran_ + i) : c_ + i; }

private:
    const Handle* c_ = nullptr;
    const MPI_Fint* fortran_ = nullptr;
};
using Types = Handles<MPI_Datatype>;
using RequestArray = Handles<MPI_Request>;

struct C {
    using Int = int;
    using Number = MPI_Count;
    using NumberArray = Numbers;
    using Comm = MPI_Comm;
    using Type = MPI_Datatype;
    using TypeArray = const MPI_Datatype*;
    using Win = MPI_Win;
    using Op = MPI_Op;
    using Buffer = const void*;
    using IntResult = const int*;
    using IntResults = const int*;
    using RequestItems = const MPI_Request*;
    using StatusVariable = MPI_Status*;
    using StatusItem = MPI_Status;
    static constexpr int FirstIndex = 0;
    static constexpr bool IndexMayBeWrong = false;
    static constexpr bool HandlesAreC = true;

    // A handle variable, or just the handle if the C function takes it by value.
    template <class Handle>
    class Variable {
    public:
        Variable() = default;
        Variable(const Handle* variable) : variable_(variable) {}
        Variable(Handle value) : value_(value) {}
        Handle handle() const { return variable_ ? *variable_ : value_; }
        const void* address() const { return variable_; }

    private:
        const Handle* variable_ = nullptr;
        Handle value_{};
    };

    static bool in_place(const void* buffer) { return buffer == MPI_IN_PLACE; }
    static bool ignored(const MPI_Status* status) { return status == MPI_STATUS_IGNORE; }
    static bool all_ignored(const MPI_Status* statuses) { return statuses == MPI_STATUSES_IGNORE; }
    static bool knows_ignored() { return true; }
    static MPI_Status value(const MPI_Status& status) { return status; }
    static Types types(const MPI_Datatype* items) { return items; }
    static RequestArray requests(const MPI_Request* items) { return items; }
};

// A Fortran argument for which a row of the table gives a number.
template <MPI_Fint value>
inline constexpr MPI_Fint literal = value;

// An int or MPI_Count argument. If a call has no such argument, its value is 1.
class FortranNumber {
public:
    FortranNumber(MPI_Count value = 1) : value_(value) {}
    FortranNumber(const MPI_Fint* at) : small_(at) {}
    FortranNumber(const MPI_Count* at) : large_(at) {}
    operator MPI_Count() const { return small_ ? *small_ : large_ ? *large_ : value_; }

private:
    const MPI_Fint* small_ = nullptr;
    const MPI_Count* large_ = nullptr;
    MPI_Count value_ = 1;
};

struct Fortran {
    template <class Handle>
    class Argument {
    public:
        Argument(const MPI_Fint* at = nullptr) : at_(at) {}
        operator Handle() const { return at_ ? handle_of<Handle>(*at_) : Handle{}; }

    private:
        const MPI_Fint* at_;
    };
    using Int = FortranNumber;
    using Number = FortranNumber;
    using NumberArray = Numbers;
    using Comm = Argument<MPI_Comm>;
    using Type = Argument<MPI_Datatype>;
    using TypeArray = const MPI_Fint*;
    using Win = Argument<MPI_Win>;
    using Op = Argument<MPI_Op>;
    using Buffer = const void*;
    using IntResult = const MPI_Fint*;
    using IntResults = const MPI_Fint*;
    using RequestItems = const MPI_Fint*;
    using StatusVariable = MPI_Fint*;
    // In both modules a status has the bytes of a C status in it.
    struct alignas(MPI_Status) StatusItem {
        MPI_Fint words[sizeof(MPI_Status) / sizeof(MPI_Fint)];
    };
    static constexpr int FirstIndex = 1;
    static constexpr bool IndexMayBeWrong = false;
    static constexpr bool HandlesAreC = false;

    template <class Handle>
    class Variable {
    public:
        Variable(const MPI_Fint* variable = nullptr) : variable_(variable) {}
        Handle handle() const { return handle_of<Handle>(*variable_); }
        const void* address() const { return variable_; }

    private:
        const MPI_Fint* variable_;
    };

    static bool is_one_of(const void* address, void* const* const (&variables)[2]) {
        return (variables[0] && *variables[0] == address) || (variables[1] && *variables[1] == address);
    }
    static bool in_place(const void* buffer) {
        static std::atomic<bool> found{false};
        if (VFTR_UNLIKELY(!found.load(std::memory_order_acquire))) {
            find_in_place();
            found.store(true, std::memory_order_release);
        }
        if (library.in_place && *library.in_place == buffer)
            return true;
        for (const void* place : library.in_place_itself)
            if (place && place == buffer)
                return true;
        return false;
    }
    static bool ignored(const MPI_Fint* status) { return is_one_of(status, library.status_ignore); }
    static bool all_ignored(const MPI_Fint* statuses) { return is_one_of(statuses, library.statuses_ignore); }
    // MPICH learns the addresses of mpif.h's constants at the first Fortran call.
    static bool knows_ignored() { return library.status_ignore[0] && *library.status_ignore[0]; }
    static MPI_Status value(const StatusItem& status) {
        MPI_Status converted;
        library.Status_f2c(status.words, &converted);
        return converted;
    }
    static Types types(const MPI_Fint* items) { return Types::fortran(items); }
    static RequestArray requests(const MPI_Fint* items) { return RequestArray::fortran(items); }
};

struct Fortran2008 : Fortran {
    // MPICH 4.0 counts indices from 0 here.
    static constexpr bool IndexMayBeWrong = true;
    static bool knows_ignored() {
        void* const* own = library.status_ignore[1];
        return own ? *own != nullptr : Fortran::knows_ignored();
    }
};

// For mpi_f08 of MPICH: a choice buffer is a descriptor, which begins with the address.
struct FortranDescriptor : Fortran2008 {
    static bool in_place(const void* descriptor) {
        return descriptor && Fortran::in_place(*static_cast<const void* const*>(descriptor));
    }
};

// The status that a call passes on: the program's, or the slot's own if the program wants none and the recorder needs
// one.
template <class L>
class StatusSlot {
public:
    using Variable = typename L::StatusVariable;
    StatusSlot(Variable given, bool wanted) : passed_(given), readable_(wanted && L::knows_ignored()) {
        if (readable_ && L::ignored(given))
            passed_ = reinterpret_cast<Variable>(&own_);
    }
    StatusSlot(const StatusSlot&) = delete;
    StatusSlot& operator=(const StatusSlot&) = delete;
    Variable passed() const { return passed_; }
    bool readable() const { return readable_; }
    MPI_Status value() const { return L::value(*reinterpret_cast<const typename L::StatusItem*>(passed_)); }

private:
    Variable passed_;
    bool readable_;
    typename L::StatusItem own_;
};

} // namespace vftr::mpi
