# SPDX-License-Identifier: BSD-3-Clause
# Completion of vftr in fish. `vftr complete` knows what may stand where; see config_tools/complete/complete.cpp.
function __vftr_complete
    set -l words (commandline -opc)
    set -l program $words[1]
    set -l current (commandline -ct)
    set -l before (string match -r -- '^--[^=]*=' $current)
    set -l rest (string replace -r -- '^--[^=]*=' '' $current)
    set -l arguments $words[2..-1] "$current"
    for line in ($program complete (math (count $arguments) - 1) $arguments 2>/dev/null)
        switch $line
            case :folders
                printf "$before%s\n" (__fish_complete_directories $rest)
            case :recordings
                printf "%s\n" (__fish_complete_path $rest | string match -r '^[^\t]*(?:/|vfd)(?:\t.*)?$')
            case :commands
                __fish_complete_command
            case ':*'
                printf "$before%s\n" (__fish_complete_path "$rest")
            case '*'
                echo $line
        end
    end
end
complete -c vftr -f -a '(__vftr_complete)'
