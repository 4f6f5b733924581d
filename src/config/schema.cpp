// SPDX-License-Identifier: BSD-3-Clause
#include "config/json_text.hpp"
#include "config/option.hpp"

namespace vftr::config {
namespace {

std::string schema_margin(std::size_t depth) { return "\n" + std::string(depth * 2, ' '); }

// An object of "key": value pairs, indented for one depth.
class Object {
public:
    explicit Object(std::size_t depth) : depth_(depth) {}
    Object& add(std::string_view key, const std::string& json) {
        text_.append(text_.empty() ? "{" : ",").append(schema_margin(depth_ + 1));
        text_ += json_string(key) + ": " + json;
        return *this;
    }
    std::string text() const { return text_.empty() ? "{}" : text_ + schema_margin(depth_) + "}"; }

private:
    std::size_t depth_;
    std::string text_;
};

const char* type_name(Type type) {
    switch (type) {
    case Type::Flag:
        return "\"boolean\"";
    case Type::FlagOrChoice:
        return "[\"boolean\", \"string\"]";
    case Type::Integer:
        return "\"integer\"";
    case Type::IntegerOrChoice:
        return "[\"integer\", \"string\"]";
    case Type::Real:
        return "\"number\"";
    case Type::NullableText:
    case Type::Regex:
        return "[\"string\", \"null\"]";
    case Type::Counters:
    case Type::Observables:
    case Type::Triggers:
        return "\"array\"";
    default:
        return "\"string\"";
    }
}

void add_limits(Type type, const Check& check, Object& schema) {
    if (check.kind == Check::Kind::Range || type == Type::IntegerOrChoice) {
        schema.add(check.above_low ? "exclusiveMinimum" : "minimum", number_to_text(check.low));
        if (check.high != Check().high)
            schema.add("maximum", number_to_text(check.high));
    }
    if (type == Type::IntegerOrChoice) {
        schema.add("pattern", json_string("^(" + std::string(check.choices) + ")$"));
    } else if (check.kind == Check::Kind::OneOf) {
        std::string choices = type == Type::FlagOrChoice ? "true, false" : "";
        for (std::string_view choice : split_choices(check.choices))
            choices.append(choices.empty() ? "" : ", ").append(json_string(choice));
        schema.add("enum", "[" + choices + "]");
    }
}

void add_check(const Option& option, Object& schema) {
    const Check& check = option.check;
    add_limits(option.type, check, schema);
    if (check.kind == Check::Kind::Amount)
        schema.add("pattern", R"("^[0-9]+([.][0-9]*)? ?(ms|s|min|MiB|GiB)$")");
    if (check.kind == Check::Kind::FileName)
        schema.add("pattern", R"("^(?!\\.\\.?$)[^/]+$")").add("maxLength", std::to_string(LongestBasename));
    if (check.kind == Check::Kind::NotEmpty || check.kind == Check::Kind::AppendableFile ||
        check.kind == Check::Kind::WritableDirectory)
        schema.add("minLength", "1");
    if (option.type == Type::Ranks)
        schema.add(
            "pattern",
            R"("^[ \\t]*(all|none|[0-9]+([ \\t]*-[ \\t]*[0-9]+)?([ \\t]*,[ \\t]*[0-9]+([ \\t]*-[ \\t]*[0-9]+)?)*)[ \\t]*$")");
    if (option.type == Type::Regex)
        schema.add("format", "\"regex\"");
}

template <class Record>
std::string items(std::size_t depth) {
    Object properties(depth + 1);
    std::string required;
    for (const Field<Record>& field : fields(static_cast<Record*>(nullptr))) {
        Object property(depth + 2);
        property.add("description", json_string(field.help))
            .add("type", field.type == Type::Integer ? "\"integer\"" : "\"string\"");
        add_limits(field.type, field.check, property);
        if (field.type == Type::Text && field.required)
            property.add("minLength", "1");
        if (field.type == Type::Regex)
            property.add("format", "\"regex\"");
        properties.add(field.name, property.text());
        if (field.required)
            required.append(required.empty() ? "" : ", ").append(json_string(field.name));
    }
    return Object(depth)
        .add("type", "\"object\"")
        .add("properties", properties.text())
        .add("required", "[" + required + "]")
        .add("additionalProperties", "false")
        .text();
}

std::string option_schema(const Option& option, std::size_t depth) {
    Object schema(depth);
    std::string help(option.help);
    if (option.since == Since::Later)
        help += " (Accepted, takes effect in a later version.)";
    schema.add("description", json_string(help)).add("type", type_name(option.type));
    add_check(option, schema);
    visit_list(option,
               [&]<class Record>(std::vector<Record> Config::*) { schema.add("items", items<Record>(depth + 1)); });
    return schema.add("default", option_text(option, Config(), depth + 1)).text();
}

Object& add_section(Object& schema, std::string_view section, std::size_t depth) {
    Object properties(depth + 1);
    for (const Child& child : children(section)) {
        if (child.option) {
            properties.add(child.name, option_schema(*child.option, depth + 2));
        } else {
            Object inner(depth + 2);
            properties.add(child.name, add_section(inner, child.path, depth + 2).text());
        }
    }
    return schema.add("type", "\"object\"").add("properties", properties.text()).add("additionalProperties", "false");
}

} // namespace

std::string json_schema() {
    Object schema(0);
    schema.add("$schema", "\"https://json-schema.org/draft/2020-12/schema\"")
        .add("title", "\"Configuration of vftrace\"");
    return add_section(schema, "", 0).text() + "\n";
}

} // namespace vftr::config
