// SPDX-License-Identifier: BSD-3-Clause
// The call tree as boxes: an icicle whose boxes are as wide as the time of a path with all that it calls, callers above. What is looked into is a
// path ("path", an STID); "callers" turns it round: below a function stand those that call it, as wide as its own time that belongs to them.
import {emptyCanvas, isDark} from './canvas.js';
import {changeColour, colour, legendOfChanges, legendOfKinds} from './colour.js';
import {callsText, intervalText, ratioText, remarkText} from './difference_data.js';
import {element, legend, tip} from './dom.js';
import {change, counted, duration, percent, shortened} from './format.js';
import {closer, intervalOf, PathTimes} from './interval.js';

const Row = 20; // pixels of height
const MostLevels = 600; // browsers draw nothing on a canvas that is much higher
const Least = 0.5; // pixels of width below which a box, and all below it, is not drawn

const markedColour = (/** @type {boolean} */ dark) => dark ? '#b25fd0' : '#d98cf0'; // of functions that are searched for

/**
 * What is drawn: a tree in depth-first order.
 * @typedef {object} Boxes
 * @property {number} rows
 * @property {ArrayLike<number>} end where what is below a row ends
 * @property {ArrayLike<number>} width what a box's width is made of
 * @property {ArrayLike<number>} parent
 * @property {(row: number) => string} title
 * @property {(row: number) => string} brief
 * @property {(row: number) => number} kind
 * @property {(row: number) => string} told what the tip says
 * @property {(row: number, dark: boolean) => string} [colour] otherwise by kind and name
 */

/**
 * What paths take, by row of the tree: of the whole run, or in a part of it.
 * @typedef {{tree: import('./data.js').CallTree, inclusive: ArrayLike<number>, exclusive: ArrayLike<number>, calls: ArrayLike<number>, whole: boolean}} Figures
 */

/**
 * @param {import('./data.js').Profile} profile
 * @returns {Figures}
 */
const figuresOf = ({tree}) => ({tree, inclusive: tree.column.inclusive, exclusive: tree.column.exclusive, calls: tree.column.calls, whole: true});

/**
 * Of a part of the time, by the events of the timeline.
 * @param {import('./timeline_data.js').Timeline} timeline
 * @param {{from: number, to: number, ranks: import('./rank_choice.js').RankChoice}} part
 * @returns {Figures}
 */
function figuresWithin(timeline, {from, to, ranks}) {
    const times = new PathTimes(timeline, from, to, ranks);
    while (!times.go());
    return {tree: timeline.tree, inclusive: times.inclusive(), exclusive: times.exclusive, calls: times.calls, whole: false};
}

/**
 * Top down, by time or by calls.
 * @param {Figures} figures
 * @param {string} weight
 * @returns {Boxes}
 */
function callees({tree, inclusive, exclusive, calls, whole}, weight) {
    const {column} = tree;
    let width = inclusive;
    if (weight === 'calls') {
        const sums = Float64Array.from(calls);
        for (let row = tree.rows - 1; row > 0; row--) sums[column.parent[row]] += sums[row];
        width = sums;
    }
    const told = (/** @type {number} */ row) => `${tree.told(row)}\n${duration(inclusive[row])} (${percent(inclusive[row] / (inclusive[0] || 1))}), by itself ${duration(Math.max(exclusive[row], 0))}\n` +
        `${counted(calls[row], 'call')}, STID ${column.id[row]}` + (whole && column.exclusive_max ? `\nby itself ${duration(column.exclusive_min[row])} (rank ${column.exclusive_min_rank[row]}) to ${duration(column.exclusive_max[row])} (rank ${column.exclusive_max_rank[row]})` : '');
    return {rows: tree.rows, end: tree.end, width, parent: column.parent, title: row => tree.title(row), brief: row => tree.brief(column.name[row]), kind: row => column.kind[row], told};
}

/**
 * The tree of both runs, as wide as what the new one takes, or the base, in which also that is seen which is gone; in the colours of what has changed.
 * @param {import('./difference_data.js').Difference} difference
 * @param {string} weight
 * @returns {Boxes}
 */
function changedBoxes(difference, weight) {
    const {tree} = difference, {column} = tree, ns = (/** @type {number} */ seconds) => duration(1e9 * seconds);
    const told = (/** @type {number} */ row) => {
        const its = difference.at(row), interval = intervalText(its), remark = remarkText(its, name => tree.briefOf(name));
        return `${tree.told(row)}\n${its.verdict}: ${ns(its.base)} → ${ns(its.new)} by itself (${change(1e9 * its.difference)})` + (interval && `, ratio ${ratioText(its)} (95 %: ${interval})`) +
            `\n${ns(column.base_inclusive[row])} → ${ns(column.new_inclusive[row])} with what it calls\n${callsText(its, its.base_calls)} → ${callsText(its, its.new_calls)} calls` + (remark && `\n${remark}`);
    };
    return {rows: tree.rows, end: tree.end, width: weight === 'base' ? column.base_inclusive : column.new_inclusive, parent: column.parent, title: row => tree.title(row),
        brief: row => tree.brief(column.name[row]), kind: row => column.kind[row], told, colour: (row, dark) => changeColour(difference.at(row), dark)};
}

/**
 * Bottom up: the callers of a function.
 * @param {Figures} figures
 * @param {number} name
 * @returns {Boxes}
 */
function callers({tree, exclusive, calls}, name) {
    const {column} = tree;
    /** @typedef {{name: number, kind: number, ns: number, calls: number, below: Map<number, any>}} Caller */
    /** @returns {Caller} */
    const caller = (/** @type {number} */ row) => ({name: column.name[row], kind: column.kind[row], ns: 0, calls: 0, below: new Map()});
    let all = null;
    for (let row = 0; row < tree.rows; row++) {
        if (column.name[row] !== name) continue;
        all ??= caller(row);
        let at = all;
        for (let up = row; ; up = column.parent[up]) {
            if (up !== row) {
                if (!at.below.has(column.name[up])) at.below.set(column.name[up], caller(up));
                at = at.below.get(column.name[up]);
            }
            at.ns += exclusive[row];
            at.calls += calls[row];
            if (up === 0) break;
        }
    }
    /** @type {Caller[]} */
    const flat = [];
    /** @type {number[]} */
    const parent = [];
    /** @type {number[]} */
    const end = [];
    /** @type {[Caller, number][]} */
    const open = all ? [[all, 0]] : [];
    while (open.length) {
        const [one, of] = /** @type {[Caller, number]} */ (open.pop());
        const row = flat.push(one) - 1;
        parent.push(of);
        for (const below of [...one.below.values()].sort((a, b) => a.ns - b.ns)) open.push([below, row]);
    }
    for (let row = flat.length - 1; row >= 0; row--) {
        end[row] ??= row + 1;
        if (row !== 0) end[parent[row]] = Math.max(end[parent[row]] ?? 0, end[row]);
    }
    return {rows: flat.length, end, parent, width: flat.map(one => one.ns), title: row => tree.titles[flat[row].name], brief: row => tree.brief(flat[row].name), kind: row => flat[row].kind,
        told: row => `${tree.titles[flat[row].name]}\n${duration(flat[row].ns)} by itself of ${tree.titles[name]}, in ${counted(flat[row].calls, 'call')}`};
}

/** The drawing and what is under the mouse. */
class Drawing {
    /**
     * @param {Boxes} boxes
     * @param {number} root
     * @param {string} search
     * @param {(row: number) => void} chosen
     */
    constructor(boxes, root, search, chosen) {
        this.boxes = boxes;
        this.root = root;
        this.search = search.toLowerCase();
        this.chosen = chosen;
        /**
         * What was drawn, by level: row, left and right of each box.
         * @type {number[][]}
         */
        this.levels = [];
        this.at = root;
        this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {class: 'drawing', tabindex: 0, role: 'application', 'aria-label': 'flame graph: arrow keys move, Enter looks into a box, Escape leaves',
            onmousemove: (/** @type {MouseEvent} */ event) => { const row = this.under(event); tip(row < 0 ? null : this.boxes.told(row), event); },
            onmouseleave: () => tip(null),
            onclick: (/** @type {MouseEvent} */ event) => { const row = this.under(event); if (row >= 0) chosen(row); },
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)}));
        new ResizeObserver(() => this.draw()).observe(this.canvas);
    }

    /** @param {MouseEvent} event */
    under({offsetX, offsetY}) {
        const level = this.levels[Math.floor(offsetY / Row)] ?? [];
        for (let i = 0; i < level.length; i += 3) if (level[i + 1] <= offsetX && offsetX < level[i + 2]) return level[i];
        return -1;
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const {parent, end} = this.boxes;
        const next = () => end[this.at] < this.boxes.rows && parent[end[this.at]] === parent[this.at] && this.at !== this.root ? end[this.at] : this.at;
        const previous = () => { let row = this.at === this.root ? this.at : parent[this.at] + 1; while (row !== this.at && end[row] !== this.at) row = end[row]; return row; };
        const to = event.key === 'ArrowUp' ? (this.at === this.root ? this.at : parent[this.at]) : event.key === 'ArrowDown' ? (end[this.at] > this.at + 1 ? this.at + 1 : this.at)
            : event.key === 'ArrowRight' ? next() : event.key === 'ArrowLeft' ? previous() : null;
        if (event.key === 'Enter') this.chosen(this.at);
        else if (event.key === 'Escape') this.chosen(0);
        else if (to !== null) {
            this.at = to;
            this.draw();
            const box = this.canvas.getBoundingClientRect();
            tip(this.boxes.told(to), {clientX: box.left, clientY: box.top});
        } else return;
        event.preventDefault();
    }

    /**
     * The boxes that are wide enough, by level; those around the root are as wide as the whole.
     * @param {number} all pixels
     */
    place(all) {
        const {end, width, parent} = this.boxes;
        /** @type {number[][]} */
        const levels = [];
        /** @type {number[]} */
        const around = [];
        for (let row = this.root; row !== 0 && around.length < MostLevels / 2;) around.unshift(row = parent[row]);
        around.forEach((row, level) => levels[level] = [row, 0, all]);
        const scale = width[this.root] > 0 ? all / width[this.root] : 0;
        // Depth first, without recursion: the parents that are open, with where their next child begins.
        const ends = [end[this.root]], lefts = [0];
        (levels[around.length] ??= []).push(this.root, 0, all);
        for (let row = this.root + 1; row < end[this.root];) {
            while (row >= ends[ends.length - 1]) { ends.pop(); lefts.pop(); }
            const left = lefts[lefts.length - 1], right = left + width[row] * scale;
            lefts[lefts.length - 1] = right;
            if (right - left < Least || around.length + ends.length >= MostLevels) { row = end[row]; continue; }
            (levels[around.length + ends.length] ??= []).push(row, left, right);
            ends.push(end[row]);
            lefts.push(left);
            row++;
        }
        return levels;
    }

    draw() {
        const wide = this.canvas.clientWidth;
        if (wide === 0 || this.boxes.rows === 0) return;
        this.levels = this.place(wide);
        const dark = isDark(), ready = emptyCanvas(this.canvas, this.levels.length * Row);
        if (!ready) return;
        const {pen} = ready;
        pen.font = '12px system-ui, sans-serif';
        let marked = 0;
        this.levels.forEach((level, depth) => {
            for (let i = 0; i < level.length; i += 3) {
                const [row, left, right] = [level[i], level[i + 1], level[i + 2]], title = this.boxes.title(row);
                const found = this.search !== '' && title.toLowerCase().includes(this.search);
                marked += found ? 1 : 0;
                pen.fillStyle = found ? markedColour(dark) : this.boxes.colour?.(row, dark) ?? colour(title, this.boxes.kind(row), dark);
                const gap = right - left > 3 ? 1 : 0;
                pen.fillRect(left, depth * Row, right - left - gap, Row - 1);
                if (row === this.at && this.at !== this.root) {
                    pen.strokeStyle = dark ? '#fff' : '#000';
                    pen.strokeRect(left + 1, depth * Row + 1, Math.max(right - left - 3, 1), Row - 3);
                }
                if (right - left > 30) {
                    pen.fillStyle = dark ? '#f0f0f0' : '#111';
                    const room = Math.floor((right - left - 8) / 6.2), label = title.length > room ? this.boxes.brief(row) : title;
                    pen.fillText(shortened(label, room), left + 4, depth * Row + Row / 2, right - left - 8);
                }
            }
        });
        this.marked = marked;
    }
}

/** @type {import('./main.js').View} */
export const flame = {
    name: 'flame',
    title: 'Flame graph',
    interval: true,
    present: profile => profile.tree.rows > 0,
    show(place, profile, state, run) {
        const part = run.timeline && intervalOf(run.timeline, state), within = run.timeline && part && !part.whole ? part : null;
        const mayCompare = run.versus !== null && run === run.versus.next && !within && state.get('callers') === '';
        const compared = run.versus && mayCompare && state.get('colour', run.profiles.length > 1 ? 'kind' : 'difference') === 'difference' ? run.versus.difference : null;
        const figures = run.timeline && within ? figuresWithin(run.timeline, within) : figuresOf(profile), tree = compared ? compared.tree : figures.tree;
        const row = Math.max(0, state.get('path') === '' ? 0 : tree.rowOf(Number(state.get('path'))));
        const of = state.get('callers') === '' ? -1 : tree.titles.indexOf(state.get('callers'));
        const weight = state.get('weight', 'time');
        const chosen = (/** @type {number} */ to) => of < 0 ? state.go({path: to === 0 ? null : tree.column.id[to]}) : state.go({callers: null});
        const boxes = (/** @type {Figures} */ its) => compared ? changedBoxes(compared, weight) : of < 0 ? callees(its, weight) : callers(its, of);
        const drawing = new Drawing(boxes(figures), of < 0 ? row : 0, state.get('q'), chosen);
        if (within) closer(run, within.from, within.to).then(detail => {
            if (!detail) return;
            drawing.boxes = boxes(figuresWithin(detail, within));
            drawing.at = drawing.root; // boxes of callers have other numbers now
            drawing.draw();
        });
        place.append(element('div', {class: 'tools'},
            element('input', {type: 'search', placeholder: 'mark functions', 'aria-label': 'mark functions', value: state.get('q'),
                oninput: (/** @type {any} */ event) => { state.note({q: event.target.value}); drawing.search = event.target.value.toLowerCase(); drawing.draw(); }}),
            of < 0 && element('select', {'aria-label': 'width', onchange: (/** @type {any} */ event) => state.go({weight: event.target.value})},
                ...(compared ? [['time', 'by time of the new run'], ['base', 'by time of the base']] : [['time', 'by time'], ['calls', 'by calls']])
                    .map(([value, text]) => element('option', {value, selected: weight === value}, text))),
            mayCompare && element('select', {'aria-label': 'colour', onchange: (/** @type {any} */ event) => state.go({colour: event.target.value, weight: null})},
                element('option', {value: 'difference', selected: compared !== null}, 'in colours of the difference'), element('option', {value: 'kind', selected: compared === null}, 'the new run alone')),
            of < 0 && row !== 0 && element('button', {onclick: () => state.go({path: null})}, 'Show all'),
            of < 0 && row !== 0 && element('button', {onclick: () => state.go({callers: tree.title(row), path: null})}, `Callers of ${tree.brief(tree.column.name[row])}`),
            of >= 0 && element('button', {onclick: () => state.go({callers: null})}, 'Show callees'),
            within && element('button', {onclick: () => state.go({from: null, to: null, ranks: null})}, 'Whole run'),
            element('span', {class: 'faint'}, of < 0 ? tree.pathText(row) : `who calls ${tree.brief(of)}, by its own time`)),
            within ? element('p', {role: 'status'}, `Only the part of the timeline from ${(within.from / 1e9).toFixed(6)} s to ${(within.to / 1e9).toFixed(6)} s: all threads${within.ranks.isAll ? '' : ` of rank${/^\d+$/.test(within.ranks.text) ? '' : 's'} ${within.ranks.text}`}, with the cost of recording and the waits for a core.`) : '', drawing.canvas,
            element('p', {}, legend(markedColour(isDark()), 'marked functions'), compared ? legendOfChanges() : legendOfKinds(tree)), element('p', {class: 'faint'}, tree.rootNote + '.'));
    },
};
