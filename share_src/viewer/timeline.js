// SPDX-License-Identifier: BSD-3-Clause
// What each thread did when: calls from left to right, what they call below them. A part of the time is drawn over with the mouse.
import {element, smallTable, tip} from './dom.js';
import {colour} from './colour.js';
import {count, duration, percent} from './format.js';

const Row = 14; // pixels of height of a call
const MostLevels = 12; // of a thread that are drawn
const Left = 110; // pixels of the threads' names
const Gap = 8; // pixels between threads
const MostHeight = 12000; // pixels: browsers draw nothing on a canvas that is much higher
const Least = 0.5; // pixels of width below which calls are drawn together

/**
 * The time that functions take by themselves between two times, over all threads; rows of the call tree, those with most first.
 * @param {import('./timeline_data.js').Timeline} timeline
 * @param {number} from
 * @param {number} to
 */
function functionsIn(timeline, from, to) {
    const {tree} = timeline, own = new Float64Array(tree.titles.length), calls = new Float64Array(tree.titles.length);
    for (const {calls: its} of timeline.threads) {
        const around = new Uint32Array(its.levels); // by depth: what was called last there
        for (let i = 0; i < its.count && its.begin[i] < to;) {
            const part = Math.min(its.end[i], to) - Math.max(its.begin[i], from);
            if (part <= 0) {
                i = its.after[i];
                continue;
            }
            own[tree.column.name[its.row[i]]] += part;
            calls[tree.column.name[its.row[i]]]++;
            around[its.depth[i]] = its.row[i];
            if (its.depth[i] > 0) own[tree.column.name[around[its.depth[i] - 1]]] -= part;
            i++;
        }
    }
    return Array.from(own.keys()).filter(name => own[name] > 0).sort((a, b) => own[b] - own[a]).map(name => ({name, ns: own[name], calls: calls[name]}));
}

class Drawing {
    /**
     * @param {import('./timeline_data.js').Timeline} timeline
     * @param {number} from
     * @param {number} to
     * @param {(from: number, to: number) => void} look at another part
     * @param {(row: number) => void} chosen
     */
    constructor(timeline, from, to, look, chosen) {
        this.timeline = timeline;
        this.from = from;
        this.to = to;
        this.look = look;
        this.chosen = chosen;
        /**
         * Where the mouse was pressed, in pixels.
         * @type {number|null}
         */
        this.pressed = null;
        let top = Row;
        /**
         * Of the threads that are drawn, the first ones.
         * @type {number[]}
         */
        this.tops = [];
        for (const {calls} of timeline.threads) {
            const height = Math.max(1, Math.min(calls.levels, MostLevels)) * Row + Gap;
            if (top + height > MostHeight) break;
            this.tops.push(top);
            top += height;
        }
        this.height = top;
        this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {class: 'drawing', tabindex: 0, role: 'application', style: `height: ${this.height}px`,
            'aria-label': 'timeline: + and - look closer and away, arrow keys move, Escape shows all',
            onmousedown: (/** @type {MouseEvent} */ event) => { this.pressed = event.offsetX; },
            onmousemove: (/** @type {MouseEvent} */ event) => this.over(event),
            onmouseup: (/** @type {MouseEvent} */ event) => this.released(event),
            onmouseleave: () => { this.pressed = null; tip(null); this.draw(); },
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)}));
        new ResizeObserver(() => this.draw()).observe(this.canvas);
    }

    /**
     * @param {number} x in pixels
     */
    timeAt(x) {
        return this.from + (x - Left) / (this.canvas.clientWidth - Left) * (this.to - this.from);
    }

    /**
     * The call there: its thread and its number; null: there is none.
     * @param {MouseEvent} event
     */
    under({offsetX, offsetY}) {
        const thread = this.tops.findIndex((top, i) => offsetY >= top && offsetY < (this.tops[i + 1] ?? this.height) - Gap);
        if (thread < 0 || offsetX < Left) return null;
        const {calls} = this.timeline.threads[thread], level = Math.floor((offsetY - this.tops[thread]) / Row), time = this.timeAt(offsetX);
        for (let i = 0; i < calls.count && calls.begin[i] <= time;)
            if (calls.end[i] <= time) i = calls.after[i];
            else if (calls.depth[i] < level) i++;
            else return {thread: this.timeline.threads[thread], call: i};
        return null;
    }

    /**
     * @param {MouseEvent} event
     */
    over(event) {
        if (this.pressed !== null) {
            this.draw();
            const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d'));
            pen.fillStyle = '#8885';
            pen.fillRect(this.pressed, 0, event.offsetX - this.pressed, this.height);
        }
        const under = this.under(event), {tree} = this.timeline;
        if (!under) return tip(null);
        const {calls} = under.thread, row = calls.row[under.call];
        tip(`${tree.title(row)}\n${duration(calls.end[under.call] - calls.begin[under.call])}, from ${(calls.begin[under.call] / 1e9).toFixed(6)} s\n${under.thread.process}, thread ${under.thread.thread}, STID ${tree.column.id[row]}`, event);
    }

    /**
     * @param {MouseEvent} event
     */
    released(event) {
        const pressed = this.pressed, wide = 4; // pixels from which on it is no click
        this.pressed = null;
        if (pressed !== null && Math.abs(event.offsetX - pressed) >= wide) {
            const [left, right] = [Math.min(pressed, event.offsetX), Math.max(pressed, event.offsetX)];
            return this.look(this.timeAt(Math.max(left, Left)), this.timeAt(right));
        }
        const under = this.under(event);
        if (under) this.chosen(under.thread.calls.row[under.call]);
    }

    /**
     * @param {KeyboardEvent} event
     */
    key(event) {
        const span = this.to - this.from, part = {ArrowLeft: [-0.25, -0.25], ArrowRight: [0.25, 0.25], '+': [0.25, -0.25], '-': [-0.5, 0.5]}[event.key];
        if (part) this.look(this.from + part[0] * span, this.to + part[1] * span);
        else if (event.key === 'Escape') this.look(0, this.timeline.end);
        else return;
        event.preventDefault();
    }

    draw() {
        const all = this.canvas.clientWidth, ratio = devicePixelRatio || 1;
        if (all <= Left) return;
        if (this.canvas.width !== Math.round(all * ratio) || this.canvas.height !== Math.round(this.height * ratio)) {
            this.canvas.width = Math.round(all * ratio);
            this.canvas.height = Math.round(this.height * ratio);
        }
        const pen = /** @type {CanvasRenderingContext2D} */ (this.canvas.getContext('2d')), style = getComputedStyle(this.canvas);
        pen.setTransform(ratio, 0, 0, ratio, 0, 0);
        pen.clearRect(0, 0, all, this.height);
        pen.font = '11px system-ui, sans-serif';
        pen.textBaseline = 'middle';
        this.axis(pen, all, style.color);
        this.tops.forEach((top, i) => this.thread(pen, all, this.timeline.threads[i], top, style.color));
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} all
     * @param {string} front
     */
    axis(pen, all, front) {
        pen.fillStyle = front;
        for (let i = 0; i <= 4; i++) {
            const x = Left + (all - Left) * i / 4;
            pen.textAlign = i === 0 ? 'left' : i === 4 ? 'right' : 'center';
            pen.fillText(`${(this.timeAt(x) / 1e9).toFixed(this.to - this.from < 1e6 ? 9 : 6)} s`, x, Row / 2);
        }
        pen.textAlign = 'left';
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} all
     * @param {any} thread
     * @param {number} top
     * @param {string} front
     */
    thread(pen, all, thread, top, front) {
        /** @type {import('./timeline_data.js').Calls} */
        const calls = thread.calls;
        const {tree} = this.timeline, dark = matchMedia('(prefers-color-scheme: dark)').matches, scale = (all - Left) / (this.to - this.from);
        pen.fillStyle = front;
        pen.fillText(`${thread.process}${thread.thread ? `, ${thread.thread}` : ''}`.slice(0, 18), 2, top + Row / 2);
        const drawn = new Float64Array(MostLevels).fill(Left - 1); // up to which pixel a level is drawn
        for (let i = 0, next = 0; i < calls.count && calls.begin[i] < this.to; i = next) {
            const level = calls.depth[i], over = level >= MostLevels || calls.end[i] <= this.from;
            next = over ? calls.after[i] : i + 1;
            if (over) continue;
            const left = Math.max(Left, Left + (calls.begin[i] - this.from) * scale), right = Math.min(all, Left + (calls.end[i] - this.from) * scale);
            if (right < drawn[level] + Least) continue;
            const row = calls.row[i], from = Math.max(left, drawn[level]), width = Math.max(right - from, Least), title = tree.brief(tree.column.name[row]);
            pen.fillStyle = colour(title, tree.column.kind[row], dark);
            pen.fillRect(from, top + level * Row, width - (width > 3 ? 0.5 : 0), Row - 1);
            drawn[level] = Math.max(right, from + Least);
            if (width > 30) {
                pen.fillStyle = dark ? '#f0f0f0' : '#111';
                const room = Math.floor((width - 6) / 5.8);
                pen.fillText(title.length > room ? title.slice(0, Math.max(room - 1, 1)) + '…' : title, from + 3, top + level * Row + Row / 2, width - 6);
            }
        }
    }
}

/** @type {import('./main.js').View} */
export const timeline = {
    name: 'timeline',
    title: 'Timeline',
    present: (_profile, run) => run.timeline !== null,
    show(place, profile, state, run) {
        const its = /** @type {import('./timeline_data.js').Timeline} */ (run.timeline), shortest = 100; // ns
        const within = (/** @type {string} */ key, /** @type {number} */ otherwise) => Math.min(Math.max(Number(state.get(key, String(otherwise))) || 0, 0), its.end);
        const from = within('from', 0), to = Math.max(within('to', its.end), from + shortest);
        const look = (/** @type {number} */ a, /** @type {number} */ b) => {
            const begin = Math.max(0, Math.round(a)), end = Math.min(its.end, Math.round(b));
            if (end - begin >= shortest) state.go({from: begin === 0 ? null : begin, to: end === its.end ? null : end});
        };
        // The timeline may have paths that the profile has not, such as those of other ranks.
        const chosen = (/** @type {number} */ row) => state.go(its.tree === profile.tree ? {view: 'flame', path: its.tree.column.id[row]} : {view: 'flame', q: its.tree.title(row)});
        const drawing = new Drawing(its, from, to, look, chosen);
        const found = functionsIn(its, from, to), all = found.reduce((sum, one) => sum + one.ns, 0) || 1;
        place.append(element('div', {class: 'tools'}, element('button', {onclick: () => look(0, its.end)}, 'Show all'),
            element('span', {class: 'faint'}, `${duration(to - from)} of ${duration(its.end)}; draw over a part to look closer`)),
            drawing.tops.length === its.threads.length ? '' : element('p', {class: 'faint'}, `The first ${count(drawing.tops.length)} of ${count(its.threads.length)} threads; vftr html --ranks chooses others.`),
            ...run.document.remarks.filter((/** @type {string} */ one) => /left out|timeline/.test(one)).map((/** @type {string} */ one) => element('p', {class: 'faint'}, one + '.')), drawing.canvas,
            element('h2', {}, 'Functions in this part, by themselves (all threads, with the cost of recording)'),
            smallTable(['function', 'time', '', 'calls'], found.slice(0, 15).map(one => [its.tree.brief(one.name), duration(one.ns), percent(one.ns / all), count(one.calls)]), [1, 2, 3]));
    },
};
