# SPDX-License-Identifier: BSD-3-Clause
# Contract: the page works in Firefox, too: tests of html.sh with each way to use a mouse and a keyboard, where there is a Firefox (Debian: firefox-esr).
export BROWSER=firefox
CASES=${CASES:-@(functions_are_those_of_json|the_flame_graph_tells|the_timeline_has|the_timeline_can|functions_are_compared)*}
shopt -s extglob
. "${srcdir:-.}/test/system/export/html.sh"
