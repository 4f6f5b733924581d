// SPDX-License-Identifier: BSD-3-Clause
// Who sent how much to whom, and on which call paths.
import {element, legend, smallTable, tip} from './dom.js';
import {count, counted, duration, size} from './format.js';

const MostRanks = 8192; // of which a matrix can be drawn

/**
 * The colour of a pair, whose amount is this part of the largest one, on a logarithmic scale.
 * @param {number} part
 */
const heat = part => `hsl(212 80% 45% / ${0.08 + 0.92 * part})`;

/**
 * The communication matrix: senders from top to bottom, receivers from left to right, on a logarithmic scale.
 * @param {any} matrix
 * @param {string} weight
 * @param {number} ranks
 */
function heatMap(matrix, weight, ranks) {
    /** @type {Map<number, {messages: number, bytes: number}>} by from × ranks + to */
    const pairs = new Map();
    for (const cell of matrix.cells) {
        if (cell.from_other_job || cell.to_other_job || cell.from_rank >= ranks || cell.to_rank >= ranks) continue;
        const key = cell.from_rank * ranks + cell.to_rank, sum = pairs.get(key) ?? {messages: 0, bytes: 0};
        sum.messages += cell.messages;
        sum.bytes += cell.bytes;
        pairs.set(key, sum);
    }
    const value = (/** @type {any} */ sum) => weight === 'messages' ? sum.messages : sum.bytes;
    const most = Math.max(1, ...[...pairs.values()].map(value)), side = Math.max(1, Math.floor(Math.min(560, 28 * ranks) / ranks));
    const canvas = /** @type {HTMLCanvasElement} */ (element('canvas', {width: side * ranks, height: side * ranks, role: 'img', 'aria-label': 'communication matrix', style: 'border: 1px solid var(--line); image-rendering: pixelated',
        onmousemove: (/** @type {MouseEvent} */ event) => {
            const to = Math.floor(event.offsetX / side), from = Math.floor(event.offsetY / side), sum = pairs.get(from * ranks + to);
            tip(`rank ${from} to rank ${to}\n` + (sum ? `${size(sum.bytes)} in ${counted(sum.messages, 'message')}` : 'nothing'), event);
        }, onmouseleave: () => tip(null)}));
    const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext('2d'));
    for (const [key, sum] of pairs) {
        pen.fillStyle = heat(Math.log1p(value(sum)) / Math.log1p(most));
        pen.fillRect(key % ranks * side, Math.floor(key / ranks) * side, Math.max(side - (side > 4 ? 1 : 0), 1), Math.max(side - (side > 4 ? 1 : 0), 1));
    }
    const amount = (/** @type {number} */ part) => { const its = Math.round(Math.expm1(part * Math.log1p(most))); return weight === 'messages' ? counted(its, 'message') : size(its); };
    return element('div', {}, element('p', {}, ...[0.25, 0.5, 0.75, 1].map(part => legend(heat(part), amount(part)))), canvas);
}

/** @type {import('./main.js').View} */
export const communication = {
    name: 'communication',
    title: 'Communication',
    present: ({document}) => Boolean(document.messages?.length),
    show(place, {document, tree}, state) {
        const weight = state.get('weight', 'bytes');
        const matrix = document.message_matrix;
        if (matrix) {
            const cells = [...matrix.cells].sort((/** @type {any} */ a, /** @type {any} */ b) => b[weight] - a[weight]).slice(0, 20);
            place.append(element('div', {class: 'tools'}, element('select', {'aria-label': 'colour', onchange: (/** @type {any} */ event) => state.go({weight: event.target.value})},
                element('option', {value: 'bytes', selected: weight === 'bytes'}, 'by bytes'), element('option', {value: 'messages', selected: weight === 'messages'}, 'by messages'))),
                element('p', {class: 'faint'}, `Senders from top to bottom, receivers from left to right, from rank 0 to rank ${document.metadata.ranks - 1}; colours are logarithmic.`), document.metadata.ranks <= MostRanks ? heatMap(matrix, weight, document.metadata.ranks) : '',
                element('h2', {}, 'Heaviest pairs'), smallTable(['from', 'to', 'messages', 'bytes'], cells.map(cell => [String(cell.from_rank), String(cell.to_rank), count(cell.messages), size(cell.bytes)]), [0, 1, 2, 3]));
            if (matrix.lighter_pairs.pairs) place.append(element('p', {class: 'faint'}, `${counted(matrix.lighter_pairs.pairs, 'lighter pair')} not kept: ${size(matrix.lighter_pairs.bytes)} in ${counted(matrix.lighter_pairs.messages, 'message')}.`));
        }
        const rows = [...document.messages].sort((a, b) => b.in_calls_ns - a.in_calls_ns).slice(0, 200).map(one => {
            const row = tree.rowOf(one.path), both = one.sent.messages + one.received.messages;
            return [tree.pathText(row, 3), duration(one.in_calls_ns), count(one.sent.messages), size(one.sent.bytes), count(one.received.messages), size(one.received.bytes),
                both ? size((one.sent.bytes + one.received.bytes) / both) : ''];
        });
        place.append(element('h2', {}, 'Call paths'), smallTable(['call path', 'time in calls', 'sent', 'bytes sent', 'received', 'bytes received', 'average'], rows, [1, 2, 3, 4, 5, 6]));
    },
};
