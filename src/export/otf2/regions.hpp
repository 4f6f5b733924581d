// SPDX-License-Identifier: BSD-3-Clause
//
// The regions of OTF2, which are what a profile's call paths are calls of: a name of the kind of a path. Each has its
// paradigm (who provides it) and its role (what it does), by which viewers choose colours and groups, and what it is to
// MPI, which the events ask for.
#pragma once

#include "export/format.hpp"
#include "export/otf2/mpi.hpp"

#include <cstdint>
#include <vector>

namespace vftr::exports {

class Otf2Definitions;

class Otf2Regions {
public:
    // The subject, which has a timeline, must outlive it.
    explicit Otf2Regions(const Subject& subject);

    // `path` is an index into RunTimeline::paths().nodes.
    OTF2_RegionRef of(std::uint32_t path) const { return regions_[path]; }
    const Otf2MpiFunction& mpi_function(std::uint32_t path) const { return mpi_[regions_[path]]; }

    bool has(analysis::NodeKind kind) const;
    bool make_windows() const; // whether any function does

    // Writes regions and call paths.
    void define(Otf2Definitions& definitions) const;

private:
    const Subject& subject_;
    std::vector<OTF2_RegionRef> regions_; // by path
    std::vector<std::uint32_t> first_;    // by region: a path of it
    std::vector<Otf2MpiFunction> mpi_;    // by region
};

} // namespace vftr::exports
