// SPDX-License-Identifier: BSD-3-Clause
#include "compare/comparison_page.hpp"

#include "compare/comparison_text.hpp"
#include "compare/place_rows.hpp"
#include "compare/row_names.hpp"
#include "export/html/packed.hpp"
#include "report/root_note.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace vftr::compare {
namespace {

using exports::JsonWriter;

constexpr double NotKnown = std::numeric_limits<double>::quiet_NaN();

// By place: what the addresses of a page call a path.
std::vector<std::uint32_t> path_numbers(const CombinedTree& tree, const analysis::Profile& new_run) {
    std::vector<std::uint32_t> numbers(tree.size(), Nowhere);
    std::uint32_t next = 0;
    const std::vector<std::uint32_t>& places = tree.places(New, 0);
    for (std::uint32_t node = 0; node < places.size(); ++node) {
        numbers[places[node]] = new_run.stid(node);
        next = std::max(next, new_run.stid(node) + 1);
    }
    for (std::uint32_t& number : numbers)
        if (number == Nowhere)
            number = next++;
    return numbers;
}

class PlaceColumns {
public:
    PlaceColumns(const Comparison& paths, const CombinedTree& tree, const analysis::Profile& new_run)
        : tree_(tree), rows_(rows_by_place(paths, tree)), columns_(tree.paths()) {
        const std::vector<std::uint32_t> numbers = path_numbers(tree, new_run);
        columns_.add_u32("id", [&](std::uint32_t place) { return numbers[place]; });
        add_times("base", "base_inclusive", Base);
        add_times("new", "new_inclusive", New);
        add_interval("ratio", &RatioInterval::ratio);
        add_interval("low", &RatioInterval::low);
        add_interval("high", &RatioInterval::high);
        add_calls("base_calls", "base_calls_most", Base);
        add_calls("new_calls", "new_calls_most", New);
        add_words();
        if (!paths.percentiles.empty())
            for (std::size_t side = 0; side < SideNames.size(); ++side)
                for (std::size_t i = 0; i < Percentiles.size(); ++i)
                    add_percentile(paths, side, i);
    }

    exports::TreeColumns take() { return columns_.take(); }

private:
    void add_times(const char* exclusive, const char* inclusive, std::size_t side) {
        columns_.add_f64(exclusive, [&](std::uint32_t place) { return rows_[place] ? rows_[place]->time[side] : 0; });
        const std::vector<double> times = inclusive_times(rows_, tree_, side);
        columns_.add_f64(inclusive, [&](std::uint32_t place) { return times[place]; });
    }
    void add_interval(const char* name, double RatioInterval::*part) {
        columns_.add_f64(name, [&](std::uint32_t place) {
            return rows_[place] && rows_[place]->interval ? *rows_[place]->interval.*part : NotKnown;
        });
    }
    void add_calls(const char* least, const char* most, std::size_t side) {
        columns_.add_f64(least,
                         [&](std::uint32_t place) { return rows_[place] ? rows_[place]->calls[side].least : 0; });
        columns_.add_f64(most, [&](std::uint32_t place) { return rows_[place] ? rows_[place]->calls[side].most : 0; });
    }
    void add_percentile(const Comparison& paths, std::size_t side, std::size_t percentile) {
        columns_.add_f64(Percentiles[percentile].names[side], [&](std::uint32_t place) {
            const RowPercentiles* its = rows_[place] ? paths.percentiles_of(*rows_[place]) : nullptr;
            return its && its->of[side].calls != 0 ? static_cast<double>(its->of[side].ns[percentile]) : NotKnown;
        });
    }
    void add_words() {
        columns_.add_u32("verdict", [&](std::uint32_t place) {
            return rows_[place] ? static_cast<std::uint32_t>(rows_[place]->verdict) : Nowhere;
        });
        columns_.add_u32("changed", [&](std::uint32_t place) {
            const Row* row = rows_[place];
            const bool estimated = row && (row->calls[Base].estimated || row->calls[New].estimated);
            return (row && row->calls_changed ? 1U : 0U) | (estimated ? 2U : 0U);
        });
        columns_.add_u32("renamed_from",
                         [&](std::uint32_t place) { return tree_.renamed_from(tree_.function(place)); });
        columns_.add_u32("moved_from", [&](std::uint32_t place) {
            const std::uint32_t from = tree_.moved_from(place);
            return from == Nowhere ? Nowhere : tree_.function(tree_.parent(from));
        });
    }

    const CombinedTree& tree_;
    const std::vector<const Row*> rows_;
    exports::TreeColumnsBuilder columns_;
};

std::string document_of(const Comparison& functions, const CombinedTree& tree) {
    const RowNames names(tree, false);
    std::string rest = exports::bytes_of([&](exports::Sink& sink) {
        JsonWriter json(sink);
        json.object([&] {
            json.member("answer", answer(functions));
            exports::write_texts("notes", notes(functions, {}), json);
            json.key("telling");
            json.array([&] {
                for (std::size_t i = 0; i < functions.rows.size(); ++i)
                    if (functions.rows[i].matters)
                        json.value(std::uint64_t{i});
            });
            json.key("remarks");
            json.array([&] {
                for (const Row& row : functions.rows)
                    if (row.matters)
                        json.value(names.remark(row, functions));
            });
        });
    });
    rest.back() = ','; // in place of the brace
    return rest +
           "\"functions\":" + exports::bytes_of([&](exports::Sink& sink) { write_json(functions, tree, sink); }) + '}';
}

std::string directory_of(std::vector<exports::TreeColumns>& trees) {
    return exports::bytes_of([&](exports::Sink& sink) {
        JsonWriter json(sink);
        json.object([&] {
            exports::write_trees(trees, json);
            json.member("root_note", report::RootNote);
            json.key("verdicts");
            json.array([&] {
                for (std::size_t i = 0; i < VerdictCount; ++i)
                    json.value(verdict_name(static_cast<Verdict>(i)));
            });
        });
    });
}

} // namespace

void write_comparison_page(const Comparison& functions, const Comparison& paths, const CombinedTree& tree,
                           const analysis::Profile& new_run, exports::Sink& sink) {
    std::vector<exports::TreeColumns> trees;
    trees.push_back(PlaceColumns(paths, tree, new_run).take());
    std::string directory = directory_of(trees);
    exports::GzipSink gzip(sink);
    exports::put_packed(document_of(functions, tree), std::move(directory), trees, gzip);
    gzip.end();
}

} // namespace vftr::compare
