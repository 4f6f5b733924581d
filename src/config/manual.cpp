// SPDX-License-Identifier: BSD-3-Clause
//
// Makes the man page of the config file, vftr-config(5), from the table.
#include "config/option.hpp"

namespace vftr::config {
namespace {

constexpr const char* Head = R"(.SH NAME
vftr\-config \- configuration file of vftrace
.SH DESCRIPTION
The environment variable
.B VFTR_CONFIG
names a JSON file that configures
.BR vftrace .
An option that the file does not give has its default. An option inside a section is written here as
.IR section . option ;
in the file it stands in the object of its section:
.PP
.EX
{
   "output_directory": "results",
   "sampling": {
      "active": true,
      "sample_interval": 0.001
   }
}
.EE
.PP
A mistake in the file never stops the program that is profiled: it is reported once, and the option keeps its default.
Where the mistake is one of syntax, all options have their defaults.
.B vftr config check
.I FILE
shows all mistakes beforehand, with their lines, in one pass and in at most 20 lines of text, and options that do nothing because of others. Its exit
code is 0 where there are no errors, also if there are warnings (keys that are no options, options that do nothing), 1 where a file has errors or cannot
be read, and 2 on wrong usage.
.B vftr config default
prints a file with all defaults to start from. A log ends with the configuration that was used: what differs from the default, or all of it
.RI ( print_config ).
Both are such files.
.SH OPTIONS
)";

constexpr const char* Tail = R"(.SH ENVIRONMENT
.TP
.B VFTR_CONFIG
Path of the configuration file. Unset: all options have their defaults.
.TP
.B VFTR_OFF
1, yes, on or true, in any case, switches vftrace off. The configuration file is then not read.
)";

constexpr const char* End = R"(.SH SEE ALSO
.BR vftr (1)
)";

// Escapes the characters that roff would interpret.
std::string roff(std::string_view text) {
    std::string out;
    for (char c : text)
        if (c == '\\')
            out += "\\e";
        else if (c == '-')
            out += "\\-";
        else if (c == '"')
            out += "\\(dq";
        else
            out += c;
    return out;
}

std::string entry(const Option& option) {
    std::string text = ".TP\n.B " + roff(option.path) + "\n" + roff(option.help) +
                       "\n.br\nDefault: " + roff(option_text(option, Config())) +
                       ". Allowed: " + roff(allowed(option)) + ".\n";
    if (!option.variable.empty())
        text += ".br\nThe environment variable\n.B " + std::string(option.variable) + "\noverrides the file.\n";
    if (option.since == Since::Later)
        text += ".br\nAccepted, takes effect in a later version.\n";
    return text;
}

std::string variable_entry(const Option& option) {
    std::string text = ".TP\n.B " + std::string(option.variable) + "\nOverrides\n.BR " + roff(option.path) + ".\n";
    if (option.type == Type::Flag)
        text += "1, yes, on or true, or 0, no, off or false, in any case.\n";
    return text;
}

} // namespace

std::string manual_page(std::string_view version) {
    std::string page = ".\\\" Made from the option table by vftr config explain --man\n"
                       ".TH VFTR\\-CONFIG 5 \"\" \"";
    page += roff(version) + "\"\n" + Head;
    for (const Option& option : all_options())
        page += entry(option);
    page += Tail;
    for (const Option& option : all_options())
        if (!option.variable.empty())
            page += variable_entry(option);
    return page + End;
}

} // namespace vftr::config
