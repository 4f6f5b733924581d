// SPDX-License-Identifier: BSD-3-Clause
//
// Whether a function is one of `sampling.precise_functions`. The recorder asks once per function,
// when it is first seen.
#pragma once

#include "symbols/module_names.hpp"
#include "symbols/pattern.hpp"

namespace vftr::symbols {

// The first question about a module opens and indexes its file; the index is kept. It allocates:
// not for the hook path. One thread at a time.
class PreciseFilter {
public:
    // An expression that does not compile matches nothing (the configuration has reported it).
    PreciseFilter(std::string_view expression, NameOptions options, NameSources sources = {});

    // The expression is matched against the name as the tables show it.
    bool matches(const Module& module, std::uint64_t address);

private:
    Pattern pattern_;
    ModuleNames names_;
};

} // namespace vftr::symbols
