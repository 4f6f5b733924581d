// SPDX-License-Identifier: BSD-3-Clause
#include "export/json/findings.hpp"

#include "report/findings/finding.hpp"

namespace vftr::exports {

void write_findings(const analysis::Profile& profile, const report::ShownNames& names, JsonWriter& json) {
    // Sentences are for people, and names in full stand beside them.
    constexpr auto NameWidth = static_cast<std::size_t>(60);
    json.key("findings");
    json.array([&] {
        for (const report::Finding& finding : report::findings(report::Evidence(profile, names, nullptr, NameWidth)))
            json.object([&] {
                json.member("rule", finding.rule->name);
                json.member("title", finding.rule->title);
                json.member("text", finding.text);
                json.member("ns", finding.ns);
                json.member("share", finding.share);
                json.member("table", finding.rule->table);
                if (finding.node) {
                    json.member("path", std::uint64_t{profile.stid(*finding.node)});
                    json.member("function", names.of(*finding.node));
                }
                if (finding.rank)
                    json.member("rank", std::int64_t{*finding.rank});
                json.key("figures");
                json.object([&] {
                    for (const report::Figure& figure : finding.figures)
                        json.member(figure.name, figure.value);
                });
            });
    });
}

} // namespace vftr::exports
