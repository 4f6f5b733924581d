// SPDX-License-Identifier: BSD-3-Clause
//
// The profile format of pprof (https://github.com/google/pprof, proto/profile.proto): a gzip'd message
// perftools.profiles.Profile. A call path is a sample with its calls and its exclusive time; the path's functions are
// written leaf first. As there are no addresses, a function has one location. A profile of one rank, thread or host has
// these as labels "rank", "thread" and "host": texts, because pprof takes the number 0 for no label.
//
// pprof shortens names of C++ that it takes for not yet demangled, those that are equal to the system's name, and so
// would add up overloaded functions. Therefore only names of the C kind have the system's name, which is the same.
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "export/gzip_sink.hpp"
#include "export/object_label_of.hpp"
#include "report/shown_names.hpp"
#include "symbols/qualified_name.hpp"

#include "config.h"

#include <algorithm>
#include <protozero/pbf_builder.hpp>
#include <string>
#include <unordered_map>
#include <vector>

namespace vftr::exports {

namespace {

// The numbers of fields, by message.
using PprofTag = protozero::pbf_tag_type;
enum class PprofProfile : PprofTag {
    SampleType = 1,
    Sample = 2,
    Mapping = 3,
    Location = 4,
    Function = 5,
    StringTable = 6,
    TimeNanos = 9,
    DurationNanos = 10,
    PeriodType = 11,
    Period = 12,
    Comment = 13,
    DefaultSampleType = 14,
};
enum class PprofValueType : PprofTag { Type = 1, Unit = 2 };
enum class PprofSample : PprofTag { LocationId = 1, Value = 2, Label = 3 };
enum class PprofLabel : PprofTag { Key = 1, Str = 2 };
enum class PprofMapping : PprofTag {
    Id = 1,
    Filename = 5,
    BuildId = 6,
    HasFunctions = 7,
    HasFilenames = 8,
    HasLineNumbers = 9,
};
enum class PprofLocation : PprofTag { Id = 1, MappingId = 2, Line = 4 };
enum class PprofLine : PprofTag { FunctionId = 1, Line = 2 };
enum class PprofFunction : PprofTag { Id = 1, Name = 2, SystemName = 3, Filename = 4, StartLine = 5 };

template <class Tag>
using Message = protozero::pbf_builder<Tag>;

// A name that is the same for the linker and for readers, as those of C and Fortran.
bool is_plain_symbol(std::string_view name) {
    return !name.empty() && !name.starts_with("_Z") && std::ranges::all_of(name, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

class PprofWriter {
public:
    PprofWriter(const Subject& subject, Sink& sink) : subject_(subject), gzip_(sink), profile_(data_) { string(""); }

    void write(const Options& options) {
        // By convention what counts comes first. What is shown unless a user chooses is the last one or the default.
        value_type(PprofProfile::SampleType, "calls", "count");
        value_type(PprofProfile::SampleType, "time", "nanoseconds");
        profile_.add_int64(PprofProfile::DefaultSampleType, string(options.weight == Weight::Calls ? "calls" : "time"));
        value_type(PprofProfile::PeriodType, "time", "nanoseconds");
        profile_.add_int64(PprofProfile::Period, 1);
        mapping(subject_.application); // the first one has to be the program
        add_time();
        for (const Part& part : subject_.parts)
            add_samples(part);
        add_comments();
        for (const std::string* text : strings_in_order_) {
            profile_.add_string(PprofProfile::StringTable, *text);
            pass_on();
        }
        gzip_.text(data_);
        gzip_.end();
    }

private:
    struct TextLabel {
        std::int64_t key, text; // strings
    };
    using Labels = std::vector<TextLabel>;

    std::int64_t string(const std::string& text) {
        const auto [place, is_new] = strings_.try_emplace(text, strings_.size());
        if (is_new)
            strings_in_order_.push_back(&place->first);
        return static_cast<std::int64_t>(place->second);
    }

    void value_type(PprofProfile field, const char* type, const char* unit) {
        Message<PprofValueType> message(profile_, field);
        message.add_int64(PprofValueType::Type, string(type));
        message.add_int64(PprofValueType::Unit, string(unit));
    }

    // `module` is the key, such as "plugin.so{1a2b3c4d}".
    std::uint64_t mapping(const std::string& module) {
        const auto [place, is_new] = mappings_.try_emplace(module, mappings_.size() + 1);
        if (is_new) {
            Message<PprofMapping> message(profile_, PprofProfile::Mapping);
            message.add_uint64(PprofMapping::Id, place->second);
            message.add_int64(PprofMapping::Filename, string(symbols::shown_qualifier(module, 0)));
            if (const std::string id = build_id(module); !id.empty())
                message.add_int64(PprofMapping::BuildId, string(id));
            // Otherwise pprof looks for the file, to find names by addresses.
            message.add_bool(PprofMapping::HasFunctions, true);
            message.add_bool(PprofMapping::HasFilenames, !subject_.places.empty());
            message.add_bool(PprofMapping::HasLineNumbers, !subject_.places.empty());
        }
        return place->second;
    }

    // Empty: not known. The program has its label only where ranks run different ones.
    std::string build_id(const std::string& module) const {
        const std::string label = module.substr(0, module.find_last_not_of('*') + 1);
        if (const auto found = subject_.build_ids.find(label); found != subject_.build_ids.end())
            return found->second;
        std::string id;
        if (module == subject_.application)
            for (const auto& [object, its_id] : subject_.build_ids)
                if (symbols::shown_qualifier(object, 0) == module)
                    id = id.empty() || id == its_id ? its_id : "several";
        return id == "several" ? "" : id;
    }

    std::uint64_t location(const analysis::Profile& profile, std::uint32_t node, const std::string& shown) {
        const std::string& key = profile.names[profile.nodes[node].name];
        const std::string object = object_label_of(profile.nodes[node], key, subject_.application);
        const std::uint64_t module = object.empty() ? 0 : mapping(object); // 0: not known
        const auto [place, is_new] =
            locations_.try_emplace(key + '\n' + shown + '\n' + std::to_string(module), locations_.size() + 1);
        const std::uint64_t id = place->second;
        if (!is_new)
            return id;
        const auto [name, qualifier] = symbols::parse_qualified(key);
        const SourcePlace* source = subject_.place_of(profile, node);
        {
            Message<PprofFunction> function(profile_, PprofProfile::Function);
            function.add_uint64(PprofFunction::Id, id);
            function.add_int64(PprofFunction::Name, string(shown));
            if (is_plain_symbol(name))
                function.add_int64(PprofFunction::SystemName, string(std::string(name)));
            if (source || qualifier.starts_with('/'))
                function.add_int64(PprofFunction::Filename, string(source ? source->file : std::string(qualifier)));
            if (source)
                function.add_int64(PprofFunction::StartLine, source->line);
        }
        Message<PprofLocation> location(profile_, PprofProfile::Location);
        location.add_uint64(PprofLocation::Id, id);
        if (module != 0)
            location.add_uint64(PprofLocation::MappingId, module);
        Message<PprofLine> line(location, PprofLocation::Line);
        line.add_uint64(PprofLine::FunctionId, id);
        if (source)
            line.add_int64(PprofLine::Line, source->line);
        return id;
    }

    void add_samples(const Part& part) {
        const analysis::Profile& profile = part.profile;
        const report::ShownNames names(profile);
        // A name can be that of a function and, say, of a region.
        std::unordered_map<std::uint64_t, std::uint64_t> known;
        std::vector<std::uint64_t> path; // from the root to the leaf
        const bool labelled = profile.rank_count == 1 && (profile.world_size > 1 || subject_.parts.size() > 1);
        Labels labels;
        if (labelled)
            labels.push_back({string("rank"), string(std::to_string(profile.first_rank))});
        if (part.thread)
            labels.push_back({string("thread"), string(std::to_string(*part.thread))});
        if (!part.host.empty())
            labels.push_back({string("host"), string(part.host)});
        for (const Visit visit : depth_first(profile)) {
            const analysis::PathNode& node = profile.nodes[visit.node];
            const auto [place, is_new] =
                known.try_emplace(std::uint64_t{node.name} << 8 | static_cast<std::uint64_t>(node.kind));
            if (is_new)
                place->second = location(profile, visit.node, names.of(visit.node));
            path.resize(visit.depth);
            path.push_back(place->second);
            if (node.calls != 0 || node.exclusive != 0)
                add_sample(path, node, labels);
        }
    }

    void add_sample(const std::vector<std::uint64_t>& path, const analysis::PathNode& node, const Labels& labels) {
        {
            Message<PprofSample> sample(profile_, PprofProfile::Sample);
            sample.add_packed_uint64(PprofSample::LocationId, path.rbegin(), path.rend());
            const std::int64_t values[] = {static_cast<std::int64_t>(node.calls),
                                           static_cast<std::int64_t>(node.exclusive)};
            sample.add_packed_int64(PprofSample::Value, std::begin(values), std::end(values));
            for (const auto& [key, text] : labels) {
                Message<PprofLabel> label(sample, PprofSample::Label);
                label.add_int64(PprofLabel::Key, key);
                label.add_int64(PprofLabel::Str, text);
            }
        }
        pass_on();
    }

    void add_time() {
        std::uint64_t start = ~std::uint64_t{0}, duration = 0;
        for (const Part& part : subject_.parts) {
            start = std::min(start, part.profile.summary.start_realtime_ns);
            duration = std::max(duration, part.profile.summary.times.longest);
        }
        profile_.add_int64(PprofProfile::TimeNanos, static_cast<std::int64_t>(start));
        profile_.add_int64(PprofProfile::DurationNanos, static_cast<std::int64_t>(duration));
    }

    void add_comments() {
        std::vector<std::int64_t> comments{string("vftrace " PACKAGE_VERSION)};
        for (const std::string& remark : subject_.remarks)
            comments.push_back(string(remark));
        profile_.add_packed_int64(PprofProfile::Comment, comments.begin(), comments.end());
    }

    void pass_on() {
        constexpr std::size_t Piece = std::size_t{1} << 16;
        if (data_.size() < Piece)
            return;
        gzip_.text(data_);
        data_.clear();
    }

    const Subject& subject_;
    GzipSink gzip_;
    std::string data_; // what is not yet compressed
    Message<PprofProfile> profile_;
    std::unordered_map<std::string, std::uint64_t> strings_, mappings_, locations_; // ids
    std::vector<const std::string*> strings_in_order_;
};

} // namespace

void write_pprof(const Subject& subject, const Options& options, Sink& sink) {
    PprofWriter(subject, sink).write(options);
}

} // namespace vftr::exports
