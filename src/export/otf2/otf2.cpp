// SPDX-License-Identifier: BSD-3-Clause
//
// The Open Trace Format 2 (https://www.vi-hps.org, "OTF2 documentation" and the headers of libotf2), which Vampir,
// Scalasca and Pipit read: a folder with an anchor file, global definitions, and two files for each location. Processes
// are location groups, threads are locations; there is a node of the system tree for each host.
//
// All times are on rank 0's clock already, so the offsets of the clocks are 0, with the error that was measured as
// their deviation. The calls of a killed process end at its last event, as most readers want an end of each. What was
// lost or left out is in properties of the archive (VFTRACE::REMARK_1 …), which otf2-print -I shows.
//
// Ranks without a timeline here are locations without events: the members of MPI_COMM_WORLD are numbered by place.
#include "base/foreign_text.hpp"
#include "export/format.hpp"
#include "export/otf2/archive.hpp"
#include "export/otf2/communicators.hpp"
#include "export/otf2/events.hpp"
#include "export/otf2/regions.hpp"
#include "vfd/header_fields.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace vftr::exports {

namespace {

using analysis::RunProcess;
using analysis::RunThread;
using analysis::RunTimeline;

class Otf2Export {
public:
    Otf2Export(const Subject& subject, const std::string& folder)
        : subject_(subject), run_(*subject.timeline), regions_(subject), communicators_(run_, regions_),
          locations_(run_.threads().size()), location_of_rank_(ranks_by_location()),
          archive_(folder, locations_ + absent_.size()) {}

    void write() {
        write_events();
        write_clocks();
        define();
        note_remarks();
        archive_.close();
    }

private:
    // By rank: the location of its MPI, which is that of its first thread.
    std::vector<std::uint64_t> ranks_by_location() {
        std::vector<std::uint64_t> result(communicators_.ranks(), OTF2_UNDEFINED_LOCATION);
        for (std::size_t i = 0; i < run_.threads().size(); ++i) {
            const RunProcess& process = run_.processes()[run_.threads()[i].process];
            const std::uint32_t flags = process.image->header().flags;
            const bool is_rank = (flags & vfd::FlagMpi) && !(flags & vfd::FlagForked);
            if (is_rank && process.rank < result.size() && result[process.rank] == OTF2_UNDEFINED_LOCATION)
                result[process.rank] = i;
        }
        for (std::uint32_t rank = 0; rank < result.size(); ++rank)
            if (result[rank] == OTF2_UNDEFINED_LOCATION) {
                result[rank] = locations_ + absent_.size();
                absent_.push_back(rank);
            }
        return result;
    }

    void check(OTF2_ErrorCode code) const { archive_.check(code); }

    void write_events() {
        check(OTF2_Archive_OpenEvtFiles(archive_.get()));
        for (std::uint64_t id = 0; id < locations_ + absent_.size(); ++id) {
            OTF2_EvtWriter* writer = archive_.check(OTF2_Archive_GetEvtWriter(archive_.get(), id));
            if (id < locations_)
                write_events_of(run_.threads()[id], writer);
            std::uint64_t count = 0;
            check(OTF2_EvtWriter_GetNumberOfEvents(writer, &count));
            event_counts_.push_back(count);
            check(OTF2_Archive_CloseEvtWriter(archive_.get(), writer));
        }
        check(OTF2_Archive_CloseEvtFiles(archive_.get()));
    }
    void write_events_of(const RunThread& thread, OTF2_EvtWriter* writer) {
        Otf2Events events(archive_, writer, regions_, communicators_, run_.processes()[thread.process].rank,
                          omissions_);
        run_.visit(thread, events);
        if (!events.any())
            return;
        first_ = any_ ? std::min(first_, events.first()) : events.first();
        last_ = std::max(last_, events.last());
        any_ = true;
    }

    void write_clocks() {
        check(OTF2_Archive_OpenDefFiles(archive_.get()));
        for (std::uint64_t id = 0; id < locations_ + absent_.size(); ++id) {
            OTF2_DefWriter* writer = archive_.check(OTF2_Archive_GetDefWriter(archive_.get(), id));
            if (id < locations_) {
                const auto error = static_cast<double>(run_.processes()[run_.threads()[id].process].clock.error_ns());
                check(OTF2_DefWriter_WriteClockOffset(writer, first_, 0, error));
                if (last_ > first_)
                    check(OTF2_DefWriter_WriteClockOffset(writer, last_, 0, error));
            }
            check(OTF2_Archive_CloseDefWriter(archive_.get(), writer));
        }
        check(OTF2_Archive_CloseDefFiles(archive_.get()));
    }

    void define() {
        Otf2Definitions definitions(archive_);
        OTF2_GlobalDefWriter* writer = definitions.writer();
        check(OTF2_GlobalDefWriter_WriteClockProperties(writer, 1'000'000'000, first_, last_ - first_ + 1,
                                                        run_.start_realtime() + first_));
        if (communicators_.any())
            define_paradigm(definitions, OTF2_PARADIGM_MPI, "MPI", OTF2_PARADIGM_CLASS_PROCESS);
        if (regions_.has(analysis::NodeKind::OpenMp))
            define_paradigm(definitions, OTF2_PARADIGM_OPENMP, "OpenMP", OTF2_PARADIGM_CLASS_THREAD_FORK_JOIN);
        define_system(definitions);
        define_locations(definitions);
        regions_.define(definitions);
        if (communicators_.any())
            communicators_.define(definitions, location_of_rank_);
    }

    void define_paradigm(Otf2Definitions& definitions, OTF2_Paradigm paradigm, const char* name,
                         OTF2_ParadigmClass kind) {
        check(OTF2_GlobalDefWriter_WriteParadigm(definitions.writer(), paradigm, definitions.string(name), kind));
    }

    void define_node(Otf2Definitions& definitions, OTF2_SystemTreeNodeRef id, const std::string& name, const char* kind,
                     OTF2_SystemTreeNodeRef parent, OTF2_SystemTreeDomain domain) {
        const OTF2_StringRef shown = definitions.string(name), class_name = definitions.string(kind);
        check(OTF2_GlobalDefWriter_WriteSystemTreeNode(definitions.writer(), id, shown, class_name, parent));
        check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(definitions.writer(), id, domain));
    }

    void define_system(Otf2Definitions& definitions) {
        define_node(definitions, 0, "hosts of " + subject_.application, "machine", OTF2_UNDEFINED_SYSTEM_TREE_NODE,
                    OTF2_SYSTEM_TREE_DOMAIN_MACHINE);
        for (const RunProcess& process : run_.processes()) {
            const auto id = static_cast<OTF2_SystemTreeNodeRef>(nodes_.size() + 1);
            if (nodes_.try_emplace(process.host, id).second)
                define_node(definitions, id, process.host, "node", 0, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY);
        }
    }

    void define_group(Otf2Definitions& definitions, OTF2_LocationGroupRef id, const std::string& title,
                      OTF2_SystemTreeNodeRef node) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(definitions.writer(), id, definitions.string(title),
                                                      OTF2_LOCATION_GROUP_TYPE_PROCESS, node,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
    }
    void define_location(Otf2Definitions& definitions, std::uint64_t id, std::uint32_t thread,
                         OTF2_LocationGroupRef group) {
        check(OTF2_GlobalDefWriter_WriteLocation(definitions.writer(), id,
                                                 definitions.string("thread " + std::to_string(thread)),
                                                 OTF2_LOCATION_TYPE_CPU_THREAD, event_counts_[id], group));
    }

    void define_locations(Otf2Definitions& definitions) {
        const auto processes = static_cast<OTF2_LocationGroupRef>(run_.processes().size());
        for (OTF2_LocationGroupRef i = 0; i < processes; ++i) {
            const RunProcess& process = run_.processes()[i];
            define_group(definitions, i, process.title, nodes_.at(process.host));
            property(definitions, i, "command", base::foreign_text(vfd::string_of(process.image->header().executable)));
            property(definitions, i, "process id", std::to_string(process.image->header().pid));
        }
        for (std::uint64_t id = 0; id < locations_; ++id)
            define_location(definitions, id, run_.threads()[id].index, run_.threads()[id].process);
        for (std::uint32_t i = 0; i < absent_.size(); ++i) {
            define_group(definitions, processes + i, "rank " + std::to_string(absent_[i]) + " (not exported)", 0);
            define_location(definitions, locations_ + i, 0, processes + i);
        }
    }

    void property(Otf2Definitions& definitions, OTF2_LocationGroupRef group, const char* name,
                  const std::string& text) {
        OTF2_AttributeValue value;
        value.stringRef = definitions.string(text);
        check(OTF2_GlobalDefWriter_WriteLocationGroupProperty(definitions.writer(), group, definitions.string(name),
                                                              OTF2_TYPE_STRING, value));
    }

    // Names of properties are capitals, digits and _, behind a name space.
    void note_remarks() {
        std::vector<std::string> remarks = subject_.remarks;
        const auto ended = [](const RunProcess& process) { return process.ended; };
        if (!std::all_of(run_.processes().begin(), run_.processes().end(), ended))
            remarks.push_back("Calls of processes that were killed or still ran end at the last event of their thread");
        if (!absent_.empty())
            remarks.push_back(std::to_string(absent_.size()) + " ranks have no events, as they were not exported");
        if (omissions_.foreign != 0)
            remarks.push_back(std::to_string(omissions_.foreign) + " messages with ranks of other jobs are left out");
        if (omissions_.collectives != 0)
            remarks.push_back(std::to_string(omissions_.collectives) +
                              " collective calls have no record but their call, as their operation or members are not "
                              "known");
        check(OTF2_Archive_SetDescription(archive_.get(), subject_.application.c_str()));
        for (std::size_t i = 0; i < remarks.size(); ++i)
            check(OTF2_Archive_SetProperty(archive_.get(), ("VFTRACE::REMARK_" + std::to_string(i + 1)).c_str(),
                                           remarks[i].c_str(), true));
    }

    const Subject& subject_;
    const RunTimeline& run_;
    Otf2Regions regions_;
    Otf2Communicators communicators_;
    std::uint64_t locations_;                     // those with a timeline
    std::vector<std::uint32_t> absent_;           // ranks without, whose locations come after those
    std::vector<std::uint64_t> location_of_rank_; // by rank
    Otf2Archive archive_;
    Otf2Omissions omissions_;
    std::vector<std::uint64_t> event_counts_; // by location
    std::map<std::string, OTF2_SystemTreeNodeRef> nodes_;
    bool any_ = false;
    std::uint64_t first_ = 0, last_ = 0; // of all events
};

} // namespace

void write_otf2(const Subject& subject, const Options&, const std::string& folder) {
    if (subject.timeline->threads().empty())
        throw std::runtime_error("no thread is selected, and readers of OTF2 want one");
    Otf2Export(subject, folder).write();
}

} // namespace vftr::exports
