// SPDX-License-Identifier: BSD-3-Clause
//
// Options that are lists of small objects: hwprof.counters, hwprof.observables and filter.triggers.
#include "config/section.hpp"
#include "config/value.hpp"

#include <set>

namespace vftr::config {
namespace {

template <class Record>
const Field<Record>* find_field(std::string_view name) {
    for (const Field<Record>& field : fields(static_cast<Record*>(nullptr)))
        if (field.name == name)
            return &field;
    return nullptr;
}

template <class Record>
void read_string(const std::string& path, const Entry& item, const Field<Record>& field, Problems& problems,
                 Record& record) {
    auto value = read_string(path, item, "a string that is not empty", problems);
    if (value && value->empty() && field.required)
        wrong_value(path, item, "a string that is not empty", problems);
    else if (value)
        record.*std::get<std::string Record::*>(field.member) = std::move(*value);
}

template <class Record>
void read_field(const std::string& path, const Entry& item, const Field<Record>& field, Problems& problems,
                Record& record) {
    if (field.type == Type::Text)
        return read_string(path, item, field, problems, record);
    std::visit([&](auto member) { read_member(path, field.type, field.check, item, problems, record.*member); },
               field.member);
}

// Describes the allowed values, if not all strings are allowed.
template <class Record>
std::string allowed_text(const Field<Record>& field) {
    return field.type == Type::Text ? "" : "\nAllowed is " + allowed(like(field.name, field.type, field.check)) + ".";
}

template <class Record>
void read_record(const std::string& path, const Entry& entry, std::string_view text, Problems& problems,
                 Record& record) {
    std::vector<std::string_view> valid;
    for (const Field<Record>& field : fields(&record))
        valid.push_back(field.name);

    std::set<std::string_view> seen;
    for_each_key(path, entry, text, problems, [&](const Entry& item) {
        std::string_view name = item.node->string;
        const Field<Record>* field = find_field<Record>(name);
        if (!field)
            return warn_unknown(path, item, valid, problems);
        seen.insert(field->name);
        read_field(join(path, name), item, *field, problems, record);
    });
    for (const Field<Record>& field : fields(&record))
        if (field.required && !seen.contains(field.name) && !problems.is_incomplete())
            problems.error(entry.value_at, path,
                           json_string(path) + " has no " + json_string(field.name) + "." + allowed_text(field));
}

template <class Record>
void read_records(const Option& option, const Entry& entry, std::string_view text, Problems& problems,
                  std::vector<Record>& target) {
    std::string path(option.path);
    if ((entry.node->type & 0xff) != cJSON_Array)
        return wrong_value(path, entry, allowed(option), problems);
    std::size_t errors_before = problems.errors();
    std::vector<Record> records;
    for_each_entry(entry.node, text, entry.value_at, [&](const Entry& item) {
        std::string item_path = path + "[" + std::to_string(records.size()) + "]";
        Record& record = records.emplace_back();
        if ((item.node->type & 0xff) == cJSON_Object)
            read_record(item_path, item, text, problems, record);
        else
            wrong_value(item_path, item, "an object", problems);
    });
    if (problems.errors() == errors_before)
        target = std::move(records);
}

} // namespace

void read_list(const Option& option, const Entry& entry, std::string_view text, Problems& problems, Config& target) {
    visit_list(option, [&](auto member) { read_records(option, entry, text, problems, target.*member); });
}

} // namespace vftr::config
