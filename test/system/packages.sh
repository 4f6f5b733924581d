# SPDX-License-Identifier: BSD-3-Clause
# The packages of Debian that `make deb` makes of a build: what is in them, and that it works from another folder. What costs more, which is to install them in
# a Debian that has nothing else and to ask lintian, is ./check packages.
. "${srcdir:-.}/test/system/lib.sh"

# Makes them once for all tests here, in a hurry, and unpacks them into ./root.
packages() {
    root=$(dirname "$PWD")/root
    usr=$root/usr
    deb=$builddir/deb
    if [ ! -e "$root" ]; then
        have dh && have dh_python3 && have dpkg-buildpackage || skip "no debhelper, dh-python and dpkg-dev"
        grep -q '^PYTHON = [^:]' "$builddir/Makefile" || skip "no Python 3"
        (cd "$builddir" && DPKG_DEB_COMPRESSOR_LEVEL=0 ${MAKE:-make} deb) >deb.log 2>&1 || fail "$(tail -20 deb.log)"
        mkdir "$root"
        for file in "$deb"/*.deb; do dpkg-deb -x "$file" "$root" || fail "cannot unpack $file"; done
    fi
}

test_make_deb_makes_four_packages_of_this_version() {
    packages
    local version
    version=$("$vftr" --version)
    expect_same "$(cd "$deb" && ls ./*.deb | grep -v dbgsym | sed "s,_${version#vftr }-1_.*,,; s,^./,," | paste -sd' ')" "libvftrace-dev libvftrace2 python3-vftrace vftr" "packages"
    for name in libvftrace2 libvftrace-dev vftr; do
        dpkg-deb -f "$deb/$name"_*.deb Depends | grep -q 'libpcre2-8-0' || fail "$name lacks what the linker says: $(dpkg-deb -f "$deb/$name"_*.deb Depends)"
    done
}

# Contract: every installed file is in exactly one package
test_each_installed_file_is_in_one_package() {
    packages
    for name in libvftrace2 libvftrace-dev python3-vftrace vftr; do
        dpkg-deb -c "$deb/$name"_*.deb | awk -v name=$name '$1 !~ /^d/ {sub(/[.]gz$/, "", $6); print $6, name}'
    done | sed 's,^[.]/,,' | grep -vE '^usr/share/(doc/[^/]*/(changelog|changelog.Debian|copyright)|lintian/overrides/[^ ]*) ' >packed
    cut -d' ' -f1 packed | LC_ALL=C sort >files
    expect_same "$(uniq -d files)" "" "files that two packages have"
    (cd "$deb/vftrace/debian/tmp" && find . ! -type d) | sed 's,^[.]/,,' | LC_ALL=C sort >installed
    expect_at_least "$(wc -l <installed)" 60 "installed files"
    diff installed files >differences || fail "installed (<) and packed (>) differ: $(cat differences)"
    grep -q '^usr/lib/[^/]*/libvftrace[.]so[.]2 libvftrace2$' packed || fail "libvftrace2 lacks the library"
    grep -q '^usr/bin/vftr-c++ vftr$' packed || fail "vftr lacks a command"
    ! grep -q modulefiles files || fail "a module would put /usr/bin before others"
}

test_the_packed_command_compiles_and_shows_a_profile() {
    packages
    vftr=$usr/bin/vftr
    expect_same "$("$vftr" --version)" "$("$builddir/vftr" --version)" "the version"
    case $("$vftr" flags gcc) in
    *-fplugin=*) "$vftr" flags gcc | grep -qF -- "-fplugin=$usr/lib/" || fail "another plugin: $("$vftr" flags gcc)" ;;
    *) ! has_plugin || fail "no plugin: $("$vftr" flags gcc)" ;;
    esac
    "$vftr" cc -O2 "$srcdir/examples/heat.c" -lm -o heat || fail "vftr cc does not build"
    config
    run_well ./heat 2
    expect_calls heat_all.log relax_row 596
    "$vftr" report heat_all.vfd >report || fail "the packed vftr cannot report"
    expect_calls report relax_row 596
}
has_plugin() { grep -q '^#define GCC_PLUGIN_VERSION "[^"]' "$builddir/config.h"; }

# What linkers say, "cannot find -lvftrace", does not tell which package is missing.
test_vftr_cc_names_the_package_that_is_missing() {
    packages
    mkdir alone
    dpkg-deb -x "$deb"/libvftrace2_*.deb alone && dpkg-deb -x "$deb"/vftr_*.deb alone || fail "cannot unpack them"
    expect_refused 1 "libvftrace.so, which programs are linked with (Debian: libvftrace-dev)" alone/usr/bin/vftr cc "$srcdir/examples/heat.c" -lm -o heat
    run alone/usr/bin/vftr cc -O2 -c "$srcdir/examples/heat.c" -o heat.o
    expect_status 0
}

test_the_packed_files_for_pkg_config_name_the_folder_of_modules() {
    packages
    local pc flags
    pc=$(find "$usr" -name vftrace.pc)
    export PKG_CONFIG_PATH=${pc%/vftrace.pc}
    flags=$(pkg-config --cflags --libs vftrace)
    config
    # shellcheck disable=SC2086
    $cc -finstrument-functions "$srcdir/examples/embed.c" $flags -lm -o embed || fail "does not build with $flags"
    [ -n "$(find "$usr" -name vftrace.mod)" ] || skip "built without Fortran"
    # shellcheck disable=SC2086
    $FC -finstrument-functions "$srcdir/examples/regions.f90" $flags -o scopes || fail "does not build with $flags"
    LD_LIBRARY_PATH=$(dirname "$PKG_CONFIG_PATH") run_well ./scopes
    expect_calls scopes_all.log 'next prime' 12
}

test_the_packed_library_serves_static_programs() {
    packages
    local pc
    pc=$(find "$usr" -name vftrace.pc)
    unset VFTR_CONFIG
    # shellcheck disable=SC2046
    $cc -static -finstrument-functions "$srcdir/examples/heat.c" -o heat $(PKG_CONFIG_PATH=${pc%/vftrace.pc} pkg-config --cflags --libs --static vftrace) -lm 2>build.err ||
        fail "does not build: $(cat build.err)"
    run ./heat 2
    expect_status 0
    expect_calls heat_all.log relax_row 596
}

test_manual_pages_of_other_names_lead_to_pages_that_are_there() {
    packages
    local page target
    find "$usr/share/man" -name '*.gz' | while read -r page; do
        # debhelper makes links of pages that only name another one.
        [ -e "$page" ] || fail "$page leads to nothing"
        target=$(gzip -dc "$page" | sed -n 's/^\.so //p')
        [ -z "$target" ] || [ -e "$usr/share/man/$target.gz" ] || fail "$page leads to $target"
    done || exit 1
    [ -e "$usr/share/man/man1/vftrace_vfd_dump.1.gz" ] || fail "a name of 2.0 has no page"
}

run_tests
