// SPDX-License-Identifier: BSD-3-Clause
#include "export/otf2/regions.hpp"

#include "export/otf2/archive.hpp"
#include "report/shown_names.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace vftr::exports {

namespace {

using analysis::NodeKind;
using analysis::PathNode;
using analysis::Profile;

struct ConstructRole {
    std::string_view begin; // of the name (vfd/construct_text.hpp)
    OTF2_RegionRole role;
};

constexpr ConstructRole ConstructRoles[] = {
    {"omp parallel", OTF2_REGION_ROLE_PARALLEL},   {"omp for", OTF2_REGION_ROLE_LOOP},
    {"omp sections", OTF2_REGION_ROLE_SECTIONS},   {"omp single", OTF2_REGION_ROLE_SINGLE},
    {"omp barrier", OTF2_REGION_ROLE_BARRIER},     {"omp implicit barrier", OTF2_REGION_ROLE_IMPLICIT_BARRIER},
    {"omp critical", OTF2_REGION_ROLE_CRITICAL},   {"omp lock", OTF2_REGION_ROLE_CRITICAL},
    {"omp ordered", OTF2_REGION_ROLE_ORDERED},     {"omp atomic", OTF2_REGION_ROLE_ATOMIC},
    {"omp taskwait", OTF2_REGION_ROLE_TASK_WAIT},  {"omp taskgroup", OTF2_REGION_ROLE_TASK_WAIT},
    {"omp taskloop", OTF2_REGION_ROLE_LOOP},       {"omp task", OTF2_REGION_ROLE_TASK},
    {"omp distribute", OTF2_REGION_ROLE_LOOP},     {"omp masked", OTF2_REGION_ROLE_MASTER},
    {"omp workshare", OTF2_REGION_ROLE_WORKSHARE},
};

OTF2_RegionRole role_of_construct(std::string_view name) {
    for (const ConstructRole& known : ConstructRoles)
        if (name.starts_with(known.begin))
            return known.role;
    return OTF2_REGION_ROLE_CODE;
}

struct Nature {
    OTF2_Paradigm paradigm;
    OTF2_RegionRole role;
};

Nature nature_of(NodeKind kind, std::string_view name, const Otf2MpiFunction& mpi) {
    switch (kind) {
    case NodeKind::Mpi:
        return {OTF2_PARADIGM_MPI, mpi.role};
    case NodeKind::OpenMp:
        return {OTF2_PARADIGM_OPENMP, role_of_construct(name)};
    case NodeKind::Region:
        return {OTF2_PARADIGM_USER, OTF2_REGION_ROLE_CODE};
    case NodeKind::Root:
    case NodeKind::Pause:
    case NodeKind::Overflow:
        return {OTF2_PARADIGM_MEASUREMENT_SYSTEM, OTF2_REGION_ROLE_ARTIFICIAL};
    default:
        return {OTF2_PARADIGM_COMPILER, OTF2_REGION_ROLE_FUNCTION};
    }
}

} // namespace

Otf2Regions::Otf2Regions(const Subject& subject) : subject_(subject) {
    const Profile& paths = subject.timeline->paths();
    std::map<std::pair<std::uint32_t, NodeKind>, OTF2_RegionRef> known;
    for (std::uint32_t path = 0; path < paths.nodes.size(); ++path) {
        const PathNode& node = paths.nodes[path];
        const auto [place, is_new] =
            known.try_emplace({node.name, node.kind}, static_cast<OTF2_RegionRef>(first_.size()));
        if (is_new) {
            first_.push_back(path);
            mpi_.push_back(node.kind == NodeKind::Mpi ? otf2_mpi_function(paths.names[node.name]) : Otf2MpiFunction{});
        }
        regions_.push_back(place->second);
    }
}

bool Otf2Regions::has(NodeKind kind) const {
    const Profile& paths = subject_.timeline->paths();
    return std::any_of(first_.begin(), first_.end(),
                       [&](std::uint32_t path) { return paths.nodes[path].kind == kind; });
}

bool Otf2Regions::make_windows() const {
    return std::any_of(mpi_.begin(), mpi_.end(), [](const Otf2MpiFunction& function) { return function.windows > 0; });
}

void Otf2Regions::define(Otf2Definitions& definitions) const {
    const Profile& paths = subject_.timeline->paths();
    const report::ShownNames names(paths);
    OTF2_GlobalDefWriter* writer = definitions.writer();
    for (OTF2_RegionRef region = 0; region < first_.size(); ++region) {
        const std::uint32_t path = first_[region];
        const std::string& name = paths.names[paths.nodes[path].name];
        const Nature nature = nature_of(paths.nodes[path].kind, name, mpi_[region]);
        const SourcePlace* place = subject_.place_of(paths, path);
        const OTF2_StringRef shown = definitions.string(names.of(path)),
                             file = definitions.string(place ? place->file : ""), description = definitions.string("");
        definitions.check(OTF2_GlobalDefWriter_WriteRegion(writer, region, shown, shown, description, nature.role,
                                                           nature.paradigm, OTF2_REGION_FLAG_NONE, file,
                                                           place ? place->line : 0, 0));
    }
    for (std::uint32_t path = 0; path < regions_.size(); ++path)
        definitions.check(OTF2_GlobalDefWriter_WriteCallpath(
            writer, path, path == 0 ? OTF2_UNDEFINED_CALLPATH : paths.nodes[path].parent, regions_[path]));
}

} // namespace vftr::exports
