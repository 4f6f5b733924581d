// SPDX-License-Identifier: BSD-3-Clause
//
// vftrace for C++ (C++11 and later; with -fno-exceptions and -fno-rtti as well): nothing but this header.
//
//   vftrace::region loop{"loop"};      a region from here to the end of the block, or to loop.end()
//   vftrace::pause_guard quiet;        nothing is recorded from here to the end of the block
//   std::string path = vftrace::call_path();
//
// and the macros of vftrace_macros.h. As there, all of this does nothing, and leaves no code behind, where <vftrace.h>
// is not found or VFTRACE_DISABLE is defined, so that a project may carry copies of both headers.
//
// Nothing of it appears in the profile itself. What std::string and std::string_view do in an instrumented program
// does, as everywhere else: names that are const char * are without it, and are not copied.
#ifndef VFTRACE_HPP
#define VFTRACE_HPP

#include "vftrace_macros.h"

#include <stdlib.h>
#include <string>
#if __cplusplus >= 201703L
#include <string_view>
#endif

namespace vftrace {

#if VFTRACE_AVAILABLE

// Its types are not those without vftrace, should a program be of both.
inline namespace available {

// A region that lives as long as the object, which begins and ends on one thread. It can be handed out of a function
// (it then moves on to the caller), but not copied or assigned: regions nest as blocks do.
class region {
public:
    // The characters stay until the region ends, as those of a literal do. A null pointer counts as "".
    VFTRACE_UNSEEN_ explicit region(const char *name) noexcept { begin(name); }

    // These are copied. Where there is no memory for it, the region's name is empty.
    VFTRACE_UNSEEN_ explicit region(const std::string &name) noexcept { begin_copy(name.data(), name.size()); }
#if __cplusplus >= 201703L
    VFTRACE_UNSEEN_ explicit region(std::string_view name) noexcept { begin_copy(name.data(), name.size()); }
#endif

    VFTRACE_UNSEEN_ region(region &&other) noexcept : name_(other.name_), copy_(other.copy_), open_(other.open_)
    {
        other.copy_ = nullptr;
        other.open_ = false;
    }
    region(const region &) = delete;
    region &operator=(const region &) = delete;

    VFTRACE_UNSEEN_ ~region() { end(); }

    // Ends the region before its time; a second time it does nothing.
    VFTRACE_UNSEEN_ void end() noexcept
    {
        if (!open_)
            return;
        open_ = false;
        vftrace_region_end(name_);
        ::free(copy_);
        copy_ = nullptr;
    }

private:
    VFTRACE_UNSEEN_ void begin(const char *name) noexcept
    {
        name_ = name;
        vftrace_region_begin(name);
    }
    VFTRACE_UNSEEN_ void begin_copy(const char *data, size_t size) noexcept
    {
        copy_ = static_cast<char *>(::malloc(size + 1));
        if (copy_) {
            __builtin_memcpy(copy_, data, size);
            copy_[size] = '\0';
        }
        begin(copy_);
    }

    const char *name_ = nullptr;
    char *copy_ = nullptr;
    bool open_ = true;
};

// Recording stops on all threads as the object is made, and goes on as it is destroyed. Pausing twice is pausing once:
// of two guards the one that goes first takes the recording up again.
class pause_guard {
public:
    VFTRACE_UNSEEN_ pause_guard() noexcept { vftrace_pause(); }
    VFTRACE_UNSEEN_ ~pause_guard() { vftrace_resume(); }
    pause_guard(const pause_guard &) = delete;
    pause_guard &operator=(const pause_guard &) = delete;
};

// The call path of the calling thread, innermost function first, e.g. "solve<main<init"; empty where nothing is
// recorded.
VFTRACE_UNSEEN_ std::string call_path()
{
    struct Stack {
        char *text;
        VFTRACE_UNSEEN_ Stack() : text(vftrace_get_stack()) {}
        VFTRACE_UNSEEN_ ~Stack() { ::free(text); }
    } stack;
    std::string path;
    if (stack.text)
        path.assign(stack.text, __builtin_strlen(stack.text));
    return path;
}

} // namespace available

#else

// The same to write, and nothing to run: not even destructors.
inline namespace absent {

#define VFTRACE_NOTHING_ inline __attribute__((always_inline, no_instrument_function))

class region {
public:
    VFTRACE_NOTHING_ explicit region(const char *) noexcept {}
    VFTRACE_NOTHING_ explicit region(const std::string &) noexcept {}
#if __cplusplus >= 201703L
    VFTRACE_NOTHING_ explicit region(std::string_view) noexcept {}
#endif
    VFTRACE_NOTHING_ region(region &&) noexcept {}
    region(const region &) = delete;
    region &operator=(const region &) = delete;
    VFTRACE_NOTHING_ void end() noexcept {}
};

class pause_guard {
public:
    VFTRACE_NOTHING_ pause_guard() noexcept {}
    pause_guard(const pause_guard &) = delete;
    pause_guard &operator=(const pause_guard &) = delete;
};

VFTRACE_NOTHING_ std::string call_path() { return std::string(); }

#undef VFTRACE_NOTHING_

} // namespace absent

#endif

} // namespace vftrace

#endif
