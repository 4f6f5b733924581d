#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Prints the part of the page before its data or after it, as the numbers of its characters, which C++ includes. All of them are ASCII.
# usage: page.sh ESBUILD before|after
set -eu -o pipefail
esbuild=$1 part=$2 here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$esbuild" "$here/main.js" --bundle --minify --format=iife --target=es2020 --log-level=warning --outfile="$work/script"
"$esbuild" "$here/style.css" --minify --log-level=warning --outfile="$work/style"
awk -v work="$work" -v part="$part" '
    function put(line) { if (data == (part == "after")) print line }
    function put_file(name, line) { while ((getline line < (work "/" name)) > 0) put(line) }
    $0 == "@data@" { data = 1; next }
    /^@[a-z]*@$/ { put_file(substr($0, 2, length($0) - 2)); next }
    { put($0) }' "$here/page.html" | od -An -v -tu1 | sed 's/ *\([0-9]\{1,\}\)/\1,/g'
