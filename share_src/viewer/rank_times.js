// SPDX-License-Identifier: BSD-3-Clause
// The exclusive time of functions on each rank: the numbers that the page has for that, a strip of them, and the heat map of functions and ranks.
import {emptyCanvas, isDark} from './canvas.js';
import {element, legend, tip} from './dom.js';
import {count, duration, percent, shortened} from './format.js';

const Row = 18; // pixels of height of a function
const Names = 260; // pixels of the functions' names
const WidestCell = 28; // pixels
const StripWidth = 96, StripHeight = 16;

/** Of the whole run. */
export class RankTimes {
    /**
     * @param {{ranks: number[], functions: string[], left_out: number, offset: number}} directory
     * @param {ArrayBuffer} buffer
     * @param {number} begin of the columns
     */
    constructor(directory, buffer, begin) {
        this.ranks = directory.ranks;
        this.functions = directory.functions;
        this.leftOut = directory.left_out;
        /** By function, then by rank. */
        this.ns = new Float64Array(buffer, begin + directory.offset, this.ranks.length * this.functions.length);
        this.index = new Map(this.functions.map((name, i) => [name, i]));
    }

    /**
     * Those of a function; null: the page has none.
     * @param {string} name
     */
    of(name) {
        const found = this.index.get(name);
        return found === undefined ? null : this.row(found);
    }

    /** @param {number} index */
    row(index) {
        return this.ns.subarray(index * this.ranks.length, (index + 1) * this.ranks.length);
    }
}

/** @param {ArrayLike<number>} times */
export function spread(times) {
    let sum = 0, most = 0, at = 0;
    for (let i = 0; i < times.length; i++) {
        sum += times[i];
        if (times[i] > most) [most, at] = [times[i], i];
    }
    const average = sum / Math.max(times.length, 1);
    return {average, most, at, excess: most - average};
}

/**
 * A bar for each rank, as high as its time; where there are more ranks than pixels, the highest one of neighbours.
 * @param {Float64Array} times
 */
export function strip(times) {
    const canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {style: `width: ${StripWidth}px; height: ${StripHeight}px; vertical-align: middle`})), ratio = devicePixelRatio || 1;
    canvas.width = StripWidth * ratio;
    canvas.height = StripHeight * ratio;
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d')), {most} = spread(times), bars = Math.min(times.length, StripWidth), wide = canvas.width / bars;
    pen.fillStyle = isDark() ? '#7db4f0' : '#2f74bd';
    for (let bar = 0; bar < bars; bar++) {
        let highest = 0;
        for (let i = Math.floor(bar * times.length / bars); i < Math.floor((bar + 1) * times.length / bars); i++) highest = Math.max(highest, times[i]);
        const height = most > 0 ? Math.max(highest / most * canvas.height, highest > 0 ? 1 : 0) : 0;
        pen.fillRect(bar * wide, canvas.height - height, Math.max(wide - (wide > 3 ? 1 : 0), 0.5), height);
    }
    return canvas;
}

/**
 * The colour of a time: 0 is the average, -1 and 1 are furthest from it.
 * @param {number} part
 */
const heat = part => part < 0 ? `hsl(212 80% 50% / ${(0.06 - 0.94 * part).toFixed(3)})` : `hsl(14 85% 50% / ${(0.06 + 0.94 * part).toFixed(3)})`;

/**
 * Functions from top to bottom, ranks from left to right; the canvas shows those functions that are scrolled to.
 * @param {RankTimes} times
 * @param {number[]} order functions
 * @param {(name: string) => string} brief
 * @param {(name: string) => void} chosen
 */
export function heatMap(times, order, brief, chosen) {
    const all = order.length * Row, spreads = times.functions.map((_, i) => spread(times.row(i)));
    const cell = () => Math.min(WidestCell, (canvas.clientWidth - Names) / times.ranks.length);
    const under = (/** @type {MouseEvent} */ event) => {
        const row = Math.floor((event.offsetY + box.scrollTop) / Row), rank = Math.floor((event.offsetX - Names) / cell());
        return row >= 0 && row < order.length ? {of: order[row], rank: event.offsetX >= Names && rank < times.ranks.length ? rank : -1} : null;
    };
    const canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {class: 'drawing', role: 'img', 'aria-label': 'functions and ranks', style: 'position: sticky; top: 0',
        onmousemove: (/** @type {MouseEvent} */ event) => {
            const at = under(event);
            if (!at) return tip(null);
            const {average, most, at: slowest} = spreads[at.of], its = at.rank < 0 ? 0 : times.row(at.of)[at.rank];
            tip(`${times.functions[at.of]}\n` + (at.rank < 0 ? '' : `rank ${times.ranks[at.rank]}: ${duration(its)}` + (average > 0 ? `, ${percent(its / average)} of the average\n` : '\n')) +
                `average ${duration(average)}, most ${duration(most)} (rank ${times.ranks[slowest]})`, event);
        },
        onmouseleave: () => tip(null),
        onclick: (/** @type {MouseEvent} */ event) => { const at = under(event); if (at) chosen(times.functions[at.of]); }}));
    let waiting = false;
    const draw = () => {
        waiting = false;
        const height = Math.min(all, box.clientHeight), ready = emptyCanvas(canvas, height);
        if (!ready) return;
        const {pen, ratio} = ready, front = getComputedStyle(canvas).color, side = cell(), columns = Math.min(times.ranks.length, Math.floor(side * times.ranks.length * ratio)), wide = side * times.ranks.length / columns;
        pen.font = '12px system-ui, sans-serif';
        for (let i = Math.floor(box.scrollTop / Row); i < order.length && i * Row < box.scrollTop + height; i++) {
            const row = times.row(order[i]), {average, most} = spreads[order[i]], top = i * Row - box.scrollTop, widest = Math.max(most - average, average, 1);
            for (let column = 0; column < columns; column++) {
                let its = row[Math.floor(column * row.length / columns)]; // of neighbours in one pixel that which is furthest from the average
                for (let one = Math.floor(column * row.length / columns) + 1; one < Math.floor((column + 1) * row.length / columns); one++)
                    if (Math.abs(row[one] - average) > Math.abs(its - average)) its = row[one];
                const part = Math.max(-1, Math.min((its - average) / widest, 1));
                pen.fillStyle = heat(part);
                pen.fillRect(Names + column * wide, top, wide - (wide > 4 ? 1 : 0), Row - 1);
            }
            pen.fillStyle = front;
            pen.fillText(shortened(brief(times.functions[order[i]]), 38), 2, top + Row / 2, Names - 10);
        }
    };
    const drawSoon = () => {
        if (!waiting) requestAnimationFrame(draw);
        waiting = true;
    };
    const box = element('div', {class: 'timeline', style: 'max-height: 60vh', onscroll: drawSoon}, element('div', {style: `height: ${all}px`}, canvas));
    new ResizeObserver(draw).observe(box);
    return element('section', {}, element('p', {class: 'faint'}, `Exclusive times of ${count(order.length)} functions on ${count(times.ranks.length)} ranks, from rank ${times.ranks[0]} on the left to rank ${times.ranks[times.ranks.length - 1]}: red takes longer than the average of the ranks, blue less, the more the stronger.` +
        (times.leftOut ? ` ${count(times.leftOut)} functions with less time are left out.` : '')), element('p', {}, legend(heat(-1), 'least'), legend(heat(0), 'average of the ranks'), legend(heat(1), 'most')), box);
}
