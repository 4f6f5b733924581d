# SPDX-License-Identifier: BSD-3-Clause
#
# Whole real programs of Debian's sources, for subjects that run them in several variants; bash, sourced by figures.
# NAME_sources TREE EXECUTABLE FLAGS builds one; make_inputs makes what they read, and arguments_of NAME is what they are run with. The object spent.o is in the
# current folder: it writes the file `spent` at the end.
# shellcheck shell=bash disable=SC2154

# shellcheck disable=SC2046,SC2086
lua_sources() { $CC $3 -DLUA_USE_POSIX '-Dluai_makeseed(L)=42u' $(ls "$1"/src/*.c | grep -v luac.c) "$PWD/spent.o" -o "$2" -lm; }
# shellcheck disable=SC2086
bzip2_sources() { (cd "$1" && $CC $3 blocksort.c huffman.c crctable.c randtable.c compress.c decompress.c bzlib.c bzip2.c "$OLDPWD/spent.o" -o "$2"); }
# shellcheck disable=SC2086
fasttree_sources() { $CC $3 -w -fgnu89-inline "$1/fasttree.c" "$PWD/spent.o" -o "$2" -lm; }
# shellcheck disable=SC2086
minisat_sources() {
    # Newer compilers want the default where the function is defined.
    sed -i 's/friend Lit mkLit(Var var, bool sign = false)/friend Lit mkLit(Var var, bool sign)/; s/inline  Lit  mkLit     (Var var, bool sign)/inline Lit mkLit(Var var, bool sign = false)/' \
        "$1/minisat/core/SolverTypes.h"
    $CXX $3 -w -std=gnu++98 -fpermissive -D__STDC_LIMIT_MACROS -D__STDC_FORMAT_MACROS -I"$1" "$1"/minisat/core/*.cc "$1"/minisat/utils/*.cc "$PWD/spent.o" -o "$2" -lz
}
# shellcheck disable=SC2086
minigzip_sources() { (cd "$1" && $CC $3 -DHAVE_UNISTD_H -w ./*.c test/minigzip.c "$OLDPWD/spent.o" -o "$2"); }

# shellcheck disable=SC2086
metis_sources() {
    (cd "$1" && $CC $3 -w -std=gnu99 -DNDEBUG '-DSVNINFO=""' -IGKlib -Iinclude -Ilibmetis -Iprograms GKlib/*.c libmetis/*.c \
        programs/{gpmetis,cmdline_gpmetis,io,stat,smbfactor}.c "$OLDPWD/spent.o" -o "$2" -lm)
}
# shellcheck disable=SC2086
libsvm_sources() { $CXX $3 -w "$1/svm.cpp" "$1/svm-train.c" "$PWD/spent.o" -o "$2"; }
# shellcheck disable=SC2086
lame_sources() {
    $CC $3 -w -DSTDC_HEADERS -DHAVE_STRCHR -DHAVE_MEMCPY -DHAVE_STDINT_H -DHAVE_LIMITS_H -DHAVE_ERRNO_H -DHAVE_FCNTL_H -DTAKEHIRO_IEEE754_HACK \
        -Dieee754_float32_t=float '-DPACKAGE="lame"' -I"$1/include" -I"$1/libmp3lame" -I"$1/mpglib" "$1"/libmp3lame/*.c \
        "$1"/frontend/{lame_main,lametime,parse,console,get_audio,timestatus,brhist,main}.c "$PWD/spent.o" -o "$2" -lm
}

# shellcheck disable=SC2046,SC2086
clustalw_sources() {
    # config.h would say this, and older headers brought the others along.
    $CXX $3 -w -DOS_UNIX '-DPACKAGE_VERSION="2"' -include climits -include cstring -include cstdlib -I"$1/src" \
        $(find "$1/src" -name '*.cpp' | grep -v 'QTest\|unitTests') "$PWD/spent.o" -o "$2"
}

# What they are run with: a second of work or so, as what is reported has two digits behind the point; the same on each run.
arguments_of() {
    case $1 in
    metis) echo -nooutput "$sources/metis/graphs/mdual.graph" 1000 ;;
    libsvm) echo -q -c 10 classes model ;;
    lame) echo -r -m m --quiet sound sound.mp3 ;;
    clustalw) echo -INFILE=proteins -OUTFILE=aligned -OUTPUT=CLUSTAL ;;
    lua) echo repeated.lua ;;
    bzip2 | minigzip) echo -9 -c text ;;
    fasttree) echo -nt -quiet alignment ;;
    minisat) echo -verb=0 formula ;;
    esac
}
# alignment_of N: that many sequences of DNA, of one family.
alignment_of() {
    awk -v sequences="$1" 'BEGIN {
        srand(7)
        for (i = 0; i < 400; i++) first[i] = substr("ACGT", 1 + int(rand() * 4), 1)
        for (s = 0; s < sequences; s++) {
            line = ""
            for (i = 0; i < 400; i++) line = line (rand() < 0.15 + 0.03 * (s % 7) ? substr("ACGT", 1 + int(rand() * 4), 1) : first[i])
            print ">s" s "\n" line
        }
    }'
}
# classes_of N: that many samples of two classes, as svm-train reads them.
classes_of() {
    awk -v samples="$1" 'BEGIN {
        srand(4)
        for (i = 0; i < samples; i++) {
            line = ""
            for (k = s = 0; k < 12; k++) {
                v = 2 * rand() - 1
                s += v * (k % 3 - 1)
                line = line " " k + 1 ":" v
            }
            print (s + rand() > 0.5 ? "+1" : "-1") line
        }
    }'
}
make_inputs() {
    local i
    echo "for i = 1, 60 do dofile('$source/examples/bench.lua') end" >repeated.lua
    for ((i = 0; i < 16; i++)); do cat "$sources"/*/*.c; done | head -c 48000000 >text
    alignment_of 300 >alignment
    awk 'BEGIN {
        srand(3)
        letters = "ACDEFGHIKLMNPQRSTVWY"
        for (i = 0; i < 300; i++) first[i] = substr(letters, 1 + int(rand() * 20), 1)
        for (s = 0; s < 40; s++) {
            line = ""
            for (i = 0; i < 300; i++) line = line (rand() < 0.3 ? substr(letters, 1 + int(rand() * 20), 1) : first[i])
            print ">s" s "\n" line
        }
    }' >proteins
    classes_of 16000 >classes
    # Four minutes: two tones and noise.
    LC_ALL=C awk 'BEGIN {
        srand(2)
        for (i = 0; i < 44100 * 240; i++) {
            v = int(8000 * sin(i * 0.05) + 4000 * sin(i * 0.31) + 4000 * rand()) + 20000
            printf "%c%c", 1 + v % 255, 1 + v / 256
        }
    }' >sound
    awk 'BEGIN {
        srand(5)
        print "p cnf 260 1108"
        for (i = 0; i < 1108; i++) {
            for (k = 0; k < 3; k++) printf "%d ", (rand() < 0.5 ? 1 : -1) * (1 + int(rand() * 260))
            print 0
        }
    }' >formula
}
