// SPDX-License-Identifier: BSD-3-Clause
//
// A launcher starts programs in an environment of its own making, perhaps on other machines. So the launcher is run,
// with this vftr in place of the program: each process looks around and writes what it finds to its standard output,
// each line with a mark that nothing else writes.
#include "config_tools/doctor/doctor.hpp"
#include "config_tools/run/capture.hpp"
#include "config_tools/run/launcher_line.hpp"

#include "base/whole_io.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>
#include <unistd.h>

namespace vftr::cli {
namespace {

constexpr int LongestWait = 60; // seconds: a batch system may let a job wait
bool is_mpi_launcher(const std::string& command) {
    std::string name = file_name(command);
    return name.starts_with("mpi") || name.starts_with("orte") || name.starts_with("prte");
}

bool is_inherited(std::string_view name) {
    return name == "LD_PRELOAD" || name == "LD_LIBRARY_PATH" || (name.starts_with("VFTR_") && name != "VFTR_PARENT");
}

// Of those that matter to a recording.
std::map<std::string, std::string> own_variables() {
    std::map<std::string, std::string> variables;
    for (char** entry = environ; *entry; ++entry)
        if (const char* equals = std::strchr(*entry, '=');
            equals && is_inherited({*entry, static_cast<std::size_t>(equals - *entry)}))
            variables[std::string(*entry, static_cast<std::size_t>(equals - *entry))] = equals + 1;
    return variables;
}

std::string probe_token() {
    char text[64];
    std::snprintf(text, sizeof text, "vftr-probe-%d-%lx", ::getpid(), static_cast<unsigned long>(::time(nullptr)));
    return text;
}

std::string name_of_this_process() {
    char host[256] = "";
    ::gethostname(host, sizeof host - 1);
    return std::string(host) + ':' + std::to_string(::getpid());
}

// What the processes wrote.
struct Answers {
    std::set<std::string> processes;
    std::map<std::string, std::map<std::string, std::string>> variables; // of each process
    std::vector<Finding> findings;                                       // in the order of their first appearance
    std::map<std::string, std::set<std::string>> finders;                // by text
};

// MARK <tab> process <tab> kind <tab> text. A launcher may put something before the mark.
Answers parse(const std::string& out, const std::string& token) {
    Answers answers;
    std::istringstream lines(out);
    for (std::string line; std::getline(lines, line);) {
        std::size_t mark = line.find(token + '\t');
        if (mark == line.npos)
            continue;
        std::istringstream fields(line.substr(mark + token.size() + 1));
        std::string process, kind, text;
        if (!std::getline(fields, process, '\t') || !std::getline(fields, kind, '\t') || !std::getline(fields, text))
            continue;
        answers.processes.insert(process);
        if (kind == "env") {
            std::size_t equals = std::min(text.find('='), text.size() - 1);
            answers.variables[process][text.substr(0, equals)] = text.substr(equals + 1);
        } else if (kind == "ok" || kind == "problem") {
            std::set<std::string>& finders = answers.finders[text];
            if (finders.empty())
                answers.findings.push_back({kind == "ok", text});
            finders.insert(process);
        }
    }
    return answers;
}

std::string how_to_inject(const std::string& launcher, const std::string& name) {
    std::string file = file_name(launcher);
    if (file == "srun")
        return "srun --export=ALL";
    if (is_mpi_launcher(launcher))
        return file + " -x " + name + " (Open MPI), -genv " + name + " VALUE (MPICH, Intel MPI)";
    return "let " + file + " pass " + name + " on";
}

void check_variables(const Answers& answers, const std::string& launcher, Findings& findings) {
    for (const auto& [name, value] : own_variables()) {
        std::size_t with = 0, other = 0;
        for (const std::string& process : answers.processes) {
            auto of_process = answers.variables.find(process);
            if (of_process == answers.variables.end() || !of_process->second.count(name))
                continue;
            ++with;
            // Launchers put more into search paths.
            other += name.starts_with("VFTR_") && of_process->second.at(name) != value;
        }
        if (with < answers.processes.size())
            findings.problem(file_name(launcher) + " does not pass " + name + " on to " + (with ? "all" : "its") +
                                 " processes",
                             how_to_inject(launcher, name));
        else if (other)
            findings.problem(file_name(launcher) + " gives its processes another " + name,
                             how_to_inject(launcher, name));
    }
}

void write_line(const std::string& token, const std::string& process, const char* kind, std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    std::string line = token + '\t' + process + '\t' + kind + '\t' + text + '\n';
    base::write_all(STDOUT_FILENO, line.data(), line.size()); // at once, so that lines of several processes do not mix
}

// Launchers put lines of dashes around what they have to say.
std::string first_words(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        if (std::any_of(line.begin(), line.end(), [](unsigned char c) { return std::isalpha(c); }))
            return line.substr(0, line.find_last_not_of('.') + 1);
    return text.substr(0, text.find('\n'));
}

std::string own_path() {
    char path[4096];
    ssize_t count = ::readlink("/proc/self/exe", path, sizeof path);
    if (count <= 0 || count == sizeof path)
        throw std::runtime_error("/proc/self/exe cannot be read");
    return std::string(path, static_cast<std::size_t>(count));
}

} // namespace

void check_launched(const std::vector<std::string>& command, std::size_t program, Findings& findings) {
    const std::string token = probe_token(), &launcher = command[0];
    std::vector<std::string> probing(command.begin(), command.begin() + static_cast<long>(program));
    for (const std::string& word :
         {own_path(), std::string("doctor"), "--probe=" + token, std::string("--"), command[program]})
        probing.push_back(word);
    // What would be started besides (mpirun -n 1 ./a : -n 1 ./b) is left out: nothing of the program may run.
    Captured answer = capture(probing, LongestWait);
    Answers answers = parse(answer.out, token);
    if (!answer.in_time)
        findings.problem(file_name(launcher) + " has not ended within " + std::to_string(LongestWait) + " s",
                         "try it with another program");
    if (answers.processes.empty()) {
        const bool of_root = answer.err.find("run as root") != answer.err.npos && ::geteuid() == 0;
        findings.problem(file_name(launcher) + " started nothing (exit code " + std::to_string(answer.code) + ")" +
                             (answer.err.empty() ? "" : ": " + first_words(answer.err)),
                         of_root ? "give it --allow-run-as-root"
                                 : "mend its command line; vftr must be there on all machines, too");
        return;
    }
    std::size_t all = answers.processes.size();
    findings.ok(file_name(launcher) + " started " + std::to_string(all) + (all == 1 ? " process" : " processes") +
                " with a look-out in place of " + command[program]);
    check_variables(answers, launcher, findings);
    for (Finding& finding : answers.findings) {
        std::size_t finders = answers.finders[finding.text].size();
        if (finders < all)
            finding.text += " (" + std::to_string(finders) + " of " + std::to_string(all) + " processes, as " +
                            *answers.finders[finding.text].begin() + ')';
        findings.add(finding);
    }
}

void probe(const char* token, const std::string& name) {
    Findings findings;
    const std::string process = name_of_this_process();
    for (const auto& [variable, value] : own_variables())
        write_line(token, process, "env", variable + '=' + value);
    check_all(name, findings);
    for (const Finding& finding : findings.all())
        write_line(token, process, finding.good ? "ok" : "problem", finding.text);
}

} // namespace vftr::cli
