// SPDX-License-Identifier: BSD-3-Clause
#include "config/formula.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <utility>

namespace vftr::config {
namespace {

using Apply = double (*)(const double*);

struct Function {
    std::string_view name;
    std::size_t arguments;
    Apply apply;
};
constexpr Function Functions[] = {
    {"abs", 1, [](const double* a) { return std::fabs(a[0]); }},
    {"ceil", 1, [](const double* a) { return std::ceil(a[0]); }},
    {"exp", 1, [](const double* a) { return std::exp(a[0]); }},
    {"floor", 1, [](const double* a) { return std::floor(a[0]); }},
    {"ln", 1, [](const double* a) { return std::log(a[0]); }},
    {"log10", 1, [](const double* a) { return std::log10(a[0]); }},
    {"max", 2, [](const double* a) { return std::fmax(a[0], a[1]); }},
    {"min", 2, [](const double* a) { return std::fmin(a[0], a[1]); }},
    {"pow", 2, [](const double* a) { return std::pow(a[0], a[1]); }},
    {"sqrt", 1, [](const double* a) { return std::sqrt(a[0]); }},
};

struct Operator {
    char sign;
    int binding, right; // how tightly it binds; how tightly its right side must bind
    Apply apply;
};
constexpr Operator Operators[] = {
    {'+', 1, 2, [](const double* a) { return a[0] + a[1]; }},
    {'-', 1, 2, [](const double* a) { return a[0] - a[1]; }},
    {'*', 2, 3, [](const double* a) { return a[0] * a[1]; }},
    {'/', 2, 3, [](const double* a) { return a[0] / a[1]; }},
    {'%', 2, 3, [](const double* a) { return std::fmod(a[0], a[1]); }},
    {'^', 4, 3, [](const double* a) { return std::pow(a[0], a[1]); }},
};
constexpr int SignBinding = 3;

double negate(const double* a) { return -a[0]; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

const Function* find_function(std::string_view name) {
    auto found = std::find_if(std::begin(Functions), std::end(Functions),
                              [&](const Function& function) { return function.name == name; });
    return found == std::end(Functions) ? nullptr : found;
}

} // namespace

// A parser by precedence climbing. After the first fault it stands at the end of the text, where all its loops end. (It
// uses no exceptions, because the recorder reads its configuration with it.)
class FormulaParser {
public:
    FormulaParser(std::string_view text, const Formula::Names& names, bool names_are_all)
        : text_(text), names_(names), names_are_all_(names_are_all) {}

    std::optional<Formula> parse() {
        expression(0);
        if (peek() != '\0')
            fail(peek() == ')' ? "this bracket closes nothing" : "an operator is missing before this");
        return fault_ ? std::nullopt : std::optional(std::move(formula_));
    }
    const Formula::Fault& fault() const { return *fault_; } // to be called if parse() returned nullopt

private:
    void fail(std::string message) {
        if (!fault_)
            fault_ = Formula::Fault{at_, std::move(message)};
        at_ = text_.size();
    }

    char peek() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t'))
            ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void expect(char c, const char* message) {
        if (peek() != c)
            return fail(message);
        ++at_;
    }
    void apply(Apply function, std::size_t arguments) {
        formula_.steps_.push_back({function, arguments, 0});
        stack_ -= arguments - 1;
    }
    void push(std::size_t index, double number) {
        if (++stack_ > Formula::MaxStack)
            return fail("the formula is nested too deeply");
        formula_.steps_.push_back({nullptr, index, number});
    }

    void expression(int least) {
        if (++depth_ > Formula::MaxStack)
            fail("the formula is nested too deeply");
        operand();
        while (true) {
            auto found = std::find_if(std::begin(Operators), std::end(Operators),
                                      [sign = peek()](const Operator& o) { return o.sign == sign; });
            if (found == std::end(Operators) || found->binding < least)
                break;
            ++at_;
            expression(found->right);
            apply(found->apply, 2);
        }
        --depth_;
    }

    void operand() {
        char c = peek();
        if (c == '-' || c == '+') {
            ++at_;
            expression(SignBinding);
            if (c == '-')
                apply(negate, 1);
        } else if (c == '(') {
            ++at_;
            expression(0);
            expect(')', "a closing bracket is missing here");
        } else if (is_digit(c) || c == '.') {
            number();
        } else if (is_letter(c)) {
            name();
        } else {
            fail("a number or a name is missing here");
        }
    }

    void number() {
        double value = 0;
        auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
        if (error != std::errc())
            return fail("this is not a number");
        push(Formula::Literal, value);
        at_ = static_cast<std::size_t>(end - text_.data());
    }

    void name() {
        std::size_t end = at_;
        while (end < text_.size() && (is_letter(text_[end]) || is_digit(text_[end])))
            ++end;
        std::string_view word = text_.substr(at_, end - at_);
        if (const Function* function = find_function(word)) {
            at_ = end;
            return call(*function);
        }
        auto known = names_.find(word);
        if (known == names_.end() && names_are_all_)
            return fail("\"" + std::string(word) + "\" is no symbol of a counter");
        push(known == names_.end() ? 0 : known->second, 0);
        at_ = end;
    }

    void call(const Function& function) {
        expect('(', "an opening bracket is missing here");
        for (std::size_t i = 0; i < function.arguments; ++i) {
            if (i > 0)
                expect(',', "a comma and another argument are missing here");
            expression(0);
        }
        expect(')', "a closing bracket is missing here");
        apply(function.apply, function.arguments);
    }

    std::string_view text_;
    const Formula::Names& names_;
    bool names_are_all_;
    std::size_t at_ = 0, depth_ = 0, stack_ = 0;
    Formula formula_;
    std::optional<Formula::Fault> fault_;
};

std::optional<Formula> Formula::compile(std::string_view text, std::span<const std::string> names, Fault* fault) {
    Names places;
    for (std::size_t i = 0; i < names.size(); ++i)
        places.emplace(names[i], i);
    FormulaParser parser(text, places, true);
    auto formula = parser.parse();
    if (!formula && fault)
        *fault = parser.fault();
    return formula;
}

std::optional<Formula::Fault> Formula::check(std::string_view text, const Names& names, bool names_are_all) {
    FormulaParser parser(text, names, names_are_all);
    return parser.parse() ? std::nullopt : std::optional(parser.fault());
}

double Formula::evaluate(std::span<const double> values) const {
    double stack[MaxStack];
    std::size_t top = 0;
    for (const Step& step : steps_) {
        if (step.apply) {
            top -= step.count;
            stack[top] = step.apply(stack + top);
        } else {
            stack[top] = step.count == Literal ? step.number : values[step.count];
        }
        ++top;
    }
    return stack[0];
}

std::string Formula::function_names() {
    std::string text;
    for (const Function& function : Functions)
        text.append(text.empty() ? "" : ", ").append(function.name);
    return text;
}

bool Formula::is_function(std::string_view name) { return find_function(name) != nullptr; }

bool Formula::is_name(std::string_view text) {
    return !text.empty() && is_letter(text[0]) &&
           std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

} // namespace vftr::config
