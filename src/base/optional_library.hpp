// SPDX-License-Identifier: BSD-3-Clause
//
// Libraries that are loaded when they are needed, never linked: where one is not installed, nothing is missing but what
// it is for. They stay loaded. Each has a table (X-macros in a .def) of the functions that we call.
#pragma once

namespace vftr::base {

class OptionalLibrary {
public:
    // Loads it if this program has the function `needed`. In a statically linked one nothing is found, and a C library
    // would be loaded beside its own.
    explicit OptionalLibrary(const char* name, const char* needed = "dlsym");

    // Whether it calls the same function of that name as this program: two copies of a library do not know each other's
    // data.
    bool shares(const char* function) const;

    template <class Function>
    void find(const char* name, Function& function) {
        function = reinterpret_cast<Function>(address_of(name));
    }
    // It is loaded, and all that was to be found is there.
    bool complete() const { return complete_; }

private:
    void* address_of(const char* name);

    void* handle_;
    bool complete_;
};

} // namespace vftr::base
