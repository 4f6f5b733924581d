# SPDX-License-Identifier: BSD-3-Clause
#
# The first section of a log: what matters.

findings_of() { sed -n '/^What matters/,/^$/p' "$1"; }
# expect_finding LOG TITLE EXPRESSION: one of this title has a text that matches.
expect_finding() {
    expect_file "$1"
    findings_of "$1" | grep -qE "^ *[0-9.]+ %  $2: +.*($3)" || fail "$1 has no finding '$2: $3'; it has: $(findings_of "$1")"
}
expect_no_finding() {
    expect_file "$1"
    ! findings_of "$1" | grep -E "^ *[0-9.]+ %  $2: +.*($3)" || fail "$1 has a finding '$2: $3'"
}
