# SPDX-License-Identifier: BSD-3-Clause
#
# awk -f architecture.awk layers.table >architecture.svg: the picture of src/README.md. The rooms stand in their layers, a room
# uses what is below it; the way of the data is on top. The picture has a background of its own, so it reads the same on dark pages.
function rest_of_line(from,   i, words) {
    for (i = from; i <= NF; i++) words = words (i > from ? " " : "") $i
    gsub(/&/, "\\&amp;", words)
    gsub(/</, "\\&lt;", words)
    return words
}
function text(x, y, class, words) { printf "<text x=\"%d\" y=\"%d\" class=\"%s\">%s</text>\n", x, y, class, words }
function box(x, y, width, height, class) {
    printf "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"8\" class=\"%s\"/>\n", x, y, width, height, class
}
# lines(X, Y, WIDTH, WORDS): in as many lines as it takes.
function lines(x, y, width, words,   word, count, i, line, most) {
    most = int(width / 5.8)
    count = split(words, word, " ")
    for (i = 1; i <= count; i++) {
        if (line != "" && length(line) + 1 + length(word[i]) > most) { text(x, y, "what", line); y += 15; line = "" }
        line = line (line == "" ? "" : " ") word[i]
    }
    text(x, y, "what", line)
}
# row(LAYER, X, Y, WIDTH): the rooms of a layer beside each other.
function row(layer, x, y, width,   i, each, end) {
    each = int((width - gap * (size[layer] - 1)) / size[layer])
    end = x + width
    for (i = 1; i <= size[layer]; i++) {
        if (i == size[layer]) each = end - x
        box(x, y, each, row_height, "room " library_of_layer[layer])
        text(x + 12, y + 24, "name", room[layer " " i])
        lines(x + 12, y + 43, each - 20, what[room[layer " " i]])
        x += each + gap
    }
}
# library(NAME, TITLE, WHERE, X, BOTTOM, WIDTH): its layers upon each other, the first of the table lowest; the upper border.
function library(name, title, where, x, bottom, width,   i, y) {
    y = bottom - 2 * edge - height_of[name] - title_height
    box(x, y, width, bottom - y, "library " name)
    text(x + edge, y + 24, "title", title)
    printf "<text x=\"%d\" y=\"%d\" class=\"where\" text-anchor=\"end\">%s</text>\n", x + width - edge, y + 24, where
    bottom -= edge
    for (i = 1; i <= layers; i++) if (library_of_layer[i] == name) {
        bottom -= row_height
        row(i, x + edge, bottom, width - 2 * edge)
        bottom -= gap
    }
    return y
}
# uses(X, Y): an arrow from what is above to what it uses.
function uses(x, y) { printf "<path d=\"M%d %d v%d\" class=\"arrow\" marker-end=\"url(#head)\"/>\n", x, y, between - 6 }

$1 == "layer" { library_of_layer[++layers] = $2; next }
$1 == "room" { room[layers " " ++size[layers]] = $2; what[$2] = rest_of_line(3); of[$2] = library_of_layer[layers]; next }
$1 == "use" && of[$2] == "recorder" && of[$3] == "analysis" { across = 1 }
$1 == "flow" { stage_room[++stages] = $2; stage[stages] = rest_of_line(3); next }
END {
    gap = 10; edge = 16; row_height = 68; title_height = 26; between = 30
    margin = 24; width = 1120; inner = width - 2 * margin
    for (i = 1; i <= layers; i++)
        height_of[library_of_layer[i]] += row_height + (rows_of[library_of_layer[i]]++ ? gap : 0)
    frame = 2 * edge + title_height
    left = height_of["recorder"]
    right = height_of["analysis"] + height_of["vftr"] + frame + between
    middle = (left > right ? left : right) + frame
    flow_height = 160
    height = margin + flow_height + middle + between + height_of["both"] + frame + 34 + margin

    print "<!-- SPDX-License-Identifier: BSD-3-Clause. Made by architecture.awk of layers.table. -->"
    printf "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\" aria-label=\"The rooms of vftrace in layers, and the way of the data\">\n", width, height, width, height
    print "<style>"
    print "text { font-family: 'DejaVu Sans', Verdana, 'Segoe UI', Helvetica, Arial, sans-serif; fill: #24292f }"
    print ".name { font-size: 14px; font-weight: bold } .what { font-size: 11px; fill: #424a53 }"
    print ".title { font-size: 15px; font-weight: bold } .where { font-size: 12px; fill: #57606a }"
    print ".stage { font-size: 13px; font-weight: bold; text-anchor: middle } .in { font-size: 11px; fill: #57606a; text-anchor: middle }"
    print ".page { fill: #ffffff; stroke: #d0d7de } .library { stroke-width: 1.5 }"
    print ".library.recorder { fill: #fff5eb; stroke: #e8985a } .room.recorder { fill: #ffdfc2; stroke: #e8985a }"
    print ".library.analysis { fill: #eef6ff; stroke: #5b9bd9 } .room.analysis { fill: #cfe5fb; stroke: #5b9bd9 }"
    print ".library.vftr { fill: #f1faf0; stroke: #6bb26a } .room.vftr { fill: #d3edd1; stroke: #6bb26a }"
    print ".library.both { fill: #f6f6f8; stroke: #9aa1ab } .room.both { fill: #e4e6ea; stroke: #9aa1ab }"
    print ".arrow { stroke: #57606a; stroke-width: 1.8; fill: none } .across { stroke-dasharray: 5 3 } .tip { fill: #57606a }"
    print "</style>"
    print "<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"4\" refY=\"4\" markerWidth=\"5\" markerHeight=\"5\" orient=\"auto\"><path d=\"M0 0 L8 4 L0 8 z\" class=\"tip\"/></marker></defs>"
    printf "<rect x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"12\" class=\"page\"/>\n", width - 2, height - 2

    text(margin, margin + 18, "title", "The way of the data")
    step = 22; each = int((inner - step * (stages - 1)) / stages); x = margin; y = margin + 34
    for (i = 1; i <= stages; i++) {
        if (i == stages) each = width - margin - x
        box(x, y, each, 62, "room " of[stage_room[i]])
        count = split(stage[i], word, " ")
        half = count > 2 ? int((count + 1) / 2) : count
        upper = lower = ""
        for (j = 1; j <= count; j++) if (j <= half) upper = upper " " word[j]; else lower = lower " " word[j]
        middle_of = x + int(each / 2)
        if (lower == "") text(middle_of, y + 28, "stage", substr(upper, 2))
        else { text(middle_of, y + 20, "stage", substr(upper, 2)); text(middle_of, y + 36, "stage", substr(lower, 2)) }
        text(middle_of, y + 53, "in", stage_room[i])
        if (i < stages) printf "<path d=\"M%d %d h%d\" class=\"arrow\" marker-end=\"url(#head)\"/>\n", x + each + 3, y + 31, step - 9
        x += each + step
    }

    y = margin + flow_height
    text(margin, y - 16, "title", "What uses what")
    printf "<text x=\"%d\" y=\"%d\" class=\"where\" text-anchor=\"end\">A room uses rooms below it, and rooms on its left in the same row.</text>\n", width - margin, y - 16
    right_width = 400; left_width = inner - right_width - between; right_x = margin + left_width + between
    bottom = y + middle
    library("recorder", "Recorder", "in the recorded process", margin, bottom, left_width)
    top_of_analysis = library("analysis", "Analysis", "tables of recordings", right_x, bottom, right_width)
    library("vftr", "vftr", "the command", right_x, top_of_analysis - between, right_width)
    uses(right_x + int(right_width / 2), top_of_analysis - between + 2)
    uses(margin + int(left_width / 2), bottom + 2)
    uses(right_x + int(right_width / 2), bottom + 2)
    bottom += between + height_of["both"] + frame
    library("both", "Foundation", "for all", margin, bottom, inner)
    if (across) {
        y = top_of_analysis + int((frame + height_of["analysis"]) / 2)
        printf "<path d=\"M%d %d h%d\" class=\"arrow across\" marker-end=\"url(#head)\"/>\n", margin + left_width + 2, y, between - 6
        text(margin, bottom + 30, "where", "Across: the log at the end of the process and the merged profile of MPI_Finalize are made by the code that makes the tables of vftr.")
    }
    print "</svg>"
}
