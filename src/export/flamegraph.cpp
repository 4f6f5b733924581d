// SPDX-License-Identifier: BSD-3-Clause
//
// A flame graph as SVG, callers above what they call (reversed: below): a box for each call path, as wide as the time
// of it and of what it calls. A click makes a box as wide as the picture, and a click on the outermost one undoes that;
// Ctrl-F asks for a regular expression, colours what matches and tells the share of the time in it. Each part of the
// subject is a picture of its own in that. Without scripts it is a picture. Boxes of less than a
// tenth of a pixel are left out, and their number is told. The kind of picture is Brendan Gregg's (The Flame Graph,
// CACM 59(6), 2016).
#include "base/fnv.hpp"
#include "export/depth_first.hpp"
#include "export/format.hpp"
#include "export/reversed.hpp"
#include "report/number_text.hpp"
#include "report/shown_names.hpp"

#include <algorithm>

namespace vftr::exports {

namespace {

constexpr double Width = 1200, RowHeight = 17, HeadHeight = 46, CharacterWidth = 6.6, Narrowest = 0.1;

std::string as_markup(std::string_view text) {
    std::string result;
    for (const char c : text)
        switch (c) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += c;
        }
    return result;
}

// The same function has the same colour everywhere, whatever the C++ library.
std::string colour(std::string_view name) {
    const std::uint32_t hash = base::fnv1a<base::Fnv1a32>(name);
    return "hsl(" + std::to_string(10 + hash % 45) + ',' + std::to_string(60 + hash / 64 % 30) + "%," +
           std::to_string(60 + hash / 4096 % 15) + "%)";
}

std::vector<std::uint64_t> whole_times(const analysis::Profile& profile) {
    std::vector<std::uint64_t> times(profile.nodes.size());
    for (std::size_t i = times.size(); i-- > 0;) {
        times[i] += profile.nodes[i].exclusive;
        if (i != 0)
            times[profile.nodes[i].parent] += times[i];
    }
    return times;
}

constexpr std::string_view Script = R"(
const parts = [...document.querySelectorAll('g.part')].map(part => ({frames: [...part.querySelectorAll('g.frame')], total: part.querySelector('.total')}));
const of = g => ({x: +g.dataset.x, w: +g.dataset.w, row: +g.dataset.row, name: g.dataset.name});
function show(frames, left, width, row) {
  for (const g of frames) {
    const f = of(g), outer = f.row < row && f.x <= left && f.x + f.w >= left + width;
    const x = outer ? 0 : (f.x - left) / width, w = outer ? 1 : f.w / width;
    const visible = outer || (f.row >= row && x > -1e-9 && x + w < 1 + 1e-9);
    g.style.display = visible ? '' : 'none';
    if (!visible) continue;
    const [rect, text] = [g.querySelector('rect'), g.querySelector('text')];
    rect.setAttribute('x', x * picture); rect.setAttribute('width', Math.max(w * picture - 0.5, 0.1));
    text.setAttribute('x', x * picture + 3);
    const room = Math.floor((w * picture - 6) / letter);
    text.textContent = room < 3 ? '' : f.name.length <= room ? f.name : f.name.slice(0, room - 2) + '..';
    g.style.opacity = outer ? 0.6 : 1;
  }
}
for (const {frames} of parts) for (const g of frames)
  g.addEventListener('click', () => { const f = of(g); show(frames, f.x, f.w, f.row); });
addEventListener('keydown', event => {
  if (!(event.ctrlKey && event.key === 'f')) return;
  event.preventDefault();
  const wanted = prompt('Functions (regular expression):');
  let expression = null;
  try { expression = wanted ? new RegExp(wanted) : null; } catch (error) { alert(error.message); return; }
  for (const {frames, total} of parts) {
    let time = 0, end = -1;
    for (const g of frames) {
      const f = of(g), found = expression && expression.test(f.name);
      g.querySelector('rect').style.fill = found ? 'rgb(230,0,230)' : '';
      if (found && f.x >= end - 1e-12) { time += f.w; end = f.x + f.w; }
    }
    total.textContent = expression ? (100 * time).toFixed(2) + ' % of the time is in what matches ' + wanted : '';
  }
});
)";

// Frames are written depth first, so those of a path come in the order of their places.
void write_part(const Subject& subject, const Part& part, bool with_own, double top, Sink& sink,
                std::size_t& left_out) {
    const analysis::Profile& profile = part.profile;
    const report::ShownNames names(profile);
    const std::vector<std::uint64_t> times = whole_times(profile);
    const double whole = times.empty() || times[0] == 0 ? 1 : static_cast<double>(times[0]);
    sink.text("<g class=\"part\">\n<text class=\"title\" x=\"" + report::fixed(Width / 2, 0) + "\" y=\"" +
              report::fixed(top + 20, 0) + "\">" + as_markup(subject.application + ", " + part.title) +
              "</text>\n<text class=\"total\" x=\"4\" y=\"" + report::fixed(top + 38, 0) + "\"></text>\n");
    std::vector<std::uint64_t> next; // by depth: where the next call begins, in ns
    for (const Visit visit : depth_first(profile)) {
        next.resize(visit.depth + 1);
        const std::uint64_t begin = next.back();
        next.back() += times[visit.node];
        next.push_back(begin);
        const double x = static_cast<double>(begin) / whole, w = static_cast<double>(times[visit.node]) / whole;
        if (w * Width < Narrowest) {
            ++left_out;
            continue;
        }
        const std::string& name = names.of(visit.node);
        const auto room = static_cast<std::size_t>(std::max((w * Width - 6) / CharacterWidth, 0.0));
        const double y = top + HeadHeight + visit.depth * RowHeight;
        std::string quotable = as_markup(name);
        for (std::size_t at = 0; (at = quotable.find('"', at)) != quotable.npos; at += 6)
            quotable.replace(at, 1, "&quot;");
        const SourcePlace* place = subject.place_of(profile, visit.node);
        sink.text("<g class=\"frame\" data-x=\"" + report::fixed(x, 12) + "\" data-w=\"" + report::fixed(w, 12) +
                  "\" data-row=\"" + std::to_string(visit.depth) + "\" data-name=\"" + quotable + "\"><title>" +
                  as_markup(name) + "\n" + report::plain(static_cast<double>(times[visit.node]) * 1e-9) + " s, " +
                  report::fixed(100 * w, 2) + " %; " +
                  (with_own ? report::plain(static_cast<double>(profile.nodes[visit.node].exclusive) * 1e-9) +
                                  " s of its own; "
                            : std::string()) +
                  std::to_string(profile.nodes[visit.node].calls) + " calls" +
                  (place ? '\n' + as_markup(place->file) + ':' + std::to_string(place->line) : std::string()) +
                  "</title><rect x=\"" + report::fixed(x * Width, 2) + "\" y=\"" + report::fixed(y, 0) + "\" width=\"" +
                  report::fixed(std::max(w * Width - 0.5, Narrowest), 2) + "\" height=\"" +
                  report::fixed(RowHeight - 1, 0) + "\" rx=\"1\" fill=\"" + colour(name) + "\"/><text x=\"" +
                  report::fixed(x * Width + 3, 2) + "\" y=\"" + report::fixed(y + 12, 0) + "\">" +
                  (room < 3 ? std::string() : as_markup(report::head(name, room))) + "</text></g>\n");
    }
    sink.text("</g>\n");
}

std::size_t depth_of(const analysis::Profile& profile) {
    std::size_t most = 0;
    std::vector<std::size_t> depth(profile.nodes.size());
    for (std::size_t i = 1; i < depth.size(); ++i)
        most = std::max(most, depth[i] = depth[profile.nodes[i].parent] + 1);
    return most + 1;
}

// A path that is too narrow to be drawn is not divided by its callers.
std::vector<Part> reversed_parts(const Subject& subject) {
    std::vector<Part> parts;
    for (const Part& part : subject.parts) {
        const std::uint64_t whole = whole_times(part.profile).front();
        parts.push_back(
            {part.title + ", callers below what they call",
             reversed(part.profile, static_cast<std::uint64_t>(static_cast<double>(whole) * Narrowest / Width))});
    }
    return parts;
}

} // namespace

void write_flamegraph(const Subject& subject, const Options& options, Sink& sink) {
    const std::vector<Part> turned = options.reverse ? reversed_parts(subject) : std::vector<Part>();
    const std::vector<Part>& parts = options.reverse ? turned : subject.parts;
    std::vector<double> heights;
    double all = 30.0 + 16.0 * static_cast<double>(subject.remarks.size());
    for (const Part& part : parts) {
        heights.push_back(HeadHeight + RowHeight * static_cast<double>(depth_of(part.profile)) + 10);
        all += heights.back();
    }
    sink.text(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" +
        report::fixed(Width, 0) + "\" height=\"" + report::fixed(all, 0) + "\" viewBox=\"0 0 " +
        report::fixed(Width, 0) + ' ' + report::fixed(all, 0) +
        "\">\n<style>text{font:11px monospace} .title{font:16px sans-serif;text-anchor:middle} g.frame{cursor:pointer} "
        "g.frame text{pointer-events:none} g.frame:hover rect{stroke:#000}</style>\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#fffdf5\"/>\n");
    double top = 0;
    std::size_t left_out = 0;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        write_part(subject, parts[i], !options.reverse, top, sink, left_out);
        top += heights[i];
    }
    std::vector<std::string> remarks = subject.remarks;
    if (left_out != 0)
        remarks.insert(remarks.begin(), std::to_string(left_out) + " call paths are too short to be drawn");
    for (std::size_t i = 0; i < remarks.size(); ++i)
        sink.text("<text x=\"4\" y=\"" + report::fixed(top + 16.0 * static_cast<double>(i + 1), 0) + "\">" + "<title>" +
                  as_markup(remarks[i]) + "</title>" +
                  as_markup(report::head(remarks[i], static_cast<std::size_t>(Width / CharacterWidth))) + "</text>\n");
    sink.text("<script><![CDATA[\nconst picture = " + report::fixed(Width, 0) +
              ", letter = " + report::fixed(CharacterWidth, 1) + ";" + std::string(Script) + "]]></script>\n</svg>\n");
}

} // namespace vftr::exports
