// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that are loaded when they are first needed and never linked, so that where one is not installed only the
// feature is missing that needs it. They stay loaded. Each has a table (X-macros in a .def file) of the functions that
// vftrace calls.
#pragma once

namespace vftr::base {

class OptionalLibrary {
public:
    // Loads the library if this program has the function `needed`. A statically linked program does not have it: there,
    // dlopen would load a second C library beside the program's own.
    explicit OptionalLibrary(const char* name, const char* needed = "dlsym");

    // Whether the library calls the same function of that name as this program. If not, they use two copies of some
    // library, which do not share data.
    bool shares(const char* function) const;

    template <class Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(address_of(name));
    }
    // True if the library is loaded and all functions were found.
    bool complete() const { return complete_; }

private:
    void* address_of(const char* name);

    void* handle_;
    bool complete_;
};

} // namespace vftr::base
