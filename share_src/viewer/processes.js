// SPDX-License-Identifier: BSD-3-Clause
// The processes of a run as a tree, with their command lines, times and endings, and a time axis of their lives.
import {emptyCanvas, isDark} from './canvas.js';
import {element, legend, tip} from './dom.js';
import {count, counted, duration} from './format.js';
import {Rows} from './rows.js';

const Height = 64; // pixels of the axis

/**
 * As src/export/html/processes.cpp writes it. Rows are depth first; times are since the start of the first one.
 * @typedef {object} Life
 * @property {number} depth
 * @property {boolean} [next] whether its process was another program before (exec)
 * @property {number} [pid]
 * @property {number} [rank]
 * @property {string} [host]
 * @property {number} start_ns
 * @property {number} end_ns where it runs on, the latest known moment
 * @property {boolean} open whether it runs on, or its end is not known
 * @property {boolean} one whether it is a process, not a job or one that is known by name only
 * @property {string} ended
 * @property {string} command
 * @property {number} [part] its profile
 */

/**
 * How many live at each pixel, to be looked closer at by drawing over a part.
 * @param {Life[]} lives
 * @param {number} from
 * @param {number} to
 * @param {(from: number, to: number) => void} look
 */
function axis(lives, from, to, look) {
    /** @type {{x: number, now: number}|null} */
    let pressed = null;
    let alive = new Uint32Array();
    const timeAt = (/** @type {number} */ x) => from + x / canvas.clientWidth * (to - from);
    const canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {class: 'drawing', role: 'img', 'aria-label': 'how many processes live when', style: `height: ${Height}px`,
        onmousedown: (/** @type {MouseEvent} */ event) => { pressed = {x: event.offsetX, now: event.offsetX}; },
        onmousemove: (/** @type {MouseEvent} */ event) => {
            if (pressed) {
                pressed.now = event.offsetX;
                draw();
            }
            tip(`${(timeAt(event.offsetX) / 1e9).toFixed(3)} s: ${counted(alive[Math.floor(event.offsetX)] ?? 0, 'program')}`, event);
        },
        onmouseleave: () => { tip(null); pressed = null; draw(); },
        onmouseup: (/** @type {MouseEvent} */ event) => {
            const [a, b] = [Math.min(pressed?.x ?? 0, event.offsetX), Math.max(pressed?.x ?? 0, event.offsetX)], drawn = pressed !== null && b - a > 3;
            pressed = null;
            if (drawn) look(timeAt(a), timeAt(b));
        }}));
    const draw = () => {
        const ready = emptyCanvas(canvas, Height);
        if (!ready) return;
        const {pen, width} = ready, change = new Int32Array(Math.ceil(width) + 2), bottom = Height - 16;
        const x = (/** @type {number} */ time) => Math.max(0, Math.min(Math.floor((time - from) / (to - from) * width), change.length - 2));
        for (const one of lives)
            if (one.one && one.end_ns >= from && one.start_ns <= to) {
                change[x(one.start_ns)]++;
                change[x(one.end_ns) + 1]--;
            }
        alive = new Uint32Array(Math.ceil(width));
        for (let i = 0, now = 0; i < alive.length; i++) alive[i] = now += change[i];
        const most = alive.reduce((a, b) => Math.max(a, b), 1);
        pen.fillStyle = isDark() ? '#35618f' : '#8db8e8';
        alive.forEach((number, i) => pen.fillRect(i, bottom - number / most * (bottom - 2), 1, number / most * (bottom - 2)));
        pen.fillStyle = getComputedStyle(canvas).color;
        pen.font = '11px system-ui, sans-serif';
        for (let i = 0; i <= 4; i++) {
            pen.textAlign = i === 0 ? 'left' : i === 4 ? 'right' : 'center';
            pen.fillText(`${((from + (to - from) * i / 4) / 1e9).toFixed(3)} s`, width * i / 4, Height - 7);
        }
        if (pressed) {
            pen.fillStyle = '#8885';
            pen.fillRect(pressed.x, 0, pressed.now - pressed.x, Height);
        }
    };
    new ResizeObserver(draw).observe(canvas);
    return canvas;
}

/** @type {import('./main.js').View} */
export const processes = {
    name: 'processes',
    title: 'Processes',
    present: (_profile, run) => run.processes.length !== 0,
    show(place, _profile, state, run) {
        const lives = run.processes, end = lives.reduce((last, one) => Math.max(last, one.end_ns), 1);
        const from = Math.min(Math.max(Number(state.get('from')) || 0, 0), end), to = Math.max(Math.min(Number(state.get('to')) || end, end), from + 1000);
        /**
         * Rows whose children are not shown.
         * @type {Set<number>}
         */
        const closed = new Set();
        const hasChildren = (/** @type {number} */ row) => row + 1 < lives.length && lives[row + 1].depth > lives[row].depth;
        const time = (/** @type {string} */ title, /** @type {(one: Life) => number} */ value, /** @type {(one: Life) => string} */ shown) =>
            ({title, width: '7.5em', number: true, value: (/** @type {number} */ row) => value(lives[row]), shown: (/** @type {number} */ row) => shown(lives[row])});
        const seconds = (/** @type {number} */ ns) => `${(ns / 1e9).toFixed(3)} s`;
        const life = (/** @type {number} */ row) => {
            const {start_ns, end_ns, open} = lives[row], left = Math.max(0, (start_ns - from) / (to - from)), right = Math.min(1, (end_ns - from) / (to - from));
            return element('span', {class: 'life'}, right >= 0 && left <= 1 && element('span', {class: 'bar' + (open ? ' open' : ''), style: `left: ${(left * 100).toFixed(3)}%; width: max(2px, ${(Math.max(right - left, 0) * 100).toFixed(3)}%)`}));
        };
        const command = (/** @type {number} */ row) => element('span', {style: `padding-left: ${Math.min(lives[row].depth, 30) * 1.2}em`, title: lives[row].command},
            hasChildren(row) ? element('a', {href: state.address({}), style: 'text-decoration: none', 'aria-label': 'open or close', onclick: (/** @type {Event} */ event) => {
                event.preventDefault();
                event.stopPropagation();
                if (!closed.delete(row)) closed.add(row);
                fill();
            }}, closed.has(row) ? '▸ ' : '▾ ') : '', lives[row].next ? '→ ' : '', lives[row].command);
        const columns = [
            {title: 'PID', width: '6em', number: true, value: (/** @type {number} */ row) => lives[row].pid ?? ''},
            ...(lives.some(one => one.rank !== undefined) ? [{title: 'rank', width: '5em', number: true, value: (/** @type {number} */ row) => lives[row].rank ?? ''}] : []),
            time('start', one => one.start_ns, one => seconds(one.start_ns)),
            time('time', one => one.end_ns - one.start_ns, one => duration(one.end_ns - one.start_ns)),
            {title: 'ended', width: '8em', value: (/** @type {number} */ row) => lives[row].ended},
            {title: 'life', width: 'minmax(14em, 1fr)', number: true, value: (/** @type {number} */ row) => lives[row].end_ns, shown: life},
            {title: 'program', width: 'minmax(24em, 1.5fr)', order: (/** @type {number} */ row) => row, value: (/** @type {number} */ row) => lives[row].command, shown: command},
        ];
        const table = new Rows(columns, {sort: state.get('sort', 'program'), sorted: title => state.note({sort: title}),
            chosen: row => { if (lives[row].part !== undefined) state.go({view: 'functions', part: lives[row].part ?? 0}); }});
        table.box.style.height = `calc(100vh - 11em - ${Height}px)`;
        const found = element('span', {class: 'faint', role: 'status'});
        const fill = () => {
            const words = state.get('q').toLowerCase().split(/\s+/).filter(Boolean), rows = [];
            for (let row = 0; row < lives.length; row++) {
                const {command, pid, ended, host, depth} = lives[row], its = `${command} ${pid ?? ''} ${ended} ${host ?? ''}`.toLowerCase();
                if (words.every(word => its.includes(word)) && lives[row].end_ns >= from && lives[row].start_ns <= to) rows.push(row);
                if (closed.has(row)) while (row + 1 < lives.length && lives[row + 1].depth > depth) row++;
            }
            found.textContent = `${count(rows.length)} of ${counted(lives.length, 'program')}`;
            table.fill(rows);
        };
        const look = (/** @type {number} */ a, /** @type {number} */ b) => state.go({from: a <= 0 ? null : Math.round(a), to: b >= end ? null : Math.round(b)});
        place.append(element('div', {class: 'tools'}, element('input', {type: 'search', placeholder: 'search', 'aria-label': 'search', value: state.get('q'), oninput: (/** @type {any} */ event) => { state.note({q: event.target.value}); fill(); }}),
            (from > 0 || to < end) && element('button', {onclick: () => look(0, end)}, 'Show all'), element('button', {onclick: () => navigator.clipboard.writeText(table.csv())}, 'Copy as CSV'), found,
            element('span', {class: 'faint'}, `${duration(to - from)} of ${duration(end)}; draw over a part to look closer`),
            lives.some(one => one.open) && legend('color-mix(in srgb, var(--bar) 55%, transparent)', 'runs on, or its end is not known')), axis(lives, from, to, look), table.box);
        fill();
    },
};
