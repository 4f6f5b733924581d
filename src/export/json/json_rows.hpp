// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of tables as JSON: an object for each row, with a member for each cell that is there. Columns of a group are an
// object within it.
#pragma once

#include "export/json_writer.hpp"
#include "export/tables/table.hpp"

#include <cstdint>
#include <string_view>

namespace vftr::exports {

class JsonRows final : public TableSink {
public:
    enum class As {
        Elements, // of an array
        ByKey,    // members of an object, named by the first column
        Members,  // the only row: members of an object that has others, too
    };
    JsonRows(JsonWriter& json, As as) : json_(json), as_(as) {}

    void begin_row() override {
        key_comes_ = as_ == As::ByKey;
        if (as_ == As::Elements)
            json_.begin_object();
    }
    void begin_cell(const ColumnName& column) override { column_ = &column; }
    void end_row() override {
        enter_group("");
        if (as_ != As::Members)
            json_.end_object();
    }

    void number(std::uint64_t value) override { member(value); }
    void rank(std::int64_t value) override { member(value); }
    void real(double value) override { member(value); }
    void flag(bool value) override { member(value); }
    void text(std::string_view value) override {
        if (!key_comes_)
            return member(value);
        key_comes_ = false;
        json_.key(value);
        json_.begin_object();
    }
    void digits(std::string_view value) override {
        enter_group(column_->group);
        json_.key(column_->name);
        json_.number(value.data(), static_cast<int>(value.size()));
    }
    // As pairs of the first and the last one.
    void ranks(const analysis::RankList& value) override {
        enter_group(column_->group);
        json_.key(column_->name);
        json_.array([&] {
            for (const analysis::RankList::Range& range : value.ranges())
                json_.array([&] {
                    json_.value(std::int64_t{range.first});
                    json_.value(std::int64_t{range.last});
                });
        });
    }

private:
    template <class Value>
    void member(Value value) {
        enter_group(column_->group);
        json_.member(column_->name, value);
    }
    void enter_group(std::string_view group) {
        if (group == group_)
            return;
        if (!group_.empty())
            json_.end_object();
        group_ = group;
        if (group.empty())
            return;
        json_.key(group);
        json_.begin_object();
    }

    JsonWriter& json_;
    const As as_;
    bool key_comes_ = false;
    const ColumnName* column_ = nullptr;
    std::string_view group_; // whose object is open; empty: none
};

} // namespace vftr::exports
