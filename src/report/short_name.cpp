// SPDX-License-Identifier: BSD-3-Clause
#include "report/short_name.hpp"

#include "base/foreign_text.hpp"
#include "report/cxx_layout.hpp"
#include "report/cxx_spelling.hpp"
#include "report/number_text.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

namespace vftr::report {
namespace {

// What stands for parts that are left out.
struct Mark {
    std::string_view text;
    std::size_t width; // characters
};
constexpr Mark LeftOut{"…", 1}, OuterLeftOut{"…::", 3}, MoreLeftOut{", …", 3};
constexpr std::uint32_t All = 0xffffffff;

// How much of each part of a name is kept.
struct Kept {
    std::uint32_t return_type = All;
    std::uint32_t qualifiers = All;                     // namespaces of names in lists
    std::uint32_t nested = All, nested_in_params = All; // nesting depth of lists of arguments
    std::uint32_t outer_params = All, params = All;     // number of items of each list, from its beginning
    std::uint32_t outer_arguments = All, arguments = All, class_arguments = All;
    std::uint32_t outer = All; // number of components before the function's class
};
using Step = std::uint32_t Kept::*;

constexpr std::size_t Steps = 10;
constexpr std::array<Step, Steps> ClassStays = {
    &Kept::return_type, &Kept::qualifiers,      &Kept::nested,    &Kept::nested_in_params, &Kept::outer_params,
    &Kept::params,      &Kept::outer_arguments, &Kept::arguments, &Kept::class_arguments,  &Kept::outer};
constexpr std::array<Step, Steps> ParametersStay = {
    &Kept::return_type,     &Kept::qualifiers, &Kept::nested,          &Kept::nested_in_params, &Kept::outer_params,
    &Kept::outer_arguments, &Kept::outer,      &Kept::class_arguments, &Kept::arguments,        &Kept::params};
constexpr std::array<Step, Steps> ArgumentsStay = {
    &Kept::return_type,     &Kept::qualifiers, &Kept::nested_in_params, &Kept::outer_params,    &Kept::params,
    &Kept::outer_arguments, &Kept::outer,      &Kept::nested,           &Kept::class_arguments, &Kept::arguments};

std::span<const Step> steps_of(Keep keep) {
    return keep == Keep::Class ? ClassStays : keep == Keep::Parameters ? ParametersStay : ArgumentsStay;
}

class Shortener {
public:
    Shortener(std::string_view text, const Brackets& brackets, const CxxLayout& layout, std::size_t limit)
        : text_(text), brackets_(brackets), layout_(layout), ascii_(base::is_plain_ascii(text)), limit_(limit),
          function_(layout.components.size() - 1), essential_(function_) {
        if (essential_ > 0)
            --essential_;
        while (essential_ > 0 && layout.components[essential_].nameless)
            --essential_;
    }

    // The longest form that fits; if none fits, the shortest form.
    std::string text(Keep keep) && {
        Kept kept;
        std::span<const Step> steps = steps_of(keep);
        for (std::size_t i = 0; i < steps.size(); ++i) {
            kept.*steps[i] = 0;
            if (!fits(kept))
                continue;
            find_most(kept, steps[i]);
            while (i-- > 0) // this step may have made more room than is needed
                find_most(kept, steps[i]);
            return written(kept);
        }
        most_ = 4 * limit_; // longer results are cut anyway
        return written(kept);
    }

private:
    void find_most(Kept& kept, Step step) {
        const std::uint32_t all = std::min<std::uint32_t>(there_are(step), static_cast<std::uint32_t>(limit_));
        std::uint32_t fitting = 0, too_much = all + 1;
        while (fitting + 1 < too_much) {
            kept.*step = (fitting + too_much) / 2;
            (fits(kept) ? fitting : too_much) = kept.*step;
        }
        kept.*step = fitting;
    }

    // The largest number that makes a difference for a step.
    std::uint32_t there_are(Step step) const {
        const CxxComponent& function = layout_.components[function_];
        if (step == &Kept::nested || step == &Kept::nested_in_params)
            return brackets_.depth();
        if (step == &Kept::params)
            return items(function.params);
        if (step == &Kept::arguments)
            return items(function.angle);
        if (step == &Kept::class_arguments)
            return function_ > 0 ? items(layout_.components[function_ - 1].angle) : 0;
        if (step == &Kept::outer)
            return static_cast<std::uint32_t>(essential_);
        return step == &Kept::return_type ? 0 : 1; // the return type is never restored
    }

    // Only measures, as most forms are tried and not used.
    bool fits(const Kept& kept) {
        width_ = 0;
        add_all(kept);
        return width_ <= limit_;
    }

    std::string written(const Kept& kept) {
        writes_ = true;
        width_ = 0;
        add_all(kept);
        return std::move(out_);
    }

    void add_all(const Kept& kept) {
        add(text_.substr(0, kept.return_type ? layout_.components.front().begin : layout_.kept));
        const std::size_t first = essential_ - std::min<std::size_t>(essential_, kept.outer);
        if (first > 0)
            add(OuterLeftOut);
        for (std::size_t i = first; i <= function_; ++i) {
            add_component(layout_.components[i], i, kept);
            if (i < function_)
                add("::");
        }
        add(text_.substr(layout_.tail, layout_.tail_end - layout_.tail));
    }

    void add_component(const CxxComponent& component, std::size_t index, const Kept& kept) {
        const std::uint32_t in_params = std::min(kept.nested_in_params, kept.nested == All ? All : kept.nested + 1);
        const How how{in_params, kept.qualifiers != 0, component.nameless && kept.outer_params == 0};
        if (component.nameless)
            copy(component.begin, component.name_end, how);
        else
            add(text_.substr(component.begin, component.name_end - component.begin));
        std::size_t place = component.name_end;
        if (component.angle != 0) {
            add(text_.substr(place, component.angle - place));
            add_list(component.angle,
                     index == function_       ? kept.arguments
                     : index + 1 == function_ ? kept.class_arguments
                                              : kept.outer_arguments,
                     {kept.nested, kept.qualifiers != 0, false});
            place = brackets_.partner(component.angle) + 1;
        }
        if (component.params != 0) {
            add(text_.substr(place, component.params - place));
            add_list(component.params, index == function_ ? kept.params : kept.outer_params,
                     {in_params, kept.qualifiers != 0, false});
            place = brackets_.partner(component.params) + 1;
        }
        add(text_.substr(place, component.end - place));
    }

    // How the items of a list are written.
    struct How {
        std::uint32_t nested;
        bool qualified, without_params;
    };

    // The end of the token that begins at `place`: a word, the name of an operator, a pair of brackets, or another
    // character.
    std::size_t next(std::size_t place) const {
        if (const std::size_t partner = brackets_.partner(place))
            return partner + 1;
        if (const std::size_t end = brackets_.word_end(place))
            return end;
        return std::max(end_of_word(text_, place), place + 1);
    }

    std::size_t end_of_item(std::size_t place, std::size_t end) const {
        while (place < end && text_[place] != ',')
            place = next(place);
        return std::min(place, end);
    }

    std::uint32_t items(std::size_t open) const {
        if (open == 0)
            return 0;
        const std::size_t end = brackets_.partner(open);
        std::uint32_t count = 0;
        for (std::size_t place = open + 1; place < end; ++count)
            place = end_of_item(place, end) + 1;
        return count;
    }

    // Adds a bracket with the first `count` items of its list.
    void add_list(std::size_t open, std::uint32_t count, How how) {
        const std::size_t end = brackets_.partner(open);
        add(text_.substr(open, 1));
        std::size_t place = open + 1;
        for (std::uint32_t i = 0; i < count && place < end && !full(); ++i) {
            if (i > 0)
                add(text_.substr(place++, 1)); // the comma
            const std::size_t item = end_of_item(place, end);
            copy(place, item, how);
            place = item;
        }
        if (place < end) {
            const std::string_view rest = text_.substr(place, end - place);
            if (rest.size() == 1)
                add(rest);
            else
                add(count == 0 ? LeftOut : MoreLeftOut);
        }
        add(text_.substr(end, 1));
    }

    void copy(std::size_t place, std::size_t end, How how) {
        while (place < end && !full()) {
            const std::size_t behind = next(place);
            const std::size_t partner = brackets_.partner(place);
            const bool angle = text_[place] == '<';
            if (partner == 0) {
                if (!how.qualified && is_namespace(place, behind))
                    place = behind + 2;
                else {
                    add(text_.substr(place, behind - place));
                    place = behind;
                }
                continue;
            }
            add(text_.substr(place, 1));
            if (((angle && how.nested == 0) || (text_[place] == '(' && how.without_params)) && partner > place + 2)
                add(LeftOut);
            else {
                How inner = how;
                if (angle && inner.nested != All && inner.nested != 0)
                    --inner.nested;
                copy(place + 1, partner, inner);
            }
            add(text_.substr(partner, 1));
            place = behind;
        }
    }

    bool is_namespace(std::size_t place, std::size_t end) const {
        return is_word(text_[place]) && text_.substr(end).starts_with("::") && end + 2 < text_.size() &&
               is_word(text_[end + 2]);
    }

    // A part of the name.
    void add(std::string_view text) { add(text, ascii_ ? text.size() : width(text)); }
    void add(std::string_view text, std::size_t text_width) {
        if (full())
            return;
        if (writes_)
            out_ += text;
        width_ += text_width;
    }
    void add(const Mark& mark) { add(mark.text, mark.width); }
    bool full() const { return width_ > most_; }

    std::string_view text_;
    const Brackets& brackets_;
    const CxxLayout& layout_;
    bool ascii_; // each byte of text_ is a character
    std::size_t limit_;
    std::size_t function_, essential_; // indices of components
    bool writes_ = false;              // otherwise the form is only measured
    std::string out_;
    std::size_t width_ = 0,
                most_ = limit_; // characters: the width of the form, and the width beyond which it is not continued
};

} // namespace

LongName::LongName(std::string_view name) : name_(name), width_(width(name)) {
    if (name.find_first_of("(<:") == name.npos)
        return;
    const auto as_it_is = Brackets::of(name);
    if (!as_it_is)
        return;
    usual_ = usual_spelling(name, *as_it_is);
    brackets_ = Brackets::of(usual_);
    if (brackets_)
        layout_ = layout_of(usual_, *brackets_);
}

std::string LongName::shortened(std::size_t limit, std::size_t bound, Keep keep) const {
    if (width_ <= limit)
        return base::foreign_text(name_);
    if (!layout_) // it is not a C++ name, or cannot be parsed
        return fit(name_, limit);
    const std::string text =
        width(usual_) <= limit ? usual_ : Shortener(usual_, *brackets_, *layout_, limit).text(keep);
    return width(text) <= bound ? base::foreign_text(text) : fit(text, limit);
}

std::string short_name(std::string_view name, std::size_t limit, std::size_t bound, Keep keep) {
    return width(name) <= limit ? base::foreign_text(name) : LongName(name).shortened(limit, bound, keep);
}

} // namespace vftr::report
