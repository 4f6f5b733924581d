// SPDX-License-Identifier: BSD-3-Clause
// The picture of the timeline: a box with all threads, of which the canvas shows those that are scrolled to. Calls are drawn as points of an image, since
// there are as many of them as points; messages, collectives and waits above them, the longest ones of what is seen.
import {emptyCanvas, isDark} from './canvas.js';
import {point} from './colour.js';
import {element, tip} from './dom.js';
import {duration, shortened, size} from './format.js';
import {WaitStates} from './timeline_marks.js';
import {callAt, callsOfPixels, NoCall} from './timeline_picture.js';

const Row = 14; // pixels of height of a call
const Left = 110; // pixels of the threads' names
const Gap = 8; // pixels between threads
const Shortest = 100; // ns that are looked at
const Faded = 0.35; // how much is seen of ranks that are not chosen
const MostArrows = 1000, MostBands = 200;
const Near = 4; // pixels from an arrow at which the mouse is on it

/**
 * What is shown beside calls.
 * @typedef {{messages: boolean, collectives: boolean, waits: boolean}} Shown
 */

export class Drawing {
    /**
     * @param {import('./timeline_data.js').Timeline} timeline
     * @param {{from: number, to: number, levels: number, shown: Shown, ranks: import('./rank_choice.js').RankChoice}} view
     * @param {{moved: (step: boolean) => void, chosen: (row: number) => void, chosenRank: (rank: number, more: boolean) => void, drawn: (left: {arrows: number, bands: number}) => void}} tell `moved`: another part is seen, by a step that
     *     Back undoes or not; `chosen`: a call was clicked, `chosenRank`: the name of a thread, `more` with Ctrl; `drawn`: how many marks were too many to be drawn
     */
    constructor(timeline, view, tell) {
        this.timeline = timeline;
        this.from = view.from;
        this.to = view.to;
        this.levels = view.levels;
        this.shown = view.shown;
        this.ranks = view.ranks;
        this.tell = tell;
        /**
         * Where the mouse was pressed, and where it is since then, in pixels.
         * @type {{x: number, now: number}|null}
         */
        this.pressed = null;
        /**
         * Arrows that are drawn: message, and both ends in pixels.
         * @type {number[][]}
         */
        this.arrows = [];
        /**
         * By name and kind: what a call looks like.
         * @type {Map<number, number>}
         */
        this.points = new Map();
        /**
         * Of the calls, as large as the canvas.
         * @type {ImageData|undefined}
         */
        this.image = undefined;
        this.waiting = false;
        this.dark = false;
        this.left = {arrows: 0, bands: 0}; // of what is seen, too many to be drawn
        this.whole = 0;
        /**
         * By thread: the top in pixels.
         * @type {number[]}
         */
        this.tops = [];
        this.mostLevels = timeline.threads.map(() => 1); // by thread: those that it had at most, so that others stay where they are
        this.place();
        this.canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {class: 'drawing', tabindex: 0, role: 'application', style: 'position: sticky; top: 0',
            'aria-label': 'timeline: + and - look closer and away, arrow keys move, Escape shows all',
            onmousedown: (/** @type {MouseEvent} */ event) => { this.pressed = {x: event.offsetX, now: event.offsetX}; },
            onmousemove: (/** @type {MouseEvent} */ event) => this.over(event),
            onmouseup: (/** @type {MouseEvent} */ event) => this.released(event),
            onmouseleave: () => { tip(null); if (this.pressed) { this.pressed = null; this.drawSoon(); } },
            onwheel: (/** @type {WheelEvent} */ event) => this.wheel(event),
            onkeydown: (/** @type {KeyboardEvent} */ event) => this.key(event)}));
        this.space = element('div', {style: `height: ${this.whole}px`}, this.canvas);
        this.box = element('div', {class: 'timeline', onscroll: () => this.drawSoon()}, this.space);
        new ResizeObserver(() => this.draw()).observe(this.box);
    }

    place() {
        let top = Row;
        this.tops = this.timeline.threads.map(({calls}, thread) => {
            const its = top;
            this.mostLevels[thread] = Math.max(this.mostLevels[thread], this.levelsOf(calls));
            top += this.mostLevels[thread] * Row + Gap;
            return its;
        });
        this.whole = top;
    }

    /**
     * Another detail of the same threads.
     * @param {import('./timeline_data.js').Timeline} timeline
     */
    use(timeline) {
        if (timeline === this.timeline) return;
        this.timeline = timeline;
        this.place();
        this.space.style.height = `${this.whole}px`;
        this.drawSoon();
    }

    /** @param {import('./timeline_data.js').Calls} calls */
    levelsOf(calls) {
        return Math.max(1, Math.min(calls.levels, this.levels));
    }

    /** @param {number} x in pixels */
    timeAt(x) {
        return this.from + (x - Left) / (this.canvas.clientWidth - Left) * (this.to - this.from);
    }

    /** @param {number} time */
    xAt(time) {
        return Left + (time - this.from) / (this.to - this.from) * (this.canvas.clientWidth - Left);
    }

    /**
     * Another part of the time.
     * @param {number} from
     * @param {number} to
     * @param {boolean} step whether Back undoes it
     */
    look(from, to, step) {
        const end = Math.max(this.timeline.end, Shortest), span = Math.min(Math.max(Math.round(to - from), Shortest), end);
        this.from = Math.min(Math.max(0, Math.round(from)), end - span);
        this.to = this.from + span;
        this.drawSoon();
        this.tell.moved(step);
    }

    /**
     * The thread at this height; -1: there is none.
     * @param {MouseEvent} event
     */
    threadAt({offsetY}) {
        const y = offsetY + this.box.scrollTop;
        let thread = 0;
        for (let high = this.tops.length; high - thread > 1;) {
            const middle = thread + high >>> 1;
            if (this.tops[middle] <= y) thread = middle;
            else high = middle;
        }
        return offsetY < Row || thread >= this.tops.length ? -1 : thread;
    }

    /**
     * The call there: its thread and its number; null: there is none.
     * @param {MouseEvent} event
     */
    under(event) {
        const {offsetX, offsetY} = event, y = offsetY + this.box.scrollTop, thread = this.threadAt(event);
        if (offsetX < Left || thread < 0) return null;
        const {calls} = this.timeline.threads[thread], level = Math.floor((y - this.tops[thread]) / Row), time = this.timeAt(offsetX);
        if (level < 0 || level >= this.levelsOf(calls)) return null;
        const call = callAt(calls, time, level);
        return call === NoCall || calls.depth[call] !== level ? null : {thread, call, time};
    }

    /** @param {MouseEvent} event */
    over(event) {
        if (this.pressed) {
            this.pressed.now = event.offsetX;
            return this.drawSoon();
        }
        const arrow = this.arrowNear(event);
        if (arrow >= 0) {
            const {messages} = this.timeline.marks, thread = (/** @type {number} */ one) => this.named(this.timeline.threads[one]);
            return tip(`message from ${thread(messages.from[arrow])} to ${thread(messages.to[arrow])}\n${size(messages.bytes[arrow])}, ${messages.ns[arrow] < 0 ? 'received before it was sent, as the clocks differ' : `${duration(messages.ns[arrow])} from the begin of the send to the end of the receive`}`, event);
        }
        const under = this.under(event), {tree} = this.timeline;
        if (!under) return tip(null);
        const {calls} = this.timeline.threads[under.thread], {call} = under, row = calls.row[call];
        const {part} = this.timeline, cut = part && (calls.begin[call] <= part.from || calls.end[call] >= part.to); // it goes on beyond what the page has
        tip(`${tree.told(row)}\n${cut ? 'more than ' : ''}${duration(calls.end[call] - calls.begin[call])} from ${(calls.begin[call] / 1e9).toFixed(6)} s on\n${this.named(this.timeline.threads[under.thread])}, STID ${tree.column.id[row]}` +
            this.waitsWithin(under.thread, call, under.time).map(one => '\n' + one).join(''), event);
    }

    /** @param {{process: string, thread: number}} thread */
    named(thread) {
        return `${thread.process}${thread.thread ? `, thread ${thread.thread}` : ''}`;
    }

    /**
     * What a call waits for: at that time, or within it where it is too short to point at.
     * @param {number} thread
     * @param {number} call
     * @param {number} time
     */
    waitsWithin(thread, call, time) {
        const {waits, waitsOf} = this.timeline.marks, {calls} = this.timeline.threads[thread], pixel = (this.to - this.from) / Math.max(this.canvas.clientWidth - Left, 1), told = [];
        if (!this.shown.waits || !waitsOf) return [];
        for (let i = waitsOf[thread]; i < waitsOf[thread + 1] && waits.begin[i] <= time + pixel && told.length < 4; i++)
            if (waits.begin[i] + waits.ns[i] >= time - pixel && waits.begin[i] < calls.end[call] && waits.begin[i] + waits.ns[i] > calls.begin[call])
                told.push(`${WaitStates[waits.state[i]].name}: ${WaitStates[waits.state[i]].told} ${waits.cause[i]}, ${duration(waits.ns[i])}`);
        return told;
    }

    /** @param {MouseEvent} event */
    arrowNear({offsetX: x, offsetY: y}) {
        let nearest = -1, least = Near * Near;
        for (const [message, x1, y1, x2, y2] of this.arrows) {
            const length = (x2 - x1) ** 2 + (y2 - y1) ** 2 || 1, part = Math.max(0, Math.min(1, ((x - x1) * (x2 - x1) + (y - y1) * (y2 - y1)) / length));
            const distance = (x - x1 - part * (x2 - x1)) ** 2 + (y - y1 - part * (y2 - y1)) ** 2;
            if (distance < least) [nearest, least] = [message, distance];
        }
        return nearest;
    }

    /** @param {MouseEvent} event */
    released(event) {
        const pressed = this.pressed, wide = 4; // pixels from which on it is no click
        this.pressed = null;
        if (pressed && Math.abs(event.offsetX - pressed.x) >= wide) {
            const [left, right] = [Math.min(pressed.x, event.offsetX), Math.max(pressed.x, event.offsetX)];
            return this.look(this.timeAt(Math.max(left, Left)), this.timeAt(right), true);
        }
        const named = event.offsetX < Left ? this.threadAt(event) : -1, under = this.under(event);
        if (named >= 0) return this.tell.chosenRank(this.timeline.threads[named].rank, event.ctrlKey || event.metaKey);
        if (under) this.tell.chosen(this.timeline.threads[under.thread].calls.row[under.call]);
    }

    /** @param {WheelEvent} event with Ctrl it looks closer or away, with Shift it moves; else the threads scroll */
    wheel(event) {
        if (!event.ctrlKey && !event.shiftKey) return;
        event.preventDefault();
        const span = this.to - this.from, by = event.deltaY || event.deltaX;
        if (event.shiftKey) return this.look(this.from + Math.sign(by) * span / 10, this.to + Math.sign(by) * span / 10, false);
        const at = this.timeAt(Math.max(event.offsetX, Left)), factor = by > 0 ? 1.25 : 0.8;
        this.look(at - (at - this.from) * factor, at + (this.to - at) * factor, false);
    }

    /** @param {KeyboardEvent} event */
    key(event) {
        const span = this.to - this.from, part = {ArrowLeft: [-0.25, -0.25], ArrowRight: [0.25, 0.25], '+': [0.25, -0.25], '-': [-0.5, 0.5]}[event.key];
        if (part) this.look(this.from + part[0] * span, this.to + part[1] * span, false);
        else if (event.key === 'Escape') this.look(0, this.timeline.end, true);
        else if (event.key === 'ArrowUp' || event.key === 'ArrowDown') this.box.scrollBy(0, (event.key === 'ArrowUp' ? -4 : 4) * Row);
        else return;
        event.preventDefault();
    }

    /** In the next frame, once. */
    drawSoon() {
        if (this.waiting) return;
        this.waiting = true;
        requestAnimationFrame(() => { this.waiting = false; this.draw(); });
    }

    draw() {
        const height = Math.min(this.whole, this.box.clientHeight), ready = emptyCanvas(this.canvas, height);
        if (!ready || ready.width <= Left) return;
        const {pen, width, ratio} = ready, front = getComputedStyle(this.canvas).color, scrolled = this.box.scrollTop;
        const seen = this.tops.map((top, thread) => ({top: top - scrolled, thread})).filter(({top, thread}) => top < height && top + this.heightOf(thread) > 0);
        const labels = this.calls(pen, width, height, ratio, seen);
        pen.font = '11px system-ui, sans-serif';
        this.left = {arrows: 0, bands: 0};
        if (this.shown.collectives) this.bands(pen, scrolled, height);
        if (this.shown.waits) for (const {thread, top} of seen) this.waits(pen, thread, top);
        pen.fillStyle = isDark() ? '#f0f0f0' : '#111';
        for (const [label, x, y, room] of labels) pen.fillText(label, x, y, room);
        this.arrows = [];
        if (this.shown.messages) this.messages(pen, scrolled, height, front);
        this.fade(pen, width, seen);
        pen.clearRect(0, 0, Left - 2, height);
        pen.fillStyle = front;
        for (const {thread, top} of seen) {
            const {process, thread: number, rank} = this.timeline.threads[thread];
            pen.globalAlpha = this.ranks.has(rank) ? 1 : Faded;
            pen.fillText(`${process}${number ? `, ${number}` : ''}`.slice(0, 18), 2, top + Row / 2, Left - 8);
        }
        pen.globalAlpha = 1;
        pen.clearRect(0, 0, width, Row);
        this.axis(pen, width);
        if (this.pressed) {
            pen.fillStyle = '#8885';
            pen.fillRect(this.pressed.x, 0, this.pressed.now - this.pressed.x, height);
        }
        this.tell.drawn(this.left);
    }

    /**
     * The threads of ranks that are not chosen.
     * @param {CanvasRenderingContext2D} pen
     * @param {number} width
     * @param {{top: number, thread: number}[]} seen
     */
    fade(pen, width, seen) {
        if (this.ranks.isAll) return;
        pen.fillStyle = getComputedStyle(document.body).backgroundColor;
        pen.globalAlpha = 1 - Faded;
        for (const {top, thread} of seen)
            if (!this.ranks.has(this.timeline.threads[thread].rank)) pen.fillRect(Left, top, width - Left, this.heightOf(thread));
        pen.globalAlpha = 1;
    }

    /** @param {number} thread */
    heightOf(thread) {
        return this.mostLevels[thread] * Row;
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} width
     */
    axis(pen, width) {
        for (let i = 0; i <= 4; i++) {
            const x = Left + (width - Left) * i / 4;
            pen.textAlign = i === 0 ? 'left' : i === 4 ? 'right' : 'center';
            pen.fillText(`${(this.timeAt(x) / 1e9).toFixed(this.to - this.from < 1e6 ? 9 : 6)} s`, x, Row / 2);
        }
        pen.textAlign = 'left';
    }

    /**
     * Draws the calls, and returns their names: text, place and width.
     * @param {CanvasRenderingContext2D} pen
     * @param {number} all
     * @param {number} height
     * @param {number} ratio
     * @param {{top: number, thread: number}[]} seen
     */
    calls(pen, all, height, ratio, seen) {
        const {tree} = this.timeline, dark = isDark(), left = Math.round(Left * ratio), width = Math.round(all * ratio) - left, rows = Math.round(height * ratio);
        if (this.image?.width !== width || this.image.height !== rows) this.image = new ImageData(width, rows);
        const {image} = this, points = new Uint32Array(image.data.buffer).fill(0);
        /** @type {[string, number, number, number][]} */
        const labels = [];
        if (dark !== this.dark) this.points.clear();
        this.dark = dark;
        const pointOf = (/** @type {number} */ row) => {
            const key = 8 * tree.column.name[row] + tree.column.kind[row] % 8;
            let found = this.points.get(key);
            if (found === undefined) this.points.set(key, found = point(tree.brief(tree.column.name[row]), tree.column.kind[row], dark));
            return found;
        };
        const gap = Math.max(1, Math.round(ratio / 2)), line = new Uint32Array(width), wide = 30 * ratio;
        for (const {top, thread} of seen) {
            const {calls} = this.timeline.threads[thread];
            callsOfPixels(calls, this.from, this.to, width, this.levelsOf(calls)).forEach((ofPixel, level) => {
                const first = Math.max(0, Math.round((top + level * Row) * ratio)), behind = Math.min(rows, Math.round((top + level * Row + Row - 1) * ratio));
                if (first >= behind) return;
                for (let begin = 0, end = 0; begin < width; begin = end) {
                    const call = ofPixel[begin];
                    for (end = begin + 1; end < width && ofPixel[end] === call;) end++;
                    if (call === 0) {
                        line.fill(0, begin, end);
                        continue;
                    }
                    const row = calls.row[call - 1], cut = end - begin > 3 * gap ? gap : 0;
                    line.fill(pointOf(row), begin, end - cut);
                    line.fill(0, end - cut, end);
                    if (end - begin > wide) {
                        const room = (end - begin) / ratio - 6;
                        labels.push([shortened(tree.brief(tree.column.name[row]), Math.floor(room / 5.8)), Left + begin / ratio + 3, top + level * Row + Row / 2, room]);
                    }
                }
                for (let y = first; y < behind; y++) points.set(line, y * width);
            });
        }
        pen.putImageData(image, left, 0);
        return labels;
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} thread
     * @param {number} top
     */
    waits(pen, thread, top) {
        const {waits, waitsOf} = this.timeline.marks, {calls} = this.timeline.threads[thread];
        if (!waitsOf) return;
        let drawn = -1;
        for (let i = waitsOf[thread]; i < waitsOf[thread + 1] && waits.begin[i] < this.to; i++) {
            const end = waits.begin[i] + waits.ns[i];
            if (end <= this.from) continue;
            const right = this.xAt(Math.min(end, this.to));
            if (right < drawn + 1) continue;
            const left = Math.max(this.xAt(Math.max(waits.begin[i], this.from)), drawn), inside = callAt(calls, waits.begin[i] + waits.ns[i] / 2, this.levelsOf(calls) - 1);
            const level = inside === NoCall ? 0 : calls.depth[inside];
            pen.fillStyle = WaitStates[waits.state[i]].colour;
            pen.fillRect(left, top + level * Row + Row - 5, Math.max(right - left, 1), 4);
            drawn = right;
        }
    }

    /**
     * Collectives: what belongs together, as far as it is seen.
     * @param {CanvasRenderingContext2D} pen
     * @param {number} scrolled
     * @param {number} height
     */
    bands(pen, scrolled, height) {
        const {collectives, meetings, bands} = this.timeline.marks;
        if (!meetings || !bands) return;
        const {found, left} = bands.between(this.from, this.to, MostBands, meeting => meetings[meeting + 1] - meetings[meeting] > 1);
        this.left.bands = left;
        pen.fillStyle = isDark() ? 'hsl(280 60% 70% / .2)' : 'hsl(280 60% 45% / .16)';
        const x = (/** @type {number} */ time) => Math.max(Left - 4, Math.min(this.xAt(time), this.canvas.clientWidth + 4));
        for (const meeting of found) {
            pen.beginPath();
            const [first, behind] = [meetings[meeting], meetings[meeting + 1]];
            for (let i = first; i < behind; i++)
                for (const y of this.edges(collectives.thread[i], scrolled)) pen.lineTo(x(collectives.begin[i]), y);
            for (let i = behind - 1; i >= first; i--)
                for (const y of this.edges(collectives.thread[i], scrolled).reverse()) pen.lineTo(Math.max(x(collectives.begin[i] + collectives.ns[i]), x(collectives.begin[i]) + 1), y);
            pen.fill();
        }
    }

    /**
     * Top and bottom of a thread.
     * @param {number} thread
     * @param {number} scrolled
     */
    edges(thread, scrolled) {
        return [this.tops[thread] - scrolled, this.tops[thread] + this.heightOf(thread) - scrolled];
    }

    /**
     * @param {CanvasRenderingContext2D} pen
     * @param {number} scrolled
     * @param {number} height
     * @param {string} front
     */
    messages(pen, scrolled, height, front) {
        const {messages, arrows} = this.timeline.marks;
        if (!arrows) return;
        const between = (/** @type {number} */ one) => {
            const [a, b] = this.tops[messages.from[one]] < this.tops[messages.to[one]] ? [messages.from[one], messages.to[one]] : [messages.to[one], messages.from[one]];
            return this.tops[a] - scrolled < height && this.tops[b] + this.heightOf(b) - scrolled > Row;
        };
        const {found, left} = arrows.between(this.from, this.to, MostArrows, between);
        this.left.arrows = left;
        const y = (/** @type {number} */ thread, /** @type {number} */ time) => {
            const {calls} = this.timeline.threads[thread], call = callAt(calls, time, this.levelsOf(calls) - 1);
            return this.tops[thread] - scrolled + (call === NoCall ? 0 : calls.depth[call]) * Row + Row / 2;
        };
        this.arrows = found.map(one => {
            const end = messages.begin[one] + messages.ns[one];
            return [one, this.xAt(messages.begin[one]), y(messages.from[one], messages.begin[one]), this.xAt(end), y(messages.to[one], Math.max(messages.begin[one], end - 1))];
        });
        pen.strokeStyle = pen.fillStyle = front;
        pen.globalAlpha = this.arrows.length > 100 ? 0.45 : 0.8;
        pen.beginPath();
        for (const [, x1, y1, x2, y2] of this.arrows) {
            pen.moveTo(x1, y1);
            pen.lineTo(x2, y2);
        }
        pen.stroke();
        if (this.arrows.length <= 300)
            for (const [, x1, y1, x2, y2] of this.arrows) {
                const length = Math.hypot(x2 - x1, y2 - y1) || 1, [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
                pen.beginPath();
                pen.moveTo(x2, y2);
                pen.lineTo(x2 - 7 * dx - 3 * dy, y2 - 7 * dy + 3 * dx);
                pen.lineTo(x2 - 7 * dx + 3 * dy, y2 - 7 * dy - 3 * dx);
                pen.fill();
            }
        pen.globalAlpha = 1;
    }
}
