// SPDX-License-Identifier: BSD-3-Clause
//
// A source of views without files: main calls a and b, and b calls a and c.
#pragma once

#include "../analysis/profile_builder.hpp"
#include "tui/source.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace vftr::tui {

class PlantedRun final : public Source {
public:
    PlantedRun() : processes_({}) { plant(""); }

    const exports::Subject& subject() const override { return subject_; }
    const exports::Part* waits() const override { return nullptr; }
    const analysis::ProcessTree& processes() const override { return processes_; }
    const std::vector<std::int32_t>& ranks() const override { return ranks_; }
    exports::Part part_of_rank(std::int32_t) const override { throw std::runtime_error("there are no ranks"); }
    const Source* base() const override { return other; }
    const Difference* difference() const override { return changes ? &*changes : nullptr; }
    bool may_change() const override { return live; }
    bool has_folder() const override { return false; }
    void read() override {
        if (trouble)
            throw std::runtime_error(*trouble);
        plant(next);
    }

    const Source* other = nullptr; // the run before a change
    std::optional<Difference> changes;
    bool live = false;
    std::string next; // a further path that the next look finds: "f<main<init"
    std::optional<std::string> trouble;

private:
    void plant(const std::string& extra) {
        using test::Ms;
        analysis::Profile profile = test::one_rank(0);
        test::add(profile, "main<init", 1, 100 * Ms, 1000 * Ms);
        if (!extra.empty())
            test::add(profile, extra, 1, 1 * Ms, 1 * Ms);
        test::add(profile, "a<main<init", 3, 200 * Ms, 200 * Ms);
        test::add(profile, "b<main<init", 1, 300 * Ms, 700 * Ms);
        test::add(profile, "a<b<main<init", 7, 300 * Ms, 300 * Ms);
        test::add(profile, "c<b<main<init", 2, 100 * Ms, 100 * Ms);
        subject_.application = "planted";
        subject_.parts.clear();
        subject_.parts.push_back({"all calls", std::move(profile)});
    }

    exports::Subject subject_;
    analysis::ProcessTree processes_;
    std::vector<std::int32_t> ranks_;
};

} // namespace vftr::tui
